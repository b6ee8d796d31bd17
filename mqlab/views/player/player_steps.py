"""The steps of a player: rows of the event log, the parts of the picture that each changes, and all of it as JSON."""

from __future__ import annotations

import gzip
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import chain, pairwise
from typing import Any

from ...engine.explain.replay import State
from ...engine.explain.words import told
from ...engine.words.arguments import require
from ...engine.words.errors import LabError
from ...engine.words.rulebook import RULES
from ...engine.world.event import Event
from ...engine.world.event_kinds import ARRIVES, is_dead_letter
from ..drawing.scene import Picture, Scene
from ..drawing.topology import SCREEN, UPRIGHT, Places, facts_of, places_of, plan_of
from ..frames.look import Look
from ..frames.moments import At, Lab, moment_us
from ..frames.topology import REPOSITORY_MANAGER, Edge, Outline, TopologyFrame, Trace, limit_of, seen_by, traces_of
from .story import ON_THE_WAY, Step, Stop, Words, joined, story


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
        self.through = {edge.source: edge.target for edge in outline.edges if edge.kind == "connects"}  # of clients
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
        if event.kind == "publish":
            return self._into(event, f"{event.qmgr}/topic:{event.facts['topic']}")
        if event.reason is not None or event.message is None or event.object_type is None:
            return ()
        queue = f"{event.qmgr}/{event.object}"
        if event.kind == "get":
            drawn = next((user for user in self._users(event) if f"{queue}>{user}" in self.keys), None)
            if drawn is None:
                return (f"{queue}>{self._home(event)}",) if event.program is None else ()
            app = self._users(event)[1]
            return (f"{queue}>{drawn}", *([f"{drawn}>{app}"] if f"{app}>{drawn}" in self.keys else []))
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

    def _users(self, event: Event) -> tuple[str, ...]:
        """The nodes that the program of a row can be: a channel, an application, or the channel of a client."""
        member = self._home(event)
        app = f"{member}/app:{event.program}"
        return f"{member}/channel:{event.program}", app, *([self.through[app]] if app in self.through else [])

    def _put(self, event: Event, before: Event | None) -> tuple[str, ...]:
        queue = f"{event.qmgr}/{event.object}"
        if before is not None and before.kind in ("trigger", "publish"):
            source = before.object if before.kind == "trigger" else f"topic:{before.facts['topic']}"
            if asked := self._drawn(f"{before.qmgr}/{source}>{queue}"):
                return asked
        chain = self._chain(event)
        if way := self._into(event, chain[0], before):
            return (*way, *_pairs(chain))
        if event.program is not None:
            return self._everyplace(event, queue) or _pairs(chain)
        return (f"{self._home(event)}>{chain[0]}", *_pairs(chain))

    def _into(self, event: Event, target: str, before: Event | None = None) -> tuple[str, ...]:
        """The lines from the program of a row to a queue or topic; () if none is drawn."""
        user = next((user for user in self._users(event) if f"{user}>{target}" in self.keys), None)
        if user is None:
            return ()
        outside = self._drawn(f"{self._users(event)[1]}>{user}")
        return (*outside, *self._crossing(user, before), f"{user}>{target}")

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
        via = str(detail.get("via", event.object))
        via = via.partition("@")[0] if "channel" in detail else via  # a name in a cluster
        first = f"{detail.get('member', event.qmgr)}/{via}"
        chains = [[first]] if first in self.queues else []
        for way in chains:  # grows as it is read: the nearest way is found first
            if way[-1] == end:
                return way
            chains += [[*way, node] for node in self.onward.get(way[-1], ()) if node not in way]
        return [end]


def _pairs(chain: list[str]) -> tuple[str, ...]:
    return tuple(f"{one}>{other}" for one, other in pairwise(chain))


_ALWAYS = {  # the label of a step, and the kinds of rows that always get it
    "discarded": "discard reject",
    "lost": "lost",
    "report": "report",
    "trigger": "trigger",
    "structure": "allocate recover",
    "agent": "agent",
    "stop": "stop",
    "backout": "backout restore undo",
    "handler": "handler forward adapter",
}
LABELS = {kind: label for label, kinds in _ALWAYS.items() for kind in kinds.split()}
LONG = 20_000  # rows: from here on a progress bar is shown


def interest_of(row: Event, full: bool = False, first: bool = False, waits: bool = False) -> str:
    """The label of a row that explains something, its strongest reason if there are several; "" for any other row.

    `full` says that the row left its queue full, `first` that the row brought this queue its first message,
    `waits` that nothing leaves the queue because a link is cut or a channel does not run.
    The label "expire" is not given here: the end of a lifetime is no row, and always a stop.

    >>> interest_of(Event(0, 0, "QM1", "stop", None, None, *[None] * 14))
    'stop'
    """
    if row.reason is not None and row.kind != "lost":
        return "refused"
    if row.kind in ("channel", "fault"):
        told = row.facts
        if row.kind == "channel":
            return "channel" if "was" in told and told.get("state") not in ON_THE_WAY else ""
        if row.object_type not in ("LINK", "CLIENT"):
            return "fault"
        return {False: "fault", True: "restored", None: ""}[told.get("up")]
    if row.kind in LABELS:
        return LABELS[row.kind]
    if is_dead_letter(row):
        return "dead letter"
    if row.kind in ARRIVES and full:
        return "queue full"
    if waits:
        return "waits"
    return "first message" if first and not (row.object or "").startswith("SYSTEM.") else ""


_NUMBER = re.compile(r"\bmessage (\d+)\b")
_IT = re.compile(r"^message (\d+): (.*?)\bit\b")
_COMES = (*ARRIVES, "restore", "deliver")
_OF_QUEUES = (*_COMES, "get", "browse", "discard", "undo", "open", "close", "inquire", "wait")


class PlayerSteps:
    """The steps of a lab and how the picture looks at each; `grow` adds what the lab did since.

    `qmgr` is one queue manager to show instead of all. The stretch to keep is from `start` to `end`, written as for
    `lab_picture`; what was before is in the first picture. With `messages`, or their numbers, only the rows about these
    are kept, and those about no message. Kinds of rows in `without` ("*": every kind) get no step of their own unless
    they are interesting. `outline` is what to show instead of the lab's own, such as that of two labs together;
    `look` is one's own look of the picture.

    They begin after the set-up: the rows of the first moment before the first message, or the first row that explains
    something. `depth` are queues whose depth a player draws over time, by their names or ids ("QM1/ORDERS").

    `left_out` counts the rows of the stretch that got no step, without what repository managers of clusters say to each
    other, which gets none unless `messages` asks for it. LabError as for `lab_picture`, for an end before the
    start, and for messages that the log does not know.
    """

    def __init__(
        self,
        lab: Lab,
        qmgr: str | None = None,
        *,
        start: At = None,
        end: At = None,
        messages: Any = None,
        without: frozenset[str] = frozenset(),
        outline: Outline | None = None,
        screen: tuple[int, int] = SCREEN,
        depth: Iterable[str] = (),
        look: Look | None = None,
    ) -> None:
        if not lab.events.recording:
            raise LabError("the lab must keep its event log to be played; got one made with Lab(record=False)")
        self.lab, self.scene = lab, Scene(lab, qmgr, look)
        own = set(self.scene.outline.nodes)
        self.outline = self.scene.outline = (outline and seen_by(outline, self.scene.outline)) or self.scene.outline
        self.start_us = self.scene.time_us(0 if start is None else start)
        self.end_us = None if end is None else self.scene.time_us(end)
        if self.end_us is not None and self.end_us < self.start_us:
            raise LabError(f"end must not be before the start {start!r}; got {end!r}")
        self.messages = None if messages is None else _numbers(lab, messages)
        self.without, self.left_out, self.screen = without, 0, screen
        self.steps: list[Step] = []
        self.facts: dict[str, list[tuple[int, Any]]] = {}  # of each object: step, and what is true from there on
        self.depth = _queues(self.outline, depth)
        self.shots: list[Stop] = []
        self.stops: list[Stop] = []
        self.traces: dict[int, tuple[Trace, ...]] = {}  # of the steps that leave any
        self._headers: dict[tuple, str] = {}  # of each message on a transmission queue, where it goes
        self._nodes = self.outline.nodes
        self._ways, self._several = Ways(self.outline), len(self.outline.qmgrs) > 1
        self._devices = {q.name for q in self.outline.qmgrs if q.platform == "everyplace"}
        self._queues = {(q.qmgr, q.name): q for q in self.outline.queues}
        self._ambiguous = {q.name for q in self.outline.queues} & {q.name for q in self.outline.qmgrs}
        self._transmission = {q.id for q in self.outline.queues if q.kind == "transmission"}
        self._later: dict[int, list[Edge]] = {}  # lines by the row that brings them, and by the queue that names them
        self._by_name: dict[tuple[str, str], list[Edge]] = {}
        for edge, row in self.outline.since.items():
            if edge.kind in ("backout", "initq"):
                qmgr, _, name = edge.source.partition("/")
                self._by_name.setdefault((qmgr, name), []).append(edge)
            else:
                self._later.setdefault(row, []).append(edge)
        self._came: list[Edge] = []
        self._state, self._next, self._setup, self._told_shots = State(), 0, _setup(lab), 0
        self._frame: TopologyFrame = self.scene.frame_of(self._state, 0)
        self._touched: set[tuple[str, str]] = set()
        self._acted: set[tuple[str | None, str | None]] = set()  # programs that began or ended
        self._moved = False  # whether more than queues may have changed
        self._lifetimes: list[tuple[int, int, tuple[str, str]]] = []
        self._units: dict[int, set[tuple[str, str]]] = {}
        self._step_of: dict[int, int] = {}
        self._last_get: dict[int, Event] = {}
        self._flows: set[int] = set()  # messages of repository managers
        self._had: set[tuple[str, str]] = set()
        told_of, used = self._told_of(), {end for edges in self._later.values() for edge in edges for end in edge[:2]}
        self._strings = {p.id for p in self.outline.programs if p.topic and p.id in used - told_of}  # without an object
        self._places: tuple[int, Places] | None = None
        self._absent = told_of | self._strings | (set(self.outline.nodes) - own)
        self._waiting: set[str] = set()
        self.grow()

    def _told_of(self) -> set[str]:
        """The ids of the objects and programs in the log: none of them is there before its first row."""
        columns = map(self.lab.events.column, ("qmgr", "object", "object_type", "program"))
        rows = dict.fromkeys(zip(*columns, strict=True))
        return {id for row in rows for id in _ids(*row)} & set(self.outline.nodes)

    def grow(self) -> int:
        """Go on to the end of the log (or of the stretch) and to the lab's now; how many steps there were before."""
        before = len(self.steps)
        last = self.lab.now_us if self.end_us is None else self.end_us
        end = self.lab.events.count_until(last)
        for event in _watched(self.lab.events.span(self._next, end), end - self._next):
            if event.seq >= self._setup:
                self._before(event.time_us, event.seq)
            self._take(event)
        self._before(last + 1 if self.end_us is not None else last, len(self.lab.events))
        self._due(last)
        self._begin()
        drawn = {*self.outline.nodes, *(structure.id for structure in self.outline.structures)}
        words = Words(self._named, self._briefly)
        told = () if self.shots else story(self.steps, self.lab.events, drawn, self._transmission, words)
        self.stops = self.shots or self._changing(told)
        return before

    def _changing(self, stops: Iterable[Stop]) -> list[Stop]:
        """Stops at which the picture is not as at the stop before; one that changes nothing is part of the next."""
        kept, before, last = list[Stop](), self._seen_at(0), len(self.steps) - 1
        waiting: Stop | None = None
        for stop in stops:
            stop = joined(waiting, stop, self.steps[waiting.step].sort) if waiting else stop
            now = self._seen_at(stop.step, stop.members)
            kept, waiting, before = (kept, stop, before) if now == before else ([*kept, stop], None, now)
        if waiting and kept:
            both = joined(kept[-1], waiting, self.steps[kept[-1].step].sort)
            kept[-1] = both if both.said != waiting.said else both._replace(said=kept[-1].said, about=kept[-1].about)
        elif waiting:
            kept = [waiting]
        if kept and kept[-1].step < last and self._seen_at(last, kept[-1].members) == before:
            kept[-1] = kept[-1]._replace(step=last, members=(*kept[-1].members, last))
        return kept

    def _seen_at(self, number: int, members: Iterable[int] = ()) -> dict[str, Any]:
        """`facts_at` without what is drawn small or not at all: that a channel's receiving end runs, or no longer."""
        facts = self.facts_at(number, members)
        idle = {id for id in self._ways.partners if (facts.get(id) or ("",))[0] in ("RUNNING", "INACTIVE")}
        return {id: fact for id, fact in facts.items() if id not in idle}

    def _named(self, step: Step) -> str:
        """The words of a step, with messages named by their text, if they have one, and objects with their kinds."""
        said = _IT.sub(r"\2message \1", step.said).replace(", priority 0", "").replace(" after 0 s", "")
        if step.object and f"{step.qmgr}/{step.object}" in self._transmission and "transmission queue" not in said:
            said = said.replace(f"{step.object} of {step.qmgr}", f"the transmission queue {step.object} of {step.qmgr}")
        if step.qmgr in self._devices and step.mqmd:
            said = said.replace(f", priority {step.mqmd[0]}", "")
        by_qmgr = step.qmgr in self._ambiguous and said.startswith(f"{step.qmgr} ")
        if by_qmgr or step.kind in ("start", "stop") or (step.kind == "alter" and not step.object):
            said = f"queue manager {said}"
        return _NUMBER.sub(lambda found: f"message {self._called(int(found[1]))}", said)

    def _briefly(self, row: Event, bare: bool = False) -> str:
        """A row without what follows it, and if it is `bare` without its reason."""
        facts = {name: value for name, value in row.facts.items() if name not in ("why", "because")}
        return told(row._replace(detail=json.dumps(facts)) if bare else row, self._several, then=False)

    def _called(self, number: int) -> str:
        """A message's data in quotes where it is text, its number where it is not."""
        label = self.scene.label(number)
        return repr(label) if label.isprintable() and label.strip() else str(number)

    def _before(self, time_us: int, seq: int) -> None:
        """The shots that ended before a row, and the lifetimes that ended before it."""
        for shot in self.lab.shots[self._told_shots :]:
            if shot.seq > seq or (self.end_us is not None and shot.time_us > self.end_us):
                break
            self._due(shot.time_us)
            self._told_shots += 1
            if shot.time_us >= self.start_us:
                self._add(Step(self._state.seq, shot.time_us, kind="shot", said=shot.title))
                n, after = len(self.steps) - 1, self.shots[-1].step + 1 if self.shots else 0
                first = bisect_left(self.steps, shot.since, key=lambda step: step.seq) if shot.since < shot.seq else n
                members = range(max(first, after) if first < n else after, n + 1)
                self.shots.append(Stop(n, shot.say, "", tuple(members), shot.focus, shot.title, first))
        self._due(time_us)

    def _due(self, time_us: int) -> None:
        """A step for each lifetime that ends up to a moment, on a queue where its message still is."""
        while self._lifetimes and self._lifetimes[0][0] <= time_us:
            expires, ended = self._lifetimes[0][0], []
            while self._lifetimes and self._lifetimes[0][0] == expires:
                _, number, key = heappop(self._lifetimes)
                queue = self._state.queues.get(key)
                message = queue.messages.get(number) if queue is not None else None
                if message is not None and message.expires_us == expires and (message, key) not in ended:
                    ended.append((message, key))
            self._touched |= {key for _, key in ended}  # those that end at one moment have ended together
            for message, (qmgr, name) in ended:
                if expires < self.start_us or not self._chosen(qmgr, message.number):
                    continue
                where = f"{name} of {qmgr}" if self._several else name
                said = f"message {message.number} on {where} expired; it stays on the queue and still counts"
                rule = "" if qmgr in self._devices else "EXP-02"
                about = (qmgr, "expire", name, message.number, message.persistent, said, rule)
                self._add(Step(self._state.seq, expires, *about, self._step_before(message.seq), "expire"))

    def _take(self, event: Any) -> None:
        """Apply one row, and make it a step unless it is left out."""
        if event.time_us >= self.start_us and event.seq >= self._setup:
            self._begin()
        self._next = event.seq + 1
        self._state.apply(event)
        came = self._later.get(event.seq, [])
        self._came += came
        self._absent.difference_update(_ids(event.qmgr, event.object, event.object_type, event.program))
        self._absent.difference_update(end for edge in came for end in edge[:2] if end in self._strings)
        key = (event.qmgr, event.object)
        first = self._note(event, key)
        before = self._behind(event)
        if event.kind == "get" and event.message is not None:
            self._last_get[event.message] = event
        if event.time_us < self.start_us or event.seq < self._setup or not self._chosen(event.qmgr, event.message):
            return
        if self._between_repositories(event):
            return
        queue = self._queues.get(key)
        held = self._state.queues.get(key)
        full = queue is not None and held is not None and 0 < limit_of(queue, held) <= held.depth
        sort = interest_of(event, full, first, self._waits(event))
        if not sort and {event.kind, "*"} & self.without:
            self.left_out += 1
            return
        about = (event.qmgr or "", event.kind, event.object or "", event.message, bool(event.persistent))
        why = (told(event, self._several), event.rule or "", self._step_before(event.cause), sort)
        by = (self._ways.journey(event, before), event.program or "", self._mqmd(event))
        if traces := traces_of(event, self._nodes):
            self.traces[len(self.steps)] = traces
        self._add(Step(event.seq, event.time_us, *about, *why, *by), event.seq)

    def _between_repositories(self, event: Any) -> bool:
        """Whether a row is about a message that repository managers send each other, or a step of their work."""
        own = event.program == REPOSITORY_MANAGER and event.kind != "cluster"
        if own and event.kind == "put" and event.message not in self._last_get:
            self._flows.add(event.message)  # not one that moves to another instance
        return self.messages is None and (event.message in self._flows or (own and event.message is None))

    def _note(self, event: Any, key: tuple[str, str]) -> bool:
        """Remember what a row touches; whether it brought a queue its first message."""
        if event.object_type != "CHANNEL" and event.object is not None:
            self._touched.add(key)
        self._moved |= event.kind not in _OF_QUEUES
        if event.kind == "program":
            self._acted.add((event.qmgr, event.program))
        if event.uow is not None and event.object is not None:
            self._units.setdefault(event.uow, set()).add(key)
        if event.kind in ("commit", "backout") and event.uow is not None:
            self._touched |= self._units.pop(event.uow, set())
        if event.kind in ("start", "stop"):
            self._touched |= {place for place in self._queues if place[0] == event.qmgr}
        if event.kind not in _COMES or event.reason is not None:
            return False
        queue = self._state.queue(*key)
        number = queue.number_of(event)
        message = queue.messages.get(number)
        if message is not None and message.expires_us is not None:
            heappush(self._lifetimes, (message.expires_us, number, key))
        first = key not in self._had
        self._had.add(key)
        return first and event.kind == "put"

    def _mqmd(self, event: Event) -> tuple:
        """The descriptor of a row's message as in `Step`; () for a row without one."""
        if event.message is None or event.priority is None:
            return ()
        place = (event.message, event.qmgr, event.object)
        if event.kind in ARRIVES and "to" in event.facts:
            self._headers[place] = event.facts["to"]
        return event.priority, event.expiry_left, event.put_us, event.uow, self._headers.get(place)

    def _waits(self, event: Event) -> bool:
        """Whether a row puts a message on a queue from which a cut link or a channel lets nothing go."""
        ends = self._ways.beyond.get(f"{event.qmgr}/{event.object}", ()) if event.kind in ARRIVES else ()
        links, channels = self._state.links, self._frame.channels
        return any(
            not links.get((min(event.qmgr or "", partner), max(event.qmgr or "", partner)), True)
            or (channel in channels and channels[channel].state in ("RETRYING", "STOPPED"))
            for channel, partner in ends
        )

    def _behind(self, event: Event) -> Event | None:
        """The row that a journey goes on from: the get at the other end, or the row that caused it."""
        if event.kind == "put" and event.message in self._last_get:
            return self._last_get[event.message]
        if event.kind in ARRIVES and event.cause is not None and event.cause < len(self.lab.events):
            return self.lab.events[event.cause]
        return None

    def _chosen(self, qmgr: str | None, message: int | None) -> bool:
        """Whether steps about this queue manager and this message are shown."""
        if self.scene.qmgr not in (None, qmgr):
            return False
        return self.messages is None or message is None or message in self.messages

    def _begin(self) -> None:
        """Make the beginning the first step, unless there are steps already."""
        if not self.steps:
            self._add(Step(self._state.seq, self.start_us, kind="begin", said="the beginning"))

    def _step_before(self, cause: int | None) -> int:
        """The step of the row that led to a step; of the nearest that has one where that was left out; -1 for none."""
        while cause is not None and cause not in self._step_of:
            cause = self.lab.events[cause].cause
        return -1 if cause is None else self._step_of[cause]

    def _add(self, step: Step, seq: int | None = None) -> None:
        """Add a step, and the parts of the picture that look otherwise than before."""
        if step.kind not in ("begin", "shot"):
            self._begin()
        number = len(self.steps)
        self.steps.append(step)
        if seq is not None:
            self._step_of[seq] = number
        self._update(step.time_us, number)

    def _update(self, time_us: int, number: int) -> None:
        """Bring the frame up to the state, and note what is true of each object from step `number` on."""
        everything = number == 0
        queues = self._queues.values() if everything else [self._queues[k] for k in self._touched if k in self._queues]
        moved = self.outline.programs if self._moved or everything else ()
        programs = tuple(p for p in moved if p.chltype or everything or (p.qmgr, p.name) in self._acted)
        edges = [*self._came, *(edge for key in self._touched for edge in self._by_name.get(key, ()))]
        since = self.outline.since if everything else {edge: self.outline.since[edge] for edge in edges}
        small = self.outline._replace(queues=tuple(queues), programs=programs, since=since)
        self._state.time_us = time_us
        now = self.scene.frame_of(self._state, time_us, small)._replace(waiting=frozenset())  # the log is more exact
        self._frame.queues.update(now.queues)
        self._frame.channels.update(now.channels)
        self._frame = now._replace(outline=self.outline, queues=self._frame.queues, channels=self._frame.channels)
        for id in self._absent & now.queues.keys():  # names can be defined later, which the state does not contain
            self._frame.queues[id] = self._frame.queues[id]._replace(defined=False)
        self._touched, self._acted, self._came, self._moved = set(), set(), [], False
        found = facts_of(now) | {"summary": self._frame.summary}
        for id in self._absent & (set(self.outline.nodes) if everything else set(found)):
            found[id] = None
        for id in self._waiting - self._absent:  # it has come to exist
            found.setdefault(id, True)
        self._waiting = set(self._absent)
        for id, fact in found.items():
            track = self.facts.setdefault(id, [])
            if not track or track[-1][1] != fact:
                track.append((number, fact))

    def step_at(self, at: At) -> int:
        """The last step up to a moment, written as for `lab_picture`; LabError as there."""
        time_us = moment_us(self.scene.start, at)
        return max(0, bisect_right(self.steps, time_us, key=lambda step: step.time_us) - 1)

    def step_of_row(self, seq: int) -> int:
        """The last step up to row `seq`."""
        return max(0, bisect_right(self.steps, seq, key=lambda step: step.seq) - 1)

    def frame(self, number: int) -> TopologyFrame:
        """The frame of a step, replayed from the log."""
        step = self.steps[number]
        state = self.lab.state(seq=step.seq) if step.seq >= 0 else State()
        state.time_us = step.time_us
        frame = self.scene.frame_of(state, step.time_us)
        facts = self.facts_at(number)
        for id in [id for id in frame.queues if facts.get(id) is None]:  # its first row is still to come
            frame.queues[id] = frame.queues[id]._replace(defined=False)
        waiting = frozenset(p.id for p in self.outline.programs if facts.get(p.id) is None)
        return frame._replace(waiting=waiting, traces=self.traces_at(number))

    def traces_at(self, number: int, members: Iterable[int] = ()) -> tuple[Trace, ...]:
        """The marks of a step's events in its picture: at a stop, those of all its steps, which are `members`."""
        members = members or next((stop.members for stop in self.stops if stop.step == number), (number,))
        return tuple(chain.from_iterable(self.traces.get(step, ()) for step in members))

    def facts_at(self, number: int, members: Iterable[int] = ()) -> dict[str, Any]:
        """The facts of a step, by the ids of the plan; None for an object that is not there yet. `members` as for
        `traces_at`."""
        found = {}
        for id, track in self.facts.items():
            place = bisect_right(track, number, key=lambda entry: entry[0])
            if place:
                found[id] = track[place - 1][1]
        for trace in self.traces_at(number, members):
            found.setdefault(f"trace:{trace.id}", []).append(trace)
        return found

    def picture(self, number: int) -> Picture:
        """The picture at a step."""
        return self.scene.draw(self.frame(number), self.places())

    def places(self) -> Places:
        """The places of everything, the same at every step, with the most important parts of the last step open."""
        if self._places is None or self._places[0] != len(self.steps):
            self._places = len(self.steps), places_of(self._frame, self.screen)
        return self._places[1]

    def columns(self, since: int = 0) -> dict:
        """The steps from step `since` on as JSON values; from 0 on with the values that never change.

        `facts` has (step, fact) of each id, end to end (`mqlab.views.drawing.topology`); `traces` are step and trace;
        `story` has the stops of the whole recording, whatever `since` is.
        """
        steps = self.steps[since:]
        later = {id: [entry for entry in track if entry[0] >= since] for id, track in self.facts.items()}
        found: dict[str, Any] = {
            "since": since,
            "steps": {name: [getattr(step, name) for step in steps] for name in Step._fields},
            "rules": {id: RULES[id].title for id in sorted({step.rule for step in steps if step.rule in RULES})},
            "facts": {id: list(chain.from_iterable(entries)) for id, entries in later.items() if entries},
            "story": [list(stop) for stop in self.stops],
            "traces": [[n, *trace] for n, traces in self.traces.items() if n >= since for trace in traces],
            "left_out": self.left_out,
        }
        if not since:
            places = self.places()
            last = {id: track[-1][1] for id, track in self.facts.items()}
            found |= {
                "start": self.scene.start.isoformat(),
                "plan": plan_of(self.outline),
                "first": last,
                "view": places.view,
                "scene": places.scene,
                "tall": None if places.opens else places_of(self._frame, UPRIGHT).scene,  # else the page lays it out
                "depth": self.depth,
            }
        return found

    def packed(self, since: int = 0) -> bytes:
        """`columns` as JSON, compressed with gzip; the same steps give the same bytes."""
        text = json.dumps(self.columns(since), separators=(",", ":"), ensure_ascii=False)
        return gzip.compress(text.encode("utf-8"), 9, mtime=0)


def _setup(lab: Lab) -> int:
    """The number of rows of the first moment before one that has a message or explains something."""
    first_us = next((row.time_us for row in lab.events), 0)
    for row in lab.events:
        if row.time_us > first_us or row.message is not None or row.kind == "publish" or interest_of(row):
            return row.seq
    return len(lab.events)


def _queues(outline: Outline, names: Iterable[str]) -> list[str]:
    """The ids of queues by their names or ids; LabError for a name that no queue has."""
    require("depth", names, Iterable, 'a list of queues, such as ["QM1/ORDERS"]')
    found = {name: [queue.id for queue in outline.queues if name in (queue.id, queue.name)] for name in names}
    for name in (name for name, ids in found.items() if not ids):
        raise LabError(f"depth must be queues of this lab, by name or as QM1/ORDERS; got {name!r}")
    return list(chain.from_iterable(found.values()))


def _watched(rows: Iterable[Event], count: int) -> Iterable[Event]:
    """Rows, with a progress bar on the screen while there are many."""
    if count < LONG:
        return rows
    from tqdm.auto import tqdm

    return tqdm(rows, total=count, unit=" events", disable=None, leave=False)


def _ids(qmgr: str | None, name: str | None, type: str | None, program: str | None) -> list[str]:
    """The ids that the object and the program of a row can have in a topology."""
    part = {"CHANNEL": "channel:", "TOPIC": "topic:"}.get(type or "", "")
    return [f"{qmgr}/{part}{name}", f"{qmgr}/app:{program}", f"{qmgr}/channel:{program}"]


def _numbers(lab: Lab, messages: Any) -> frozenset[int]:
    """The numbers of messages; LabError for one that the log does not know."""
    require("messages", messages, Iterable, "a list of messages, such as [1, 2]")
    numbers: frozenset[Any] = frozenset(getattr(message, "number", message) for message in messages)
    unknown = numbers - set(lab.events.column("message"))
    if unknown or not numbers:
        raise LabError(
            f"messages must be numbers or Message objects that lab.events knows; got {sorted(map(str, unknown))}"
        )
    return numbers
