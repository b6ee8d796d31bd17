"""Fixes: each is applied to a copy of the estate and checked again before anybody sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .findings import Finding, findings

if TYPE_CHECKING:
    from .definitions import Definitions


def working(estate: Definitions, found: Sequence[Finding], every: Sequence[Finding]) -> list[Finding]:
    """Findings, each with its fix only if that works: the finding is gone, and no other one has come, in the whole
    estate. `every` is all that the estate has, each by itself."""
    before = Counter(one.identity for one in every)
    works = _tried(estate, before, [one for one in found if one.fix])
    return [replace(one, fix=works.get(id(one), "")) for one in found]


def _tried(estate: Definitions, before: Counter[tuple], found: Sequence[Finding]) -> dict[int, str]:
    """The fixes that work, by the id of the finding: all at once, and if that fails each half by itself."""
    if not found:
        return {}
    fixes = {id(one): one.fix for one in found}
    made = _made(estate, before, found)
    if made and len(found) == 1:  # a fix with the fixes of what it makes
        (one,) = found
        more = [each.fix for each in made if each.fix and each.fix_at == one.fix_at]
        completed = replace(one, fix="\n".join((one.fix, *more)))
        return {id(one): completed.fix} if more and _made(estate, before, [completed]) == [] else {}
    if made == []:
        return fixes
    if len(found) == 1:
        return {}
    half = len(found) // 2
    return _tried(estate, before, found[:half]) | _tried(estate, before, found[half:])


def _made(estate: Definitions, before: Counter[tuple], found: Sequence[Finding]) -> list[Finding] | None:
    """The findings that the fixes of others make; None if a command is refused, or one of those findings stays."""
    commands: dict[str, dict[str, None]] = {}
    for one in found:
        commands.setdefault(one.fix_at, {})[one.fix] = None
    after = estate.with_commands({at: "\n".join(lines) for at, lines in commands.items()})
    if not all(reply.ok for reply in after.replies[len(estate.parts) :]):
        return None
    left = findings(after)
    counts = Counter(one.identity for one in left)
    if any(counts[each.identity] >= before[each.identity] for one in found for each in (one, *one.others)):
        return None
    new = counts - before
    return [one for one in left if one.identity in new]
