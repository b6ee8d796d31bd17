"""The refusals of MQ Everyplace, and the effect of a broken link on a flow."""

from __future__ import annotations

from ..engine.words.errors import LabError, Refusal, visible
from ..engine.words.shown import shown

_SORTS = (
    "duplicate message, no connection, no matching message, not running, not supported, queue full, queue not empty, "
    "unknown queue"
)
REFUSALS = tuple(_SORTS.split(", "))
"""The sorts of refusal, in words: the exception numbers of MQ Everyplace are not modeled."""


@shown
class MQeError(Refusal):
    """A call that an MQ Everyplace queue manager refused.

    `what` is one of REFUSALS; `queue` and `qmgr` give the place, `said` what was wanted and got, `hint` what to try,
    `rule` the rule behind it, and `seq` the event row of the failed call.
    """

    def __init__(
        self, what: str, queue: str, qmgr: str, fact: str, hint: str, rule: str | None = None, seq: int | None = None
    ):
        if what not in REFUSALS:
            raise LabError(f"refusal must be one of {', '.join(REFUSALS)}; got {what!r}")
        self.what, self.queue, self.qmgr, self.said, self.hint = what, queue, qmgr, fact, hint
        self.rule, self.seq = rule, seq
        super().__init__(what, queue, qmgr)

    def __str__(self) -> str:
        where = f"{self.queue} on {self.qmgr}" if self.queue else self.qmgr
        text = f"{self.what}: {where}" + (f": {self.said}" if self.said else "")
        return visible(text + (f". Try: {self.hint}" if self.hint else ""))


class LinkDown(Exception):
    """A flow that broke: `lost` is "request" if the other side never got it, "answer" if only the answer was lost."""

    def __init__(self, lost: str, why: str):
        self.lost, self.why = lost, why
        super().__init__(lost, why)

    def __str__(self) -> str:
        return f"{self.why}; the {self.lost} was lost"
