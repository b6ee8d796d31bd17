"""The queue manager: objects, running queues, units of work, and the calls it answers."""

from __future__ import annotations

from functools import partial
from itertools import count
from struct import Struct

from ..explain.why_no_message import why_no_message
from ..mq.constants import CURRENT_LEVEL, MQAT_QMGR, PLATFORMS
from ..mq.errors import LabError
from ..mq.objects import Definition, ObjectTable, legal_name
from ..mq.structures import as_identifier
from ..qmgr import administration
from ..qmgr import dynamic_queues as dynamic
from ..qmgr import restart as failure
from ..qmgr.calls import Application, Calls, context_of
from ..qmgr.expiry import Scanner
from ..qmgr.message import Context, QueuedMessage
from ..qmgr.queue import Alias, LocalQueue, Remote, TopicAlias
from ..qmgr.reports import COA, COD, send_report
from ..qmgr.triggering import why_not_triggered
from ..qmgr.unit import UnitOfWork

__all__ = ["QueueManager"]


class QueueManager(Calls):
    """One queue manager of a lab. Its own put, get, browse and open are calls of an application without a name.

    `environment` holds the environment variables it was started with; `expiry_interval` is the seconds between its
    background scans (None: as platform and level have it; 0: never; a number: so many, whatever the level; on z/OS
    EXPRYINT decides); `expiry_granularity` is the tenths of a second that deadlines are rounded up to (EXP-06).
    """

    def __init__(
        self,
        lab,
        name: str,
        platform: str = "distributed",
        level: int = CURRENT_LEVEL,
        *,
        environment: dict | None = None,
        expiry_interval: int | None = None,
        expiry_granularity: int = 1,
    ):
        if not legal_name(name):
            raise LabError(f"queue manager name wanted: 1 to 48 of A-Z a-z 0-9 . _ / %; got {name!r}")
        if platform not in PLATFORMS:
            raise LabError(f"platform wanted: one of {', '.join(PLATFORMS)}; got {platform!r}")
        if type(level) is not int or level < 1:
            raise LabError(f"level wanted: a command level such as 530 or {CURRENT_LEVEL}; got {level!r}")
        for value, what, low in (
            (expiry_interval, "expiry_interval", 0),
            (expiry_granularity, "expiry_granularity", 1),
        ):
            if value is not None and (type(value) is not int or value < low):
                raise LabError(f"{what} wanted: a whole number, {low} or more; got {value!r}")
        self.environment, self.expiry_granularity = dict(environment or {}), expiry_granularity
        self.lab, self.clock, self.name, self.platform, self.level = lab, lab.clock, name, platform, level
        self.next_dynamic = count(1).__next__
        self.qmgr, self.caller, self.cause, self.running = self, None, None, True
        self.context = context_of(platform, "")
        self.own_context = Context(put_appl_type=MQAT_QMGR, put_appl_name=name[:28])
        self.attributes: dict = {}
        self.objects = ObjectTable()
        self.targets: dict[str, LocalQueue | Alias] = {}
        self.topic_aliases: dict[str, TopicAlias] = {}
        self.routes: dict[str, Remote] = {}  # what names of queues elsewhere led to, until a definition changes
        self.channels: dict = {}  # channels that have run or been operated, by (name, partner)
        self.channel_initiator = None
        self.units: dict[int, UnitOfWork] = {}
        self.handles: list = []
        self.programs: dict = {}  # APPLICID of a PROCESS to the function it starts
        self.programs_running: list = []
        self.pending: list[UnitOfWork] = []  # units of work that its failure left, for its restart
        self.group = None  # the queue-sharing group that it is a member of
        self.scanner = Scanner(self, expiry_interval)
        self.initiation_queues: set[str] = set()  # the names that queues set up for triggering give as INITQ
        # a MsgId of its own making: platform, queue manager's name, and the number of the message
        prefix = (b"CSQ " if platform == "zos" else b"AMQ ") + name.encode()[:12].ljust(12)
        self.new_id = partial(Struct(">16sQ").pack, prefix)
        administration.install(self)
        lab.events.write(
            self.clock.time_us,
            "start",
            (name, None, None),
            rule="MQI-16",
            detail={"platform": platform, "level": level, "system": [queue.name for queue in self.queues]},
        )

    def connect(self, program: str, *, user: str = "app") -> Application:
        """An application by name (MQCONN): the same calls, with `program` as the caller in the event log.

        `user`, of up to 12 characters, is the UserIdentifier of its messages.
        """
        return Application(self, program, user=user)

    def program(self, appl_id: str, function) -> None:
        """Say what a PROCESS with APPLICID(`appl_id`) starts: `function(app, trigger)`; `trigger.queue` and so on."""
        from ..programs.program import require_plain

        if not isinstance(appl_id, str) or not 1 <= len(appl_id) <= 256:
            raise LabError(f"appl_id wanted: the APPLICID of a PROCESS, 1 to 256 characters; got {appl_id!r}")
        require_plain(function, "app, trigger")
        self.programs[appl_id] = function

    def run_program(self, name: str, function, *args):
        """Start `function(app, *args)` as a program called `name`; it runs as the lab's time passes. A Program."""
        from ..programs.program import Program

        return Program(self, name, function, args)

    def trigger_monitor(self, initq: str):
        """Start a trigger monitor, a program, on an initiation queue; `.stop()` ends it."""
        from ..programs.trigger_monitor import trigger_monitor

        return trigger_monitor(self, initq)

    def dead_letter_handler(self, rules_text: str):
        """Start a dead-letter queue handler (runmqdlq), a program, with a rules table: see
        `mqlab.programs.dead_letter_handler`; `.stop()`."""
        from ..programs.dead_letter_handler import dead_letter_handler

        return dead_letter_handler(self, rules_text)

    def ims_bridge(self, queue: str, transaction):
        """Start the IMS bridge, a program, on a bridge queue of z/OS: `.stop()` ends it."""
        from ..programs.ims_bridge import ims_bridge

        return ims_bridge(self, queue, transaction)

    def xcoupler(self, release: str = "1.2"):
        """An xCoupler adapter that puts messages to this queue manager: see `mqlab.programs.xcoupler`."""
        from ..programs.xcoupler import XCoupler

        return XCoupler(self, release)

    def mqsc(self, text: str):
        """Run MQSC commands; a Reply: `str` of it is runmqsc-shaped, `.ok`, `.replies` one per command."""
        from ..mqsc import run

        return run(self, text)

    def export_mqsc(self) -> str:
        """MQSC that makes a new queue manager of this platform like this one: see `mqlab.mqsc.export`. No messages."""
        from ..mqsc.export import export

        return export(self)

    def define(
        self, kind: str, name: str, attributes: dict, *, like: str | None = None, replace: bool = False
    ) -> Definition:
        """DEFINE an object of `kind` from checked `attributes`. MQError 2043, 2085, 2100, 2152."""
        return administration.define(self, kind, name, attributes, like, replace)

    def alter(self, kind: str, name: str, attributes: dict, *, force: bool = False) -> None:
        """ALTER an object, or the queue manager itself (kind "QMGR"). MQError 2043, 2085.

        What would disturb open handles (USAGE, NOSHARE, an alias's TARGET) needs `force`, else 2042; forced, the calls
        of those handles answer 2041.
        """
        administration.alter(self, kind, name, attributes, force)

    def delete(self, kind: str, name: str, *, purge: bool = False) -> None:
        """DELETE an object; `purge` also removes a local queue's messages. MQError 2042, 2043, 2055, 2085."""
        administration.delete(self, kind, name, purge)

    def clear(self, name: str) -> int:
        """CLEAR a local queue; how many messages went. MQError 2042, 2055, 2085."""
        return administration.clear(self, name)

    def status(self, name: str) -> dict:
        """CURDEPTH, IPPROCS, OPPROCS and UNCOM (uncommitted puts and gets) of a local queue now. MQError 2085."""
        queue = self.resolve(name, "inquire").queue
        return {
            "CURDEPTH": queue.depth,
            "IPPROCS": queue.inputs,
            "OPPROCS": queue.outputs,
            "UNCOM": queue.work_in_units(),
        }

    def why_not_triggered(self, name: str):
        """Every condition for a trigger event on this queue: its rule, whether it holds now, and the fact behind it."""
        return why_not_triggered(self.resolve(name, "inquire").queue)

    def why_no_message(self, name: str, *, msg_id=None, correl_id=None):
        """What stands between a get with these identifiers and a message, each with its rule and the fact behind it."""
        queue = self.resolve(name, "inquire").queue
        return why_no_message(queue, as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id"))

    def opened(self, name: str) -> LocalQueue | Alias | TopicAlias | None:
        """What handles on this name of a queue have open, None if it leads nowhere."""
        return self.targets.get(name) or self.topic_aliases.get(name)

    @property
    def queues(self) -> list[LocalQueue]:
        """Its local queues, in the order of their definition."""
        return [target for target in self.targets.values() if isinstance(target, LocalQueue)]

    def stop(self) -> None:
        """End the queue manager (endmqm): units back out, handles are gone, non-persistent messages are lost (MQI-16).

        NPMCLASS(HIGH) queues and shared queues keep theirs.
        """
        self.require_running("stop")
        cause = self.lab.events.write(self.clock.time_us, "stop", (self.name, None, None), rule="MQI-16")
        for unit in list(self.units.values()):
            if unit.in_doubt:
                unit.outlived = True
            else:
                unit.broken = f"{self.name} ended"
                unit.backout()
        for queue in self.queues:
            queue.trigger = None  # a server that ends with its queue manager has closed nothing that could trigger
        for program in list(self.programs_running):
            program.stop()
        self.lab.network.disconnect(self.name)
        for handle in list(self.handles):
            handle.close()
        failure.lose_nonpersistent(self, cause)
        self._gone(cause)

    def fail(self) -> None:
        """End the queue manager abnormally (an abend), where `stop` ends it in order.

        Its work on shared queues is backed out at once by another member of its queue-sharing group (QSG-07); what it
        did on its own queues is backed out, and their non-persistent messages are lost, when it starts again (QSG-06).
        """
        self.require_running("fail")
        cause = failure.leave(self)
        self._gone(cause)
        if self.group is not None:
            self.group.recover_work(self)

    def _gone(self, cause: int) -> None:
        """It no longer runs: let those who wait know, and the other members of its group."""
        self.running = False
        for queue in self.queues:
            queue.wake()
        if self.group is not None:
            self.group.scanning.ended(self, cause)

    def start(self) -> None:
        """Start it again (strmqm); LabError if it is running."""
        if self.running:
            raise LabError(f"{self.name} wanted: stopped; it is running already")
        self.running = True
        cause = self.lab.events.write(self.clock.time_us, "start", (self.name, None, None), rule="MQI-16")
        failure.restart(self, cause)
        if self.group is not None:
            self.group.started(self)
        if self.platform == "zos":
            self._forget_backouts()
            # expiry processing at restart does not ask for EXPRYINT
            self.scanner.scan_lapsed("EXP-33")
        self.scanner.restart()
        self.start_channels()

    def listen(self, channel: str, end) -> None:
        """Answer a partner that calls for a channel over a session whose End here is `end`."""
        from ..programs.channels.mca import listen

        listen(self, channel, end)

    def start_channels(self) -> None:
        """Start the channel initiator where the queue manager has a channel for it to start (SCHINIT; our reading: not
        before there is one)."""
        from ..programs.channels.initiator import start_with

        start_with(self)

    def _forget_backouts(self) -> None:
        """Start the BackoutCount of private queues with NOHARDENBO from 0, as a restart on z/OS does (MQI-32)."""
        for queue in self.queues:
            counted = [m for m in queue.store.in_order() if m.backout_count]
            if counted and not queue.definition.attributes["HARDENBO"]:
                for message in counted:
                    message.backout_count = 0
                self.lab.events.write(self.clock.time_us, "forget", queue.place, depth=queue.depth, rule="MQI-32")

    def vanish(self, queue: LocalQueue, message: QueuedMessage, kind: str, rule: str, cause: int) -> None:
        """Remove a message that nobody gets, with an event of this kind."""
        queue.store.remove(message)
        queue.lose(message)
        message.seq = -1
        queue.record(kind, message, None, None, rule, cause)

    def confirm_arrival(self, queue: LocalQueue, message: QueuedMessage, unit) -> None:
        """Send a confirm-on-arrival report if asked for; within a unit of work it comes with the commit (MQI-21)."""
        send_report(COA, queue, message, message.seq, "MQI-21", unit)

    def confirm_delivery(self, queue: LocalQueue, message: QueuedMessage, cause: int, unit) -> None:
        """Send a confirm-on-delivery report if asked for, in the unit of work of the get (MQI-22)."""
        send_report(COD, queue, message, cause, "MQI-22", unit)

    def require_deletable(self, handle, delete: bool, purge: bool) -> None:
        """Refuse a close that asks for a deletion that cannot be done."""
        dynamic.require_deletable(handle, delete, purge)

    def after_close(self, handle, delete: bool, purge: bool) -> None:
        """Delete a dynamic queue whose time has come."""
        dynamic.after_close(handle, delete, purge)

    def create_dynamic(self, application, model, dynamic_name: str) -> LocalQueue:
        """Make the dynamic queue that opening a model queue asks for."""
        return dynamic.create(application, model, dynamic_name)

    def reporter(self, cause: int) -> Application:
        """The queue manager itself as the sender of a report caused by event row `cause`."""
        return Application(self, self.name, cause, context=self.own_context)

    def __repr__(self):
        state = "running" if self.running else "stopped"
        return f"QueueManager({self.name!r}, {self.platform} {self.level}, {state}, {len(self.queues)} local queues)"
