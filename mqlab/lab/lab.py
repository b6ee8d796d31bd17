"""The lab: queue managers on one simulated clock with one event log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..explain import life
from ..explain import topology as graph
from ..explain import why_not_delivered as delivery
from ..explain.replay import Replay, State
from ..mq.arguments import checked
from ..mq.constants import CURRENT_LEVEL
from ..mq.errors import LabError
from ..mq.objects import legal_name
from ..mq.shown import shown
from ..qmgr import broken
from ..qmgr.message import LABELED
from ..sim.clock import Clock, microseconds
from ..sim.events import EventLog
from ..sim.guard import MOMENT_LIMIT, Guard
from ..sim.network import Link, Network
from . import branching
from .queue_manager import QueueManager

if TYPE_CHECKING:
    from ..everyplace.qmgr import QueueManager as EveryplaceQueueManager
    from ..ibmmq.session import Session
    from ..sharing.group import QueueSharingGroup
    from ..views.player.duel import Futures
    from .scenarios import Scenario

LAST = datetime.max.replace(tzinfo=UTC)


@shown
class Lab:
    """A simulated world: the same calls with the same seed give the same event log, byte for byte.

    `start` is the simulated UTC time at which the clock is at 0; `record=False` leaves the event log empty, for
    measuring what it costs. `moment_limit` is the most steps of the clock at one moment during which no messages become
    fewer; then RunawayTrigger stops programs that keep each other busy. LabError for a start that is not an ISO 8601
    time, or for another value that is not a whole number.

    >>> lab = Lab(seed=0, start="2025-01-06T09:00:00Z")
    >>> qm = lab.queue_manager("QM1")
    >>> qm.mqsc("DEFINE QLOCAL(ORDERS)").ok
    True
    >>> qm.put("ORDERS", b"hello", expiry=50).expiry
    50
    >>> lab.advance(2)
    >>> qm.get("ORDERS").expiry
    30
    """

    def __init__(
        self, seed: int = 0, start: str = "2025-01-06T09:00:00Z", record: bool = True, moment_limit: int = MOMENT_LIMIT
    ):
        if type(seed) is not int:
            raise LabError(f"seed must be a whole number; got {seed!r}")
        try:
            moment = datetime.fromisoformat(start)
        except (TypeError, ValueError):
            raise LabError(f'start must be a time such as "2025-01-06T09:00:00Z"; got {start!r}') from None
        self.seed = seed
        self.start: datetime = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        self.guard = Guard(self, moment_limit)
        self.clock = Clock(self.guard.count)
        self.events = EventLog(self.start.isoformat(), record)
        self.network = Network(self.clock, self.events)
        self._queue_managers: dict[str, QueueManager] = {}
        self.others: dict[str, Any] = {}  # what else has a name here: queue managers of other products
        self._groups: dict[str, QueueSharingGroup] = {}
        # identities of messages and numbers of units of work, each unique in the lab
        self.next_message, self.next_unit = count(1).__next__, count(1).__next__
        self.labels = [b""] * LABELED  # by a message's number, the beginning of its data: what a picture calls it
        self._replay = Replay(self.events)
        # the function it was played from; for a branch, where it left the story, and the refusal that ended that
        self.story, self.branched_us, self.broken_off = None, None, None
        self.changes: list[tuple[int, Callable[[Lab], object]]] = []  # of a branch: when, and what
        self.retold = False  # while the story of a branch runs, except in a change
        self.chapters: list[branching.Chapter] = []
        self.last_stamp = (-1, b"")  # the moment whose PutDate and PutTime were last asked for, and these

    def _moment(self, time_us: int) -> int:
        """The time as it is; LabError if no calendar reaches so far."""
        if time_us > (LAST - self.start) // timedelta(microseconds=1):
            raise LabError(f"time must be before the year 10000; got {time_us} us after {self.start:%Y-%m-%d}")
        return time_us

    @property
    def now(self) -> datetime:
        """The simulated time, UTC."""
        return self.start + timedelta(microseconds=self.clock.time_us)

    @property
    def now_us(self) -> int:
        """The simulated time in microseconds since the lab's start."""
        return self.clock.time_us

    def advance(self, seconds: float) -> None:
        """Let `seconds` of simulated time pass; everything due in that time happens, in order."""
        self.clock.advance_to(self._moment(self.clock.time_us + microseconds(seconds)))

    def advance_to(self, time_us: int) -> None:
        """Let time pass until `time_us`, microseconds since the lab's start; LabError if that is in the past."""
        if type(time_us) is not int:
            raise LabError(f"time_us must be whole microseconds since the start; got {time_us!r}")
        self.clock.advance_to(self._moment(time_us))

    def run(self, max_seconds: float | None = None) -> None:
        """Let time pass until nothing is left to happen, at most `max_seconds`."""
        longest = None if max_seconds is None else microseconds(max_seconds, "max_seconds")
        self.clock.settle(None if longest is None else self.clock.time_us + longest)

    def close(self) -> None:
        """End every remaining program where it waits, as `Program.stop` does; the log records it.

        Use it if you make labs by the hundred: a program that waits keeps all of its lab in memory, out of the garbage
        collector's sight, as long as this process lasts. A web page does this by itself for labs that nothing holds.
        LabError if the caller cannot resume the programs; all of them go on.
        """
        self.clock.passing.require_able()
        for program in [each for qmgr in self.queue_managers for each in qmgr.programs_running]:
            program.stop()

    def queue_manager(
        self,
        name: str,
        platform: str = "distributed",
        level: int = CURRENT_LEVEL,
        *,
        developer: bool = False,
        **settings: Any,
    ) -> QueueManager:
        """Create and start a queue manager; LabError if the lab has one of that name. `settings` are those of
        `mqlab.qmgr.engine.Engine`.

        With `developer` it has the objects of IBM's container for developers: DEV.QUEUE.1 to 3, DEV.DEAD.LETTER.QUEUE,
        DEV.BASE.TOPIC, DEV.APP.SVRCONN, DEV.ADMIN.SVRCONN, and more; and users app and admin, whose password is
        `password` if `users` names no others. LabError with a platform or level that lacks these objects.
        """
        self._require_new(name)
        if developer:
            from .developer import developer_settings

            settings = developer_settings(platform, level, settings)
        qmgr = QueueManager(self, name, platform, level, **settings)
        self._queue_managers[name] = qmgr
        if developer:
            from .developer import define_developer_objects

            define_developer_objects(qmgr)
        return qmgr

    def ibmmq(self, program: str = "python") -> AbstractContextManager[Session]:
        """A ``with`` block in which IBM's Python library runs on this lab: ``import ibmmq``, unmodified, connects to
        the lab's queue managers; no MQ client and no network are used. `program` is the name of the application.

        In the block, the clocks of the module time, its sleep, and the timeouts of threads follow the lab's clock. A
        connection that is still open when the block ends is ended without MQDISC. A call that mqlab does not simulate
        returns 2298, and one of the session's `notes` gives the reason.
        """
        from ..ibmmq.library import served

        return served(self, program)

    def link(self, one: str, other: str, latency: float = 0.0, counts_flight: bool = False) -> Link:
        """Create a link between two queue managers, or change the one there is.

        `latency` is seconds one way; with `counts_flight` channels take it off the lifetimes of messages (EXP-04).
        LabError for a queue manager that is not in the lab.
        """
        for name in (one, other):
            self[name]
        return self.network.link(one, other, latency, counts_flight)

    def cut(self, one: str, other: str) -> None:
        """Cut the path between two queue managers: what is on its way is lost. Or, with the name of a client program as
        `one`, that of the client to its queue manager: its connections break, and its calls get 2009 (NET-02).

        LabError if there is no such link or client, or it is cut.
        """
        if self._is_client(one, other):
            broken.cut(self.network, self._queue_managers[other], one)
        elif not self._changed_to(False, one, other):
            self.network.cut(one, other)

    def restore(self, one: str, other: str) -> None:
        """Restore the link between two queue managers, or that of a client program to one. LabError if there is none,
        or it is not cut."""
        if self._is_client(one, other):
            broken.restore(self.network, self._queue_managers[other], one)
        elif not self._changed_to(True, one, other):
            self.network.restore(one, other)

    def _changed_to(self, up: bool, one: str, other: str) -> bool:
        """Whether a change has left the story nothing to do: it cut or restored the link before the story does."""
        path = self.network.path(one, other) if self.retold else None
        return path is not None and path.up == up

    def _is_client(self, one: str, other: str) -> bool:
        """Whether the two ends of a link are a program and a queue manager."""
        texts = isinstance(one, str) and isinstance(other, str)
        return texts and other in self._queue_managers and one not in {*self._queue_managers, *self.others}

    def address(self, conname: str, name: str) -> None:
        """Say which queue manager a connection name, such as "hub.example(1414)", is the address of."""
        self[name]
        self.network.addresses[conname] = name

    def everyplace(self, name: str) -> EveryplaceQueueManager:
        """Create and start an MQ Everyplace queue manager; LabError if the lab has a queue manager of that name."""
        self._require_new(name)
        from ..everyplace.qmgr import QueueManager as EveryplaceQueueManager

        self.others[name] = qmgr = EveryplaceQueueManager(self, name)
        return qmgr

    def _require_new(self, name: str) -> None:
        if name in [*self._queue_managers, *self.others]:
            raise LabError(f"queue manager must be a new name; {name} is in this lab already: lab[{name!r}]")
        if name in list(self._groups):
            raise LabError(f"queue manager must have a name of its own; {name} is a queue sharing group of this lab")

    @property
    def everyplace_queue_managers(self) -> list[EveryplaceQueueManager]:
        """Its MQ Everyplace queue managers, in the order in which they were created."""
        return list(self.others.values())

    def queue_sharing_group(
        self, name: str, members: list[str], intra_group_queuing: bool = False
    ) -> QueueSharingGroup:
        """Make a queue sharing group of z/OS queue managers (QSG-01), by name; those the lab has not yet are created.

        With `intra_group_queuing` it is given SYSTEM.QSG.TRANSMIT.QUEUE, in structure CSQSYSAPPL, and IGQ is ENABLED on
        every member; a real group is given the queue by its administrator.

        LabError for a name that is taken or that no group can have, and for a member that is not on z/OS, does not run
        or is in a group already.
        """
        from ..sharing.group import QueueSharingGroup, legal_group_name

        texts = isinstance(members, (list, tuple)) and all(isinstance(each, str) for each in members)
        if not texts or not 0 < len(members) == len(set(members)):
            raise LabError(
                f'members must be names of queue managers, each once, such as ["QMA", "QMB"]; got {members!r}'
            )
        taken = (*self._groups, *self._queue_managers, *self.others, *members)
        if not legal_group_name(name) or name in taken:
            raise LabError(f"group name must be 1 to 4 of A-Z 0-9 @ # $, no digit first, new in this lab; got {name!r}")
        for each in members:
            known = self._queue_managers.get(each)
            if known is None and (not legal_name(each) or each in self.others or each in self._groups):
                raise LabError(f"member must be the name of a queue manager on z/OS, or a new one; got {each!r}")
            if known is not None and (known.platform != "zos" or known.group is not None or not known.running):
                raise LabError(f"member must be a running queue manager on z/OS that is in no group; got {known!r}")
        found = [self._queue_managers.get(each) or self.queue_manager(each, platform="zos") for each in members]
        group = self._groups[name] = QueueSharingGroup(self, name, found)
        if intra_group_queuing:
            group.igq.install()
        return group

    @property
    def queue_sharing_groups(self) -> list[QueueSharingGroup]:
        """Its queue sharing groups, in the order in which they were made."""
        return list(self._groups.values())

    @property
    def queue_managers(self) -> list[QueueManager]:
        """Its queue managers, in the order in which they were created."""
        return list(self._queue_managers.values())

    def __getitem__(self, name: str) -> Any:
        there = self._queue_managers | self.others
        try:
            return there[name]
        except (KeyError, TypeError):
            raise LabError(
                f"queue manager must be one of {', '.join(there) or 'none yet'}; got {name!r}. "
                f"lab.queue_manager({name!r}) makes it"
            ) from None

    explain = life.explain
    why_not_delivered = delivery.why_not_delivered
    topology = graph.topology

    def state(self, at: int | datetime | None = None, seq: int | None = None) -> State:
        """The state replayed from the event log: after every event up to `at` (microseconds since the start, or a
        datetime), or up to row `seq`; now if neither is given."""
        if at is not None and seq is not None:
            raise LabError("give at or seq, not both")
        time_us = self._time_us(at)
        if time_us is None and seq is None:
            time_us = self.now_us
        return self._replay.at(time_us=time_us, seq=seq)

    def _time_us(self, at: Any) -> Any:
        """A datetime in microseconds since the start; anything else as it is."""
        if not isinstance(at, datetime):
            return at
        return ((at.replace(tzinfo=UTC) if at.tzinfo is None else at) - self.start) // timedelta(microseconds=1)

    chapter = branching.chapter
    play = branching.play

    def scenario(self, name: str) -> Scenario:
        """Tell a named, ready demonstration in this empty lab: a `mqlab.lab.scenarios.Scenario`, with its `title`,
        `question` and `takeaways`; `mqlab.lab.scenarios.names()` lists them.

        LabError for a name that there is none of, with the nearest, and for a lab that is not empty.
        """
        from .scenarios import load

        return load(self, name)

    def branch(self, at: int | datetime, change: Callable[[Lab], object]) -> Lab:
        """Run the same story in another lab, but call `change(other)` at `at`, a datetime or microseconds since the
        start, after all events of that moment. The other lab runs to the same time as this lab.

        This lab stays as it is. If the change cuts or restores a link before the story does, the story's own call
        changes nothing. Any other refusal that the change brings upon the story itself, or the death of a program, ends
        the story there, and is the other lab's `broken_off`. A branch of a branch also has the earlier changes up to
        `at`. LabError for a lab without a story, a change that is no function, and a moment that is not the story's.
        Changes to this lab after its story are not repeated.
        """
        at_us = self._time_us(at)
        if type(at_us) is not int:
            raise LabError(f"at must be a datetime, or whole microseconds since the start; got {at!r}")
        return branching.branch(self, at_us, change)

    def compare(self, other: Lab, words: str = "what if") -> Futures:
        """Compare this lab with another, such as a branch of it: a `mqlab.views.player.duel.Futures`. A notebook shows
        it as a question, and behind it pictures, the score, tables of the differences, and the two logs; `words`
        describe the change."""
        from ..views.player.duel import Futures

        return Futures(self, other, words)

    def duel(
        self,
        story: Callable[..., object] | str,
        a: Callable[[Lab], object] | str | dict[str, Any] | None,
        b: Callable[[Lab], object] | str | dict[str, Any] | None,
        *,
        names: tuple[str, str] | None = None,
        at: int | datetime | None = None,
    ) -> Futures:
        """One story under two configurations on one clock: a `mqlab.views.player.duel.Futures`, with the score of both
        (`scores`), the `first_difference`, and `save(path)`, which writes one page that plays both side by side.

        `story` is a function of a lab, or the name of a scenario. `a` and `b` are each MQSC text, of which every
        command is run on the queue managers that take it; a function of the lab; a dict of keyword arguments for the
        story; or None for the story as it is. Text and functions are run when the story first lets time pass, when it
        has defined its objects, or at `at` as in `branch`. `names` are what the two are called.

        Both run in new labs with the seed and start of this one, which stays as it is. An error that ends a story is
        part of its result. LabError for any other side, and for a command that no queue manager accepts.

        >>> def orders(lab):
        ...     qm = lab.queue_manager("QM1")
        ...     _ = qm.mqsc("DEFINE QLOCAL(ORDERS)")
        ...     lab.advance(1)
        ...     for _ in range(3):
        ...         _ = qm.put("ORDERS", b"x")
        >>> duel = Lab().duel(orders, "ALTER QLOCAL(ORDERS) MAXDEPTH(2)", "ALTER QLOCAL(ORDERS) MAXDEPTH(5)")
        >>> [(score.waiting, score.refused) for score in duel.scores]
        [(2, 1), (3, 0)]
        """
        from . import duels

        return duels.duel(self, story, (a, b), names, None if at is None else self._time_us(at))

    def panel(self, interactive: bool = True) -> Any:
        """A dashboard of this lab (needs the notebook extras): its pictures through time, a console, and faults to
        inject; a `mqlab.views.widgets.panel.Panel`. With `interactive` False the pictures
        only, for readers without a kernel.
        """
        from ..views.widgets.panel import panel

        return panel(self, interactive)

    def save_player(
        self,
        path: str | Path,
        *,
        qmgr: str | None = None,
        start: Any = None,
        end: Any = None,
        messages: Sequence[Any] | None = None,
        title: str | None = None,
        lifecycle: str = "",
    ) -> Path:
        """Write what happened as one self-contained HTML file of under 2 MB, to be played without Python or a network;
        its path.

        `qmgr` is one queue manager instead of all; `start` and `end` a stretch, each a time such as "09:00:05", a
        datetime, or seconds since the start; `messages` the messages, or their numbers, to show; `lifecycle` an SVG
        text to show with it. If a log is too long, the rows that explain least are left out, and the page gives their
        number. LabError for a path that is not .html, for unknown messages, and if the page is still too long.
        """
        from ..views.player.player import save_player

        return save_player(self, path, title, lifecycle, qmgr=qmgr, start=start, end=end, messages=messages)

    def save_story(
        self,
        path: str | Path,
        *,
        chapter: int | str | None = None,
        qmgr: str | None = None,
        start: Any = None,
        end: Any = None,
        messages: Sequence[Any] | None = None,
        title: str | None = None,
        dark: bool = False,
    ) -> Path:
        """Write what happened for a talk or a page: .pptx, a slide a stop with speaker notes, of shapes that can be
        changed; or .gif, a film of under 2 MB. Its path.

        `chapter` is one chapter, by its number from 1 on or its title; the rest as for `save_player`, and `dark` for
        dark colors. LabError for any other name, for what the lab has not, for a story that is too long, and where
        python-pptx, Pillow or vl-convert, which write these, are not installed.
        """
        from ..views.takeaway.stories import save_story

        return save_story(self, path, chapter, title, dark, qmgr=qmgr, start=start, end=end, messages=messages)

    @checked
    def facts(self, place: tuple, seq: int) -> dict:
        """A queue (`place`: queue manager, queue, type) before and after the call of event row `seq`."""
        if not self.events.recording or place[2:] != ("QLOCAL",):
            return {}
        state = self._replay.at(seq=seq)
        facts, states = state.facts(*place[:2]), state.message_states(*place[:2])
        gone = [
            number
            for number, said in states.items()
            if said.startswith(("expired", "locked")) and self._discarded(number, seq)
        ]
        states |= dict.fromkeys(gone, "expired; this call discarded it")
        return facts | {"CURDEPTH after": facts["CURDEPTH"] - len(gone), "messages": states}

    def _discarded(self, number: int, seq: int) -> bool:
        """Whether the call of event row `seq` discarded this message."""
        return any(row.kind == "discard" and row.cause == seq for row in self.events.of_message(number))

    def __repr__(self) -> str:
        names = ", ".join([*self._queue_managers, *self.others]) or "no queue managers yet"
        return f"Lab({names}; {self.now:%Y-%m-%d %H:%M:%S} UTC, {len(self.events)} events)"
