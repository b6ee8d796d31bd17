"""The rooms that the front's methods lead into: a copy of mqlab may have left some out."""

from __future__ import annotations

from types import TracebackType

from ..mq.errors import LabError


def left_out(name: str) -> LabError:
    """The refusal of a call that needs a room which this copy of mqlab has left out."""
    return LabError(
        f"this copy of mqlab has no mqlab.{name}, which this call needs; install mqlab with all of its rooms"
    )


class room:
    """A ``with`` block that imports from a room of mqlab: LabError where the room is not there.

    >>> with room("everyplace"):
    ...     from mqlab.everyplace import MQeError
    """

    def __init__(self, name: str):
        self.name = name

    def __enter__(self) -> None:
        """Let the block import."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, ModuleNotFoundError) and error.name == f"mqlab.{self.name}":
            raise left_out(self.name) from None
