"""The folder of a sweep: its question, and the labs that were simulated, in files that are whole or not there."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..engine.words.arguments import require
from ..engine.words.errors import LabError
from ..formats.whole_file import whole, write_whole
from .spark import first_line

if TYPE_CHECKING:
    import pyarrow as pa

QUESTION, LABS = "sweep.json", "labs-*.parquet"


class Kept:
    """A folder of the driver's machine for the sweep of a question; LabError if it is another's, or holds other things.

    `question` has the facts that must be equal, by name; mqlab's version is one more. `schema` has the column `lab`.
    """

    def __init__(self, folder: str | Path, question: dict[str, Any], schema: pa.Schema):
        require("keep", folder, str | Path)
        if len(urlsplit(str(folder)).scheme) > 1:  # one letter is a disk of Windows
            raise LabError(
                f"keep must be a folder of the machine that this Python runs on, which writes the results "
                f"itself; got {folder}. Give a path of this machine"
            )
        self.folder, self._schema = Path(folder), schema
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise LabError(f"keep must be a folder; {folder} is, or is in, a file. Give the name of a folder") from None
        except OSError as error:
            raise LabError(f"keep must be a folder; {folder} cannot be made ({error.strerror}). Give another") from None
        asked, path = json.loads(json.dumps({"version of mqlab": _version(), **question})), self.folder / QUESTION
        if not path.exists():
            if any(self.folder.glob("[!.]*")):  # a writer that was killed leaves a hidden draft
                raise LabError(f"keep must be an empty folder, or that of a sweep; {folder} holds other files")
            write_whole(path, json.dumps(asked))
        try:
            before = dict(json.loads(path.read_text("utf-8")))
        except (ValueError, TypeError):
            raise LabError(f"{path} must be the question of a sweep; it is damaged. Give keep another folder") from None
        for name in asked:
            if before.get(name) != asked[name]:
                raise LabError(
                    f"keep must be the folder of the same sweep; {folder} is of another {name}: "
                    f"{before.get(name)!r:.200} there, and {asked[name]!r:.200} here. Give another folder"
                )

    def read(self) -> pa.Table:
        """The labs that are there, each once; LabError, naming the file, if one is damaged or not of this sweep."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        parts = [self._schema.empty_table()]
        for path in sorted(self.folder.glob(LABS)):
            try:
                parts.append(pq.read_table(path, partitioning=None, page_checksum_verification=True).cast(self._schema))
            except (pa.ArrowException, OSError, ValueError) as error:
                raise LabError(
                    f"{path} must be labs of this sweep; it is damaged ({first_line(error)}). Delete it"
                ) from None
        table = pa.concat_tables(parts)
        places = {lab: place for place, lab in enumerate(table["lab"].to_pylist())}  # two sweeps at once may write one
        return table.take(pa.array(sorted(places.values()), pa.int64()))

    def add(self, labs: pa.Table) -> None:
        """Write some labs, sorted by `lab`."""
        import pyarrow.parquet as pq

        first, last = labs["lab"][0].as_py(), labs["lab"][-1].as_py()
        with whole(self.folder / LABS.replace("*", f"{first}-{last}-{len(labs)}")) as draft:
            pq.write_table(labs, draft, write_page_checksum=True)


def _version() -> str:
    try:
        return version("mqlab")
    except PackageNotFoundError:  # it runs from a folder that is not installed
        return "0.0.0"
