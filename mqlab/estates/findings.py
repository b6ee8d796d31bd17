"""Findings about an estate, and the checks that make them: each check is a function, registered with `check`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partialmethod
from hashlib import sha256
from importlib.resources import files
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.commands.parser import parse
from ..views.plug import show as shown
from .definitions import Place
from .proofs import Proof

if TYPE_CHECKING:
    from ..engine.words.objects import Definition
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
    `about` distinguishes it from another finding of the check at the same attribute of the object. Findings of a check
    with the same `cause` are shown as one; without it, those whose sentences differ in the name only.
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
    cause: str = ""


def fault(
    qmgr: Any, definition: Definition, said: str, fix: str = "", proof: Proof | None = None, keyword: str = "",
    fix_at: str = "", severity: str = "", place: Place | None = None, about: str = "", cause: str = "",
) -> Found:  # fmt: skip
    """The `Found` of an object of a queue manager."""
    kind, name = definition.kind, definition.name
    return Found(qmgr.name, kind, name, said, fix, proof, keyword, fix_at, severity, place, about, cause)


class Check(NamedTuple):
    """A check: its id, its severity, a title, the rule or the page of IBM's documentation, its function, its group
    (SECURITY, RETIRED, or "" for the others), what it finds, and its subject, such as "backout"."""

    id: str
    severity: str
    title: str
    source: str
    run: Callable[[Definitions], Iterable[Found]]
    group: str
    about: str
    subject: str


@dataclass(frozen=True)
class Finding:
    """A finding: the check, and where, in which words; `fix` is MQSC for the queue manager `fix_at`; `keyword` is the
    attribute at fault, and `about` distinguishes it from another finding there. `others` are those of the same cause,
    for which it stands too; `fingerprint` is that of a report."""

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
    cause: str = ""
    others: tuple[Finding, ...] = ()
    fingerprint: str = ""

    @property
    def identity(self) -> tuple[str, ...]:
        """The facts that stay the same when lines move, or another finding is fixed."""
        return (self.check, self.qmgr, self.kind, self.name, self.keyword, self.about)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place.file else ""
        return f"{where}{self.severity}: {self.qmgr}: {self.said} [{self.check}]"


def fingerprint(*facts: str) -> str:
    """The hash of some facts."""
    return sha256("\0".join(facts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


class Findings(list[Finding]):
    """Findings, which a notebook shows as a table."""

    _repr_mimebundle_ = partialmethod(shown, "cards.lab_cards.findings_table")


TEXTS = tomllib.loads(files(__package__).joinpath("checks", "checks.toml").read_text("utf-8"))
"""Subject of checks -> its heading, and what each of its checks finds, by id."""

CHECKS: dict[str, Check] = {}
"""Every check by its id, in the order in which they run."""


def check(id: str, severity: str, title: str, source: str, group: str = "") -> Callable[[Callable], Callable]:
    """Register a generator of `Found` as a check, which a table of TEXTS describes: that of its subject."""

    def register(run: Callable[[Any], Iterable[Found]]) -> Callable:
        if id in CHECKS or severity not in SEVERITIES:
            raise ValueError(f"id must be new and severity one of {', '.join(SEVERITIES)}; got {id!r}, {severity!r}")
        subject = next(subject for subject, texts in TEXTS.items() if id in texts)
        CHECKS[id] = Check(id, severity, title, source, run, group, TEXTS[subject][id], subject)
        return run

    return register


def absent(estate: Definitions, qmgr: Any) -> str:
    """The severity of a name that nothing defines: ERROR in a dump with a header, WARNING in a script, which may be one
    of several."""
    return ERROR if estate.whole(qmgr) else WARNING


def findings(estate: Definitions) -> list[Finding]:
    """Every finding of every check by itself, the worst first, then by queue manager and place."""
    found = []
    estate.kept.clear()
    for each in CHECKS.values():
        for one in each.run(estate):
            place = one.place or estate.place(one.qmgr, one.kind, one.name, one.keyword)
            fix_at = one.fix_at or one.qmgr
            near = meant(estate.lab[fix_at], one.fix, one.name if fix_at == one.qmgr else "")
            said, severity = f"{one.said}; is {near} meant?" if near else one.said, one.severity or each.severity
            given = one._replace(said=said, severity=severity, place=place, fix_at=fix_at)._asdict()
            found.append(Finding(check=each.id, source=each.source, group=each.group, **given))
    return in_order(estate, found)


def in_order(estate: Definitions, found: Iterable[Finding]) -> list[Finding]:
    """Findings, the worst first, then by queue manager and place."""
    rank, order = SEVERITIES.index, estate.names.index
    return sorted(found, key=lambda one: (rank(one.severity), order(one.qmgr), one.place, one.check, one.name))


_SPELLED = ("QLOCAL", "CHANNEL", "PROCESS")
"""Kinds of objects whose names are compared with other spellings."""
_WORD = re.compile(r"[A-Za-z0-9]{4,}")
"""The words of a name in which a letter may be wrong; shorter ones differ on purpose, such as IN and IX."""

_CONFUSED = {"0": "O", "O": "0", "1": "I", "I": "1"}


def meant(qmgr: Any, fix: str, own: str) -> str:
    """The only object of a queue manager whose name is a spelling of that which a fix defines; "" for none, for
    several, and for `own`, the object at fault."""
    command = parse(fix)[0] if fix.startswith("DEFINE") else None  # text: a command of MQSC
    if command is None or command.object not in _SPELLED:
        return ""
    found = {name for name in spellings(command.name) if name != own and qmgr.objects.named(command.object, name)}
    return found.pop() if len(found) == 1 else ""


def spellings(name: str) -> Iterator[str]:
    """The names that differ from a name in one letter of a word, in two letters that changed places, or in 0 for O, or
    1 for I.

    Digits for other digits are no mistake, because ORDERS.1 and ORDERS.2 are two queues.

    >>> [each in spellings("STATEMENT.IN1") for each in ("STATEMENTS.IN1", "STATMEENT.IN1", "STATEMENT.IN2")]
    [True, True, False]
    """
    letters = ascii_uppercase if name == name.upper() else ascii_uppercase + ascii_lowercase
    for place, letter in enumerate(name):
        if letter in _CONFUSED:
            yield name[:place] + _CONFUSED[letter] + name[place + 1 :]
    for word in _WORD.finditer(name):
        for place in range(word.start(), word.end() + 1):
            before, after = name[:place], name[place:]
            yield from (before + letter + after for letter in letters)
            if place < word.end() and not after[0].isdigit():
                yield before + after[1:]
                yield from (before + letter + after[1:] for letter in letters if letter != after[0])
            if place + 1 < word.end() and after[0] != after[1] and not after[:2].isdigit():
                yield before + after[1] + after[0] + after[2:]
