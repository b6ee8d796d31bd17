"""The lab as people use it: the engine's, with what its extras and the rooms above it add."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack
from warnings import warn

from ..engine import lab as engine
from ..engine.words.arguments import checked, require
from ..engine.words.constants import CURRENT_LEVEL
from ..engine.words.errors import LabError
from ..engine.words.shown import shown
from ..engine.world.clock import MOMENT_LIMIT
from ..engine.world.interrupts import whole
from .event_log import EventLog
from .extras import room
from .queue_manager import QueueManager

if TYPE_CHECKING:
    import networkx as nx

    from ..everyplace.qmgr import QueueManager as EveryplaceQueueManager
    from ..gates.answer import Answer
    from ..gates.attempt import Keys
    from ..ibmmq.session import Session
    from ..sharing.group import QueueSharingGroup
    from ..views.player.duel import Futures
    from .application import Application
    from .branching import Shot
    from .clients import CertificateFacts, ClientFacts
    from .scenarios import Scenario


MANY_ROWS = 500_000
"""So many rows of one call to `Lab.advance` are worth a warning: about 150 MB."""


@shown
class Lab(engine.Lab):
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

    _makes = QueueManager
    _writes = EventLog
    events: EventLog

    def __init__(
        self, seed: int = 0, start: str = "2025-01-06T09:00:00Z", record: bool = True, moment_limit: int = MOMENT_LIMIT
    ):
        super().__init__(seed, start, record, moment_limit)
        self.groups: dict[str, QueueSharingGroup] = {}
        # the function it was played from; for a branch, where it left the story, and the refusal that ended that
        self.story, self.branched_us, self.broken_off = None, None, None
        self.changes: list[tuple[int, Callable[[Lab], object]]] = []  # of a branch: when, and what
        self.retold = False  # while the story of a branch runs, except in a change
        self.shots: list[Shot] = []
        self.key_repositories: dict[str, Keys] = {}  # by the name that a program gives in KeyRepository of MQSCO

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
        `mqlab.engine.queues.queue_manager.QueueManager`.

        With `developer` it has the objects of IBM's container for developers: DEV.QUEUE.1 to 3, DEV.DEAD.LETTER.QUEUE,
        DEV.BASE.TOPIC, DEV.APP.SVRCONN, DEV.ADMIN.SVRCONN, and more; and users app and admin, whose password is
        `password` if `users` names no others. LabError with a platform or level that lacks these objects.
        """
        if developer:
            from .developer import define_developer_objects, developer_settings

            self._require_new(name)
            with room("gates"):
                from .. import gates  # noqa: F401  the script sets records of authority
            with room("pubsub"):
                from .. import pubsub  # noqa: F401  and defines a topic
            settings = developer_settings(platform, level, settings)
        make = super().queue_manager

        def create() -> QueueManager:
            make(name, platform, level, **settings)
            qmgr: QueueManager = self._queue_managers[name]
            if developer:
                define_developer_objects(qmgr)
            return qmgr

        return whole(create)

    def _require_new(self, name: str) -> None:
        super()._require_new(name)
        if name in list(self.groups):
            raise LabError(f"queue manager must have a name of its own; {name} is a queue sharing group of this lab")

    @property
    def queue_managers(self) -> list[QueueManager]:
        """Its queue managers, in the order in which they were created."""
        return list(self._queue_managers.values())

    def cut(self, near: str, other: str, *, silent: bool = False) -> None:
        """Cut the path between two queue managers: what is on its way is lost. Or, with the name of a client program as
        `near`, that of the client to its queue manager: its connections break, and its calls get 2009 (NET-02).

        Channels find a cut at once. If it is `silent`, nobody is told: what is sent waits, and each end goes on until
        HBINT tells it (CHL-18, REC-07). LabError if there is no such link or client, or it is cut.
        """
        if silent is True and self._is_client(near, other) and (near, other) not in self.network.cut_clients:
            with room("admin"):
                from ..admin import silence
            silence.cut(self[other], near)
        elif not self._changed_to(False, near, other):
            super().cut(near, other, silent=silent)

    def restore(self, near: str, other: str) -> None:
        """Restore the link between two queue managers, or that of a client program to one. LabError if there is none,
        or it is not cut."""
        if not self._changed_to(True, near, other):
            super().restore(near, other)
            if self._is_client(near, other):
                from ..admin import silence

                silence.restore(self[other], near)

    def _changed_to(self, up: bool, near: str, other: str) -> bool:
        """Whether a change has left the story nothing to do: it cut or restored the link before the story does."""
        path = self.network.path(near, other) if self.retold and not self._is_client(near, other) else None
        return path is not None and path.up == up

    def advance(self, seconds: float) -> None:
        """Let `seconds` of simulated time pass; everything due in that time happens, in order. A UserWarning says so if
        that fills the event log."""
        before = self.events.next_seq
        super().advance(seconds)
        if (added := self.events.next_seq - before) > MANY_ROWS:
            last = self.events[-1] if self.events else None
            about = f", the last of kind {last.kind} at {last.qmgr}" if last else ""
            warn(f"{seconds:g} s of simulated time wrote {added:,} rows{about}; they stay in memory", stacklevel=2)

    def topology(self, view: str = "") -> nx.MultiDiGraph | nx.DiGraph:
        """The graph of this lab as it is defined now, with the programs in its event log (`mqlab.topology.graph`). The
        view "routes" is a DiGraph of the hops that messages can take (`mqlab.topology.routes`). SYSTEM objects are left
        out unless something refers to them or uses them. LabError for another view."""
        with room("topology"):
            from ..topology.routes import seen_as

        return seen_as(self, view)

    def ibmmq(self, program: str = "python") -> AbstractContextManager[Session]:
        """A ``with`` block in which IBM's Python library runs on this lab: ``import ibmmq``, unmodified, connects to
        the lab's queue managers; no MQ client and no network are used. `program` is the name of the application.

        In the block, the clocks of the module time, its sleep, and the timeouts of threads follow the lab's clock. A
        connection that is still open when the block ends is ended without MQDISC. A call that mqlab does not simulate
        returns 2298, and one of the session's `notes` gives the reason.
        """
        with room("ibmmq"):
            from ..ibmmq.library import served

        return served(self, program)

    def connect(
        self,
        program: str,
        name: str = "",
        *,
        ccdt: dict[str, Any] | str | Path,
        user: str = "app",
        password: str | None = None,
        options: int = 0,
        reconnect: str = "",
        on_event: Callable[[int], object] | None = None,
        **facts: Unpack[ClientFacts],
    ) -> Application:
        """A client by name that finds its queue manager in a CCDT in JSON: a dict, its text, or the path of its file.

        `name` is the name of a queue manager, or ``*GROUP`` for any one of the entries with queueManager GROUP. A host
        is one that `address` defined, or has the name of a queue manager; `name` itself is what another host leads to.
        The rest as `QueueManager.connect`. MQError 2058 for a name that no entry has, 2059 if nobody of a group lets
        the client in, and those of `QueueManager.connect`; LabError for a table that is none.
        """
        from .ccdt import connect
        from .clients import client_with

        client = client_with(None, facts, on_event)
        require("program", program, str, "the name of a program")
        require("name", name, str, "the name of a queue manager, or *GROUP")
        given: dict[str, Any] = {"user": user, "password": password, "options": options, "reconnect": reconnect}
        connected: Application = connect(self, program, name, ccdt, client, given)
        return connected

    @checked
    def client_keys(
        self, subject: str = "", *, trusts: Sequence[str] = (), readable: bool = True, **facts: Unpack[CertificateFacts]
    ) -> Keys:
        """A key repository for the clients of `QueueManager.connect`: with one certificate, as for
        `QueueManager.certificate`, or none without a subject; with the issuers that it trusts; and `readable` if its
        password is known."""
        with room("gates"):
            from .keys import Keys, certificate, names

        return Keys((certificate(self, subject, **facts),) if subject else (), names(*trusts), readable)

    def everyplace(self, name: str) -> EveryplaceQueueManager:
        """Create and start an MQ Everyplace queue manager; LabError if the lab has a queue manager of that name."""
        self._require_new(name)
        with room("everyplace"):
            from ..everyplace.qmgr import QueueManager as EveryplaceQueueManager

        def create() -> EveryplaceQueueManager:
            self.others[name] = qmgr = EveryplaceQueueManager(self, name)
            return qmgr

        return whole(create)

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
        with room("sharing"):
            from ..sharing import group

        return group.make(self, name, members, intra_group_queuing)

    @property
    def queue_sharing_groups(self) -> list[QueueSharingGroup]:
        """Its queue sharing groups, in the order in which they were made."""
        return list(self.groups.values())

    def why_refused(self, program: str, as_if: dict[str, object] | None = None) -> Answer:
        """Why the last attempt of a program that was refused was refused: a `mqlab.gates.answer.Answer`, with each gate
        as passed, refused, or not reached, the record that decided, the lines of both error logs, and the commands that
        open this gate and no more.

        With `as_if` the program tries again with other facts, which leaves no trace: `user`, `password`, `channel`, and
        the fields of a `mqlab.gates.attempt.Client`, such as `address`. LabError for a program that was neither refused
        nor is connected, and for other facts.
        """
        with room("gates"):
            from ..gates.answer import why_refused

        require("program", program, str, "the name of a program")
        require("as_if", as_if, dict | None, 'a dict of facts, such as {"address": "10.0.0.7"}')
        return why_refused(self, program, as_if)

    def shot(self, title: str, say: str = "", focus: Sequence[str] | str = ()) -> Shot:
        """Make what happens in a `with` block one stop of this lab's story: its player, slides, and film stop at the
        end of the block, show `title` and `say`, and frame the objects in `focus`, by their names or keys in
        `lab.topology()`. Without `with`, the stop is here, after all that happened since the stop before.

        A lab with shots has no other stops. Without `say` the first line of `title` is the title, and those below are
        the words. A shot is no row of the log. LabError for an object that is not there, and unless both are text."""
        from .branching import shot

        return shot(self, title, say, focus)

    def play(self, story: Callable[[Lab], object]) -> None:
        """Tell a story, `story(lab)`, in this empty lab, and remember it for `branch`; LabError if it is not empty.

        A story uses only its lab, so that it can run again in another lab.
        """
        from .branching import play

        play(self, story)

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
        require("at", at_us, int, "a datetime, or whole microseconds since the start")
        from .branching import branch

        return branch(self, at_us, change)

    def compare(self, other: Lab, words: str = "what if") -> Futures:
        """Compare this lab with another, such as a branch of it: a `mqlab.views.player.duel.Futures`. A notebook shows
        it as a question, and behind it pictures, the score, tables of the differences, and the two logs; `words`
        describe the change."""
        with room("views"):
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
        with room("views"):
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
        depth: Sequence[str] = (),
        positions: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
        colors: Mapping[str, str] | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> Path:
        """Write what happened as one self-contained HTML file of under 2 MB, to be played without Python or a network;
        its path.

        `qmgr` is one queue manager instead of all; `start` and `end` a stretch, each a time such as "09:00:05", a
        datetime, or seconds since the start; `messages` the messages, or their numbers, to show; `lifecycle` an SVG
        text to show with it; `depth` queues, such as "QM1/ORDERS", whose depth is drawn below the picture; the rest as
        for `lab_picture`. If a log is too long, the rows that explain least are left out, and the page gives their
        number. LabError for a path that is not .html, for unknown names, and if the page is still too long.
        """
        with room("views"):
            from ..views.frames.look import Look
            from ..views.player.player import save_player

        chosen = {"qmgr": qmgr, "start": start, "end": end, "messages": messages}
        return save_player(self, path, title, lifecycle, depth, **chosen, look=Look(positions, groups, colors, notes))

    def save_story(
        self,
        path: str | Path,
        *,
        shot: int | str | None = None,
        qmgr: str | None = None,
        start: Any = None,
        end: Any = None,
        messages: Sequence[Any] | None = None,
        title: str | None = None,
        dark: bool = False,
    ) -> Path:
        """Write what happened for a talk or a page: .pptx, a slide a stop with speaker notes, of shapes that can be
        changed; or .gif, a film of under 2 MB. Its path.

        `shot` is one shot, by its number from 1 on or its title; the rest as for `save_player`, and `dark` for
        dark colors. LabError for any other name, for what the lab has not, for a story that is too long, and where
        python-pptx, Pillow or vl-convert, which write these, are not installed.
        """
        with room("views"):
            from ..views.player.takeaway import save_story

        return save_story(self, path, shot, title, dark, qmgr=qmgr, start=start, end=end, messages=messages)
