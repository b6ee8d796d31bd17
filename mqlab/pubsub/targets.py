"""Topics as targets of puts: a topic string, and an alias queue whose base is a topic."""

from __future__ import annotations

from typing import Any

from ..engine.words import constants as mq
from ..engine.words.errors import LabError
from ..engine.words.objects import Definition
from ..engine.words.shown import shown
from ..engine.words.structures import encoded
from .publish_options import StructuredTopic
from .topics import governing, joined, topic_named


class TopicString(StructuredTopic):
    """A topic named by its string, alone or below that of a topic object, `topic`: what a publication that names no
    alias goes to."""

    kind, put_inhibited, cap = "TOPIC", False, None

    def __init__(self, qmgr: Any, string: str, topic: str = ""):
        if not isinstance(string, str) or not isinstance(topic, str):
            raise LabError(f"topic string must be text such as 'price/fruit'; got {topic or string!r}")
        encoded(string, "topic string")
        named = topic_named(qmgr, topic)
        if topic and named is None:
            near = qmgr.objects.near("TOPIC", topic)
            if near:
                near_text = " or ".join(near)
                qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "misspelled-topic", None, "open", topic, near=near_text)
            qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "no-topic", None, "open", topic, topic=topic)
        string = joined("" if named is None else named.attributes["TOPICSTR"], string)
        self.qmgr, self.name = qmgr, string
        self.object = self
        self.inputs = self.outputs = self.opens = 0
        governs = governing(qmgr, string)
        self.definition = governs or Definition("TOPIC", "", {})
        self.subject = (qmgr.name, governs.name if governs is not None else None, "TOPIC")
        self.own_detail = {}

    @property
    def string(self) -> str:
        """The topic string."""
        return self.name


@shown
class TopicAlias(StructuredTopic):
    """An alias queue whose base is a topic (TARGTYPE(TOPIC)); it counts its opens, and has no messages."""

    kind = "QALIAS"

    def __init__(self, qmgr: Any, definition: Definition, topic: Definition):
        self.qmgr, self.name, self.definition = qmgr, definition.name, definition
        self.base = self.topic = topic
        self.path = [definition]
        self.subject = (qmgr.name, definition.name, "QALIAS")
        self.object = self
        self.inputs = self.outputs = self.opens = 0
        self.apply()

    @property
    def string(self) -> str:
        """The topic string that it leads to."""
        return self.topic.attributes["TOPICSTR"]

    def no_input_case(self) -> tuple[str, dict[str, Any]]:
        """Its base is a topic."""
        return "alias-of-topic", {"base": self.topic.name}

    def defaults(self) -> tuple[int | None, bool | None]:
        """Those of the alias."""
        return self.defprty, self.defpsist

    def apply(self) -> None:
        """Take over the attributes of the definition."""
        self.take_over(self.path)
