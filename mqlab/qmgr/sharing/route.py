"""Names that lead to another member of the queue-sharing group: by the shared transmission queue or by a channel."""

from __future__ import annotations

from hashlib import blake2b

from ...mq.constants import MQRC_MSG_TOO_BIG_FOR_Q, MQRC_OBJECT_CHANGED
from ...mq.objects import Definition
from ..queue import Remote

__all__ = ["InGroup", "tag_of"]


def tag_of(member: str) -> bytes:
    """The CorrelId by which the agent of a member selects its messages: the member's name, or a hash of a name of more
    than 24 characters (our reading: what the product selects by is not documented)."""
    name = member.encode()
    return name.ljust(24, b"\0") if len(name) <= 24 else blake2b(name, digest_size=24).digest()


class InGroup(Remote):
    """A destination on another member: `served` is the shared transmission queue where intra-group queuing takes its
    messages, None where it does not; `by_channel()` is the Remote of the conventional way, None if there is none.

    The way is chosen for each message, so that the order of long and short ones is not kept.
    """

    chooses = True

    def __init__(self, igq, name: str, path: list[Definition], queue, destination: tuple[str, str], served, by_channel):
        super().__init__(name, path, queue, destination)
        self.igq, self.served, self.by_channel = igq, served, by_channel
        if served is not None:
            self.tag = tag_of(destination[1])
            self.rules = ("IGQ-01", "IGQ-08" if path else "IGQ-01")

    def choose(self, application, length: int) -> Remote:
        """The way of a message that has `length` bytes with its header.

        MQError 2030 where it is too long for the shared transmission queue and no other way is there (IGQ-07), 2041
        where IGQ was altered, or the shared transmission queue redefined, since the name was resolved, 2373.
        """
        if self.igq.serving(self.queue.qmgr) is not self.served:
            said = "IGQ or SYSTEM.QSG.TRANSMIT.QUEUE was altered since it was opened"
            application.refuse(MQRC_OBJECT_CHANGED, self, "put", "MQI-14", said, "close it and open it again")
        if self.served is None:
            return self
        if not self.served.ready:
            self.served.make_ready(application, self, "put")
        limit = self.igq.longest(self.served)
        if length <= limit:
            return self
        other = self.by_channel()
        if other is None:
            said = f"{length} bytes with the header; {self.queue.name} takes up to {limit}, and no channel leads there"
            hint = f"DEFINE QLOCAL({self.destination[1]}) USAGE(XMITQ) and its channel, or send less"
            application.refuse(MQRC_MSG_TOO_BIG_FOR_Q, self, "put", "IGQ-07", said, hint)
        other.rules = ("IGQ-07", "IGQ-07")
        return other
