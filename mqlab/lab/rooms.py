"""The rooms that the front's methods lead into: a copy of mqlab may have left some out."""

from __future__ import annotations

from types import TracebackType

from ..mq.errors import LabError


class room:
    """A ``with`` block that imports from a room of mqlab: LabError where the room is not there.

    >>> with room("clocks"):
    ...     import mqlab.clocks
    Traceback (most recent call last):
    mqlab.mq.errors.LabError: this copy of mqlab has no mqlab.clocks, which this call needs; ...
    """

    def __init__(self, name: str):
        self.name = f"mqlab.{name}"

    def __enter__(self) -> None:
        """Let the block import."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, ModuleNotFoundError) and error.name == self.name:
            raise LabError(
                f"this copy of mqlab has no {self.name}, which this call needs; install mqlab with all of its rooms"
            ) from None
