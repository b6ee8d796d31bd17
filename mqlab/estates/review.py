"""A change as one page for those who decide about it: what behaves differently, with pictures, causes, and proofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from operator import attrgetter
from pathlib import Path

from ..topology.graph import key_of
from ..views.drawing.engine import cannot_draw
from ..views.drawing.scene import lab_picture
from ..views.text import escape, plural
from .causes import causes
from .differences import BEHAVES, Difference, Differences, renamed_by, shown_by
from .findings import Finding, findings
from .page import MOST, PLAYERS, escaped, filled, first_of_each, listed, player_of, sign
from .proofs import Proof, rested, small
from .report import Report, marked
from .routes import Route

_SORTS = {
    "route": ("route", "a put to {}", "the last queue of the message"),
    "trigger": ("trigger", "the trigger of {}", "the depths at which the queue triggered"),
    "expiry": ("lifetime", "the lifetime of a message put to {}", "tenths of a second; -1 is no limit"),
    "dead letters": ("dead-letter queue", "a message that cannot be delivered", "the fate of a report"),
    "subscription": ("topic string", "the publications of subscription {}", "the queues of a publication"),
}
"""Sort of behavior -> its noun in a summary, its title, and the meaning of the value that its proof shows."""

_MATTERS = {
    "route": re.compile("(?!QD|BO|DESCR|CAPEXPRY|MAXDEPTH).+"),
    "trigger": re.compile("(?!BO|DESCR|CAPEXPRY).+"),
    "expiry": re.compile("CAPEXPRY|CUSTOM"),
    "dead letters": re.compile("DEADQ|PUT"),
    "subscription": re.compile(".+"),
}
"""Sort of behavior -> the attributes that can make it differ."""
_OF_TRIGGERS = re.compile("TRIG.+|INITQ|PROCESS")


def review(differences: Differences) -> str:
    """The HTML of a review; the same differences give the same text. `PLAYERS` of them are proved, drawn, and played,
    the first of each kind before the second of any."""
    return _Review(differences).html()


class _Review:
    """The facts that the parts of the page share."""

    def __init__(self, differences: Differences) -> None:
        self.sides = rested(differences.old), rested(differences.new)
        self.old, self.new = self.sides
        self.found = differences
        self.behaves = [item for item in differences.found if item.what == BEHAVES]
        self.defined = [item for item in differences.found if item.what != BEHAVES]
        self.renamed = renamed_by(differences.pairs)
        self.original = {new: old for old, new in self.renamed.items()}
        self.routes = differences.routes
        self.played = first_of_each(self.behaves, attrgetter("about"))
        self.proved = shown_by(self.sides, self.played)

    @cached_property
    def findings(self) -> tuple[list[Finding], list[Finding]]:
        """The new findings, and the findings that the change ends."""
        before, after = (findings(each) for each in self.sides)
        renamed = [replace(item, qmgr=self.renamed.get(item.qmgr, item.qmgr)) for item in before]
        known = [item.fingerprint for item in marked(renamed)]
        made = Report(self.new, after, known).findings
        left = {item.fingerprint for item in marked(after)}
        gone = (item for item, mark in zip(before, known, strict=True) if mark not in left)
        return made, causes(self.old, gone)

    def html(self) -> str:
        made, gone = self.findings
        refused = "".join(f"<li>{escape(line)}</li>" for line in self.found.refused)
        return filled(
            "review",
            title=f"What the change does to {escape(listed(self.new.names))}",
            verdict=escape(self._verdict()),
            facts="".join(f"<tr><th>{name}</th><td>{escape(said)}</td></tr>" for name, said in self._facts()),
            behavior="".join(map(self._behavior, self.behaves[:MOST])) + _more(len(self.behaves))
            or f"<p>Nothing behaves differently. {escape(self._compared())}</p>",
            made=_list(made),
            gone=_list(gone, fixed=True),
            definitions=self._definitions(),
            refused=f"<section><h2>Refused commands, not compared</h2><ul>{refused}</ul></section>" if refused else "",
            about="mqlab diff made this page from the files alone: a lab with each side in it ran the proofs.",
        )

    def _verdict(self) -> str:
        """The one sentence that a reader needs."""
        routes = sum(item.about == "route" for item in self.behaves)
        rest = len(self.behaves) - routes
        counts = [plural(routes, "route")] if routes else []
        counts += [f"{rest} other behavior{'s' * (rest > 1)}"] if rest else []
        changes = f"{' and '.join(counts)} {'differs' if len(self.behaves) == 1 else 'differ'}." if counts else ""
        made = Counter(item.severity for item in self.findings[0])
        worse = ", ".join(plural(made[each], f"new {each}") for each in ("error", "warning") if made[each])
        return f"{changes or 'Nothing behaves differently.'} {f'The change makes {worse}.' if worse else ''}".strip()

    def _compared(self) -> str:
        return " ".join(
            f"{word} {listed([str(Path(part.file)) for part in estate.parts if part.file] or estate.names)}"
            for word, estate in zip(("Compared:", "with"), self.sides, strict=True)
        )

    def _facts(self) -> Iterable[tuple[str, str]]:
        """The rows of the summary."""
        for word, estate in zip(("Before", "After"), self.sides, strict=True):
            files = listed([part.file for part in estate.parts if part.file])
            yield word, f"{listed(estate.names)}{f': {files}' if files else ''}"
        differ = sum(item.about == "route" for item in self.behaves)
        same = sum(two.states[0] == two.states[1] and not two.unsure for two in self.routes.values())
        unsure = len(self.routes) - differ - same
        said = f"{differ or 'none'} behave{'s' * (differ < 2)} differently, {same} unchanged"
        yield "Routes", said + (f", {unsure} cannot be judged from these files" if unsure else "")
        sorts = Counter(item.about for item in self.behaves)
        others = [plural(sorts[sort], word) for sort, (word, *_) in _SORTS.items() if sorts[sort] and sort != "route"]
        one_differs = sum(sorts.values()) - sorts["route"] < 2
        yield "Other behavior", f"{', '.join(others) or 'none'} differ{'s' * one_differs}"
        counts = Counter(item.what for item in self.defined)
        yield "Definitions", ", ".join(f"{number} {what}" for what, number in counts.items()) or "none differ"
        made, gone = self.findings
        severities = Counter(item.severity for item in made)
        worst = ", ".join(plural(number, each) for each, number in severities.items() if each != "cannot judge")
        yield "Findings", f"{len(made) or 'none'} new{f' ({worst})' if worst else ''}, {len(gone) or 'none'} gone"
        if self.found.refused:
            yield "Not compared", plural(len(self.found.refused), "refused command")

    def _behavior(self, item: Difference) -> str:
        """A difference: before and after in words, the commands, pictures, and proof."""
        title = _SORTS[item.about][1].format(item.name)
        rows = (("Before", item.old), ("After", item.new))
        table = "".join(f"<tr><th>{word}</th><td>{escape(said)}</td></tr>" for word, said in rows)
        two = self.routes.get((item.qmgr, item.name)) if item.about == "route" else None
        ways = (two.old, two.new) if two else (None, None)
        shown = f"<p>To stay small, this page proves and draws only {PLAYERS}. mqlab diff --prove proves all.</p>"
        if item in self.played:
            shown = f"<div class=review-sides>{''.join(map(self._side, (0, 1), (item, item), ways))}</div>"
        return (
            f'<article class="review-item"><h3>{escape(f"{item.qmgr}: {title}")}</h3>'
            f'<table class="review-facts">{table}</table>'
            f"{self._commands(item, ways)}{shown}</article>"
        )

    def _side(self, side: int, item: Difference, way: Route | None) -> str:
        """The picture of a route on one side, and the proof with its player."""
        estate, word = self.sides[side], ("Before", "After")[side]
        drawn = ""
        if item.about == "route" and not cannot_draw():
            lab = estate.only(hop.name for hop in way.hops).lab if way else None
            drawn = lab_picture(lab, objects=way.objects).svg if way and lab else "<p>The name is not defined.</p>"
        proof = Proof(item.programs[side] if item.programs else "", "")
        if not (proved := self.proved[side].get(proof)):
            return f"<div><h3>{word}</h3>{drawn}</div>"
        lab, again = small(estate, proof, proved)
        at = self.original.get(item.qmgr, item.qmgr) if side == 0 else item.qmgr
        node = key_of(lab[at], item.kind, item.name)
        player = player_of(lab, again.rows, node, f"Play {word.lower()}")
        return (
            f"<div><h3>{word}</h3>{drawn}<h3 data-copy>Proof</h3><pre>{escaped(proof.program)}</pre>"
            f"<p>It showed <b>{escape(proved.shown)}</b> <small>({_SORTS[item.about][2]})</small></p>{player}</div>"
        )

    def _commands(self, item: Difference, ways: Sequence[Route | None]) -> str:
        """The commands about the objects of a route, or about the objects that a sentence names."""
        hops = {(self.renamed.get(hop.qmgr, hop.qmgr), hop.name) for way in ways if way for hop in way.hops}
        names = {item.name}
        for estate, qmgr in zip(self.sides, (self.original.get(item.qmgr, item.qmgr), item.qmgr), strict=True):
            queue = estate.lab[qmgr].objects.get("QLOCAL", item.name)
            if item.about == "trigger" and queue is not None:
                names |= {queue.attributes["INITQ"], queue.attributes["PROCESS"]}
            elif item.about == "dead letters":
                names |= {"DEADQ", estate.lab[qmgr].attributes["DEADQ"]}
        named = [
            definition
            for definition in self.defined
            if (definition.qmgr, definition.name) in hops
            or (definition.qmgr == item.qmgr and (definition.name or definition.about) in names - {""})
        ]
        named = [definition for definition in named if self._matters(item.about, definition)] or named
        at = {item.qmgr, *(qmgr for qmgr, _ in hops)}
        named = named or [each for each in self.defined if each.kind == "QMGR" and each.qmgr in at]
        objects: dict[tuple[str, str, str], list[str]] = {}
        for definition in named:
            words = f"{definition.old} → {definition.new}" if definition.about else definition.what
            flag = {definition.old, definition.new} == {definition.about, f"NO{definition.about}"}
            keyword = f"{definition.about}: " if definition.about and not flag else ""
            objects.setdefault((definition.qmgr, definition.kind, definition.name), []).append(f"{keyword}{words}")
        rows = "".join(
            f"<tr><td>{escape(f'{kind} {name}'.strip())} of {escape(qmgr)}<br><b>{escape('; '.join(changes))}</b></td>"
            f"{self._written(0, self.original.get(qmgr, qmgr), kind, name)}{self._written(1, qmgr, kind, name)}</tr>"
            for (qmgr, kind, name), changes in islice(objects.items(), PLAYERS)
        )
        more = f"<p>And {plural(len(objects) - PLAYERS, 'object')} more: see the definitions below.</p>"
        head = "<thead><tr><th>Object</th><th>Before</th><th>After</th></tr></thead>"
        table = f"<table>{head}<tbody>{rows}</tbody></table>{more if len(objects) > PLAYERS else ''}"
        return f"<h3>Commands that changed it</h3>{table if rows else '<p>See the definitions below.</p>'}"

    def _matters(self, sort: str, item: Difference) -> bool:
        """Whether a definition can make a behavior of this sort differ."""
        queue = self.new.lab[item.qmgr].objects.get("QLOCAL", item.name)
        triggers = queue is None or queue.attributes["USAGE"] == "XMITQ" or not _OF_TRIGGERS.fullmatch(item.about)
        return not item.about or bool(_MATTERS[sort].fullmatch(item.about) and (triggers or sort == "trigger"))

    def _written(self, side: int, qmgr: str, kind: str, name: str) -> str:
        """The commands about an object on one side."""
        commands = "<br>".join(
            f"<code>{escape(command)}</code> <small>{escape(f'{Path(place.file).name}:{place.line}')}</small>"
            for place, command in self.sides[side].commands(qmgr, kind, name)
        )
        return f"<td>{commands or 'not defined'}</td>"

    def _definitions(self) -> str:
        """The definitions that differ, as a table."""
        rows = "".join(
            f"<tr><td>{escape(item.qmgr)}</td><td>{item.what}</td><td>{escape(f'{item.kind} {item.name}'.strip())}</td>"
            f"<td>{escape(item.about)}</td><td>{escape(item.old)}</td><td>{escape(item.new)}</td></tr>"
            for item in self.defined[:MOST]
        )
        titles = ("Queue manager", "Change", "Object", "Attribute", "Before", "After")
        head = "".join(f"<th>{each}</th>" for each in titles)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{_more(len(self.defined))}"
        return table if rows else "<p>No definitions differ.</p>"


def _more(many: int) -> str:
    """The words about what a page leaves out."""
    return f"<p>And {many - MOST} more: mqlab diff OLD NEW lists all.</p>" if many > MOST else ""


def _list(listing: Sequence[Finding], fixed: bool = False) -> str:
    """Findings as a list, with their fixes if they are not `fixed`."""
    rows = "".join(
        f"<li>{sign(item.severity)} {escape(f'{item.qmgr}: {item.said}')} <small>{escape(_at(item))}</small>"
        f"{f'<pre>{escaped(item.fix)}</pre>' if item.fix and not fixed else ''}</li>"
        for item in listing[:MOST]
    )
    return f"<ul>{rows}</ul>{_more(len(listing))}" if listing else "<p>None.</p>"


def _at(item: Finding) -> str:
    where = f"{Path(item.place.file).name}:{item.place.line} " if item.place.file else ""
    return f"{where}[{item.check}]"
