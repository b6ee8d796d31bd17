"""A report: what was found in an estate, without what a baseline knows, as words, as JSON, or as SARIF 2.1.0."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partialmethod
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from ..engine.explain.words import told
from ..engine.words.errors import LabError, visible
from ..engine.words.rulebook import RULES
from ..views.plug import show as shown
from ..views.text import plural
from .causes import SUMMARY, causes
from .findings import CHECKS, ERROR, NOTE, OPEN, RETIRED, SECURITY, SEVERITIES, WARNING, Check, Finding, fingerprint
from .fixes import working
from .ignoring import seen
from .proofs import Proved, prove_all

if TYPE_CHECKING:
    from .definitions import Definitions
    from .traffic import Figure, Traffic

FORMAT, VERSION = "mqlab findings", 3
"""The format and version in the JSON of a report; the version changes with the meaning of its values."""


class Entry(NamedTuple):
    """A finding of a report, and what its proof and some traffic showed."""

    finding: Finding
    proved: Proved | None = None
    figure: Figure | None = None

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the finding, which stays the same when lines move."""
        return self.finding.fingerprint


class Report:
    """The findings of an estate, with all that is known about them.

    - `entries`: the findings, one for each cause, the worst first, each with a fingerprint, and a fix only if it works.
    - `hidden`, `ignored`: how many are left out because the baseline has them, or because someone ignores them.
    - `traffic`: the run of messages from which the findings have their figures, or None.

    `found` are findings by themselves; those of security are shown one by one with `security`. `ignore` is CHECK, or
    CHECK:OBJECT, each. `baseline` is the fingerprints of findings to leave out (`fingerprints_of`), or the path of a
    file with a report as JSON. With `prove` every proof is run on a lab. LabError for a baseline that cannot be read.
    """

    def __init__(
        self,
        estate: Definitions,
        found: Sequence[Finding],
        baseline: Any = (),
        prove: bool = False,
        traffic: Traffic | None = None,
        security: bool = False,
        ignore: Sequence[str] = (),
    ) -> None:
        self.estate, self.traffic = estate, traffic
        known = fingerprints_of(baseline) if isinstance(baseline, str | PathLike) else frozenset(baseline)
        every = [*marked(found)]
        wanted = seen(estate, every, ignore)
        new = [one for one in wanted if one.fingerprint not in known]
        many, most, left = (causes(estate, each, security) for each in (every, wanted, new))
        left = [one for one in left if one.fingerprint not in known]
        self.ignored, self.hidden = len(many) - len(most), len(most) - len(left)
        shows = working(estate, left, every)
        proofs = (one.proof for one in shows if one.proof is not None) if prove else ()
        proved: Mapping[Any, Proved] = prove_all(estate, proofs)  # findings with the same proof share its result
        figure = traffic.figure if traffic is not None else lambda _: None
        self.entries = [Entry(one, proved.get(one.proof), figure(one)) for one in shows]

    @property
    def findings(self) -> list[Finding]:
        """The findings that it shows."""
        return [entry.finding for entry in self.entries]

    @property
    def counts(self) -> dict[str, int]:
        """How many findings have each severity."""
        found = Counter(one.severity for one in self.findings)
        return {severity: found[severity] for severity in SEVERITIES}

    @property
    def failed(self) -> list[Entry]:
        """The entries whose proof was run and did not show the finding."""
        return [entry for entry in self.entries if entry.proved is not None and not entry.proved.holds]

    def by_qmgr(self) -> Iterator[tuple[str, list[Entry]]]:
        """The entries of each queue manager that has any: first that with the worst finding, and most of these."""
        groups: dict[str, list[Entry]] = {name: [] for name in self.estate.names}
        for entry in self.entries:
            groups[entry.finding.qmgr].append(entry)

        def badness(name: str) -> list[int]:
            found = Counter(one.finding.severity for one in groups[name])
            return [-found[severity] for severity in SEVERITIES]

        return ((name, groups[name]) for name in sorted(groups, key=badness) if groups[name])

    def files(self, qmgr: str) -> list[str]:
        """The files that define a queue manager."""
        return list(dict.fromkeys(part.file for part in self.estate.parts if part.qmgr == qmgr and not part.notes))

    def text(self, width: int | None = None) -> str:
        """The findings in words, by queue manager, and the counts; lines are wrapped at `width` if it is given."""
        lines: list[str] = []
        for name, entries in self.by_qmgr():
            files = ", ".join(self.files(name))
            for title, group in ((name, ("", SECURITY)), (f"{name}, retired objects", (RETIRED,))):
                chosen = [entry for entry in entries if entry.finding.group in group]
                if chosen:
                    lines += ["", *_wrapped([("", f"{title} ({files})")], width)]
                for entry in chosen:
                    lines += _wrapped(_lines(entry), width)
        run = ["", *_wrapped([("", line) for line in str(self.traffic).splitlines()], width)] if self.traffic else []
        end = _wrapped([("", each) for each in (self.first, self.summary) if each], width)
        return visible("\n".join([*lines[1:], *run, "", *end]).lstrip("\n"))

    @property
    def first(self) -> str:
        """The finding to read first, as a sentence: of the worst, the one that most objects share; "" if it is alone,
        or a note."""
        kept = [one for one in self.findings if one.check != SUMMARY] or self.findings
        worst = min(kept, key=lambda one: (SEVERITIES.index(one.severity), -len(one.others)), default=None)
        if worst is None or len(self.entries) == 1 or worst.severity not in (ERROR, WARNING):
            return ""
        return f"Fix first: {worst.place if worst.place.file else worst.qmgr}: {worst.said}."

    @property
    def summary(self) -> str:
        """The counts in one sentence, and what is hidden or not proved in others."""
        counts = [(many, word, word if word == OPEN else None) for word, many in self.counts.items() if many]
        said = ", ".join(plural(*count) for count in counts)
        words = [f"{said or 'No findings'} in {plural(len(self.estate.names), 'queue manager')}."]
        if self.hidden:
            words.append(plural(self.hidden, "finding of the baseline is", "findings of the baseline are") + " hidden.")
        if self.ignored:
            words.append(plural(self.ignored, "finding is ignored.", "findings are ignored."))
        if self.traffic is not None:
            showed = sum(one.figure is not None and one.figure.showed for one in self.entries)
            words.append(f"The traffic showed {showed or 'none'} of them.")
        if self.failed:
            words.append(f"{plural(len(self.failed), 'PROOF')} DID NOT HOLD.")
        return " ".join(words)

    def json(self) -> dict[str, Any]:
        """The report as JSON values; docs/estates.md explains them."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "queue_managers": [
                {"name": qmgr.name, "platform": qmgr.platform, "level": qmgr.level, "files": self.files(qmgr.name)}
                for qmgr in self.estate.queue_managers
            ],
            "counts": self.counts,
            "traffic": self.traffic and json.loads(self.traffic.to_json()),
            "hidden": self.hidden,
            "ignored": self.ignored,
            "findings": [_as_json(entry) for entry in self.entries],
        }

    def __repr__(self) -> str:
        return self.text()

    _repr_mimebundle_ = partialmethod(shown, "cards.lab_cards.findings_card")


def fingerprints_of(path: str | PathLike) -> frozenset[str]:
    """The fingerprints of the findings in a report that was written as JSON, and of those for which they stand too;
    LabError if the file is none."""
    try:
        wanted = json.loads(Path(path).read_text(encoding="utf-8"))
        if (wanted["format"], wanted["version"]) == (FORMAT, VERSION):
            every = [one for each in wanted["findings"] for one in (each, *each.get("others", ()))]
            return frozenset({one["fingerprint"]: None for one in every})
    except OSError as error:
        raise LabError(f"the baseline must be a file that can be read; got {path} ({error.strerror})") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    raise LabError(
        f"the baseline must be a report of version {VERSION}; got {path}, which is none. Write one with "
        "mqlab check FILE... --format json --output known.json"
    )


def marked(found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield each finding with its fingerprint, a hash of its identity and its number among equal findings."""
    times: Counter[tuple] = Counter()
    for one in found:
        times[one.identity] += 1
        yield replace(one, fingerprint=fingerprint(*one.identity, str(times[one.identity])))


def _lines(entry: Entry) -> list[tuple[str, str]]:
    """Return the lines about one finding, each with its indent: the fault, the MQSC that fixes it, and its proof."""
    one, proved = entry.finding, entry.proved
    where = f"{one.place}: " if one.place.file else ""
    lines = [("  ", f"{where}{one.severity}: {one.said} [{one.check}]")]
    at = f" on {one.fix_at}" if one.fix_at != one.qmgr else ""
    commands = one.fix.splitlines()
    lines += [("    ", f"fix{at}: {command}") for command in commands[:COMMANDS]]
    if len(commands) > COMMANDS:
        lines.append(("    ", f"fix{at}: and {len(commands) - COMMANDS} more such commands: --format json has them"))
    if one.proof is not None and proved is not None:
        lines += [("    ", f"proof: {line}") for line in one.proof.program.splitlines()]
        if proved.holds:
            lines.append(("    ", f"proved: it showed {proved.shown}"))
        else:
            lines.append(("    ", f"NOT PROVED: it should show {one.proof.shows}, and showed {proved.shown}"))
        lines += [("      ", row) for row in rows_of(proved)]
    lines += [("    ", f"traffic: {entry.figure.said}")] if entry.figure else []
    return lines


def _wrapped(lines: Sequence[tuple[str, str]], width: int | None) -> list[str]:
    """Lines with their indents, at `width` if it is given; no word is broken."""
    if width is None:
        return [f"{indent}{text}" for indent, text in lines]
    keep = TextWrapper(max(40, width), break_long_words=False, break_on_hyphens=False)
    found: list[str] = []
    for indent, text in lines:
        keep.initial_indent, keep.subsequent_indent = indent, f"{indent}  "
        found += keep.wrap(text) or [""]
    return found


COMMANDS = 8
"""Commands of a fix that the text has."""

FIRST, LAST = 2, 4
"""Rows of the event log that a proof shows in words: so many from its beginning, and from its end, which decides."""


def rows_of(proved: Proved, every: bool = False) -> list[str]:
    """The rows that a proof wrote, in words, those of opens and closes left out: `every` one, or the first and the last
    ones, and how many there are between."""
    told_rows = [told(row, proved.several) for row in proved.rows if row.kind not in ("open", "close", "wait")]
    between = len(told_rows) - FIRST - LAST
    if every or between <= 0:
        return told_rows
    return [*told_rows[:FIRST], f"and {plural(between, 'row')} between", *told_rows[-LAST:]]


def _as_json(entry: Entry) -> dict[str, Any]:
    """A finding as JSON values."""
    one, proved = entry.finding, entry.proved
    proof: dict[str, Any] | None = None
    if one.proof is not None:
        proof = one.proof._asdict()
        proof |= {"showed": proved.shown, "holds": proved.holds, "rows": rows_of(proved, every=True)} if proved else {}
    return {
        "fingerprint": entry.fingerprint,
        "check": one.check,
        "severity": one.severity,
        "group": one.group,
        "queue_manager": one.qmgr,
        "kind": one.kind,
        "name": one.name,
        "attribute": one.keyword,
        "file": one.place.file,
        "line": one.place.line,
        "said": one.said,
        "source": one.source,
        "fix": one.fix,
        "fix_at": one.fix_at,
        "proof": proof,
        "traffic": entry.figure and entry.figure._asdict(),
        "others": [_other(each) for each in one.others],
    }


def _other(one: Finding) -> dict[str, Any]:
    """A finding for which another one stands too, as JSON values."""
    facts = {"fingerprint": one.fingerprint, "check": one.check, "queue_manager": one.qmgr, "kind": one.kind}
    return facts | {"name": one.name, "file": one.place.file, "line": one.place.line, "said": one.said}


FINGERPRINT = "mqlab/v2"
"""The name of a finding's fingerprint; the number changes with how it is made."""

_LEVELS = {ERROR: "error", WARNING: "warning", NOTE: "note", OPEN: "none"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(report: Report, root: Path | None = None) -> dict[str, Any]:
    """A report as JSON values of SARIF; files are named relative to the folder `root`, the current one if None."""
    root = (root or Path.cwd()).resolve()
    used = {one.check for one in report.findings}
    rules = [each for each in CHECKS.values() if each.id in used]
    place_of = {each.id: place for place, each in enumerate(rules)}
    first = {part.qmgr: part.file for part in reversed(report.estate.parts)}
    results = [_result(entry, place_of, first, root) for entry in report.entries]
    driver = {"name": "mqlab", "semanticVersion": _version(), "rules": [_rule(each) for each in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def source_words(source: str) -> str:
    """Where a check comes from: a rule with its title and text, or the page of IBM's documentation."""
    rule = RULES.get(source)
    return f"{rule.id} {rule.title}: {rule.text}" if rule else source


def _rule(check: Check) -> dict[str, Any]:
    """A check as a rule of SARIF."""
    return {
        "id": check.id,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": check.about},
        "help": {"text": f"{check.about}\n\n{source_words(check.source)}"},
        "defaultConfiguration": {"level": _LEVELS[check.severity]},
    }


def _result(entry: Entry, rules: Mapping[str, int], first: Mapping[str, str], root: Path) -> dict[str, Any]:
    """A finding as a result of SARIF; without a place, it is at the first line of the queue manager's file."""
    one, proved = entry.finding, entry.proved
    words = [f"{one.qmgr}: {one.said}."]
    at = f" on {one.fix_at}" if one.fix_at != one.qmgr else ""
    words += [f"Fix{at}:\n{one.fix}"] if one.fix else []
    if one.proof is not None:
        holds = "" if proved is None else f"\nIt showed {proved.shown}" + ("." if proved.holds else ", so it failed.")
        words.append(f"Proof:\n{one.proof.program}\nshows {one.proof.shows}{holds}")
    words += [f"Traffic: {entry.figure.said}."] if entry.figure else []
    file, line = one.place if one.place.file else (first.get(one.qmgr, ""), 1)
    named = {"fullyQualifiedName": f"{one.qmgr}/{one.kind}({one.name})", "kind": "object"}
    where: dict[str, Any] = {"logicalLocations": [named]}
    if file:
        artifact, region = {"uri": _uri(Path(file), root)}, {"startLine": max(1, line)}
        where["physicalLocation"] = {"artifactLocation": artifact, "region": region}
    return {
        "ruleId": one.check,
        "ruleIndex": rules[one.check],
        "kind": "open" if one.severity == OPEN else "fail",
        "level": _LEVELS[one.severity],
        "message": {"text": "\n".join(words)},
        "locations": [where],
        "partialFingerprints": {FINGERPRINT: entry.fingerprint},
    }


def _uri(file: Path, root: Path) -> str:
    """The address of a file: relative to the folder if it is in that, else absolute."""
    path = file.resolve()
    return quote(path.relative_to(root).as_posix()) if path.is_relative_to(root) else path.as_uri()


def _version() -> str:
    try:
        return version("mqlab")
    except PackageNotFoundError:  # it runs from a folder that is not installed
        return "0.0.0"
