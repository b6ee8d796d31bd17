"""Causes: findings of one cause become one finding, and those of security one line for each queue manager."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .findings import CHECKS, NOTE, SECURITY, WARNING, Finding, fingerprint, in_order

if TYPE_CHECKING:
    from .definitions import Definitions

SUMMARY = "security-summary"
_SHOWN, _SHORT = 3, 40
"""The most other objects that the sentence of a finding names, and the characters of one without a name."""


def causes(estate: Definitions, reported: Iterable[Finding], security: bool = False) -> list[Finding]:
    """One finding for each cause; with `security` the findings of security are not summed up."""
    groups: dict[tuple, list[Finding]] = {}
    for finding in reported:
        summed = finding.group == SECURITY and not security
        groups.setdefault((SECURITY, finding.qmgr) if summed else _key(finding), []).append(finding)
    return in_order(estate, (_as_one(key[0] == SECURITY, group) for key, group in groups.items()))


def _key(finding: Finding) -> tuple:
    """The facts that findings of one cause share: all but the name of their object."""
    name = rf"(?<![\w./%]){re.escape(finding.name)}(?![\w./%])" if finding.name else "$^"
    cause = finding.cause or (finding.kind, finding.keyword, re.sub(name, "", finding.said))
    return finding.check, finding.severity, finding.qmgr, finding.fix_at, bool(finding.fix), cause


def _as_one(security: bool, group: Sequence[Finding]) -> Finding:
    """The finding that stands for a group; its fix is that of all."""
    first, *others = group
    if security:
        sentence, severity = _sum_up(finding.check for finding in group)
        source, at = CHECKS[SUMMARY].source, first.qmgr
        mark = fingerprint(SUMMARY, *(finding.fingerprint for finding in group))
        summary = (SUMMARY, severity, at, "QMGR", "", sentence, source, first.place, "", at, None)
        return Finding(*summary, others=tuple(group), fingerprint=mark)
    if not others:
        return first
    names = list(dict.fromkeys(map(_label, others)))
    more = f", and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    many = f"{len(names)} others: " if len(names) > 1 else ""
    sentence = f"{first.said}; the same holds for {many}{', '.join(names[:_SHOWN])}{more}"
    fix = "\n".join(dict.fromkeys(line for finding in group for line in finding.fix.splitlines()))
    return replace(first, said=sentence, fix=fix, others=tuple(others))


def _label(finding: Finding) -> str:
    """A finding in a word or two."""
    return finding.name or (finding.about if 0 < len(finding.about) < _SHORT else f"line {finding.place.line}")


def _sum_up(ids: Iterable[str]) -> tuple[str, str]:
    """The line of security about findings of these checks, and its severity."""
    counts = Counter(ids)
    reported = [(each, counts[each.id]) for each in CHECKS.values() if counts[each.id]]
    sentence = "; ".join(f"{each.title[0].lower()}{each.title[1:]}{f' ({n})' if n > 1 else ''}" for each, n in reported)
    return f"security: {sentence}", WARNING if any(each.severity == WARNING for each, _ in reported) else NOTE
