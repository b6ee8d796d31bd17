"""The queue manager of a lab: the engine with MQ's programs, its command language, and explanations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..explain.why_no_message import why_no_message
from ..mq.arguments import checked
from ..mq.errors import LabError
from ..mq.shown import shown
from ..mq.structures import as_identifier
from ..mqsc import run as run_mqsc
from ..mqsc.security import deciding_record
from ..programs.channels import initiator
from ..programs.program import Program, require_plain
from ..programs.traffic import start_traffic
from ..programs.trigger_monitor import trigger_monitor as start_trigger_monitor
from ..qmgr.application import Application
from ..qmgr.connecting import authenticate, check_options, reconnects
from ..qmgr.engine import Engine
from ..qmgr.triggering import Reasons, why_not_triggered

if TYPE_CHECKING:
    from ..explain.error_log import ErrorLog
    from ..explain.event_messages import EventMessages
    from ..programs.xcoupler import XCoupler


@shown
class QueueManager(Engine):
    """One queue manager of a lab. Its own put, get, browse and open are calls of an application without a name; its
    settings are those of `mqlab.qmgr.engine.Engine`.
    """

    group: Any = None  # the queue sharing group that it is a member of
    mqsc = run_mqsc

    def export_mqsc(self) -> str:
        """MQSC that makes a new queue manager of the same platform like this one, messages and dates excepted.

        LabError when a value holds a line end, which MQSC cannot write.
        """
        from ..mqsc.export import export

        return export(self)

    def status(self, name: str) -> dict[str, int]:
        """CURDEPTH, IPPROCS, OPPROCS and UNCOM (uncommitted puts and gets) of a local queue now. MQError 2085."""
        unused = isinstance(name, str) and name in self.targets.later
        queue = self.targets.look(name) if unused else self.resolve(name, "inquire").queue
        counts = {"CURDEPTH": queue.depth, "IPPROCS": queue.inputs, "OPPROCS": queue.outputs}
        return counts | {"UNCOM": queue.work_in_units()}

    def why_not_triggered(self, name: str) -> Reasons:
        """Every condition for a trigger event on this queue: its rule, whether it is met now, and the fact behind
        it."""
        return why_not_triggered(self.resolve(name, "inquire").queue)

    def why_no_message(self, name: str, *, msg_id: Any = None, correl_id: Any = None) -> Reasons:
        """The reasons why a get with these identifiers finds no message, each with its rule and the fact behind it."""
        queue = self.resolve(name, "inquire").queue
        return why_no_message(queue, as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id"))

    def error_log(self) -> ErrorLog:
        """AMQERR01.LOG, on z/OS the job logs, as rows; `str` of it is the text. LabError on VSE/ESA."""
        from ..explain.error_log import error_log

        return error_log(self)

    def event_messages(self) -> EventMessages:
        """The event messages on its event queues now (SYSTEM.ADMIN.*.EVENT), in words; they stay there."""
        from ..explain.event_messages import event_messages

        return event_messages(self)

    @checked
    def connect(
        self,
        program: str,
        *,
        user: str = "app",
        channel: str | None = None,
        password: str | None = None,
        options: int = 0,
    ) -> Application:
        """An application by name (MQCONN): the same calls, with `program` as the caller in the event log.

        `user`, of up to 12 characters, is the UserIdentifier of its messages. With `channel`, a client connects through
        that SVRCONN channel; with `password`, the password of `user` is checked (MQCONNX): see
        `mqlab.qmgr.connecting.authenticate`. `options` is a sum of MQCNO options. MQError 2035, 2046, 2059, 2538 to
        2540.
        """
        caller = Application(self, program, user=user)
        check_options(caller, options)
        given = (user, password) if password is not None else ("", "")
        runs_as = authenticate(caller, channel, *given, asserted=user)
        caller = caller if runs_as == user else Application(self, program, user=runs_as)
        if channel is not None:
            caller.client, caller.reconnects = (channel, self.clock.time_us), reconnects(options)
        return caller

    deciding_record = deciding_record

    def program(self, appl_id: str, function: Callable[..., Any]) -> None:
        """Say what a PROCESS with APPLICID(`appl_id`) starts: `function(app, trigger)`; `trigger.queue` and so on."""
        if not isinstance(appl_id, str) or not 1 <= len(appl_id) <= 256:
            raise LabError(f"appl_id must be the APPLICID of a PROCESS, 1 to 256 characters; got {appl_id!r}")
        require_plain(function, "app, trigger")
        self.programs[appl_id] = function

    def run_program(self, name: str, function: Callable[..., Any], *args: Any) -> Program:
        """Start `function(app, *args)` as a program called `name`; it runs as the lab's time passes. A Program."""
        return Program(self, name, function, args)

    def stop_program(self, name: str) -> None:
        """End the programs of this name where they wait, as `Program.stop` does; LabError if none runs."""
        running = [each for each in self.programs_running if each.name == name]
        if not running:
            names = ", ".join(sorted({each.name for each in self.programs_running})) or "none"
            raise LabError(f"name must be a program that runs on {self.name}: {names}; got {name!r}")
        for each in running:
            each.stop()

    trigger_monitor = start_trigger_monitor

    def dead_letter_handler(self, rules_text: str) -> Program:
        """Start a handler of a dead-letter queue with a rules table; `.stop()` ends it.

        Raises LabError for a table that cannot be followed, for an INPUTQM that is another queue manager, and if
        neither INPUTQ nor DEADQ names a queue; MQError 2085 if the queue does not exist.
        """
        from ..programs.dead_letter_handler import dead_letter_handler

        return dead_letter_handler(self, rules_text)

    traffic = start_traffic

    def ims_bridge(self, *args: Any, **settings: Any) -> Program:
        """The IMS bridge: see `mqlab.programs.ims_bridge`."""
        from ..programs.ims_bridge import ims_bridge

        return ims_bridge(self, *args, **settings)

    def xcoupler(self, release: str = "1.2") -> XCoupler:
        """An xCoupler adapter that puts messages to this queue manager: see `mqlab.programs.xcoupler`."""
        from ..programs.xcoupler import XCoupler

        return XCoupler(self, release)

    def start_channels(self) -> None:
        """Start the channel initiator where the queue manager has a channel for it to start (SCHINIT)."""
        initiator.start_with(self)

    def strmqcsv(self) -> None:
        """Start the command server; it carries out the commands that wait on its queue (PCF-01)."""
        self.require_running("strmqcsv")
        self.command_server.start()

    def endmqcsv(self) -> None:
        """End the command server: commands stay on its queue (PCF-01)."""
        self.require_running("endmqcsv")
        self.command_server.stop()

    def __repr__(self) -> str:
        state = "running" if self.running else "stopped"
        return f"QueueManager({self.name!r}, {self.platform} {self.level}, {state}, {len(self.queues)} local queues)"
