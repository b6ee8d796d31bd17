"""`mqlab run`: run a program that uses ibmmq or pymqi on a lab, and report what happened."""

import atexit
import gc
import os
import signal
import sys
import threading
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from mqlab.cli import command_of, stopped
from mqlab.engine.explain.why_no_message import why_no_message
from mqlab.engine.queues.get import Call
from mqlab.engine.words.errors import LabError, MQError
from mqlab.engine.world.clock import SECOND, microseconds
from mqlab.estates.reading import parts
from mqlab.ibmmq.developer import DEFAULT, UNGUARDED, DeveloperSession
from mqlab.ibmmq.library import served
from mqlab.ibmmq.session import Session
from mqlab.ibmmq.threads import Carrier
from mqlab.ibmmq.tracebacks import tell
from mqlab.lab.lab import Lab
from mqlab.lab.queue_manager import QueueManager
from mqlab.views.player.player import require_page
from mqlab.views.text import thousands

SECONDS = 3600
SHOWN = 5
_really_exit = os._exit


class _Trusting(DeveloperSession):
    trusts = True
    fill: Callable[[Any], None] | None = None
    """A function that is called once, with the queue manager of the first connect."""

    def queue_manager(self, name: str, addresses: Sequence[str] = ()) -> Any:
        """The queue manager of this name; the first one gets the commands and messages of the command line."""
        qmgr = super().queue_manager(name, addresses)
        fill, self.fill = self.fill, None
        if fill is not None:
            fill(qmgr)
            self.note(f"--mqsc and --put went to {qmgr.name}, to which the program connected first (--qmgr)")
        return qmgr


class _Killed(BaseException):
    """Ends the main thread of a program that is killed, where the process itself goes on."""


def main(argv: list[str] | None = None) -> int:
    """Run the program and print what is left and what was refused; return the program's exit code, or 1 with one
    sentence on stderr about a problem."""
    parser = command_of("run", seconds=SECONDS)
    parser.add_argument("program", metavar="PROGRAM", type=Path)
    parser.add_argument("args", metavar="ARGS", nargs="*", default=[])
    parser.add_argument("--mqsc", metavar="FILE", action="append", default=[])
    parser.add_argument("--put", metavar="QUEUE=FILE", action="append", default=[])
    parser.add_argument("--qmgr", metavar="NAME")
    parser.add_argument("--player", metavar="FILE", type=Path)
    parser.add_argument("--seconds", metavar="N", type=float, default=SECONDS)
    line = list(sys.argv[1:] if argv is None else argv)
    own, theirs = (line[: line.index("--")], line[line.index("--") + 1 :]) if "--" in line else (line, [])
    options, others = parser.parse_known_args(own)
    try:
        return _run(options, [*options.args, *others, *theirs])
    except LabError as problem:
        return stopped("run", problem)


def _run(options: Namespace, args: list[str]) -> int:
    """Run the program and tell about it; return its exit code."""
    if options.player is not None:
        require_page(options.player, "run.html")
    scripts = [part.script.text for each in options.mqsc for part in parts(each, options.qmgr or "")]
    lab, name = Lab(), options.program.name

    def fill(qmgr: Any) -> None:
        for each in scripts:
            qmgr.mqsc(each).require()
        for each in options.put:
            _put(qmgr, *each.partition("=")[::2])

    if options.qmgr or scripts or options.put:  # without --qmgr, tried on another lab until the program connects
        where = lab if options.qmgr else Lab()
        fill(where.queue_manager(options.qmgr or DEFAULT, developer=True, **UNGUARDED, users={}))

    def report(session: Session, ended: str) -> None:
        sys.stdout.flush()
        print("\n".join(_report(lab, session, f"{name} {ended}")))
        if options.player is not None:
            print(f"wrote {lab.save_player(options.player, title=name)}")

    later = fill if (scripts or options.put) and not options.qmgr else None
    session, ended, code = run(lab, options.program, args, options.seconds, report, later)
    report(session, ended)
    return code


def _put(qmgr: QueueManager, queue: str, file: str) -> None:
    """Put each line of a file that is not empty as a message of text."""
    if not file:
        raise LabError(f"--put must be a queue and a file, such as ORDERS=orders.txt; got {queue!r}")
    try:
        for line in filter(None, _read(file).splitlines()):
            qmgr.put(queue, line.encode(), format="MQSTR")
    except MQError as error:
        raise LabError(f"--put {queue}={file}: {error}") from None


def _exit(code: int) -> None:
    """End this process at once, when its output is written."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    _really_exit(code)


Report = Callable[[Session, str], None]
"""A function that reports on a program; it gets the session, and how the program ended."""


def run(
    lab: Lab,
    program: Path,
    args: Sequence[str] = (),
    seconds: float = SECONDS,
    report: Report | None = None,
    fill: Callable[[Any], None] | None = None,
) -> tuple[Session, str, int]:
    """Run a program on a lab, for so many seconds of simulated time: its session, how it ended, and its exit code.
    `fill` is called with the queue manager of its first connect.

    If the program is killed (os._exit, SIGTERM, its limit), this process writes the report and ends. Without a report,
    the program ends by an exception instead, and the process goes on. LabError if the file cannot be read.
    """
    try:
        code = SourceFileLoader("__main__", str(program)).get_data(str(program))
    except OSError as error:
        raise LabError(f"cannot read {program}: {error.strerror}") from None
    with served(lab, program.name, _Trusting) as session:
        process = _Process(session, report)
        cast("_Trusting", session).fill = fill
        session.turns.limit_us = lab.now_us + microseconds(seconds, "--seconds")
        session.turns.at_limit = partial(process.at_limit, seconds)
        session.exits = process.leave
        return session, *_ended(program, code, args, process)


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeError:
        raise LabError(f"cannot read {file}: it is not UTF-8 text") from None
    except OSError as error:
        raise LabError(f"cannot read {file}: {error.strerror}") from None


class _Process:
    """The process that the program seems to have for itself: how it ends, and what runs at its exit."""

    def __init__(self, session: Session, report: Report | None):
        self.session, self._report, self._pid = session, report, os.getpid()
        self.killed: tuple[str, int] | None = None
        self._at_exit: list[partial] = []

    @property
    def forked(self) -> bool:
        """Whether this is another process, which the program started by a fork."""
        return os.getpid() != self._pid

    def kill(self, how: str, code: int) -> None:
        """End the program here and now: its connections break, and its units of work are backed out."""
        if self.forked:
            _really_exit(code)
        Carrier.halted = self._report is not None
        try:
            with self.session.turns:
                self.session.end()
                if self._report is not None:
                    self._report(self.session, how)
        except Exception as problem:  # noqa: BLE001  # the end comes, whatever it is
            stopped("run", problem)
        finally:
            if self._report is not None:
                _exit(code)
        self.killed = self.killed or (how, code)
        raise _Killed if threading.current_thread() is threading.main_thread() else SystemExit

    def leave(self, left: SystemExit) -> None:
        """End the process because a consumer raised SystemExit, whatever thread lets time pass, as the library does."""
        if self._report is None or self.killed:
            raise left
        code = _code(left)
        self.kill(f"ended with exit code {code} in a consumer", code)

    def at_limit(self, seconds: float) -> None:
        """End the program because it has used up its simulated time."""
        if "datetime" in vars(sys.modules["__main__"]):
            loop = "a loop until a deadline by it ends late"
            self.session.note(f"datetime.now() is real: {loop}; time.time() is simulated")
        self.session.notes += _waits(self.session)
        self.kill(f"was stopped at its limit of {seconds:g} s (--seconds)", 124)

    def terminate(self, *about: Any) -> None:
        """The handler of SIGTERM."""
        if self.forked:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)
        self.session.turns.when_free(partial(self.kill, "was killed (SIGTERM)", 128 + signal.SIGTERM))

    @contextmanager
    def lives(self) -> Iterator[None]:
        """A ``with`` block in which os._exit, SIGTERM, and the functions registered for the exit are the program's."""
        real = atexit.register, atexit.unregister
        atexit.register, atexit.unregister = self._register, self._unregister  # type: ignore[assignment]
        os._exit = partial(self.kill, "was killed (os._exit)")  # type: ignore[assignment]
        handles = threading.current_thread() is threading.main_thread()
        terminates = signal.signal(signal.SIGTERM, self.terminate) if handles else None
        try:
            yield
        finally:
            atexit.register, atexit.unregister = real
            os._exit = _really_exit
            if handles:
                signal.signal(signal.SIGTERM, terminates)

    def _register(self, function: Callable[..., Any], *args: Any, **given: Any) -> Callable[..., Any]:
        self._at_exit.append(partial(function, *args, **given))
        return function

    def _unregister(self, function: Callable[..., Any]) -> None:
        self._at_exit[:] = [each for each in self._at_exit if each.func != function]

    def finish(self) -> None:
        """Do what Python does when the program has ended: wait for its threads, and call what it registered."""
        pools: Any = sys.modules.get("concurrent.futures.thread")
        if self._report is not None and pools is not None:
            pools._python_exit()  # threads of idle pools end
            pools._shutdown = False
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon and self.session.turns.knows(thread):
                thread.join()
        while self._at_exit:
            try:
                self._at_exit.pop()()
            except SystemExit:
                pass
            except Exception as error:  # noqa: BLE001  # told, and the others run, as Python does
                tell(error)


def _ended(program: Path, code: bytes, args: Sequence[str], process: _Process) -> tuple[str, int]:
    """Run the program to its end, its threads and what it left for its exit included; how it ended, and its code."""
    main, before, session = ModuleType("__main__"), sys.modules["__main__"], process.session
    vars(main).update(__file__=str(program), __builtins__=__builtins__)
    sys.modules["__main__"] = main
    path, argv = list(sys.path), list(sys.argv)
    sys.path.insert(0, str(program.resolve().parent))
    sys.argv[:] = [str(program), *args]
    try:
        with process.lives():
            ended = _executed(main, code, str(program))
            try:
                process.finish()
            except KeyboardInterrupt:
                process.kill("was interrupted (Ctrl-C) after its main thread had ended", 130)
    except _Killed:
        pass
    finally:
        sys.modules["__main__"], sys.path[:], sys.argv[:] = before, path, argv
        if sys.modules.get("__mp_main__") is main:  # multiprocessing calls it so
            del sys.modules["__mp_main__"]
    if process.forked:
        _exit(ended[1])
    # the end of a process lets go of all objects too, and the library then disconnects, whatever happened before
    session.last_words = "MQDISC, which the library calls when Python lets go of a connection, at a crash too"
    del main
    gc.collect()
    return process.killed or ended


def _executed(main: ModuleType, code: bytes, name: str) -> tuple[str, int]:
    """Execute the program itself: how it ended, and its exit code."""
    try:
        exec(compile(code, name, "exec", dont_inherit=True), vars(main))  # noqa: S102  # it is what the user asked for
    except _Killed:
        raise
    except SystemExit as left:
        code_ = _code(left)
        return f"ended with exit code {code_}", code_ & 0xFF
    except BaseException as error:  # noqa: BLE001  # as Python itself: it tells of each, and ends
        sys.stdout.flush()
        tell(error)
        return f"ended with {type(error).__name__}", 130 if isinstance(error, KeyboardInterrupt) else 1
    return "ended", 0


def _code(left: SystemExit) -> int:
    """The exit code of a program that raised this; a text instead of a number is printed."""
    if left.code is not None and not isinstance(left.code, int):
        print(left.code, file=sys.stderr)
    return left.code if isinstance(left.code, int) else int(left.code is not None)


def _report(lab: Lab, session: Session, ended: str) -> Iterator[str]:
    """How the program ended, what is left, and why calls were refused, in lines."""
    yield f"-- {ended}; {lab.now_us / SECOND:g} s of simulated time, {len(lab.events)} events"
    for note, times in Counter(session.notes).items():
        yield f"   {note}" + (f" ({thousands(times)} times)" if times > 1 else "")
    queues = [queue for qmgr in lab.queue_managers for queue in qmgr.queues if queue.depth]
    for queue in (queue for queue in queues if not queue.name.startswith("SYSTEM.")):
        qmgr: Any = queue.qmgr
        units = queue.work_in_units()
        some = f"{queue.depth} message{'s' if queue.depth > 1 else ''}"
        yield f"   {queue.name} on {qmgr.name}: {some} left" + (f", {units} in units of work" if units else "")
        yield from _why(qmgr.why_no_message(queue.name))
    *shown, others = *session.refusals.most_common(SHOWN), session.refusals.most_common()[SHOWN:]
    for text, times in shown:
        yield f"   refused{f' {thousands(times)} times' if times > 1 else ''}: {text}"
    if others:
        rest = thousands(sum(times for _, times in others))
        yield f"   and {rest} other refused calls, which are in the log of --player"


def _why(reasons: Any) -> Iterator[str]:
    """The conditions that are not met, in lines."""
    for rule, title, met, fact in reasons.rows:
        if not met:
            yield f"      a get finds no message: {title}: {fact} ({rule})"


def _waits(session: Session) -> Iterator[str]:
    """The gets and consumers of the program that wait now, each with the reasons why it finds no message."""
    for application in [each.application for each in session.connections.values()]:
        waits: list[tuple[Any, str, Any]] = []
        for handle in application.qmgr.handles:
            if handle.application is application and (call := handle.waiting) is not None:
                waits.append((handle, call.name, call))
        if application.gate is not None and application.gate.state == "started":
            active = (each for each in application.gate.all if each.handle is not None and not each.suspended)
            waits += [(each.handle, "consumer", None) for each in active]
        for handle, name, call in waits:
            reasons = why_no_message(call or Call(application, handle.target, handle=handle))
            rows = tuple(row for row in reasons.rows if row[0] != "MQI-14")  # its own handle has it open
            why = list(_why(reasons._replace(rows=rows))) or ["      no message on that queue matches the call"]
            yield "\n".join([f"at the limit, a {name} of {handle.name} on {application.qmgr.name} waited", *why])
