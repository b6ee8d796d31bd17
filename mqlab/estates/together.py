"""Scripts that may be of one queue manager: no header names one, they define nothing twice, and one needs what another
defines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ..engine.words.objects import Definition
from ..topology.clusters import joined
from .uses import QUEUE, references

if TYPE_CHECKING:
    from ..lab.queue_manager import QueueManager
    from .definitions import Definitions

_NOT_FOUND = ("AMQ8147", "AMQ8227")
"""The codes of a command about an object that is not defined."""

_NAMED = r"(?i)\(\s*'?{0}'?\s*\)|\bCH(?:ANNE)?L\s*\(\s*'?(?:{0}\.[^')]+|[^')]+\.{0})'?\s*\)"
"""Whole names only: the value of an attribute, or the first or the last part of a channel's name."""


class Together(NamedTuple):
    """Two queue managers whose scripts may be of one: the object at `qmgr` that names what only `other` defines."""

    qmgr: str
    other: str
    definition: Definition
    keyword: str
    names: tuple[str, ...]


def known(estate: Definitions, qmgr: str, itself: bool = False) -> bool:
    """Whether the name of a queue manager is more than that of a file: a header or a resource has it, or the script of
    another; or its own, if `itself`."""
    name = re.compile(_NAMED.replace("{0}", re.escape(qmgr)))
    texts = (part.script.text for part in estate.parts if itself or part.qmgr != qmgr)
    said = any(part.named and part.qmgr == qmgr for part in estate.parts)
    return said or estate.whole(estate.lab[qmgr]) or any(name.search(text) for text in texts)


def together(estate: Definitions) -> Iterator[Together]:
    """Every two queue managers whose scripts may be of one."""
    files = {part.qmgr for part in estate.parts if part.file}
    bare = [each for each in estate.queue_managers if each.name in files and not estate.whole(each)]
    named = {each.name: known(estate, each.name, True) for each in bare} if len(bare) > 1 else {}
    for first, second in combinations(bare, 2):
        two = (named[first.name] and named[second.name]) or (joined(first) and joined(second))
        if two or (first.group and first.group is second.group) or estate.made(first.name) & estate.made(second.name):
            continue
        for qmgr, other in ((first, second), (second, first)):
            needed = list(_needs(estate, qmgr, other))
            if needed:
                names = tuple(dict.fromkeys(name for _, _, name in needed))
                yield Together(qmgr.name, other.name, *needed[0][:2], names)
                break


def _needs(estate: Definitions, qmgr: QueueManager, other: QueueManager) -> Iterator[tuple[Definition, str, str]]:
    """Each object of a queue manager that names what it lacks and the other defines: the attribute, and the name."""

    def lacks(kind: str, name: str) -> bool:
        return qmgr.objects.named(kind, name) is None and other.objects.named(kind, name) is not None

    for definition in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr)):
        for keyword, owner, kind, name in references(qmgr, definition):
            wanted = "QLOCAL" if kind in (QUEUE, "QMGR") else kind
            given = kind == "QMGR" and definition.attributes["XMITQ"]
            told = owner != qmgr.name or given or name in estate.names or name.startswith("SYSTEM.")
            if not told and lacks(wanted, name):
                yield definition, keyword, name
    for _, command in estate.ran(qmgr.name):
        if command.code.startswith(_NOT_FOUND) and lacks(command.kind, command.name):
            yield Definition(command.kind, command.name, {}), "", command.name
