"""The texts of the exercises, from the .toml files of the bank; this loads none of their labs, which take a second."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def tables() -> dict[str, dict[str, Any]]:
    """The tables of the bank's .toml files, by the id of the exercise, in the order of the ids."""
    found = [file for file in files(__package__).joinpath("exercises/bank").iterdir() if file.name.endswith(".toml")]
    every = {id: table for file in found for id, table in tomllib.loads(file.read_text("utf-8")).items()}
    return dict(sorted(every.items()))
