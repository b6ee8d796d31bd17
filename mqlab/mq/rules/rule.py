"""What a rule is."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Rule"]


class Rule(NamedTuple):
    """One rule: its id, a title of a few words, one sentence, and where it comes from."""

    id: str
    title: str
    text: str
    source: str
