"""A report as one page that needs no network: the estate drawn, and each finding with its lines, fix, and proof."""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, TypeVar

from ..engine.world.event import Event
from ..lab.lab import Lab
from ..topology.graph import key_of
from ..views.drawing.engine import cannot_draw, packed_elk
from ..views.drawing.scene import Scene
from ..views.drawing.topology import facts_of, plan_of
from ..views.frames.topology import outline
from ..views.player.player import LEVELS, player_script, player_style
from ..views.player.player_steps import PlayerSteps
from ..views.text import escape, plural
from .breaks import depending
from .causes import SUMMARY
from .findings import ERROR, NOTE, OPEN, RETIRED, WARNING, Finding
from .proofs import on_a_copy, prove_all, rested, small
from .report import Entry, Report, rows_of, source_words

if TYPE_CHECKING:
    from .definitions import Definitions

Item = TypeVar("Item")
MOST, PLAYERS, AROUND = 500, 12, 3
"""A page shows so many findings, plays so many proofs, and shows so many lines before and after that of a finding."""

LONGEST = 300
"""Characters of a line of a dump that a page shows."""

_SIGNS = {  # severity -> class, letter, shape
    ERROR: ("error", "E", "M6.2 1h7.6L19 6.2v7.6L13.8 19H6.2L1 13.8V6.2z"),
    WARNING: ("warning", "W", "M10 1L19.3 18.5H.7z"),
    NOTE: ("note", "N", "M10 1a9 9 0 1 0 .01 0z"),
    OPEN: ("open", "?", "M10 .7L19.3 10 10 19.3 .7 10z"),
}


def page(report: Report) -> str:
    """The HTML of a report; the same report gives the same text.

    `PLAYERS` proofs are run for it, the first of each check before the second of any; a page without mini-racer has no
    players.
    """
    return _Page(report).html()


class _Page:
    """The facts that the parts of a page share: the report, the lines of its scripts, and the graph that it draws."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.estate = rested(report.estate)
        self.plan, self.facts = on_a_copy(self.estate, _drawn)  # which leaves its memory there
        # links are of the lab, not of the scripts
        self.plan["edges"] = [each for each in self.plan["edges"] if each[2] != "link"]
        self.drawn = {each["id"] for part in ("qmgrs", "objects", "structures") for each in self.plan[part]}
        self.lines = {part.file: (part.text or part.script.text).split("\n") for part in report.estate.parts}
        proofs = (entry for entry in report.entries[:MOST] if entry.finding.proof is not None)
        self.played = {entry.fingerprint for entry in first_of_each(proofs, lambda entry: entry.finding.check)}

    def html(self) -> str:
        entries = self.report.entries[:MOST]
        left = len(self.report.entries) - len(entries)
        more = f" This page shows the first {MOST}; mqlab check --format text shows them all." if left else ""
        if sum(entry.finding.proof is not None for entry in entries) > PLAYERS:
            more += f" This page runs and plays {PLAYERS} of the proofs, first one of each check."
        kept = {entry.fingerprint for entry in entries}
        groups = [(name, [each for each in found if each.fingerprint in kept]) for name, found in self.report.by_qmgr()]
        parts = "".join(self._group(name, found) for name, found in groups if found)
        noted = {self._node(entry.finding) for entry in entries}
        objects = [each | {"noted": True} if each["id"] in noted else each for each in self.plan["objects"]]
        needed = depending(self.report.estate)
        lost = list(dict.fromkeys(each for several in needed.values() for each in several))
        numbers = {each: number for number, each in enumerate(lost)}
        breaks = {key: [numbers[each] for each in several] for key, several in needed.items()}
        plan, routes = self.plan | {"objects": objects}, [each.objects for each in lost]
        return filled(
            "check",
            title=f"What was found in {escape(listed(self.report.estate.names))}",
            summary=escape(" ".join(filter(None, (self.report.first, self.report.summary))) + more),
            traffic=self._traffic(),
            filter=self._filter(),
            findings=parts or "<p>Nothing was found.</p>",
            estate=_packed({"plan": plan, "facts": self.facts, "routes": routes, "breaks": breaks}),
        )

    def _traffic(self) -> str:
        """The fates of the messages of the traffic, if any was run."""
        if self.report.traffic is None:
            return ""
        rows = "".join(f"<li>{escape(line)}</li>" for line in self.report.traffic.lines)
        return f"<details><summary>{escape(self.report.traffic.title)}</summary><ul>{rows}</ul></details>"

    def _filter(self) -> str:
        """The boxes to tick for severities, and the choice of a queue manager."""
        boxes = "".join(
            f'<label><input type="checkbox" checked value="{_SIGNS[severity][0]}">{sign(severity)}'
            f"{escape(severity)} ({many})</label>"
            for severity, many in self.report.counts.items()
        )
        names = "".join(f"<option>{escape(name)}</option>" for name in self.report.estate.names)
        return f'{boxes}<label>Queue manager <select><option value="">all</option>{names}</select></label>'

    def _group(self, name: str, entries: Sequence[Entry]) -> str:
        """The findings of a queue manager: those that count, then retired objects and what cannot be judged, apart."""
        qmgr = self.report.estate.lab[name]
        objects = sum(1 for _ in self.report.estate.own(qmgr))
        where = ", ".join(Path(each).name for each in self.report.files(name))
        head = f"{qmgr.platform} {qmgr.level}, {plural(objects, 'object')}{', ' if where else ''}{where}"
        parts: dict[str, list[Entry]] = {"": [], "Retired objects": [], "Cannot be judged from these files": []}
        main, retired, unsure = parts.values()
        for entry in entries:
            one = entry.finding
            (retired if one.group == RETIRED else unsure if one.severity == OPEN else main).append(entry)
        shown = "".join(
            f"<section>{f'<h4>{title}</h4>' if title else ''}{''.join(map(self._finding, found))}</section>"
            for title, found in parts.items()
            if found
        )
        return f"<section><h2>{escape(name)} <small>{escape(head)}</small></h2>{shown}</section>"

    def _finding(self, entry: Entry) -> str:
        one = entry.finding
        where = f"{Path(one.place.file).name}:{one.place.line}" if one.place.file else ""
        at = f" on {one.fix_at}" if one.fix_at != one.qmgr else ""
        parts = [
            self._lines(one),
            f"<h3 data-copy>MQSC that fixes it{escape(at)}</h3><pre>{escaped(one.fix)}</pre>" if one.fix else "",
            self._proof(entry),
            f"<h3>Traffic</h3><p>{escape(entry.figure.said)}.</p>" if entry.figure else "",
            _others(one),
            f"<h3>Why</h3><p>{escape(source_words(one.source))} <small>[{escape(one.check)}]</small></p>",
        ]
        return (
            f'<details class="check-finding" id="{entry.fingerprint}" data-severity="{_SIGNS[one.severity][0]}" '
            f'data-qmgr="{escape(one.qmgr)}" data-node="{escape(self._node(one))}"><summary>{sign(one.severity)}'
            f"<span>{escape(one.said)}</span><small>{escape(where)}</small></summary><div>{''.join(parts)}</div></details>"
        )

    def _node(self, one: Finding) -> str:
        """The object of the picture that stands for a finding: its own, else its queue manager."""
        node = key_of(self.report.estate.lab[one.qmgr], one.kind, one.name)
        return node if node in self.drawn else one.qmgr

    def _lines(self, one: Finding) -> str:
        """The lines of the dump around a finding."""
        lines, at = self.lines.get(one.place.file, []), one.place.line
        if not one.place.file or not 0 < at <= len(lines):
            return ""
        first, last = max(1, at - AROUND), min(len(lines), at + AROUND)
        shown = "".join(
            f'<span data-n="{n}"{" class=at" * (n == at)}>{escape(lines[n - 1].rstrip()[:LONGEST]) or " "}</span>'
            for n in range(first, last + 1)
        )
        return f"<h3>{escape(one.place.file)}, line {at}</h3><pre>{shown}</pre>"

    def _proof(self, entry: Entry) -> str:
        """The proof of a finding: its program, what it shows, its rows, and a player."""
        proof, proved, player = entry.finding.proof, entry.proved, ""
        if proof is None:
            return ""
        if entry.fingerprint in self.played:
            proved = proved or prove_all(self.estate, [proof])[proof]
            lab, again = small(self.estate, proof, proved)
            player = player_of(lab, again.rows, self._node(entry.finding))
        unplayed = f" To stay small, this page plays only {PLAYERS} proofs."
        said = f"It shows {proof.shows}. To run it, add --prove."
        if proved is not None:
            said = f"It showed {proved.shown}" + ("." if proved.holds else f", and should show {proof.shows}.")
        said += "" if entry.fingerprint in self.played else unplayed
        rows = "".join(f"<li>{escape(row)}</li>" for row in rows_of(proved)) if proved else ""
        return (
            f"<h3 data-copy>Proof{'' if proved is None or proved.holds else ': DOES NOT HOLD'}</h3>"
            f"<pre>{escaped(proof.program)}</pre><p>{escape(said)}</p>{f'<ul>{rows}</ul>' if rows else ''}{player}"
        )


def filled(template: str, **parts: str) -> str:
    """A page of this folder with its parts, in the frame that has all that draws and plays."""
    names = ("frame.html", f"{template}.html", "page.css", "page.js")
    frame, body, style, script = (files("mqlab.estates").joinpath(each).read_text("utf-8") for each in names)
    given = {"style": player_style() + style, "script": f"{player_script()}\n{script}"}
    given |= {"title": parts["title"], "body": Template(body).substitute(parts), "boot": f"boot{template.title()}"}
    return Template(frame).substitute(given, elk=base64.b64encode(packed_elk()).decode("ascii"))


def _drawn(estate: Definitions) -> tuple[dict[str, Any], dict[str, Any]]:
    """The plan of an estate's picture, and the facts of its objects at rest."""
    scene = Scene(estate.lab)
    return plan_of(scene.outline), facts_of(scene.frame(scene.lab.now_us))


def _others(one: Finding) -> str:
    """Each finding for which one stands too, to be opened."""
    rows = "".join(
        f"<li>{sign(each.severity)} {escape(each.said)}{f' (line {each.place.line})' if each.place.file else ''}</li>"
        for each in one.others[:MOST]
    )
    many = len(one.others)
    more = f"<p>And {plural(many - MOST, 'finding')} more.</p>" if many > MOST else ""
    sort = " of security" if one.check == SUMMARY else " of the same cause"
    head = f"<summary>{plural(many, 'finding')}{sort}</summary>"
    return f"<details>{head}<ul>{rows}</ul>{more}</details>" if many else ""


def first_of_each(items: Iterable[Item], kind: Callable[[Item], str]) -> list[Item]:
    """PLAYERS of some items, in order: the first of each kind before the second of any."""
    times: Counter[str] = Counter()
    turns = []
    for item in items:
        times[kind(item)] += 1
        turns.append((times[kind(item)], item))
    return [item for _, item in sorted(turns, key=lambda turn: turn[0])[:PLAYERS]]


def listed(names: Sequence[str], most: int = 6) -> str:
    """Some names, and how many more there are."""
    more = [plural(len(names) - most, "other")] if len(names) > most else []
    return ", ".join([*names[:most], *more])


def escaped(text: str) -> str:
    """Text of several lines, safe between tags."""
    return "\n".join(map(escape, text.splitlines()))


def sign(severity: str) -> str:
    """A severity as a shape with a letter, and its word for those who hear the page."""
    name, letter, shape = _SIGNS[severity]
    return (
        f'<svg class="check-sign {name}" viewBox="0 0 20 20" role="img" aria-label="{severity}">'
        f'<path d="{shape}"/><text x="10" y="{15 if severity == WARNING else 14}">{letter}</text></svg>'
    )


def _packed(values: Any) -> str:
    """JSON values for a script of the page."""
    text = json.dumps(values, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8"), 9, mtime=0)).decode("ascii")


def player_of(lab: Lab, rows: Sequence[Event], node: str, label: str = "Play it") -> str:
    """A button that plays a proof, and its steps: only the objects that its rows name, and `node`, are drawn."""
    if cannot_draw() or not rows:
        return ""
    graph, seen = lab.topology(), {node}
    for row in rows:
        seen |= {f"{row.qmgr}/{part}{row.object}" for part in ("", "channel:", "topic:")}
        seen |= {f"{row.qmgr}/{part}{row.program}" for part in ("app:", "channel:")}
    seen &= set(graph)
    seen |= {graph.nodes[each]["qmgr"] for each in seen if "qmgr" in graph.nodes[each]}
    steps = PlayerSteps(lab, outline=outline(graph.subgraph(seen)), without=LEVELS[2])
    first = max(0, steps.step_of_row(rows[0].seq) - 1)
    button = f'<button type="button" hidden data-step="{first}">{label}</button>'
    return f'{button}<script type="text/plain">{base64.b64encode(steps.packed()).decode("ascii")}</script>'
