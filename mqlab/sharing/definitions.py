"""The refusals of definitions of structures, shared queues, and objects of a group."""

from __future__ import annotations

import re
from typing import Any

from ..mq import constants as mq
from ..mq.objects import Definition

_STRUCTURE = re.compile(r"[A-Z][A-Z0-9]{0,11}")


def require_disposition(qmgr: Any, kind: str, name: str, disposition: str) -> None:
    """Refuse a DEFINE whose QSGDISP this queue manager or this kind of object cannot have: 2045, 2085, 2152."""
    if kind == "CFSTRUCT" and not _STRUCTURE.fullmatch(name):
        said, hint = f"{name!r} cannot be the name of a structure", "1 to 12 of A-Z 0-9, a letter first"
        qmgr.refuse(mq.MQRC_OBJECT_NAME_ERROR, None, "define", "QSG-03", said, hint, name=name)
    if disposition == "QMGR":
        return
    wrong = None
    if disposition not in ("COPY", "GROUP", "SHARED"):
        wrong = f"QSGDISP({disposition}) chooses what DISPLAY shows", "QMGR, COPY, GROUP or SHARED"
    elif qmgr.group is None:
        wrong = f"{qmgr.name} is in no queue sharing group", f'lab.queue_sharing_group("QSG1", ["{qmgr.name}", ...])'
    elif disposition == "SHARED" and kind != "QLOCAL":
        wrong = f"a {kind} cannot be shared", "QSGDISP(GROUP), which gives each member a copy"
    if wrong is not None:
        qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, "define", "QSG-02", *wrong, name=name)
    if disposition == "COPY" and qmgr.group.masters.objects.get(kind, name) is None:
        said, hint = "there is no master to copy", f"DEFINE {kind}({name}) QSGDISP(GROUP)"
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, None, "define", "QSG-02", said, hint, name=name)


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
        said, hint = f"it has QSGDISP({has})", f"QSGDISP({has}), or delete it first"
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, None, verb, "QSG-02", said, hint, name=name)
    if disposition == "SHARED":
        _require_shared(qmgr, name, wanted["CFSTRUCT"], present, verb)


def _require_shared(qmgr: Any, name: str, structure: str, present: Definition | None, verb: str) -> None:
    if present is not None:
        if structure != present.attributes["CFSTRUCT"]:
            said, hint = f"it is in {present.attributes['CFSTRUCT']}", "delete it, and define it in the other structure"
            qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, verb, "QSG-02", said, hint, name=name)
        return
    if not structure:
        said, hint = "a shared queue needs a CFSTRUCT", f"DEFINE QLOCAL({name}) QSGDISP(SHARED) CFSTRUCT(name)"
        qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, verb, "QSG-02", said, hint, name=name)
    if structure not in qmgr.group.structures:
        said, hint = f"no CFSTRUCT {structure} is defined", f"DEFINE CFSTRUCT({structure})"
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, None, verb, "QSG-02", said, hint, name=structure)
    tables = {**{each.name: each.objects for each in qmgr.group.members}, qmgr.group.name: qmgr.group.masters.objects}
    taken = [owner for owner, objects in tables.items() if objects.named("QLOCAL", name) is not None]
    if taken:
        said, hint = f"{' and '.join(taken)} has a queue of this name", "another name"
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, None, verb, "QSG-02", said, hint, name=name)


def _require_structure(qmgr: Any, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    if qmgr.platform != "zos":
        only, hint = "only z/OS has structures", 'lab.queue_manager(..., platform="zos")'
        said, reason = f"{qmgr.name} is {qmgr.platform}; {only}", mq.MQRC_OPTION_NOT_VALID_FOR_TYPE
        error = qmgr.refusal(reason, None, verb, "QSG-03", said, hint, name=name)
        error.only_there = only
        raise error
    if wanted["RECOVER"] == "YES" and wanted["CFLEVEL"] < 3:
        said, hint = f"CFLEVEL({wanted['CFLEVEL']}) cannot have RECOVER(YES)", "CFLEVEL(3) or above"
        qmgr.refuse(mq.MQRC_WRONG_CF_LEVEL, None, verb, "QSG-04", said, hint, name=name)
    if present is None or qmgr.group is None:
        return
    has = present.attributes
    if wanted["CFLEVEL"] < has["CFLEVEL"] or wanted["RECOVER"] < has["RECOVER"]:
        qmgr.group.require_quiet(qmgr, name, verb, "a lower CFLEVEL, or RECOVER(NO), needs idle queues", empty=True)
