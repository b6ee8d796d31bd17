"""The refusals of definitions of topics, subscriptions, and queues that stream."""

from __future__ import annotations

import re
from typing import Any

from ..mq import catalog
from ..mq import constants as mq
from ..mq.objects import Definition
from ..qmgr.definition_checks import refuse
from . import streaming
from .topics import subscribed, topic_values


def check(qmgr: Any, kind: str, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    """Two topics cannot have one TOPICSTR. An administrative subscription is durable."""
    streaming.require_streamable(qmgr, kind, name, wanted, present, verb)
    if kind == "SUB" and not re.fullmatch("([0-9A-Fa-f]{2})*", wanted["DESTCORL"]):
        said, hint = f"DESTCORL {wanted['DESTCORL']!r} is no identifier", "up to 48 hexadecimal digits, two a byte"
        refuse(qmgr, mq.MQRC_CORREL_ID_ERROR, name, verb, said, hint)
    if kind == "SUB" and verb == "define":
        if name != catalog.default_object(kind) and not wanted["TOPICSTR"] + wanted["TOPICOBJ"]:
            refuse(qmgr, mq.MQRC_TOPIC_STRING_ERROR, name, verb, "it has no topic", "TOPICSTR(...) or TOPICOBJ(...)")
        topic = topic_values(qmgr, subscribed(qmgr, wanted), ("DURSUB", "SUB"))
        if topic["SUB"] == "DISABLED":
            refuse(qmgr, mq.MQRC_SUB_INHIBITED, name, verb, "its topic has SUB(DISABLED)", "another topic")
        if topic["DURSUB"] == "NO":
            said = "its topic has DURSUB(NO), and a subscription by command is durable"
            refuse(qmgr, mq.MQRC_DURABILITY_NOT_ALLOWED, name, verb, said, "another topic")
    if kind == "TOPIC" and not wanted["TOPICSTR"] and not name.startswith("SYSTEM."):
        refuse(qmgr, mq.MQRC_TOPIC_STRING_ERROR, name, verb, "its topic string is empty", "TOPICSTR(...)")
    for other in qmgr.objects.having("TOPIC", wanted["TOPICSTR"]) if kind == "TOPIC" and wanted["TOPICSTR"] else ():
        if other.name != name:
            said, hint = f"TOPIC({other.name}) has this TOPICSTR", "another topic string, or use that topic"
            refuse(qmgr, mq.MQRCCF_TOPICSTR_ALREADY_EXISTS, name, verb, said, hint)
