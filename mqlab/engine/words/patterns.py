"""Patterns with gaps between their pieces."""

from __future__ import annotations

import re


def between_gaps(pieces: list[str]) -> re.Pattern[str]:
    """A pattern of these regular expressions with any text between them, in time in proportion to the text's length
    for each."""
    first, *rest = pieces
    # each gap takes as little as it can and no second try: no text makes this slow
    found = first + "".join(f"(?>.*?{piece})" for piece in rest[:-1]) + "".join(f".*{last}" for last in rest[-1:])
    return re.compile(found, re.DOTALL)
