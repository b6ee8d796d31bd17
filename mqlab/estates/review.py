"""A change as one page for those who decide about it: what behaves differently, with pictures, causes, and proofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from ..topology.graph import key_of
from ..views.drawing.engine import cannot_draw
from ..views.drawing.scene import lab_picture
from ..views.text import escape, plural
from .causes import causes
from .differences import BEHAVES, Difference, Differences, both_routes
from .findings import Finding, findings
from .page import MOST, PLAYERS, escaped, filled, listed, player_of, sign
from .proofs import Proof, prove_all, rested, small
from .report import Report, marked
from .routes import Route

_WORD = re.compile(r"[A-Za-z0-9._/%]+")
_SORTS = {
    "route": ("route", "the last queue of the message"),
    "trigger": ("trigger", "the depths at which the queue triggered"),
    "expiry": ("lifetime", "tenths of a second; -1 is no limit"),
    "dead letters": ("dead-letter queue", "the fate of a report that cannot be put"),
    "subscription": ("topic string", "the queues to which the publication went"),
}
"""Sort of behavior -> its noun in a summary, and the meaning of the value that its proof shows."""

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
        self.behaves = [one for one in differences.found if one.what == BEHAVES]
        self.defined = [one for one in differences.found if one.what != BEHAVES]
        self.renamed = {pair.old.name: pair.new.name for pair in differences.pairs if pair.old and pair.new}
        self.original = {new: old for old, new in self.renamed.items()}
        self.routes = both_routes(self.old, self.new, differences.pairs)
        times: Counter[str] = Counter()
        turns = []
        for place, one in enumerate(self.behaves):
            times[one.about] += 1
            turns.append((times[one.about], place))
        self.played = [self.behaves[place] for _, place in sorted(turns)[:PLAYERS]]
        self.proved = [
            prove_all(estate, (Proof(one.programs[side], "") for one in self.played if one.programs))
            for side, estate in enumerate(self.sides)
        ]

    @cached_property
    def findings(self) -> tuple[list[Finding], list[Finding]]:
        """The new findings, and the findings that the change ends."""
        before, after = (findings(each) for each in self.sides)
        renamed = [replace(one, qmgr=self.renamed.get(one.qmgr, one.qmgr)) for one in before]
        known = [one.fingerprint for one in marked(renamed)]
        made = Report(self.new, after, known).findings
        left = {one.fingerprint for one in marked(after)}
        gone = (one for one, mark in zip(before, known, strict=True) if mark not in left)
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
        routes = sum(one.about == "route" for one in self.behaves)
        rest = len(self.behaves) - routes
        told = [plural(routes, "route")] if routes else []
        told += [f"{rest} other behavior{'s' * (rest > 1)}"] if rest else []
        changes = f"{' and '.join(told)} {'differs' if len(self.behaves) == 1 else 'differ'}." if told else ""
        made = Counter(one.severity for one in self.findings[0])
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
        differ = sum(one.about == "route" for one in self.behaves)
        same = sum(two.states[0] == two.states[1] and not two.unsure for two in self.routes.values())
        unsure = len(self.routes) - differ - same
        said = f"{differ or 'none'} behave{'s' * (differ < 2)} differently, {same} unchanged"
        yield "Routes", said + (f", {unsure} cannot be judged from these files" if unsure else "")
        sorts = Counter(one.about for one in self.behaves)
        others = [plural(sorts[sort], word) for sort, (word, _) in _SORTS.items() if sorts[sort] and sort != "route"]
        one_differs = sum(sorts.values()) - sorts["route"] < 2
        yield "Other behavior", f"{', '.join(others) or 'none'} differ{'s' * one_differs}"
        counts = Counter(one.what for one in self.defined)
        yield "Definitions", ", ".join(f"{number} {what}" for what, number in counts.items()) or "none differ"
        made, gone = self.findings
        severities = Counter(one.severity for one in made)
        worst = ", ".join(plural(number, each) for each, number in severities.items() if each != "cannot judge")
        yield "Findings", f"{len(made) or 'none'} new{f' ({worst})' if worst else ''}, {len(gone) or 'none'} gone"
        if self.found.refused:
            yield "Not compared", plural(len(self.found.refused), "refused command")

    def _behavior(self, one: Difference) -> str:
        """A difference: before and after in words, the commands, pictures, and proof."""
        title = f"a put to {one.name}" if one.about == "route" else re.split("; (?:it|before,) ", one.said)[0]
        rows = (("Before", one.old), ("After", one.new))
        table = "".join(f"<tr><th>{word}</th><td>{escape(said)}</td></tr>" for word, said in rows)
        two = self.routes.get((one.qmgr, one.name)) if one.about == "route" else None
        ways = (two.old, two.new) if two else (None, None)
        shown = f"<p>To stay small, this page proves and draws only {PLAYERS}. mqlab diff --prove proves all.</p>"
        if one in self.played:
            shown = f"<div class=review-sides>{''.join(map(self._side, (0, 1), (one, one), ways))}</div>"
        return (
            f'<article class="review-item"><h3>{escape(f"{one.qmgr}: {title}")}</h3><table class="review-facts">{table}'
            f"</table>{self._commands(one, ways)}{shown}</article>"
        )

    def _side(self, side: int, one: Difference, way: Route | None) -> str:
        """The picture of a route on one side, and the proof with its player."""
        estate, word = self.sides[side], ("Before", "After")[side]
        drawn = ""
        if one.about == "route" and not cannot_draw():
            lab = estate.only(hop.name for hop in way.hops).lab if way else None
            drawn = lab_picture(lab, objects=way.objects).svg if way and lab else "<p>The name is not defined.</p>"
        proof = Proof(one.programs[side] if one.programs else "", "")
        if not (proved := self.proved[side].get(proof)):
            return f"<div><h3>{word}</h3>{drawn}</div>"
        lab, again = small(estate, proof, proved)
        at = self.original.get(one.qmgr, one.qmgr) if side == 0 else one.qmgr
        node = key_of(lab[at], one.kind, one.name)
        player = player_of(lab, again.rows, node, f"Play {word.lower()}")
        return (
            f"<div><h3>{word}</h3>{drawn}<h3 data-copy>Proof</h3><pre>{escaped(proof.program)}</pre>"
            f"<p>It showed <b>{escape(proved.shown)}</b> <small>({_SORTS[one.about][1]})</small></p>{player}</div>"
        )

    def _commands(self, one: Difference, ways: Sequence[Route | None]) -> str:
        """The commands about the objects of a route, or about the objects that a sentence names."""
        hops = {(self.renamed.get(hop.qmgr, hop.qmgr), hop.name) for way in ways if way for hop in way.hops}
        words = {word for text in (one.name, one.said, one.old, one.new) for word in _WORD.findall(text)}
        words |= {"DEADQ"} if one.about == "dead letters" else set()
        named = [
            each
            for each in self.defined
            if (each.qmgr, each.name) in hops or (each.qmgr == one.qmgr and (each.name or each.about) in words)
        ]
        named = [each for each in named if self._matters(one.about, each)] or named
        at = {one.qmgr, *(qmgr for qmgr, _ in hops)}
        named = named or [each for each in self.defined if each.kind == "QMGR" and each.qmgr in at]
        objects: dict[tuple[str, str, str], list[str]] = {}
        for each in named:
            change = f"{each.old} → {each.new}" if each.about else each.what
            flag = each.about in (each.old, each.new) and f"NO{each.about}" in (each.old, each.new)
            keyword = f"{each.about}: " if each.about and not flag else ""
            objects.setdefault((each.qmgr, each.kind, each.name), []).append(f"{keyword}{change}")
        rows = "".join(
            f"<tr><td>{escape(f'{kind} {name}'.strip())} of {escape(qmgr)}<br><b>{escape('; '.join(changes))}</b></td>"
            f"{self._written(0, self.original.get(qmgr, qmgr), kind, name)}{self._written(1, qmgr, kind, name)}</tr>"
            for (qmgr, kind, name), changes in islice(objects.items(), PLAYERS)
        )
        more = f"<p>And {plural(len(objects) - PLAYERS, 'object')} more: see the definitions below.</p>"
        head = "<thead><tr><th>Object</th><th>Before</th><th>After</th></tr></thead>"
        table = f"<table>{head}<tbody>{rows}</tbody></table>{more if len(objects) > PLAYERS else ''}"
        return f"<h3>Commands that changed it</h3>{table if rows else '<p>See the definitions below.</p>'}"

    def _matters(self, sort: str, one: Difference) -> bool:
        """Whether a definition can make a behavior of this sort differ."""
        queue = self.new.lab[one.qmgr].objects.get("QLOCAL", one.name)
        triggers = queue is None or queue.attributes["USAGE"] == "XMITQ" or not _OF_TRIGGERS.fullmatch(one.about)
        return not one.about or bool(_MATTERS[sort].fullmatch(one.about) and (triggers or sort == "trigger"))

    def _written(self, side: int, qmgr: str, kind: str, name: str) -> str:
        """The commands about an object on one side."""
        told = "<br>".join(
            f"<code>{escape(command)}</code> <small>{escape(f'{Path(place.file).name}:{place.line}')}</small>"
            for place, command in self.sides[side].commands(qmgr, kind, name)
        )
        return f"<td>{told or 'not defined'}</td>"

    def _definitions(self) -> str:
        """The definitions that differ, as a table."""
        rows = "".join(
            f"<tr><td>{escape(one.qmgr)}</td><td>{one.what}</td><td>{escape(f'{one.kind} {one.name}'.strip())}</td>"
            f"<td>{escape(one.about)}</td><td>{escape(one.old)}</td><td>{escape(one.new)}</td></tr>"
            for one in self.defined[:MOST]
        )
        titles = ("Queue manager", "Change", "Object", "Attribute", "Before", "After")
        head = "".join(f"<th>{each}</th>" for each in titles)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{_more(len(self.defined))}"
        return table if rows else "<p>No definitions differ.</p>"


def _more(many: int) -> str:
    """The words about what a page leaves out."""
    return f"<p>And {many - MOST} more: mqlab diff OLD NEW lists all.</p>" if many > MOST else ""


def _list(found: Sequence[Finding], fixed: bool = False) -> str:
    """Findings as a list, with their fixes if they are not `fixed`."""
    rows = "".join(
        f"<li>{sign(one.severity)} {escape(f'{one.qmgr}: {one.said}')} <small>{escape(_at(one))}</small>"
        f"{f'<pre>{escaped(one.fix)}</pre>' if one.fix and not fixed else ''}</li>"
        for one in found[:MOST]
    )
    return f"<ul>{rows}</ul>{_more(len(found))}" if found else "<p>None.</p>"


def _at(one: Finding) -> str:
    where = f"{Path(one.place.file).name}:{one.place.line} " if one.place.file else ""
    return f"{where}[{one.check}]"
