"""Calls as data: what a control does, and the same as a line of Python to read and to copy."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Call", "on_qmgr"]


class Call(NamedTuple):
    """A call of a method of a lab, or of what `of` leads to from there: called with a lab it makes the call.

    >>> print(Call("cut", ("NORTH", "HUB")))
    lab.cut('NORTH', 'HUB')
    >>> print(on_qmgr("QM1", "mqsc", "DISPLAY QMGR"))
    lab['QM1'].mqsc('DISPLAY QMGR')
    """

    method: str
    arguments: tuple = ()
    of: str | int | None = None

    def __call__(self, lab):
        if isinstance(self.of, str):
            receiver = lab[self.of]
        else:
            receiver = lab if self.of is None else lab.queue_sharing_groups[self.of]
        return getattr(receiver, self.method)(*self.arguments)

    def __str__(self):
        of = (
            ""
            if self.of is None
            else f"[{self.of!r}]"
            if isinstance(self.of, str)
            else f".queue_sharing_groups[{self.of}]"
        )
        return f"lab{of}.{self.method}({', '.join(map(repr, self.arguments))})"


def on_qmgr(name: str, method: str, *arguments) -> Call:
    """A call of a method of a queue manager."""
    return Call(method, arguments, name)
