"""The errors mqlab raises: MQ's own refusals, and the lab's."""

from __future__ import annotations

import copyreg
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .constants import MQCC_FAILED, MQCC_WARNING, REASONS
from .shown import shown

if TYPE_CHECKING:
    from .refusals import Grounds

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """Text for a terminal: what would command it, or turn the text around, as an escape such as ``\\x1b``."""
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)  # text: any, for a terminal


class Error(Exception):
    """An error that pickle can carry, with its fields, whatever its constructor takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__getstate__()  # type: ignore[attr-defined]


@shown
class LabError(Error, ValueError):
    """A request that the lab cannot fulfill; the text states the expected value, the actual value, and a remedy."""

    def __str__(self) -> str:
        return visible(super().__str__())


class NotInstalled(LabError):
    """A package that `what` needs is missing; the text states how to install it, or that a browser does not have it."""

    def __init__(self, what: str, package: str) -> None:
        missing = "is not installed: pip install 'mqlab[lab]'"
        if sys.platform == "emscripten":
            missing = "is not available in a browser; run the same lines in mqlab on a computer"
        super().__init__(f"{what} needs {package}, which {missing}")


def left_out(room: str) -> LabError:
    """The refusal of a call that needs a room which this copy of mqlab has left out."""
    return LabError(
        f"this copy of mqlab has no mqlab.{room}, which this call needs; install mqlab with all of its rooms"
    )


class NotSimulated(LabError, NotImplementedError):
    """Real MQ can do this and mqlab does not simulate it yet."""


@shown
class ProgramDied(RuntimeError):
    """A program of the lab ended by an exception, which is the `__cause__` of this one."""


@shown
class RunawayTrigger(Error, RuntimeError):
    """A queue is triggered, or programs keep each other busy, again and again without getting anything done; the text
    says why and how to stop it.

    `rules` are the ids behind it; `alter` is the object whose attribute stops it, and the attribute, ("", "") for none.
    """

    rules = ("TRG-12a",)

    def __init__(self, text: str, alter: tuple[str, str] = ("", "")) -> None:
        super().__init__(text)
        self.alter = alter


class Refusal(Error):
    """A call that a queue manager refused."""


@shown
class MQError(Refusal):
    """An MQI call that the queue manager refused.

    - `comp`: completion code: 1 warning, 2 failed.
    - `reason`: reason code, e.g. 2033.
    - `name`: MQ's name for it, e.g. ``MQRC_NO_MSG_AVAILABLE``.
    - `object` and `qmgr`: the object the call named and the queue manager that answered.
    - `grounds`: the case of the refusal and its fields, from which `said` and `hint` are made; None without one.
    - `said`: the expected value and the actual value.
    - `hint`: the next thing to try.
    - `rule`: id of the rule behind the refusal, or None.
    - `seq`: event row of the failed call, or None.
    - `message`: for 2080, the message that did not fit, its body cut; it is still on its queue. A pickle has it not.
    - `rests_on`: for a name that leads to no queue, the objects and attributes that decide it.
    - `only_there`: a sentence that names the platform, if only another platform has the object.
    - `waited`: whether the call waited first, so that the facts are those of the end of its wait.
    - `facts`: what the queue manager knew at that row: replayed from the event log when first asked for.
      For 2080 also DataLength, the length of the message in bytes.
    """

    def __init__(
        self,
        reason: int,
        object: str = "",
        qmgr: str = "",
        rule: str | None = None,
        seq: int | None = None,
        known: Callable[[], dict] | None = None,
        comp: int = MQCC_FAILED,
        grounds: Grounds | None = None,
    ):
        if reason not in REASONS:
            raise LabError(f"reason code must be one of MQ's that mqlab knows; got {reason!r}")
        self.comp, self.reason, self.name = comp, reason, REASONS[reason]
        self.object, self.qmgr, self.rule, self.seq = object, qmgr, rule, seq
        self.grounds = grounds
        self.message: Any = None
        self.rests_on: tuple[str, ...] = ()
        self.only_there = ""
        self.waited = False
        self._known = known if known is not None else dict
        self._facts: dict | None = None
        super().__init__(reason, object)

    def __getstate__(self) -> dict[str, Any]:  # the facts, without the lab and the message, which is in it
        return self.__dict__ | {"_facts": self.facts, "_known": dict, "message": None}

    @property
    def said(self) -> str:
        """The expected value and the actual value, in words."""
        return "" if self.grounds is None else self.grounds.said

    @property
    def hint(self) -> str:
        """The next thing to try, in words."""
        return "" if self.grounds is None else self.grounds.hint

    @property
    def facts(self) -> dict:
        """The facts at the refusal: names to values, in a fixed order."""
        if self._facts is None:
            self._facts = self._known()
            if self.message is not None:
                self._facts = {"DataLength": self.message.length} | self._facts
        return self._facts

    def __str__(self) -> str:
        where = f"{self.object} on {self.qmgr}" if self.object and self.qmgr else self.object or self.qmgr
        text = f"{self.reason} {self.name}" + (f": {where}" if where else "")
        text += f": {self.said}" if self.said else ""
        text += " (a warning)" if self.comp == MQCC_WARNING else ""
        return visible(text + (f". Try: {self.hint}" if self.hint else ""))
