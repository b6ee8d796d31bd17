"""Checks of queue sharing groups: indexes, structures, and the settings that all members should have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...lab.queue_manager import QueueManager
from ..findings import NOTE, OPEN, Found, check
from ..proofs import Proof
from .objects import alter, each, usable

if TYPE_CHECKING:
    from ..definitions import Definitions

_ANSWERS = re.compile(r"(?i)(?<![A-Z])(?:REPLY|REPLIES|REPLYTO|RESPONSES?|ANSWERS?)(?![A-Z])")
_PAGE = "IBM MQ: ALTER QMGR (alter queue manager settings)"


@check("shared-queue-without-index", NOTE, "A shared queue of answers has no index", "MQI-35")
def without_index(estate: Definitions) -> Iterator[Found]:
    """A shared queue has INDXTYPE(NONE), and a name or a DESCR that speaks of replies, which programs get by
    identifier."""
    for qmgr, queue in each(estate, "QLOCAL"):
        of = queue.attributes
        if of.get("QSGDISP") != "SHARED" or of["INDXTYPE"] != "NONE" or of["USAGE"] == "XMITQ":
            continue
        if not _ANSWERS.search(queue.name) and not _ANSWERS.search(of["DESCR"]):
            continue
        said = f"shared queue {queue.name} is for answers, and has INDXTYPE(NONE): a get by CorrelId fails with 2207"
        line = f'lab[{qmgr.name!r}].connect("A.READER").get({queue.name!r}, correl_id=bytes(23) + b"1")'
        proof = Proof(line, "2207 MQRC_CORREL_ID_ERROR") if usable(qmgr, queue) else None
        yield Found(qmgr.name, "QLOCAL", queue.name, said, alter(queue, "INDXTYPE(CORRELID)"), proof, "INDXTYPE")


@check("structure-unknown", OPEN, "No script defines a structure", "QSG-03")
def structure_unknown(estate: Definitions) -> Iterator[Found]:
    """CFSTRUCT of a shared queue names a structure that no script defines, so that nobody can tell what it takes."""
    for name, member in estate.assumed.items():
        qmgr = estate.lab[member]
        using = [one for one in estate.own(qmgr, "QLOCAL") if one.attributes.get("CFSTRUCT") == name]
        if using and not estate.refused(qmgr, name):
            said = f"no script here defines structure {name} of {using[0].name}; it is taken as one of "
            said += "CFLEVEL(5) with RECOVER(YES)"
            mend = f"DEFINE CFSTRUCT('{name}') REPLACE CFLEVEL(5) RECOVER(YES)"
            yield Found(qmgr.name, "QLOCAL", using[0].name, said, mend, None, "CFSTRUCT")


def _known(estate: Definitions, qmgr: QueueManager, keyword: str) -> str:
    """The value of an attribute of a queue manager, "" if the scripts neither set it nor are all that there is."""
    texts = [part.script.text for part in estate.parts if part.qmgr == qmgr.name]
    given = estate.whole(qmgr) or any(re.search(rf"(?i)\b{keyword}\s*\(", text) for text in texts)
    return str(qmgr.attributes[keyword]) if given else ""


@check("members-differ", NOTE, "Members of a queue sharing group differ", _PAGE)
def members_differ(estate: Definitions) -> Iterator[Found]:
    """IGQ, IGQAUT, or SQQMNAME differs from that of the group's first member that sets it."""
    for group in estate.lab.queue_sharing_groups:
        for keyword in ("IGQ", "IGQAUT", "SQQMNAME"):
            values = [(member, value) for member in group.members if (value := _known(estate, member, keyword))]
            for member, value in values[1:]:
                first, usual = values[0]
                if value != usual:
                    said = f"{keyword} is {value}, and {usual} at {first.name}, which is in queue sharing group "
                    said += f"{group.name} too"
                    shown = f"[lab[name].attributes[{keyword!r}] for name in {[first.name, member.name]!r}]"
                    proof = Proof(shown, str([usual, value]))
                    yield Found(member.name, "QMGR", "", said, f"ALTER QMGR {keyword}({usual})", proof, keyword)


@check("intra-group-authority-unused", NOTE, "An authority for intra-group queuing never counts", _PAGE)
def authority_unused(estate: Definitions) -> Iterator[Found]:
    """IGQAUT is not DEF, and IGQ is DISABLED."""
    for qmgr in estate.queue_managers:
        authority = qmgr.attributes.get("IGQAUT", "DEF")
        if authority != "DEF" and _known(estate, qmgr, "IGQ") == "DISABLED":
            said = f"IGQAUT is {authority}, and IGQ is DISABLED: there is no intra-group queuing agent to check"
            yield Found(qmgr.name, "QMGR", "", said, "ALTER QMGR IGQAUT(DEF)", None, "IGQAUT")
