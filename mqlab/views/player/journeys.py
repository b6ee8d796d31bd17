"""Which lines of the picture a message travels when something happens to it."""

from __future__ import annotations

from itertools import pairwise

from ...engine.world.event import Event
from ..frames.topology import Edge, Outline


def route_key(edge: Edge) -> str:
    """The key of a line of the picture: `source>target`."""
    return f"{edge.source}>{edge.target}"


class Ways:
    """The lines of an outline, ready to be asked for journeys."""

    def __init__(self, outline: Outline) -> None:
        self.keys = {route_key(edge) for edge in outline.edges}
        self.queues = {queue.id for queue in outline.queues}
        self.onward: dict[str, list[str]] = {}  # from an alias or a remote definition to what it leads to
        self.pulled: dict[str, str] = {}  # from a home-server queue to what it pulls from
        self.delivered: dict[str, str] = {}  # from a queue to the home-server queue that fills it
        self.partners: dict[str, list[str]] = {}  # from a channel's receiving end to those that talk to it
        for edge in outline.edges:
            if edge.kind in ("alias", "remote"):
                self.onward.setdefault(edge.source, []).append(edge.target)
            elif edge.kind == "pulls":
                self.pulled[edge.source] = edge.target
            elif edge.kind == "delivers":
                self.delivered[edge.target] = edge.source
            elif edge.kind == "talks":
                self.partners.setdefault(edge.target, []).append(edge.source)
        self.beyond: dict[str, list[tuple[str, str]]] = {}  # from a queue to the channels that send, and their partners
        talks = {sender: channel for channel, senders in self.partners.items() for sender in senders}
        for edge in outline.edges:
            if edge.kind == "transmits" or (edge.kind == "gets" and edge.target in talks):
                partner = talks.get(edge.target, edge.target).partition("/")[0]
                self.beyond.setdefault(edge.source, []).append((edge.target, partner))

    def journey(self, event: Event, before: Event | None = None) -> tuple[str, ...]:
        """The lines, by their `route_key`, that a message travels at an event; empty if nothing moves.

        `before` is the row that the event goes on from: for a channel's put the get at the other end, for a trigger
        message the row of the trigger, for a report the row that it reports. A report follows no line of the picture:
        its first key then names the two queues. A put or get of a program without a name has a key of its queue manager
        and the queue.
        """
        if event.reason is not None or event.message is None or event.object_type is None:
            return ()
        queue = f"{event.qmgr}/{event.object}"
        if event.kind == "get":
            drawn = self._drawn(*(f"{queue}>{user}" for user in self._users(event)))[:1]
            return drawn or ((f"{queue}>{self._home(event)}",) if event.program is None else ())
        if event.kind == "report":
            chain = self._chain(event)
            source = f"{before.qmgr}/{before.object}" if before is not None else ""
            hop = (f"{source}>{chain[0]}",) if source in self.queues and source != chain[0] else ()
            return (*hop, *_pairs(chain))
        return self._put(event, before) if event.kind == "put" else ()

    def _drawn(self, *keys: str) -> tuple[str, ...]:
        return tuple(key for key in keys if key in self.keys)

    def _home(self, event: Event) -> str:
        """The queue manager that a call was made to: for a shared queue the member."""
        return event.facts.get("member", event.qmgr)

    def _users(self, event: Event) -> tuple[str, str]:
        """The nodes that the program of a row can be: a channel, or an application."""
        member = self._home(event)
        return f"{member}/channel:{event.program}", f"{member}/app:{event.program}"

    def _put(self, event: Event, before: Event | None) -> tuple[str, ...]:
        queue = f"{event.qmgr}/{event.object}"
        if before is not None and before.kind == "trigger":
            asked = self._drawn(f"{before.qmgr}/{before.object}>{queue}")
            if asked:
                return asked
        chain = self._chain(event)
        for user in self._users(event):
            if (way := f"{user}>{chain[0]}") in self.keys:
                return (*self._crossing(user, before), way, *_pairs(chain))
        if event.program is not None:
            return self._everyplace(event, queue) or _pairs(chain)
        return (f"{self._home(event)}>{chain[0]}", *_pairs(chain))

    def _everyplace(self, event: Event, queue: str) -> tuple[str, ...]:
        """The way of what a queue manager of MQ Everyplace transmitted to a queue, or pulled for it; () for neither."""
        home = self.delivered.get(queue, "") if event.program == event.qmgr else ""
        pulled = (f"{self.pulled[home]}>{home}", f"{home}>{queue}") if home in self.pulled else ()
        return pulled or self._drawn(f"{event.program}/{event.object}@{event.qmgr}>{queue}")

    def _crossing(self, channel: str, before: Event | None) -> tuple[str, ...]:
        """From the channel that sends to the one that receives, if that is a line of the picture."""
        talking = self.partners.get(channel, [])
        sender = f"{before.qmgr}/channel:{before.program}" if before is not None and before.kind == "get" else ""
        if sender in talking or len(talking) == 1:
            return (f"{sender if sender in talking else talking[0]}>{channel}",)
        return ()

    def _chain(self, event: Event) -> list[str]:
        """The name that a message was put to, what that leads to, and so on to the queue it is on."""
        detail = event.facts
        end = f"{event.qmgr}/{event.object}"
        first = f"{detail.get('member', event.qmgr)}/{detail.get('via', event.object)}"
        chains = [[first]] if first in self.queues else []
        for chain in chains:  # grows as it is read: the nearest way is found first
            if chain[-1] == end:
                return chain
            chains += [[*chain, node] for node in self.onward.get(chain[-1], ()) if node not in chain]
        return [end]


def _pairs(chain: list[str]) -> tuple[str, ...]:
    return tuple(f"{one}>{other}" for one, other in pairwise(chain))
