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


def seen(estate: Definitions, reported: Iterable[Finding], ignore: Sequence[str] = ()) -> list[Finding]:
    """The findings that nobody asked not to see. LabError for a check that does not exist; a script may name one."""
    for each in ignore:
        if (check := each.partition(":")[0]) not in CHECKS:
            known = "CHECK or CHECK:OBJECT, with a check that mqlab check --list shows"
            raise LabError(f"ignore must be {known}; got {check}")
    words = ((part, text) for part in estate.parts for text in _COMMENT.findall(part.script.text))
    comments = [(part, item) for part, text in words for item in re.split(r"[\s,]+", text) if item]

    def ignored(finding: Finding) -> bool:
        file = finding.place.file
        here = [item for part, item in comments if (part.file == file if file else part.qmgr == finding.qmgr)]
        return any(_means(item, finding) for item in (*ignore, *here))

    return [finding for finding in reported if not ignored(finding)]


def _means(item: str, finding: Finding) -> bool:
    """Whether CHECK[:OBJECT] means a finding; OBJECT may have wildcards, and may be the queue manager."""
    check, _, name = item.partition(":")
    same = check.lower() == finding.check or (check.lower() == SUMMARY and finding.group == SECURITY)
    return same and (not name or any(fnmatchcase(of, name) for of in (finding.name, finding.qmgr)))
