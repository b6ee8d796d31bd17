"""A name that leads to a queue of another queue manager: what a put to it goes by."""

from __future__ import annotations

import json

from ..mq.objects import Definition
from .queue import LocalQueue, cap_of

__all__ = ["Remote"]


class Remote:
    """A destination elsewhere: `queue` is the transmission queue its messages go on, `destination` (queue, queue
    manager) what their headers name, and `path` the definitions the name was resolved by: the first of them decides
    defaults, and each may limit lifetimes or inhibit puts."""

    kind = "QREMOTE"
    chooses = False  # whether each message is asked which way it goes
    tag: bytes | None = None  # the CorrelId of the separate descriptor, where that is not the message's MsgId
    rules = ("CHL-01", "CHL-01")  # of a put that gives priority and persistence, and of one with a default

    def __init__(self, name: str, path: list[Definition], queue: LocalQueue, destination: tuple[str, str]):
        self.name, self.path, self.queue, self.destination, self.opens = name, path, queue, destination, 0
        self.definition = path[0] if path else queue.definition
        about = {"via": name, "to": "@".join(destination), **queue.about}
        self.via = json.dumps(about, separators=(",", ":"))  # for the detail of an event
        self.get_inhibited = False
        self._stencil = (None, None, None)  # the header of the last message, with what it was made from
        self.apply()

    def apply(self) -> None:
        """Take over the attributes of the definitions on the path."""
        queue, level = self.queue, self.queue.qmgr.level
        closed = [each for each in self.path if each.attributes.get("PUT") == "DISABLED"]
        self.put_inhibited = queue.put_inhibited or bool(closed)
        self.inhibitor = closed[0] if closed else queue.definition
        self.room = -1 if self.put_inhibited else queue.maxdepth
        caps = [cap_of(each.attributes, level) for each in self.path if "CUSTOM" in each.attributes]
        limits = [cap for cap in (*caps, queue.cap) if cap is not None]
        self.cap = None if queue.qmgr.platform == "vse" else min(limits, default=None)
        first = self.definition.attributes
        self.defprty, self.defpsist = first["DEFPRTY"], first["DEFPSIST"] == "YES"

    def stencil(self, descriptor, context, make):
        """The header of messages with this descriptor and context; `make(destination, descriptor, context)` if it is
        not that of the message before."""
        about, of, stencil = self._stencil
        if about is not descriptor or of is not context:
            stencil = make(self.destination, descriptor, context)
            self._stencil = (descriptor, context, stencil)
        return stencil

    def __repr__(self):
        return f"Remote({self.name!r}, {'@'.join(self.destination)} by {self.queue.name})"
