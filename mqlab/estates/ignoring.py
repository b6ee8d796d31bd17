"""Findings that someone asked not to see: `--ignore CHECK[:OBJECT]`, or a comment `* mqlab: ignore CHECK[:OBJECT]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ..engine.words.errors import LabError
from .causes import SUMMARY
from .findings import CHECKS, SECURITY, Finding

if TYPE_CHECKING:
    from .definitions import Definitions

_COMMENT = re.compile(r"(?im)^[ \t]*\*[* \t]*mqlab:[ \t]*ignore[ \t]+(.*)")
"""A comment that holds for the whole script, wherever it is."""


def seen(estate: Definitions, found: Iterable[Finding], ignore: Sequence[str] = ()) -> list[Finding]:
    """The findings that nobody asked not to see. LabError for a check that does not exist; a script may name one."""
    for each in ignore:
        if (check := each.partition(":")[0]) not in CHECKS:
            raise LabError(
                f"ignore must be CHECK or CHECK:OBJECT, with a check that mqlab check --list shows; got {check}"
            )
    comments = [(part, item) for part in estate.parts for item in _items(part.script.text)]

    def ignored(one: Finding) -> bool:
        file = one.place.file
        here = [item for part, item in comments if (part.file == file if file else part.qmgr == one.qmgr)]
        return any(_means(item, one) for item in (*ignore, *here))

    return [one for one in found if not ignored(one)]


def _items(text: str) -> list[str]:
    return [item for words in _COMMENT.findall(text) for item in re.split(r"[\s,]+", words) if item]


def _means(item: str, one: Finding) -> bool:
    """Whether CHECK[:OBJECT] means a finding; OBJECT may have wildcards, and may be the queue manager."""
    check, _, name = item.partition(":")
    same = check.lower() == one.check or (check.lower() == SUMMARY and one.group == SECURITY)
    return same and (not name or any(fnmatchcase(of, name) for of in (one.name, one.qmgr)))
