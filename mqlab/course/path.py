"""The path through the course: the core, step by step, and where its notebooks and exercises are in a checkout.

The core is in `notebooks/` and `exercises/`, in the order of the path; the rest is in the folder `library` of each.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from posixpath import dirname, relpath

_PATH = tomllib.loads(files(__package__).joinpath("path.toml").read_text("utf-8"))

NOTEBOOKS: dict[str, int] = {name: each["minutes"] for name, each in _PATH["notebooks"].items()}
"""The minutes of each notebook of the core, by its file name without .ipynb, in the order of the path."""
EXERCISES: tuple[str, ...] = tuple(id for each in _PATH["notebooks"].values() for id in each["exercises"])
"""The ids of the exercises of the core, in the order of the path."""
STEPS: tuple[str, ...] = tuple(step for name, each in _PATH["notebooks"].items() for step in (name, *each["exercises"]))
"""Notebooks and exercises of the core, in the order of the path."""
FIRST: dict[str, int] = _PATH["first"]
"""The steps of the first sitting, each with its minutes."""


def notebook_file(name: str) -> str:
    """The place of a notebook in a checkout, by its file name without .ipynb."""
    return f"notebooks/{'' if name in NOTEBOOKS else 'library/'}{name}.ipynb"


def exercise_file(id: str, slug: str) -> str:
    """The place of an exercise in a checkout; its name begins with its number on the path, if it is on the path."""
    return f"exercises/{f'{EXERCISES.index(id) + 1:02}-' if id in EXERCISES else 'library/'}{id}-{slug}.ipynb"


def link(to: str, file: str) -> str:
    """The address of one file of a checkout for a link in another one."""
    return relpath(to, dirname(file))
