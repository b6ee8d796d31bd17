"""A place: where something is written."""

from typing import NamedTuple


class Place(NamedTuple):
    """Where something is written: the name of a file, and a line of it, from 1; "" and 0 for nowhere."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""
