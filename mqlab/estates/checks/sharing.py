"""Checks of queue sharing groups, and of the storage of z/OS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.explain.ways import leads_to
from ...engine.words.because import fact
from ...engine.words.errors import MQError
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ...sharing.igq import InGroup
from ...sharing.igq_agent import FIT, unfit
from ...sharing.shared_queue import QSG_TRANSMIT_QUEUE
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, check, fault
from ..proofs import Proof, put_to
from .objects import USUAL, alter, each, usable

if TYPE_CHECKING:
    from ..definitions import Definitions

_ANSWERS = re.compile(r"(?i)(?<![A-Z])(?:REPLY|REPLIES|REPLYTO|RESPONSES?|ANSWERS?)(?![A-Z])")
_PAGE = "IBM MQ: ALTER QMGR (alter queue manager settings)"


@check("shared-queue-without-index", NOTE, "A shared queue of answers has no index", "MQI-35")
def without_index(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        of = queue.attributes
        if of.get("QSGDISP") != "SHARED" or of["INDXTYPE"] != "NONE" or of["USAGE"] == "XMITQ":
            continue
        if not _ANSWERS.search(queue.name) and not _ANSWERS.search(of["DESCR"]):
            continue
        said = f"shared queue {queue.name} is for answers, and has INDXTYPE(NONE): a get by CorrelId fails with 2207"
        line = f'lab[{qmgr.name!r}].connect("A.READER").get({queue.name!r}, correl_id=bytes(23) + b"1")'
        proof = Proof(line, "2207 MQRC_CORREL_ID_ERROR") if usable(qmgr, queue) else None
        yield fault(qmgr, queue, said, alter(queue, "INDXTYPE(CORRELID)"), proof, "INDXTYPE")


@check("structure-unknown", OPEN, "No script defines a structure", "QSG-03")
def structure_unknown(estate: Definitions) -> Iterator[Found]:
    for name, member in estate.assumed.items():
        qmgr = estate.lab[member]
        using = [one for one in estate.own(qmgr, "QLOCAL") if one.attributes.get("CFSTRUCT") == name]
        if using and not estate.refused(qmgr, name):
            said = f"no script here defines structure {name} of {using[0].name}; it is taken as one of "
            said += "CFLEVEL(5) with RECOVER(YES)"
            fix = f"DEFINE CFSTRUCT({quoted(name)}) REPLACE CFLEVEL(5) RECOVER(YES)"
            yield fault(qmgr, using[0], said, fix, None, "CFSTRUCT")


def _queuing(estate: Definitions) -> Iterator[tuple[QueueManager, Definition | None]]:
    """The first member of each group that has intra-group queuing on, with its shared transmission queue."""
    # a group of which no member's dump is whole, and that no script defines the queue for, is left out
    for group in estate.lab.queue_sharing_groups:
        on = [member for member in group.members if member.attributes["IGQ"] == "ENABLED"]
        queue = on[0].objects.named("QLOCAL", QSG_TRANSMIT_QUEUE) if on else None
        known = queue is not None or any(estate.whole(member) for member in group.members)
        if on and known and not any(estate.refused(member, QSG_TRANSMIT_QUEUE) for member in group.members):
            yield on[0], queue


_DEFINED = (
    f"DEFINE QLOCAL({QSG_TRANSMIT_QUEUE}) QSGDISP(SHARED) CFSTRUCT(CSQSYSAPPL) USAGE(XMITQ) INDXTYPE(CORRELID) "
    "SHARE DEFSOPT(SHARED) MAXDEPTH(999999999)"
)


@check("intra-group-queue-unfit", WARNING, "Intra-group queuing is on, and its queue cannot serve it", "IGQ-10")
def queue_unfit(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _queuing(estate):
        if (why := unfit(qmgr)) is None:
            continue
        said = f"IGQ is ENABLED, and {fact(why)}: no message goes by intra-group queuing"
        wrong = next((key for key, value in FIT.items() if queue and queue.attributes.get(key) != value), "")
        fix = ""
        if queue is None:
            known = qmgr.objects.get("CFSTRUCT", "CSQSYSAPPL") is not None
            fix = f"{'' if known else 'DEFINE CFSTRUCT(CSQSYSAPPL) CFLEVEL(4) RECOVER(YES)'}\n{_DEFINED}".strip()
        elif wrong in ("USAGE", "INDXTYPE") and queue.kind == "QLOCAL":
            fix = alter(queue, "USAGE(XMITQ) INDXTYPE(CORRELID)")
        proof = Proof(f"lab[{qmgr.name!r}].group.igq.serving(lab[{qmgr.name!r}])", "None")
        where, keyword = (Definition("QMGR", "", {}), "IGQ") if queue is None else (queue, wrong)
        yield fault(qmgr, where, said, fix, proof, keyword)


@check("intra-group-queue-exclusive", OPEN, "Perhaps one agent only can open the queue of intra-group queuing",
       "IGQ-10")  # fmt: skip
def queue_exclusive(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _queuing(estate):
        if queue is not None and unfit(qmgr) is None and not queue.attributes["SHARE"]:
            said = f"{queue.name} has NOSHARE, and the agent of each member opens it: no page of IBM's says whether "
            said += "all of them can"
            yield fault(qmgr, queue, said, alter(queue, "SHARE DEFSOPT(SHARED)"), None, "NOSHARE")


@check("intra-group-queue-disabled", ERROR, "The queue of intra-group queuing is disabled", "MQI-11")
def queue_disabled(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _queuing(estate):
        if queue is None or unfit(qmgr) is not None or qmgr.group is None:
            continue
        to = next((member.name for member in qmgr.group.members if member is not qmgr), "")
        if queue.attributes["GET"] == "DISABLED":
            said = f"{queue.name} has GET(DISABLED): no intra-group queuing agent can deliver its messages"
            get = f'lab[{qmgr.name!r}].connect("AN.AGENT").get({queue.name!r})'
            proof = Proof(get, "2016 MQRC_GET_INHIBITED")
            yield fault(qmgr, queue, said, alter(queue, "GET(ENABLED)"), proof, "GET")
        if queue.attributes["PUT"] == "DISABLED":
            said = f"{queue.name} has PUT(DISABLED): a put to a queue of another member fails with 2051"
            refused = Proof(put_to(qmgr.name, f"A.QUEUE@{to}"), "2051 MQRC_PUT_INHIBITED")
            usual = to and queue.attributes["MAXDEPTH"] and queue.attributes["MAXMSGL"] >= 1_000
            yield fault(qmgr, queue, said, alter(queue, "PUT(ENABLED)"), refused if usual else None, "PUT")


def _longest(qmgr: QueueManager, member: QueueManager) -> int | None:
    """The most bytes of a message, with its header, from a queue manager to another member."""
    # None if intra-group queuing takes none, or a channel the longer ones
    try:
        target = leads_to(qmgr, f"A.QUEUE@{member.name}") if member is not qmgr else None
        alone = isinstance(target, InGroup) and target.served is not None and target.by_channel() is None
    except MQError:
        return None
    return target.queue.longest if isinstance(target, InGroup) and alone else None


@check("intra-group-queue-short", NOTE, "Intra-group queuing takes only short messages, and no channel the others",
       "IGQ-07")  # fmt: skip
def queue_short(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _queuing(estate):
        if queue is None or qmgr.group is None:
            continue
        for member in qmgr.group.members:
            longest = _longest(qmgr, member)
            if longest is None or longest >= USUAL or queue.attributes["PUT"] == "DISABLED":
                continue
            said = f"{queue.name} takes {longest} bytes, and no channel leads from {qmgr.name} to {member.name}: a "
            said += "longer message for it, with its header, fails with 2030"
            line = f"lab[{qmgr.name!r}].put({f'A.QUEUE@{member.name}'!r}, bytes({longest}), persistent=False)"
            fix = alter(queue, f"MAXMSGL({USUAL})") if queue.attributes["MAXMSGL"] == longest else ""
            yield fault(qmgr, queue, said, fix, Proof(line, "2030 MQRC_MSG_TOO_BIG_FOR_Q"), "MAXMSGL")
            break


def _known(estate: Definitions, qmgr: QueueManager, keyword: str) -> str:
    """The value of an attribute of a queue manager, "" if the scripts neither set it nor are all that there is."""
    texts = [part.script.text for part in estate.parts if part.qmgr == qmgr.name]
    given = estate.whole(qmgr) or any(re.search(rf"(?i)\b{keyword}\s*\(", text) for text in texts)
    return str(qmgr.attributes[keyword]) if given else ""


@check("members-differ", NOTE, "Members of a queue sharing group differ", _PAGE)
def members_differ(estate: Definitions) -> Iterator[Found]:
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
    for qmgr in estate.queue_managers:
        authority = qmgr.attributes.get("IGQAUT", "DEF")
        if authority != "DEF" and _known(estate, qmgr, "IGQ") == "DISABLED":
            said = f"IGQAUT is {authority}, and IGQ is DISABLED: there is no intra-group queuing agent to check"
            yield Found(qmgr.name, "QMGR", "", said, "ALTER QMGR IGQAUT(DEF)", None, "IGQAUT")


@check("page-set-zero", NOTE, "Messages of applications are on page set 0", "IBM MQ: Page sets for IBM MQ for z/OS")
def page_set_zero(estate: Definitions) -> Iterator[Found]:
    sets = {(part.qmgr, command.name) for part, command in estate.ran() if "PSID" in command.command.upper()}
    for qmgr, storage in each(estate, "STGCLASS"):
        users = (queue for queue in estate.own(qmgr, "QLOCAL") if queue.attributes.get("STGCLASS") == storage.name)
        queues = [queue.name for queue in users if queue.attributes.get("QSGDISP") != "SHARED"]
        if storage.attributes["PSID"] == 0 and queues and (qmgr.name, storage.name) in sets:
            more = f" and {len(queues) - 1} more" if queues[1:] else ""
            sentence = f"storage class {storage.name} of {queues[0]}{more} has PSID(0): page set 0 is for definitions, "
            sentence += "and messages fill it"
            yield fault(qmgr, storage, sentence, keyword="PSID")
