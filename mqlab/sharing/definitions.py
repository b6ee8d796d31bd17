"""The refusals of definitions of structures, shared queues, and objects of a group."""

from __future__ import annotations

import re
from typing import Any

from ..engine.words import constants as mq
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds
from . import group_of

_STRUCTURE = re.compile(r"[A-Z][A-Z0-9]{0,11}")


def require_disposition(qmgr: Any, kind: str, name: str, disposition: str) -> None:
    """Refuse a DEFINE whose QSGDISP this queue manager or this kind of object cannot have: 2045, 2085, 2152."""
    if kind == "CFSTRUCT" and not _STRUCTURE.fullmatch(name):
        qmgr.refuse(mq.MQRC_OBJECT_NAME_ERROR, "no-structure-name", None, "define", name, object=name)
    if disposition == "QMGR":
        return
    reason = mq.MQRC_OPTION_NOT_VALID_FOR_TYPE
    if disposition not in ("COPY", "GROUP", "SHARED"):
        qmgr.refuse(reason, "disposition-of-display", None, "define", name, disposition=disposition)
    if group_of(qmgr) is None:
        qmgr.refuse(reason, "in-no-group", None, "define", name, qmgr=qmgr.name)
    if disposition == "SHARED" and kind != "QLOCAL":
        qmgr.refuse(reason, "not-shareable", None, "define", name, kind=kind)
    if disposition == "COPY" and group_of(qmgr).masters.objects.get(kind, name) is None:
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "no-master-to-copy", None, "define", name, kind=kind, object=name)


def check(qmgr: Any, kind: str, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    """Refuse attributes that a structure or a shared queue cannot have, or that ask for another QSGDISP.

    A shared queue needs a CFSTRUCT that is defined, keeps it, and has a name that no member uses for a queue of its
    own. MQError 2045, 2085, 2100, 2207, 2346, 2366.
    """
    if kind == "CFSTRUCT":
        _require_structure(qmgr, name, wanted, present, verb)
        return
    disposition = wanted.get("QSGDISP", "QMGR")
    has = None if present is None else present.attributes.get("QSGDISP", "QMGR")
    if has is not None and has != disposition:
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, "other-disposition", None, verb, name, has=has)
    if disposition == "SHARED":
        _require_shared(qmgr, name, wanted["CFSTRUCT"], present, verb)


def _require_shared(qmgr: Any, name: str, structure: str, present: Definition | None, verb: str) -> None:
    if present is not None:
        has = present.attributes["CFSTRUCT"]
        if structure != has:
            qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, "in-other-structure", None, verb, name, cfstruct=has)
        return
    if not structure:
        qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, "no-cfstruct", None, verb, name, object=name)
    if structure not in group_of(qmgr).structures:
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "no-structure", None, verb, structure, structure=structure)
    tables = {member.name: member.objects for member in group_of(qmgr).members}
    tables[group_of(qmgr).name] = group_of(qmgr).masters.objects
    taken = [owner for owner, objects in tables.items() if objects.named("QLOCAL", name) is not None]
    if taken:
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, "member-has-it", None, verb, name, owner=" and ".join(taken))


def _require_structure(qmgr: Any, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    if qmgr.platform != "zos":
        only = "only z/OS has structures"
        fields = {"qmgr": qmgr.name, "platform": qmgr.platform}
        grounds = Grounds(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, "not-zos", fields)
        error = qmgr.refusal(grounds, None, verb, name)
        error.only_there = only
        raise error
    if wanted["RECOVER"] == "YES" and wanted["CFLEVEL"] < 3:
        qmgr.refuse(mq.MQRC_WRONG_CF_LEVEL, "cflevel-for-recover", None, verb, name, cflevel=wanted["CFLEVEL"])
    if present is None or group_of(qmgr) is None:
        return
    has = present.attributes
    if wanted["CFLEVEL"] < has["CFLEVEL"] or wanted["RECOVER"] < has["RECOVER"]:
        group_of(qmgr).require_quiet(qmgr, name, verb, empty=True)
