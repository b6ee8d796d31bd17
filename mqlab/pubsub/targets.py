"""Topics as targets of puts: a topic string, and an alias queue whose base is a topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..mq import constants as mq
from ..mq.errors import LabError
from ..mq.objects import Definition
from ..mq.shown import shown
from ..mq.structures import MD, PMO, encoded
from ..qmgr.put import Put
from ..qmgr.queue import cap_of
from .publish_options import publish_as
from .publishing import Publication, Publications, publish
from .topics import governing, joined


class Topic:
    """A target whose puts are published; a handle has it in the place of a local queue."""

    depth, trigger, logically_deleted, is_xmitq = None, None, False, False
    ready = published = True

    @property
    def put(self) -> Callable[[Put], Any]:
        """The put: it is published."""
        return publish

    def put_as(
        self,
        application: Any,
        body: bytes,
        md: MD,
        pmo: PMO | None,
        unit: Any,
        handle: Any,
        properties: dict[str, Any] | None,
    ) -> Publications:
        """Publish one message as MQ's structures say: see `publish_as`."""
        options, level = (0, 9) if pmo is None else (pmo.Options, pmo.PubLevel)
        given = Publication(application, self, body, md.Expiry, options=options, level=level)
        return publish_as(given, md, pmo, unit, handle, properties)


class TopicString(Topic):
    """A topic named by its string, alone or below that of a topic object, `topic`: what a publication that names no
    alias goes to."""

    kind, put_inhibited, cap, defprty, defpsist = "TOPIC", False, None, None, None

    def __init__(self, qmgr: Any, string: str, topic: str = ""):
        if not isinstance(string, str) or not isinstance(topic, str):
            raise LabError(f"topic string must be text such as 'price/fruit'; got {topic or string!r}")
        encoded(string, "topic string")
        named = qmgr.objects.get("TOPIC", topic)
        if topic and named is None:
            near = qmgr.objects.near("TOPIC", topic)
            hint = f"did you mean {' or '.join(near)}?" if near else f"DEFINE TOPIC({topic}) TOPICSTR(...)"
            qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, None, "open", "MQI-34", "no TOPIC has this name", hint, topic)
        string = joined("" if named is None else named.attributes["TOPICSTR"], string)
        self.qmgr, self.name, self.string = qmgr, string, string
        self.queue = self
        self.inputs = self.outputs = self.opens = 0
        governs = governing(qmgr, string)
        self.definition = governs or Definition("TOPIC", "", {})
        self.place = (qmgr.name, governs.name if governs is not None else None, "TOPIC")
        self.about: dict[str, Any] = {}


@shown
class TopicAlias(Topic):
    """An alias queue whose base is a topic (TARGTYPE(TOPIC)); it counts its opens, and has no messages."""

    kind = "QALIAS"
    get_inhibited = True
    about: dict = {}

    def __init__(self, qmgr: Any, definition: Definition, topic: Definition):
        self.qmgr, self.name, self.definition = qmgr, definition.name, definition
        self.place = (qmgr.name, definition.name, "QALIAS")
        self.queue = self
        self.inputs = self.outputs = self.opens = 0
        self.apply(topic)

    @property
    def string(self) -> str:
        """The topic string that it leads to."""
        return self.base.attributes["TOPICSTR"]

    def apply(self, topic: Definition) -> None:
        """Take over the attributes of the definition and the topic it leads to now."""
        attributes = self.definition.attributes
        self.base = topic
        self.put_inhibited = attributes["PUT"] == "DISABLED"
        self.cap = cap_of(attributes, self.qmgr.level)
        self.defprty, self.defpsist = attributes["DEFPRTY"], attributes["DEFPSIST"] == "YES"
