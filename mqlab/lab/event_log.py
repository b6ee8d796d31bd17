"""The event log as people use it: the engine's, as a table and in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.words.arguments import checked_calls
from ..engine.world import events as engine
from .extras import room

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class EventLog(engine.EventLog):
    """Rows in the order they happened: `len`, iteration, indexing and slicing give `Event` rows.

    ``recording=False`` only counts rows, for measuring what the log costs.
    """

    def to_arrow(self) -> pa.Table:
        """The log as a pyarrow.Table, schema version 2 (needs pyarrow)."""
        with room("formats"):
            from ..formats.event_file import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> pd.DataFrame:
        """The log as a pandas.DataFrame with nullable columns (needs pandas and pyarrow)."""
        with room("formats"):
            from ..formats.event_file import to_pandas

        return to_pandas(self)

    def export(self, path: str | Path, format: str) -> None:
        """Write the log to one file for other tools; `format` is a name of `mqlab.formats.FORMATS`, such as "ocel".

        Raises LabError for another format, and OSError if the file cannot be written.
        """
        with room("formats"):
            from ..formats import Rows, moment, write

        write(Rows(self, moment(self.start)), path, format)

    def write_parquet(self, path: str | Path) -> None:
        """Write the log to one parquet file whose metadata holds the schema version and the lab's start."""
        with room("formats"):
            from ..formats.event_file import write_parquet

        write_parquet(self, path)


checked_calls(EventLog)
