"""mqlab as a file that Spark sends to the workers of a cluster; they need neither a checkout nor an installation."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.words.arguments import checked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from tempfile import TemporaryDirectory

    from pyspark.sql import SparkSession

ROOT = "mqlab"


@checked
def package(output: str | Path) -> Path:
    """Write the mqlab that is running, also compiled for this Python, to a zip file for `spark-submit --py-files`."""
    from importlib.resources import files
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    from ..formats.whole_file import whole

    output = Path(output)
    with whole(output) as draft, ZipFile(draft, "w") as archive:
        for name, data in _contents(files(ROOT), ROOT):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)  # of 1980, as nothing in it depends on the time
    return output


def _contents(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder and of those in it, each module also compiled."""
    from importlib.util import MAGIC_NUMBER, source_hash
    from marshal import dumps

    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{name}/{each.name}"
        if each.is_dir():
            yield from _contents(each, path) if each.name != "__pycache__" else ()
        elif not path.endswith(".pyc"):
            data = each.read_bytes()
            yield path, data
            if path.endswith(".py"):
                found_by_hash = (1).to_bytes(4, "little")  # and not compared with the text again
                yield f"{path}c", MAGIC_NUMBER + found_by_hash + source_hash(data) + dumps(compile(data, path, "exec"))


@checked
def ship(spark: SparkSession) -> None:
    """Send the mqlab that is running to the workers of a session, also of Spark Connect, before a sweep or the format
    "mqlab" needs it there. The workers' Python must have greenlet, pyarrow, and simpy."""
    spark.addArtifacts(str(package(Path(_folder().name, f"{ROOT}.zip"))), pyfile=True)


@cache
def _folder() -> TemporaryDirectory:
    """The folder from which Spark sends files while this process runs."""
    from tempfile import TemporaryDirectory

    return TemporaryDirectory(prefix="mqlab-")
