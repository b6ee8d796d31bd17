"""The formats by name, and the file that a log is written to."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from ..engine.words.arguments import checked, require
from .source import Rows
from .whole_file import whole


class Format(NamedTuple):
    """A format: what opens it, the usual end of a file's name, and the function that writes it."""

    purpose: str
    suffix: str
    writer: str

    @property
    def write(self) -> Callable[[Rows, Path], None]:
        """The function that writes a log to a path."""
        module, _, name = self.writer.partition(".")
        return getattr(import_module(f"{__package__}.{module}"), name)


FORMATS = {
    "ocel": Format("OCEL 2.0 as JSON, for tools of process mining", ".json", "ocel.write_json"),
    "chrome-trace": Format(
        "Chrome trace, for speedscope, Perfetto, and chrome://tracing", ".json", "chrome_trace.write"
    ),
}


@checked
def write(rows: Rows, path: str | Path, format: str) -> None:
    """Write a log to one file in a format of FORMATS, in the place of a file that is there.

    Raises LabError for another format, and OSError if the file cannot be written; then an existing file stays as it is.
    """
    require("format", format, str, f"one of {', '.join(FORMATS)}", FORMATS.__contains__)
    with whole(path) as draft:
        FORMATS[format].write(rows, draft)
