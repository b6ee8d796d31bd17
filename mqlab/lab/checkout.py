"""Where a checkout keeps its notebooks and data, and where a notebook writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from ..engine.words.errors import LabError

TOUR = Path("notebooks/00-start-here.ipynb")
OUTPUT = Path("build")


class NotACheckout(LabError):
    """The notebooks are not where mqlab looks; the message says where it looked and what to do."""


def checkout(named: str | None = None) -> Path:
    """Return the folder with notebooks/ and datasets/: the one named, else the current one or one above it, else the
    one this package is run or was installed from. Raises NotACheckout if the tour notebook is in none of them."""
    here, package = Path.cwd(), Path(__file__).resolve().parents[2]
    candidates = [Path(named).resolve()] if named else chain((here, *here.parents, package), _copied_from(package))
    if found := next((folder for folder in candidates if (folder / TOUR).is_file()), None):
        return found
    looked = Path(named).resolve() if named else f"{here}, the folders above it, {package}"
    fix = "run this in a checkout of mqlab, or name one with --dir (papermill: --cwd)"
    raise NotACheckout(f"no {TOUR} in {looked}: {fix}")


def _copied_from(packages: Path) -> Iterator[Path]:
    """The folder from which pip installed this package, according to the note of pip."""
    for noted in packages.glob("mqlab-*.dist-info/direct_url.json"):
        yield Path(unquote(json.loads(noted.read_text("utf-8"))["url"].removeprefix("file://")))


def datasets() -> Path:
    """Return the folder of the sample data in the checkout; raises NotACheckout."""
    return checkout() / "datasets"


def output(named: str = "") -> Path:
    """Return a folder to write to: the one named, created if needed, or a temporary one of this Python."""
    folder = Path(named or _scratch().name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@cache
def _scratch() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="mqlab-", ignore_cleanup_errors=True)
