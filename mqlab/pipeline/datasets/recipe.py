"""What a sample data set is made by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from mqlab.mq.errors import LabError

__all__ = ["Recipe"]


class Recipe(NamedTuple):
    """How one data set is made, in pieces that have nothing in common, so that each can be made anywhere.

    `messages` and `seed` are those of the committed sample, `file` its name. `pieces` says how many there are of so
    many messages, `piece` makes one from seed, messages and its number (from 0): rows of a table, whose schema is that
    of every piece. `write` writes them to one file.
    """

    name: str
    about: str
    file: str
    messages: int
    seed: int
    least: int
    most: int
    pieces: Callable[[int], int]
    piece: Callable[[int, int, int], pa.Table]
    write: Callable[[pa.Table, Path], None]

    def check(self, messages: int, seed: int) -> None:
        """LabError for a number of messages that it cannot make, or a seed that is no whole number."""
        if type(seed) is not int:
            raise LabError(f"seed wanted: a whole number; got {seed!r}")
        if type(messages) is not int or not self.least <= messages <= self.most:
            raise LabError(
                f"messages of {self.name} wanted: a whole number from {self.least:_} to {self.most:_}; got {messages!r}"
            )
