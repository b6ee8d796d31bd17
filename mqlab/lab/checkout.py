"""Where a checkout keeps its notebooks, data and output."""

from __future__ import annotations

from pathlib import Path

TOUR = Path("notebooks/00-start-here.ipynb")
OUTPUT = Path("build")


class NotACheckout(Exception):
    """The notebooks are not where mqlab looks; the message says where it looked and what to do."""


def checkout(named: str | None = None) -> Path:
    """Return the folder with notebooks/ and datasets/: the one named, else the current one or one above it, else
    the one this package is run from. Raises NotACheckout where the tour notebook is in none of them."""
    here = Path.cwd()
    candidates = [Path(named).resolve()] if named else [here, *here.parents, Path(__file__).resolve().parents[2]]
    for folder in candidates:
        if (folder / TOUR).is_file():
            return folder
    looked = candidates[0] if named else f"{here}, the folders above it, {candidates[-1]}"
    raise NotACheckout(f"no {TOUR} in {looked}: run this in a checkout of mqlab, or name one with --dir")
