"""The queue manager of the engine's lab: queues with MQ's programs, its command language, and the why-answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .commands import Reply, run
from .explain.triggered import why_not_triggered
from .explain.why_no_message import why_no_message
from .extra import extras
from .programs.channels import initiator
from .programs.program import Program, require_plain
from .programs.trigger_monitor import trigger_monitor
from .queues import queue_manager as queues
from .queues.application import Application
from .queues.get import Call
from .queues.handle import Handle
from .queues.triggering import Reasons
from .words.arguments import checked, require
from .words.errors import LabError
from .words.structures import GMO, MD, as_identifier


class QueueManager(queues.QueueManager):
    """One queue manager of a lab. Its own put, get, browse and open are calls of an application without a name; its
    settings are those of `mqlab.engine.queues.queue_manager.QueueManager`.
    """

    def mqsc(self, text: str) -> Reply:
        """Run MQSC commands on this queue manager.

        `text` holds any number of commands; END, EXIT or QUIT on a line ends them. The `Reply` has one `CommandReply`
        for each command, in order. A command that is refused or fails changes nothing, and those after it are run, as
        runmqsc does; nothing is raised for bad MQSC. LabError when `text` is not a str that UTF-8 can hold.
        """
        return run(self, text)

    def status(self, name: str) -> dict[str, int]:
        """CURDEPTH, IPPROCS, OPPROCS and UNCOM (uncommitted puts and gets) of a local queue now. MQError 2085."""
        unused = isinstance(name, str) and name in self.targets.later
        queue = self.targets.look(name) if unused else self.resolve(name, "inquire").queue
        counts = {"CURDEPTH": queue.depth, "IPPROCS": queue.inputs, "OPPROCS": queue.outputs}
        return counts | {"UNCOM": queue.work_in_units()}

    def why_not_triggered(self, name: str) -> Reasons:
        """The conditions for a trigger event on this queue: each has its rule, whether it is met, and its fact; `last`
        says why the last trigger message started nothing, "" if it did."""
        return why_not_triggered(self.resolve(name, "inquire").queue)

    def why_no_message(
        self,
        name: str,
        *,
        msg_id: bytes | str | None = None,
        correl_id: bytes | str | None = None,
        md: MD | None = None,
        gmo: GMO | None = None,
        handle: Handle | None = None,
    ) -> Reasons:
        """The reasons why a get with these identifiers finds no message, each with its rule and the fact behind it.

        `md` and `gmo` say what else the get asks for, match options and groups, and whether it browses; `handle` is the
        open handle that it is made on, with what it selects, its cursor, and its place in a group. All stay as they
        are. LabError for a handle of another queue.
        """
        target = self.resolve(name, "inquire")
        require("handle", handle, Handle | None, "a handle, or None")
        if handle is not None and handle.queue is not target.queue:
            raise LabError(f"handle must be open on {name}; got {handle!r}")
        if md is None and gmo is None:
            ids = as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id")
            return why_no_message(Call(self, target, 0, *ids, handle=handle))
        from .queues import get_options

        md, gmo = get_options.options_of(md, gmo, 0, msg_id, correl_id, False)
        return why_no_message(get_options.asked(target, handle, md, gmo))

    @checked
    def connect(
        self,
        program: str,
        *,
        user: str = "app",
        channel: str | None = None,
        password: str | None = None,
        options: int = 0,
        client: object = None,
    ) -> Application:
        """An application by name (MQCONN): the same calls, with `program` as the caller in the event log.

        `user`, of up to 12 characters, is the UserIdentifier of its messages. With `channel`, a client connects through
        that SVRCONN channel; with `password`, the password of `user` is checked (MQCONNX). `options` is a sum of MQCNO
        options, `client` where the client comes from. MQError 2035, 2046, 2059, 2538 to 2540; LabError for a password
        if no extra checks passwords.
        """
        caller = self.application_type(self, program, user=user)
        decided = (extra.admit(caller, channel, user, password, options, client) for extra in extras())
        admission = next((each for each in decided if each is not None), None)
        if admission is None and password is not None:
            raise LabError("this copy of mqlab checks no passwords: leave password out, or install all its rooms")
        runs_as = user if admission is None else admission.runs_as
        caller = caller if runs_as == user else self.application_type(self, program, user=runs_as)
        caller.admission, caller.runs_as = admission, runs_as
        if channel is not None:
            caller.client = channel, self.clock.time_us
        return caller

    def program(self, appl_id: str, function: Callable[..., Any]) -> None:
        """Say what a PROCESS with APPLICID(`appl_id`) starts: `function(app, trigger)`; `trigger.queue` and so on."""
        require(
            "appl_id",
            appl_id,
            str,
            "the APPLICID of a PROCESS, 1 to 256 characters",
            lambda text: 1 <= len(text) <= 256,
        )
        require_plain(function, "app, trigger")
        self.programs[appl_id] = function

    def run_program(self, name: str, function: Callable[..., Any], *args: object) -> Program:
        """Start `function(app, *args)` as a program called `name`; it runs as the lab's time passes. A Program."""
        program = Program(self, name, function, args)
        program.application.runs_as = program.application.context.user
        return program

    def stop_program(self, name: str) -> None:
        """End the programs of this name where they wait, as `Program.stop` does; LabError if none runs."""
        running = [program for program in self.programs_running if program.name == name]
        if not running:
            names = ", ".join(sorted({program.name for program in self.programs_running})) or "none"
            raise LabError(f"name must be a program that runs on {self.name}: {names}; got {name!r}")
        for program in running:
            program.stop()

    def trigger_monitor(self, initq: str) -> Program:
        """Start a trigger monitor on an initiation queue; `.stop()` ends it."""
        return trigger_monitor(self, initq)

    def start_channels(self) -> None:
        """Start the channel initiator where the queue manager has a channel for it to start (SCHINIT)."""
        initiator.start_with(self)

    def __repr__(self) -> str:
        state = "running" if self.running else "stopped"
        return f"QueueManager({self.name!r}, {self.platform} {self.level}, {state}, {len(self.queues)} local queues)"
