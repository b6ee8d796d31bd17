"""The refusals of definitions of topics, subscriptions, and queues that stream."""

from __future__ import annotations

import re
from typing import Any

from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.objects import Definition
from . import streaming
from .subscriptions import why_not_kept
from .topics import SYSTEM_TOPIC, topic_values, wanted_string


def check(qmgr: Any, kind: str, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    """Two topics cannot have one TOPICSTR. An administrative subscription is durable."""
    streaming.require_streamable(qmgr, kind, name, wanted, present, verb)
    if kind == "SUB" and not re.fullmatch("([0-9A-Fa-f]{2})*", wanted["DESTCORL"]):
        qmgr.refuse(mq.MQRC_CORREL_ID_ERROR, "destcorl", None, verb, name, destcorl=wanted["DESTCORL"])
    if kind == "SUB" and verb == "define":
        if name != catalog.default_object(kind) and not wanted["TOPICSTR"] + wanted["TOPICOBJ"]:
            qmgr.refuse(mq.MQRC_TOPIC_STRING_ERROR, "no-topic", None, verb, name)
        if name != catalog.default_object(kind) and not wanted["DEST"] and wanted["DESTCLAS"] != "MANAGED":
            qmgr.refuse(mq.MQRCCF_DEST_NAME_ERROR, "no-dest", None, verb, name)
        topic = topic_values(qmgr, wanted_string(qmgr, wanted), ("DURSUB", "SUB"))
        if topic["SUB"] == "DISABLED":
            qmgr.refuse(mq.MQRC_SUB_INHIBITED, "sub-disabled", None, verb, name)
        if topic["DURSUB"] == "NO":
            qmgr.refuse(mq.MQRC_DURABILITY_NOT_ALLOWED, "dursub-no", None, verb, name)
        if present is None and (grounds := why_not_kept(qmgr)) is not None:
            raise qmgr.refusal(grounds, None, verb, name)
    if name == SYSTEM_TOPIC and kind == "TOPIC" and wanted["WILDCARD"] != "BLOCK":
        qmgr.refuse(mq.MQRCCF_ATTR_VALUE_FIXED, "system-topic", None, verb, name)
    if kind == "TOPIC" and not wanted["TOPICSTR"] and not name.startswith("SYSTEM."):
        qmgr.refuse(mq.MQRC_TOPIC_STRING_ERROR, "empty", None, verb, name)
    for other in qmgr.objects.having("TOPIC", wanted["TOPICSTR"]) if kind == "TOPIC" and wanted["TOPICSTR"] else ():
        if other.name != name:
            qmgr.refuse(mq.MQRCCF_TOPICSTR_ALREADY_EXISTS, "topicstr-taken", None, verb, name, other=other.name)
