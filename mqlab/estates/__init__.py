"""Estates: worked ones that come with the project (`load`), and your own, read from scripts or dumps (`read`)."""

from .definitions import Part, Place
from .differences import Difference, Differences, diff, duel
from .estate import Estate, from_lab, from_script, load, names, read

__all__ = [
    "Difference", "Differences", "Estate", "Part", "Place", "diff", "duel", "from_lab", "from_script", "load",
    "names", "read",
]  # fmt: skip
