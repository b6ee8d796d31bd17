"""The beliefs behind wrong answers, from misconceptions.toml: notebooks show them, and docs/teaching.md lists them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def misconceptions() -> dict[str, dict[str, Any]]:
    """Each misconception by its id: the belief, what shows that it is wrong, and the answers that rest on it."""
    return tomllib.loads(files(__package__).joinpath("misconceptions.toml").read_text("utf-8"))
