"""Where a checkout keeps its notebooks and data, and where a notebook writes."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from ..engine.words.errors import LabError

TOUR = Path("notebooks/00-start-here.ipynb")
OUTPUT = Path("build")


class NotACheckout(LabError):
    """The notebooks are not where mqlab looks; the message says where it looked and what to do."""


def checkout(named: str | None = None) -> Path:
    """Return the folder with notebooks/ and datasets/: the one named, else the current one or one above it, else the
    one this package is run or was installed from. Raises NotACheckout if the tour notebook is in none of them."""
    here = Path.cwd()
    candidates = [Path(named).resolve()] if named else [here, *here.parents, *_origins()]
    for folder in candidates:
        if (folder / TOUR).is_file():
            return folder
    looked = candidates[0] if named else f"{here}, the folders above it, {candidates[-1]}"
    where = "run this in a checkout of mqlab, or name one with --dir; with papermill, --cwd"
    raise NotACheckout(f"no {TOUR} in {looked}: {where}")


def _origins() -> list[Path]:
    """The folder this package is in, and the one that pip copied it from."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        url = urlsplit(json.loads(distribution("mqlab").read_text("direct_url.json") or "{}").get("url", ""))
    except PackageNotFoundError:
        url = urlsplit("")
    copied = [Path(url2pathname(url.path))] if url.scheme == "file" else []
    return [Path(__file__).resolve().parents[2], *copied]


def datasets() -> Path:
    """Return the folder of the sample data in the checkout; raises NotACheckout."""
    return checkout() / "datasets"


def output(named: str = "") -> Path:
    """Return a folder to write to: the one named, created if needed, or one that is deleted when this Python ends."""
    if not named:
        return _scratch()
    Path(named).mkdir(parents=True, exist_ok=True)
    return Path(named)


@cache
def _scratch() -> Path:
    folder = tempfile.mkdtemp(prefix="mqlab-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
