"""The texts of the course, from its .toml files: exercises, without their labs, which take a second to load, and the
beliefs behind wrong answers, which notebooks show and docs/teaching.md lists."""

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


@cache
def misconceptions() -> dict[str, dict[str, Any]]:
    """Each misconception by its id: the belief, what shows that it is wrong, and the answers that rest on it."""
    return tomllib.loads(files(__package__).joinpath("misconceptions.toml").read_text("utf-8"))


def sentences(key: str) -> dict[str, str]:
    """The sentence for each wrong answer to a prediction, such as 02/deadline, or to a part, 12/waiter: the get.

    >>> sentences("00/depth")["1"][:12]
    'You said 1: '
    """
    found = (each.get("answers", {}).get(key, {}) for each in misconceptions().values())
    return {said: sentence for answers in found for said, sentence in answers.items()}
