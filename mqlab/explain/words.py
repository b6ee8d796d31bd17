"""The narrator: one row of the event log as a sentence, by one table from kinds of rows to sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..mq.because import because
from ..mq.constants import REASONS
from ..mq.extra import dialect_of, extras
from ..sim.event import Event
from ..sim.event_kinds import is_dead_letter

_OUTCOMES = {
    "CHL-04": "{who} learned that the batch, unit of work {unit}, is {outcome} at the other end",
    "CHL-06": "{who} asked what became of the in-doubt batch, unit of work {unit}: it is {outcome}",
    "CHL-13": "an operator resolved the in-doubt batch, unit of work {unit}, of {who}: it is {outcome}",
    "CHL-17": "{who} learned that the other end cannot accept the batch, unit of work {unit}: it is {outcome}",
}


_NAMING = ("put", "report")  # kinds of rows whose sentences name their message


class _Row(NamedTuple):
    """A row and the words that most sentences need: who acted, on which queue, and where that is."""

    row: Event
    facts: Mapping[str, Any]
    who: str
    queue: str
    where: str
    noun: str

    @property
    def unit(self) -> str:
        """The unit of work of the call, "" if there is none."""
        return "" if self.row.uow is None else f" in unit of work {self.row.uow}"

    @property
    def lifetime(self) -> str:
        """The lifetime that is left, "" if it is unlimited."""
        left = self._left
        return "" if left is None else f", expires in {_seconds(left / 10)}"

    @property
    def late(self) -> str:
        """How long after its deadline a message was discarded."""
        return f"{_seconds(-(self._left or 0) / 10)} after it expired"

    @property
    def _left(self) -> float | None:
        dialect = dialect_of(self.row.object_type)
        return self.row.expiry_left if dialect is None else dialect.left(self.row, self.facts)

    @property
    def because(self) -> str:
        """The reason that the detail gives, "" for none."""
        why = because(self.facts)
        return f": {why}" if why else ""

    @property
    def said(self) -> str:
        """The names and values of the detail, and the reason that it gives."""
        values = [f"{name} {value}" for name, value in self.facts.items() if name != "why"]
        return ", ".join([*values, *([f"because {because(self.facts)}"] if "why" in self.facts else [])])


def sentence(row: Event, several: bool = False, noun: str = "message", then: bool = True) -> str:
    """Return a row as a sentence of its message's life.

    `several` names the queue manager in it, `noun` is what a message that is put is called; without `then` it leaves
    out what follows, such as the next attempt of a channel.
    """
    detail = row.facts if then else {name: value for name, value in row.facts.items() if name != "then"}
    who, queue = row.program or "a program", row.object or row.qmgr or ""
    dialect = dialect_of(row.object_type)
    of_qmgr = row.rule == "QSG-07" or row.kind in ("allocate", "recover") or who == detail.get("member", row.qmgr)
    if several and dialect is None and not of_qmgr:  # otherwise the program is the queue manager that acted
        who = f"{who} at {detail.get('member', row.qmgr)}"
    owned = dialect is not None or (several and row.object and row.object_type not in ("LINK", "CLIENT"))
    of = _Row(row, detail, who, queue, f"{queue} of {row.qmgr}" if owned else queue, noun)
    if row.reason is not None and row.message is None:
        return _refused(of)
    own = {} if dialect is None else dialect.sentences()
    say = own.get(row.kind) or _SENTENCES.get(row.kind) or _of_extras(row.kind)
    return say(of) if say else f"{row.kind} {queue}"


def _of_extras(kind: str) -> Callable[[_Row], str] | None:
    """The sentence of a kind of row that only an extra writes; None for none."""
    return next((said for extra in extras() if (said := extra.sentences().get(kind)) is not None), None)


def told(row: Event, several: bool = False, then: bool = True) -> str:
    """Return a row as a sentence that names its message, so that it can be read alone; `then` as for `sentence`.

    >>> told(Event(0, 0, "QM1", "start", None, None, *[None] * 14))
    'QM1 started'
    """
    words = sentence(row, several, then=then)
    return words if row.message is None or row.kind in _NAMING else f"message {row.message}: {words}"


def rule_title(id: str | None) -> str:
    """Return the id of a rule with its title, "" for no rule."""
    from ..mq.rulebook import RULES  # a data file, which a lab reads when it first explains something

    return f"{id} {RULES[id].title}" if id in RULES else id or ""


def member_of(row: Event) -> str | None:
    """Return the queue manager that acted: a row of a shared queue is at the group, and its detail names the member."""
    member: str | None = row.facts.get("member", row.qmgr)
    return member


def _seconds(number: float) -> str:
    """Return seconds in figures that are read at once: 100,000,000 s and not 1e+08 s."""
    return f"{number:,.0f} s" if number >= 10_000 and number == round(number) else f"{number:g} s"


def _refused(of: _Row) -> str:
    """A call that failed."""
    row, where = of.row, of.row.object or of.row.qmgr
    why = f"{row.reason} {REASONS.get(row.reason or 0, '')}".strip() + of.because
    if row.kind == "lost":
        return f"{of.who} lost a message that could not be put on {where}: {why}"
    return f"{of.who} failed to {'send a report to' if row.kind == 'report' else f'{row.kind} on'} {where}: {why}"


def _put(of: _Row) -> str:
    row, to = of.row, of.facts.get("to")
    place = f"on {'the dead-letter queue ' if is_dead_letter(row) else ''}{row.object}"
    if to:
        place = f"for {to} on transmission queue {row.object}"
    if row.rule in ("STQ-01", "STQ-02"):
        return f"{row.qmgr} put its duplicate, message {row.message}, {place}{of.unit}"
    return f"{of.who} put {of.noun} {row.message} {place}{of.unit}, priority {row.priority}{of.lifetime}"


def _report(of: _Row) -> str:
    row, to = of.row, of.facts.get("to")
    place = f"{to} through transmission queue {row.object}" if to else str(row.object)
    return f"{of.facts.get('member', row.qmgr)} sent report message {row.message} to {place}"


def _get(of: _Row) -> str:
    row = of.row
    waited = "" if row.put_us is None else f" after {_seconds((row.time_us - row.put_us) / 1e6)}"
    return f"{of.who} got it from {of.queue}{of.unit}{waited}{of.lifetime}"


def _discard(of: _Row) -> str:
    row, here = of.row, of.facts.get("member", of.row.qmgr)
    if row.object_type is None:
        return f"{of.who} held it and discarded it on its way to {of.where}, {of.late}"
    by = "its expiry scan" if row.program == here else f"a call by {row.program or 'a program'}"
    return f"{here} discarded it from {of.where}: {by} reached it {of.late}"


def _of_extra(of: _Row) -> str | None:
    return next((words for extra in extras() if (words := extra.worded(of)) is not None), None)


def undeliverable(of: _Row) -> str:
    """The end of a message that a program could put nowhere."""
    why = f"{of.row.reason} {REASONS.get(of.row.reason or 0, 'a feedback code')}"
    return f"it was lost: {of.who} could put it neither to {of.row.object} ({why}) nor anywhere else"


def _lost(of: _Row) -> str:
    row, rule = of.row, of.row.rule or ""
    if rule == "CHL-07":
        return f"it was lost in flight: {of.who} had sent it outside syncpoint when the session broke"
    if rule == "MQI-30":
        return undeliverable(of)
    if (words := _of_extra(of)) is not None:
        return words
    return f"it was lost from {row.object} when {row.qmgr} ended: it was nonpersistent"


def _channel(of: _Row) -> str:
    """A channel that ends a batch, or changes its state."""
    if "outcome" in of.facts:
        return _OUTCOMES[of.row.rule or ""].format(who=of.who, unit=of.row.uow, outcome=of.facts["outcome"])
    state = f"became {of.facts['state']}" if "state" in of.facts else "did not change its state"
    return f"{of.who} {state}{of.because}"


def _program(of: _Row) -> str:
    state = of.facts.get("state", "changed")
    return f"{of.who} {'was started' if state == 'started' else state}{of.because}"


def _fault(of: _Row) -> str:
    if (words := _of_extra(of)) is not None:
        return words
    if of.row.object_type == "LISTENER":
        return f"the listener {of.where} did not start{of.because}"
    if of.row.object_type not in ("LINK", "CLIENT"):
        after = f" after {of.facts['steps']} steps" if "steps" in of.facts else ""
        return f"{of.where} was stopped in an endless loop{after}"
    if "up" not in of.facts:
        return f"the link {of.where} was created or changed"
    what = "link" if of.row.object_type == "LINK" else "client's link"
    return f"the {what} {of.where} was {'restored' if of.facts['up'] else 'cut'}"


def _alter(of: _Row) -> str:
    words = {True: "{}", False: "NO{}"}  # TRIGGER, NOTRIGGER
    values = ", ".join(words.get(value, "{}({})").format(name, value) for name, value in of.facts.items())
    return f"{of.where} was altered" + (f": {values}" if 0 < len(values) <= 90 else "")


def _open(of: _Row) -> str:
    uses = [f"input, {of.facts['input']}"] if of.facts.get("input") else []
    uses += of.facts.get("uses", ())
    return f"{of.who} opened {of.where}" + (f" for {' and '.join(uses)}" if uses else "")


def _scan(of: _Row) -> str:
    queues = of.facts.get("queues", [])
    more = f" and {len(queues) - 4} more queues" if len(queues) > 4 else ""
    return f"{of.row.program or of.row.qmgr} scanned {', '.join(queues[:4]) or 'no queue'}{more} for expired messages"


def _transmit(of: _Row) -> str:
    it = "it" if of.row.message is not None else of.where
    if "failed" in of.facts:
        return f"{of.row.qmgr} could not continue to send {it}: {of.facts['failed']}"
    if "stage" not in of.facts:
        return f"{of.row.qmgr} was triggered to send waiting messages"
    again = ", again" if of.facts.get("again") else ""
    return f"{of.row.qmgr} sent the {of.facts['stage']} for it to {of.facts.get('to')}{again}"


_SENTENCES: dict[str, Callable[[_Row], str]] = {
    "put": _put,
    "report": _report,
    "deliver": lambda of: f"it became available although unit of work {of.row.uow} was backed out",
    "unlock": lambda of: f"{of.who} released its lock on it",
    "get": _get,
    "browse": lambda of: f"{of.who} browsed it on {of.queue}{of.lifetime}",
    "discard": _discard,
    "reject": lambda of: f"{of.who} could not deliver it to {of.queue} and discarded it, as its report options ask",
    "lost": _lost,
    "clear": lambda of: f"it was cleared from {of.where}" if of.row.message else f"{of.where} was cleared",
    "undo": lambda of: (
        f"its put on {of.where} was "
        + ("undone, because its duplicate cannot be put" if of.row.rule == "STQ-03" else "backed out")
    ),
    "restore": lambda of: f"it was restored to its position on {of.where}, and its BackoutCount increased by 1",
    "skip": lambda of: f"the backout left it out: it is still in unit of work {of.row.uow} of {of.who}",
    "commit": lambda of: f"{of.who} committed unit of work {of.row.uow}",
    "backout": lambda of: f"{of.who} backed out unit of work {of.row.uow}",
    "prepare": lambda of: f"{of.who} asked the other end to commit the batch: unit of work {of.row.uow} is in doubt",
    "wait": lambda of: f"{of.who} started to wait for a message on {of.queue}",
    "handler": lambda of: f"{of.who} checked it on {of.queue}: {of.said}",
    "forward": lambda of: f"{of.who} forwarded it to {of.queue}: {of.said}",
    "adapter": lambda of: f"{of.who} fired a trigger that puts a message on {of.queue}: {of.said}",
    "channel": _channel,
    "trigger": lambda of: f"{of.where} {'triggered' if of.facts.get('fired') else 'did not trigger'}{of.because}",
    "program": _program,
    "define": lambda of: f"{of.where} was defined",
    "delete": lambda of: f"{of.where} was deleted",
    "alter": _alter,
    "start": lambda of: f"{of.row.qmgr} started",
    "stop": lambda of: f"{of.row.qmgr} {'failed' if of.facts.get('abend') else 'ended'}",
    "fault": _fault,
    "open": _open,
    "close": lambda of: f"{of.who} closed {of.where}",
    "inquire": lambda of: f"{of.who} inquired about {of.where}",
    "scan": _scan,
    "warning": lambda of: f"{of.who} warned{of.because}",
    "transmit": _transmit,
}
