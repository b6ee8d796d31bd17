"""The open handles of a queue manager, found by what they are on and by whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .queue import Remote

if TYPE_CHECKING:
    from .handle import Handle


class OpenHandles:
    """Handles in the order in which they were opened."""

    def __init__(self) -> None:
        self._handles: dict[Handle, None] = {}
        self._having: dict[int, dict[Handle, None]] = {}

    def add(self, handle: Handle) -> None:
        """Enter a handle that was opened."""
        self._handles[handle] = None
        for key in self._keys(handle):
            self._having.setdefault(key, {})[handle] = None

    def remove(self, handle: Handle) -> None:
        """Take out a handle that is about to be closed."""
        del self._handles[handle]
        for key in self._keys(handle):
            handles = self._having[key]
            del handles[handle]
            if not handles:
                del self._having[key]

    def having(self, subject: object) -> list[Handle]:
        """The handles on this object, by this target, or of this application; for the type Remote, those on
        targets elsewhere."""
        return list(self._having.get(id(subject), ()))

    def __len__(self) -> int:
        return len(self._handles)

    def __iter__(self) -> Iterator[Handle]:
        return iter(self._handles)

    @staticmethod
    def _keys(handle: Handle) -> set[int]:
        keys = {id(handle.target), id(handle.object), id(handle.queue), id(handle.application)}
        return keys | {id(Remote)} if isinstance(handle.target, Remote) else keys
