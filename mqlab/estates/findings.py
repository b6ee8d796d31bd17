"""Findings about an estate, and the checks that make them: each check is a function, registered with `check`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partialmethod
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from ..views.plug import show as shown
from .definitions import Place
from .proofs import Proof
from .spelling import meant

if TYPE_CHECKING:
    from .definitions import Definitions

ERROR, WARNING, NOTE, OPEN = "error", "warning", "note", "cannot judge"
SEVERITIES = (ERROR, WARNING, NOTE, OPEN)
"""From the worst to questions that the scripts alone do not answer; an error keeps messages from their queues."""

SECURITY, RETIRED = "security", "retired"
"""Groups of checks: those of security are one line for each queue manager by default; retired objects stand apart."""


class Found(NamedTuple):
    """A problem that a check found: the queue manager, the object, one sentence, and what helps.

    `keyword` is the attribute at fault. `fix` is MQSC that fixes it, on `fix_at` or the queue manager itself.
    `severity` is one of SEVERITIES if it differs from that of the check, and `place` a place other than the definition.
    `about` distinguishes it from another finding of the check at the same attribute of the object.
    """

    qmgr: str
    kind: str
    name: str
    said: str
    fix: str = ""
    proof: Proof | None = None
    keyword: str = ""
    fix_at: str = ""
    severity: str = ""
    place: Place | None = None
    about: str = ""


class Check(NamedTuple):
    """A check: its id, its severity, a title, the rule or the page of IBM's documentation, its function, its group
    (SECURITY, RETIRED, or "" for the others), what it finds, and the module that it is in, such as "backout"."""

    id: str
    severity: str
    title: str
    source: str
    run: Callable[[Definitions], Iterable[Found]]
    group: str
    about: str
    module: str


@dataclass(frozen=True)
class Finding:
    """A finding: the check, and where, in which words; `fix` is MQSC for the queue manager `fix_at`; `keyword` is the
    attribute at fault, and `about` distinguishes it from another finding there."""

    check: str
    severity: str
    qmgr: str
    kind: str
    name: str
    said: str
    source: str
    place: Place
    fix: str
    fix_at: str
    proof: Proof | None
    group: str = ""
    keyword: str = ""
    about: str = ""

    @property
    def identity(self) -> tuple[str, ...]:
        """The facts that stay the same when lines move, or another finding is fixed."""
        return (self.check, self.qmgr, self.kind, self.name, self.keyword, self.about)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place.file else ""
        return f"{where}{self.severity}: {self.qmgr}: {self.said} [{self.check}]"


class Findings(list[Finding]):
    """Findings, which a notebook shows as a table."""

    _repr_mimebundle_ = partialmethod(shown, "cards.findings.findings_table")


TEXTS = tomllib.loads(files(__package__).joinpath("checks", "checks.toml").read_text("utf-8"))
"""Module of checks -> its heading, and what each of its checks finds, by id."""

CHECKS: dict[str, Check] = {}
"""Every check by its id, in the order in which they run."""


def check(id: str, severity: str, title: str, source: str, group: str = "") -> Callable[[Callable], Callable]:
    """Register a generator of `Found` as a check, which its module's table in TEXTS describes."""

    def register(run: Callable[[Any], Iterable[Found]]) -> Callable:
        if id in CHECKS or severity not in SEVERITIES:
            raise ValueError(f"id must be new and severity one of {', '.join(SEVERITIES)}; got {id!r}, {severity!r}")
        module = run.__module__.rpartition(".")[2]
        CHECKS[id] = Check(id, severity, title, source, run, group, TEXTS[module][id], module)
        return run

    return register


def absent(estate: Definitions, qmgr: Any) -> str:
    """The severity of a name that nothing defines: ERROR in a dump with a header, WARNING in a script, which may be one
    of several."""
    return ERROR if estate.whole(qmgr) else WARNING


def findings(estate: Definitions, security: bool = False) -> Findings:
    """Every finding of every check, the worst first, then by queue manager and place; with `security` those of the
    checks of security too, which else are one line for each queue manager."""
    found = []
    estate.kept.clear()
    for each in CHECKS.values():
        if each.group == SECURITY and not security:
            continue
        for one in each.run(estate):
            place = one.place or estate.place(one.qmgr, one.kind, one.name, one.keyword)
            fix_at = one.fix_at or one.qmgr
            near = meant(estate.lab[fix_at], one.fix, one.name if fix_at == one.qmgr else "")
            given = one._asdict() | {
                "said": f"{one.said}; is {near} meant?" if near else one.said,
                "severity": one.severity or each.severity,
                "place": place,
                "fix_at": fix_at,
            }
            found.append(Finding(check=each.id, source=each.source, group=each.group, **given))
    order = {name: number for number, name in enumerate(estate.names)}
    found.sort(key=lambda one: (SEVERITIES.index(one.severity), order[one.qmgr], one.place, one.check, one.name))
    return Findings(found)
