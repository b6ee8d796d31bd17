"""Fixes: each is applied to a copy of the estate, and checked again, before a reader sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from .findings import Finding, findings
from .proofs import on_a_copy

if TYPE_CHECKING:
    from .definitions import Definitions

_FEWEST, _WORK = 4, 10_000
"""The fewest checks of a whole estate, and the most commands that all of them read together."""


def working(estate: Definitions, reported: Sequence[Finding], every: Sequence[Finding]) -> list[Finding]:
    """Findings, each with its fix only if that works: it ends the finding, and makes no other one, in the whole
    estate. `every` is all that the estate has, each by itself. A large estate with many fixes tries those together that
    nothing blames, and leaves out some of the others untried."""
    before = Counter(finding.identity for finding in every)
    left = max(_FEWEST, _WORK // sum(len(other.replies) + 1 for other in estate.replies))
    works: dict[int, str] = {}
    rest, doubtful = [finding for finding in reported if finding.fix], []
    if len(rest) <= left // 2:
        rest, doubtful = [], rest
    while rest and left:
        left -= 1
        _, failing = _tried(estate, before, rest)
        if not failing:
            works = {id(finding): finding.fix for finding in rest}
            break
        doubtful += failing
        blamed = set(map(id, failing))
        rest = [finding for finding in rest if id(finding) not in blamed]
    for finding in doubtful[: left // 2]:
        made, failing = _tried(estate, before, [finding])
        more = [other.fix for other in made if other.fix and other.fix_at == finding.fix_at]
        if failing and more:  # with the fixes of the findings that it makes
            completed = replace(finding, fix="\n".join((finding.fix, *more)))
            failing = _tried(estate, before, [completed])[1]
            works |= {} if failing else {id(finding): completed.fix}
        elif not failing:
            works[id(finding)] = finding.fix
    return [replace(finding, fix=works.get(id(finding), "")) for finding in reported]


def _after(
    before: Counter[tuple], commands: Mapping[str, Iterable[str]], estate: Definitions
) -> tuple[list[str], Counter[tuple], list[Finding]]:
    """The commands that an estate refuses, and then the identities of its findings, and those that are new."""
    old = len(estate.parts)
    estate.run({at: "\n".join(lines) for at, lines in commands.items()})
    refused = [other.command for reply in estate.replies[old:] for other in reply.replies if not other.ok]
    left = findings(estate)
    counts = Counter(finding.identity for finding in left)
    new = counts - before
    return refused, counts, [finding for finding in left if finding.identity in new]


def _tried(
    estate: Definitions, before: Counter[tuple], reported: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """The findings that the fixes of others make together, and those of the others whose fix may be to blame."""
    commands: dict[str, dict[str, None]] = {}
    for finding in reported:
        commands.setdefault(finding.fix_at, {})[finding.fix] = None
    refused, counts, made = on_a_copy(estate, partial(_after, before, commands))

    def fails(finding: Finding) -> bool:
        stays = any(counts[other.identity] >= before[other.identity] for other in (finding, *finding.others))
        makes = any(other.qmgr == finding.fix_at and f"'{other.name}'" in finding.fix for other in made)
        return stays or makes or any(command in finding.fix for command in refused)

    return made, [finding for finding in reported if fails(finding)] or (list(reported) if made or refused else [])
