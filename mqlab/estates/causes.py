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


def causes(estate: Definitions, found: Iterable[Finding], security: bool = False) -> list[Finding]:
    """One finding for each cause; with `security` the findings of security are not summed up."""
    groups: dict[tuple, list[Finding]] = {}
    for one in found:
        summed = one.group == SECURITY and not security
        groups.setdefault((SECURITY, one.qmgr) if summed else _key(one), []).append(one)
    return in_order(estate, (_as_one(key[0] == SECURITY, group) for key, group in groups.items()))


def _key(one: Finding) -> tuple:
    """What findings of one cause have in common: all but the name of their object."""
    name = rf"(?<![\w./%]){re.escape(one.name)}(?![\w./%])" if one.name else "$^"
    cause = one.cause or (one.kind, one.keyword, re.sub(name, "", one.said))
    return one.check, one.severity, one.qmgr, one.fix_at, bool(one.fix), cause


def _as_one(security: bool, group: Sequence[Finding]) -> Finding:
    """The finding that stands for a group; its fix is that of all."""
    first, *others = group
    if security:
        said, severity = _sum_up(one.check for one in group)
        source, at = CHECKS[SUMMARY].source, first.qmgr
        mark = fingerprint(SUMMARY, *(one.fingerprint for one in group))
        summary = (SUMMARY, severity, at, "QMGR", "", said, source, first.place, "", at, None)
        return Finding(*summary, others=tuple(group), fingerprint=mark)
    if not others:
        return first
    names = list(dict.fromkeys(map(_label, others)))
    more = f", and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    many = f"{len(names)} others: " if len(names) > 1 else ""
    said = f"{first.said}; the same holds for {many}{', '.join(names[:_SHOWN])}{more}"
    fix = "\n".join(dict.fromkeys(line for one in group for line in one.fix.splitlines()))
    return replace(first, said=said, fix=fix, others=tuple(others))


def _label(one: Finding) -> str:
    """A finding in a word or two."""
    return one.name or (one.about if 0 < len(one.about) < _SHORT else f"line {one.place.line}")


def _sum_up(ids: Iterable[str]) -> tuple[str, str]:
    """The line of security about findings of these checks, and its severity."""
    counts = Counter(ids)
    found = [(each, counts[each.id]) for each in CHECKS.values() if counts[each.id]]
    said = "; ".join(f"{each.title[0].lower()}{each.title[1:]}{f' ({n})' if n > 1 else ''}" for each, n in found)
    return f"security: {said}", WARNING if any(each.severity == WARNING for each, _ in found) else NOTE
