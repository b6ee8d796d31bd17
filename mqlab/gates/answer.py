"""Why a program was refused: each gate as passed, refused, or not reached, and what opens the one that closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..admin.error_log import line
from ..engine.words.constants import code
from ..engine.words.errors import LabError
from ..engine.words.shown import shown
from . import authority, kept
from .admitting import CONDITIONS
from .attempt import Attempt, Client, Condition, Outcome, Passed, Refusal

_OWN = ("user", "password", "channel")
"""What `as_if` may change beside the fields of a client."""


class Row(NamedTuple):
    """A gate, the id of its rule, its state ("passed", "refused", or "not reached"), and the fact, in words."""

    gate: str
    rule: str
    state: str
    said: str


@shown
class Answer:
    """Why a program was refused, or that it would be let in: `rows`, one for each gate, in their order.

    `refused` is the row of the gate that closed, None if all are open; `reason` its reason code, `record` the record
    that decided. `opens` is MQSC that opens this gate and no more, `shell` the command of the shell that does, "" for
    none, and `hint` the remedy in words. `log` has the lines of the queue manager's error log (their identifiers, if
    nobody made the attempt), `client_log` that of the client. `next` is the row of the gate that would refuse behind
    the closed one, None for none.
    """

    def __init__(self, attempt: Attempt, beyond: list[tuple[Condition, Outcome]]) -> None:
        self.program, self.qmgr, self.channel = attempt.program, attempt.qmgr.name, attempt.channel
        self.user, self.address = attempt.user or attempt.asserted or attempt.runs_as, attempt.client.address
        self.time = attempt.qmgr.lab.start + timedelta(microseconds=attempt.time_us)
        self.rows = _rows(attempt.outcomes, beyond)
        refusal = attempt.refusal
        self.reason = refusal.grounds.reason if refusal is not None else None
        self.record, self.opens, self.shell, self.hint, self.client_log = "", "", "", "", ""
        self.refused, self.next = next((row for row in self.rows if row.state == "refused"), None), None
        if refusal is not None:
            self.record, self.opens, self.shell = refusal.record, refusal.opens, refusal.shell
            self.hint = refusal.grounds.hint
            self.client_log = f"nothing; the client sees only {self.reason}"
            if refusal.client:
                self.client_log = line(refusal.client, channel=self.channel or "", host=self.qmgr)
            closed = ((condition, outcome) for condition, outcome in beyond if isinstance(outcome, Refusal))
            self.next = next((Row(gate.gate, gate.rule, "refused", found.said) for gate, found in closed), None)
        self.log: list[str] = list(refusal.codes) if refusal is not None else []
        if attempt.seq is not None and attempt.qmgr.platform != "vse":
            entries = attempt.qmgr.error_log()
            self.log = [f"{entry.id}: {entry.text}" for entry in entries if entry.seq == attempt.seq]

    def __bool__(self) -> bool:
        """Whether it was let in."""
        return self.refused is None

    def __str__(self) -> str:
        way = f" from {self.address} through {self.channel}" if self.channel is not None else ""
        reason = code(self.reason) if self.reason is not None else "let in"
        lines = [f"{self.program} as user {self.user}{way} to {self.qmgr}, {self.time:%H:%M:%S}: {reason}"]
        width = max((len(row.gate) for row in self.rows), default=0)
        for number, row in enumerate(self.rows, 1):
            state = "REFUSED" if row.state == "refused" else row.state
            rule = f"   [{row.rule}]" if row.state == "refused" else ""
            lines.append(f"{number:2} {row.gate:{width}}  {state:11}  {row.said}{rule}".rstrip())
        parts = {
            "the record that decided": self.record,
            "this opens it, and no more": "\n".join(each for each in (self.opens, self.shell) if each) or self.hint,
            f"error log of {self.qmgr}": "\n".join(self.log),
            "error log of the client": self.client_log if self.channel is not None else "",
            "the next gate that would refuse": f"{self.next.gate}: {self.next.said}" if self.next else "",
        }
        for words, value in parts.items():
            lines += [f"{words}:", *(f"    {line}" for line in value.splitlines())] if value else []
        return "\n".join(lines)

    __repr__ = __str__


def refusals(lab: Any) -> list[Attempt]:
    """The last refused attempt of each program at each queue manager of a lab."""
    return [each for qmgr in lab.queue_managers for each in kept(qmgr).attempts.values()]


def why_refused(lab: Any, program: str, as_if: Mapping[str, object] | None = None) -> Answer:
    """Return why the last attempt of a program that was refused was refused; see `mqlab.lab.lab.Lab.why_refused`."""
    attempts = refusals(lab)
    mine = sorted((tried for tried in attempts if tried.program == program), key=lambda tried: tried.time_us)
    if not mine:
        mine = [
            application.admission
            for qmgr in lab.queue_managers
            for application in sorted(qmgr.connections, key=lambda connected: connected.connection)
            if application.caller == program and isinstance(application.admission, Attempt)
        ]
    if not mine:
        names = sorted({tried.program for tried in attempts})
        near = get_close_matches(program, names, 1) or names[:3]
        which = f"; refused were {', '.join(near)}" if near else "; no program was"
        raise LabError(f"program must be the name of a program that was refused or is connected; got {program}{which}")
    attempt = mine[-1]
    if as_if is not None:
        attempt = _again(attempt, as_if)
    return Answer(attempt, _beyond(attempt))


def _again(attempt: Attempt, as_if: Mapping[str, object]) -> Attempt:
    """The same attempt made now, with other facts; it leaves no trace."""
    unknown = [name for name in as_if if name not in (*Client._fields, *_OWN)]
    if unknown:
        known = ", ".join((*_OWN, *Client._fields))
        raise LabError(f"as_if must have facts of an attempt ({known}); got {unknown[0]}")
    facts: dict[str, Any] = dict(as_if)
    client = attempt.client._replace(**{name: facts.pop(name) for name in Client._fields if name in facts})
    if "user" in facts and not (attempt.password or facts.get("password")):
        facts["asserted"], facts["user"] = facts["user"], ""  # a user without a password is the one it runs under
    elif facts.get("password") and not (facts.get("user") or attempt.user):
        facts["user"] = attempt.asserted
    elif client.asserted:
        facts["asserted"] = client.asserted
    who: dict[str, Any] = {name: facts.get(name, getattr(attempt, name)) for name in ("asserted", *_OWN)}
    again = Attempt(attempt.qmgr, attempt.program, client=client, options=attempt.options, hypothetical=True, **who)
    again.opening = attempt.opening
    again.time_us = attempt.qmgr.clock.time_us
    if again.walk(CONDITIONS) is None and again.opening is not None:
        authority.may_open(again)
    return again


def _beyond(attempt: Attempt) -> list[tuple[Condition, Outcome]]:
    """The outcomes of the gates behind the one that closed, as if that had been open."""
    if attempt.refusal is None:
        return []
    after = replace(attempt, outcomes=list(attempt.outcomes), hypothetical=True)
    last = attempt.outcomes[-1][0]
    outcomes = []
    behind = CONDITIONS[CONDITIONS.index(last) + 1 :] if last in CONDITIONS else ()
    for condition in behind:
        outcome = condition.test(after)
        if outcome is not None:
            outcomes.append((condition, outcome))
    return outcomes


def _rows(outcomes: list[tuple[Condition, Outcome]], beyond: list[tuple[Condition, Outcome]]) -> tuple[Row, ...]:
    """One row for each gate: what its last condition found, or that nobody came so far."""
    rows: dict[str, Row] = {}
    for condition, outcome in outcomes:
        state = "passed" if isinstance(outcome, Passed) else "refused"
        rows[condition.gate] = Row(condition.gate, condition.rule, state, outcome.said)
    for condition, _ in beyond:
        rows.setdefault(condition.gate, Row(condition.gate, condition.rule, "not reached", ""))
    if outcomes and isinstance(outcomes[-1][1], Refusal) and not {"open", "reconnect"} & {*rows}:
        rows["open"] = Row("open", "OAM-02", "not reached", "")
    return tuple(rows.values())
