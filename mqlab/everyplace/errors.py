"""The refusals of MQ Everyplace, and the effect of a broken link on a flow."""

from __future__ import annotations

from ..engine.words.because import advised, fact, hint
from ..engine.words.errors import LabError, Refusal, visible
from ..engine.words.shown import shown
from .whys import OfCall, OfFlow

_SORTS = (
    "duplicate message, no connection, no matching message, not running, not supported, queue full, queue not empty, "
    "unknown queue"
)
REFUSALS = tuple(_SORTS.split(", "))
"""The sorts of refusal, in words: the exception numbers of MQ Everyplace are not modeled."""


@shown
class MQeError(Refusal):
    """A call that an MQ Everyplace queue manager refused.

    `what` is one of REFUSALS; `queue` and `qmgr` give the place, `why` the reason, from which `said` and `hint` are
    made, and `seq` the event row of the failed call.
    """

    def __init__(self, what: str, queue: str, qmgr: str, why: OfCall, seq: int | None = None):
        if what not in REFUSALS:
            raise LabError(f"refusal must be one of {', '.join(REFUSALS)}; got {what!r}")
        self.what, self.queue, self.qmgr, self.why, self.seq = what, queue, qmgr, why, seq
        super().__init__(what, queue, qmgr)

    @property
    def said(self) -> str:
        """The fact in a sentence: the value that was expected, and the value that was found."""
        return fact(self.why)

    @property
    def hint(self) -> str:
        """The remedy in a sentence, "" if there is none."""
        return hint(self.why)

    @property
    def rule(self) -> str:
        """The id of the rule behind it."""
        return self.why.rule

    def __str__(self) -> str:
        where = f"{self.queue} on {self.qmgr}" if self.queue else self.qmgr
        return visible(f"{self.what}: {where}: {advised(self.why)}")


class LinkDown(Exception):
    """A flow that broke: `why.lost` is "request" if the other side never got it, "answer" if only the answer was
    lost."""

    def __init__(self, why: OfFlow):
        self.why = why
        super().__init__(why)
