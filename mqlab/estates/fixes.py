"""Fixes: each is applied to a copy of the estate and checked again before anybody sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .findings import Finding, findings

if TYPE_CHECKING:
    from .definitions import Definitions

_FEWEST, _WORK = 4, 10_000
"""The fewest checks of a whole estate, and the most commands that all of them read together."""


def working(estate: Definitions, found: Sequence[Finding], every: Sequence[Finding]) -> list[Finding]:
    """Findings, each with its fix only if that works: the finding is gone, and no other one has come, in the whole
    estate. `every` is all that the estate has, each by itself. A large estate with many fixes tries those together that
    nothing blames, and leaves out some of the others untried."""
    before = Counter(one.identity for one in every)
    left = max(_FEWEST, _WORK // sum(len(each.replies) + 1 for each in estate.replies))
    works: dict[int, str] = {}
    rest, doubtful = [one for one in found if one.fix], []
    if len(rest) <= left // 2:
        rest, doubtful = [], rest
    while rest and left:
        left -= 1
        _, failing = _tried(estate, before, rest)
        if not failing:
            works = {id(one): one.fix for one in rest}
            break
        doubtful += failing
        rest = [one for one in rest if one not in failing]
    for one in doubtful[: left // 2]:
        made, failing = _tried(estate, before, [one])
        more = [each.fix for each in made if each.fix and each.fix_at == one.fix_at]
        if failing and more:  # with the fixes of what it makes
            completed = replace(one, fix="\n".join((one.fix, *more)))
            failing = _tried(estate, before, [completed])[1]
            works |= {} if failing else {id(one): completed.fix}
        elif not failing:
            works[id(one)] = one.fix
    return [replace(one, fix=works.get(id(one), "")) for one in found]


def _tried(
    estate: Definitions, before: Counter[tuple], found: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """The findings that the fixes of others make together, and those of the others whose fix may be to blame."""
    commands: dict[str, dict[str, None]] = {}
    for one in found:
        commands.setdefault(one.fix_at, {})[one.fix] = None
    after = estate.with_commands({at: "\n".join(lines) for at, lines in commands.items()})
    refused = [each.command for reply in after.replies[len(estate.parts) :] for each in reply.replies if not each.ok]
    left = findings(after)
    counts = Counter(one.identity for one in left)
    new = counts - before
    made = [one for one in left if one.identity in new]

    def fails(one: Finding) -> bool:
        stays = any(counts[each.identity] >= before[each.identity] for each in (one, *one.others))
        makes = any(each.qmgr == one.fix_at and f"'{each.name}'" in one.fix for each in made)
        return stays or makes or any(command in one.fix for command in refused)

    return made, [one for one in found if fails(one)] or (list(found) if made or refused else [])
