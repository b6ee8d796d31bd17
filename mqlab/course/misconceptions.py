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


def sentences(key: str) -> dict[str, str]:
    """The sentence for each wrong answer to a prediction, such as 02/deadline, or to a part, 12/waiter: the get.

    >>> sentences("00/depth")["1"][:12]
    'You said 1: '
    """
    found = (each.get("answers", {}).get(key, {}) for each in misconceptions().values())
    return {said: sentence for answers in found for said, sentence in answers.items()}
