"""The folder of a sweep: its question, and the labs that were simulated, in files that are whole or not there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
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
                parts.append(pq.read_table(path, partitioning=None).cast(self._schema))
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
            pq.write_table(labs, draft)


def _version() -> str:
    try:
        return version("mqlab")
    except PackageNotFoundError:  # it runs from a folder that is not installed
        return "0.0.0"


def signature(function: Callable) -> str:
    """The code of a function as a short text, with its defaults, what it encloses, the objects that it belongs to, and
    the constants and functions of its module that it names: two with the same are equal."""
    return sha256(_told(function, {}).encode()).hexdigest()[:16]


def _told(value: Any, seen: dict[int, Any]) -> str:  # text: Python's
    """A text of what a value does, the same in each process: no addresses, and no order of a set."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return repr(value)
    if id(value) in seen:
        return f"again {type(value).__qualname__}"
    seen[id(value)] = value  # a temporary value's place would be taken by another

    def several(values: Iterable) -> list[str]:
        return [_told(each, seen) for each in values]

    if isinstance(value, CodeType):  # without the names of files and the numbers of lines
        return f"({', '.join(several((value.co_code, value.co_names, value.co_consts)))})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(several(value))}]"
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(several(value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {each}' for name, each in zip(value, several(value.values()), strict=True))}}}"
    if isinstance(value, partial):
        return _told([value.func, value.args, value.keywords], seen)
    if isinstance(value, MethodType):
        return _told([value.__func__, value.__self__], seen)
    if isinstance(value, FunctionType):
        enclosed = [cell.cell_contents for cell in value.__closure__ or ()]
        return _told([value.__code__, value.__defaults__, value.__kwdefaults__, enclosed, _named(value)], seen)
    if isinstance(value, type | ModuleType):
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', value.__name__)}"
    text = repr(value)
    return f"{type(value).__qualname__ if ' at 0x' in text else text} {_told(getattr(value, '__dict__', {}), seen)}"


def _named(function: FunctionType) -> dict[str, Any]:
    """The constants and functions of its module that a function, or one within it, names."""
    codes, names = [function.__code__], set[str]()
    for code in codes:
        names.update(code.co_names)
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    there = {name: function.__globals__[name] for name in sorted(names) if name in function.__globals__}
    plain = bool | int | float | str | bytes | tuple | list | dict | set | frozenset
    return {
        name: value
        for name, value in there.items()
        if isinstance(value, plain) or (isinstance(value, FunctionType) and value.__module__ == function.__module__)
    }
