"""Checks of retired objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.words.lexer import quoted
from ...engine.words.objects import QUEUE_KINDS, Definition
from ...lab.queue_manager import QueueManager
from ..findings import NOTE, RETIRED, WARNING, Found, check
from ..uses import QUEUE, Use, index, key_in_index
from .objects import each

if TYPE_CHECKING:
    from ..definitions import Definitions

_NOT_YET = r"(?! *(?:FOR|IN|ON|WITH)\b)(?!.*\b(?:BEFORE|EXCEPT|TILL|UNLESS|UNTIL|WITHOUT)\b)"
_WORDS = rf"OBSOLETE|DEPRECATED|DECOMMISSIONED|DO[ ._]?NOT[ ._]?USE{_NOT_YET}|NO LONGER (?:USED|IN USE)"
_SAID = re.compile(rf"(?i)(?<![A-Z])(?:{_WORDS})(?![A-Z])|\bRETIRED(?= *(?:$|[^ A-Z]|(?:IN|ON|SINCE|BY)\b))")
_NAMED = re.compile(r"(?i)(?<![A-Z])(?:OBSOLETE|DEPRECATED|DECOMMISSIONED|DO[._]?NOT[._]?USE)(?![A-Z])|\bRETIRED$")
_KINDS = (*QUEUE_KINDS, "CHANNEL", "CLNTCONN", "PROCESS", "NAMELIST", "TOPIC", "SUB", "CFSTRUCT", "STGCLASS")
_PAGE = "IBM MQ: ALTER queues (alter queue settings)"


def _says(one: Definition) -> str:
    """The reason to think that an object is retired, "" if there is none."""
    if _SAID.search(one.attributes.get("DESCR", "")):
        return f"its DESCR is {one.attributes['DESCR']!r}"
    return "its name says so" if _NAMED.search(one.name) else ""


def _retired(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, str, list[Use]]]:
    """Each retired object, what says so, and the uses of it by objects that are not retired themselves."""
    found = [(qmgr, one, said) for qmgr, one in each(estate, *_KINDS) if (said := _says(one))]
    by = index(estate) if found else {}
    gone = {(qmgr.name, one.kind, one.name) for qmgr, one, _ in found}
    for qmgr, one, said in found:
        kind = QUEUE if one.kind in QUEUE_KINDS else one.kind
        uses = by.get(key_in_index(estate, qmgr.name, kind, one.name), [])
        yield qmgr, one, said, [use for use in uses if (use.qmgr, use.kind, use.name) not in gone]


@check("object-retired", NOTE, "A retired object that nothing refers to", _PAGE, RETIRED)
def object_retired(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, because, uses in _retired(estate):
        if not uses:
            said = f"{one.kind} {one.name} is retired ({because}), and no object here refers to it"
            private = one.attributes.get("QSGDISP", "QMGR") == "QMGR" and one.kind != "CFSTRUCT"
            fix = f"DELETE {one.kind}({quoted(one.name)})" if private else ""
            yield Found(qmgr.name, one.kind, one.name, said, fix, None, "DESCR")


@check("retired-object-used", WARNING, "An object leads to a retired one", _PAGE)
def retired_object_used(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, because, uses in _retired(estate):
        for use in {(use.qmgr, use.kind, use.name): use for use in uses}.values():
            who = f"{use.kind} {use.name}".strip()
            at = "" if use.qmgr == qmgr.name else f" of {qmgr.name}"
            said = f"{who} names {one.kind} {one.name}{at} in {use.attribute}, which is retired ({because})"
            about = f"{qmgr.name} {one.kind} {one.name}"
            yield Found(use.qmgr, use.kind, use.name, said, "", None, use.attribute, about=about)
