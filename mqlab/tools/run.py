"""`mqlab run`: run a program that uses ibmmq or pymqi on a lab, and report what happened."""

import atexit
import gc
import os
import signal
import sys
import threading
import traceback
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from mqlab.ibmmq.developer import DEFAULT, DeveloperSession
from mqlab.ibmmq.library import served
from mqlab.ibmmq.session import Session
from mqlab.ibmmq.threads import LimitReached
from mqlab.lab.lab import Lab
from mqlab.mq.errors import LabError
from mqlab.sim.clock import SECOND, microseconds
from mqlab.tools import command_line, stopped

SECONDS = 3600
SHOWN = 5


class _Trusting(DeveloperSession):
    trusts = True


class _Killed(BaseException):
    """The process would end here, without an end of the program: os._exit, or SIGTERM."""


def main(argv: list[str] | None = None) -> int:
    """Run the program and print what is left and what was refused; return the program's exit code, or 1 with one
    sentence on stderr about a problem."""
    parser = command_line(
        "mqlab run",
        "Run a Python program that uses IBM MQ (ibmmq or pymqi, unmodified) on a simulated queue manager.\n"
        "The queue managers and channels that it names are there; time is simulated, in time.sleep too.",
        "Arguments after -- go to the program, and so do options that are not listed here.\n\nexamples:\n"
        "  mqlab run put.py\n  mqlab run consumer.py --mqsc orders.mqsc --player consumer.html --seconds 60",
    )
    parser.add_argument("program", metavar="PROGRAM", type=Path, help="the program, a file of Python")
    parser.add_argument("args", metavar="ARGS", nargs="*", help="its arguments")
    parser.add_argument("--mqsc", metavar="FILE", action="append", default=[], help="run these commands first")
    parser.add_argument("--qmgr", metavar="NAME", help=f"the queue manager of these commands (default {DEFAULT})")
    parser.add_argument("--player", metavar="FILE", type=Path, help="write a page that plays what happened")
    text = f"stop the program after so many seconds of simulated time (default {SECONDS})"
    parser.add_argument("--seconds", metavar="N", type=float, default=SECONDS, help=text)
    line = list(sys.argv[1:] if argv is None else argv)
    own, theirs = (line[: line.index("--")], line[line.index("--") + 1 :]) if "--" in line else (line, [])
    options, others = parser.parse_known_args(own)
    try:
        return _run(options, [*options.args, *others, *theirs])
    except LabError as problem:
        return stopped("run", problem)


def _run(options: Namespace, args: list[str]) -> int:
    """Run the program and tell about it; return its exit code."""
    scripts = [_read(each) for each in options.mqsc]
    lab, name = Lab(), options.program.name
    if options.qmgr or scripts:
        qmgr = lab.queue_manager(options.qmgr or DEFAULT, developer=True)
        for each in scripts:
            qmgr.mqsc(each).require()
    session, ended, code = run(lab, options.program, args, options.seconds)
    sys.stdout.flush()
    print("\n".join(_report(lab, session, f"{name} {ended}")))
    if options.player is not None:
        print(f"wrote {lab.save_player(options.player, title=name)}")
    return code


def run(lab: Lab, program: Path, args: Sequence[str] = (), seconds: float = SECONDS) -> tuple[Session, str, int]:
    """Run a program on a lab, for so many seconds of simulated time: its session, how it ended, and its exit code.

    LabError if its file cannot be read.
    """
    try:
        code = SourceFileLoader("__main__", str(program)).get_data(str(program))
    except OSError as error:
        raise LabError(f"cannot read {program}: {error.strerror}") from None
    with served(lab, program.name, _Trusting) as session:
        session.turns.limit_us = lab.now_us + microseconds(seconds, "--seconds")
        return session, *_ended(program, code, args, session)


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise LabError(f"cannot read {file}: {error}") from None


def _ended(program: Path, code: bytes, args: Sequence[str], session: Session) -> tuple[str, int]:
    """Run the program to its end, its threads and what it left for its exit included; how it ended, and its code."""
    main, before = ModuleType("__main__"), sys.modules["__main__"]
    vars(main).update(__file__=str(program), __builtins__=__builtins__)
    sys.modules["__main__"] = main
    path, argv = list(sys.path), list(sys.argv)
    sys.path.insert(0, str(program.resolve().parent))
    sys.argv[:] = [str(program), *args]
    try:
        with _process():
            ended = _executed(main, code, str(program))
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and not thread.daemon and session.turns.knows(thread):
                    thread.join()
    except LimitReached:
        ended = ("was stopped at its limit (--seconds)", 0)
        session.end()
    except _Killed as killed:
        ended = (f"was killed ({killed.args[1]})", killed.args[0])
        session.end()
    finally:
        sys.modules["__main__"], sys.path[:], sys.argv[:] = before, path, argv
    # the end of a process lets go of all objects too, and the library then disconnects, whatever happened before
    session.last_words = "MQDISC, which the library calls when Python lets go of a connection, at a crash too"
    del main
    gc.collect()
    return ended


def _executed(main: ModuleType, code: bytes, name: str) -> tuple[str, int]:
    """Execute the program itself: how it ended, and its exit code."""
    try:
        exec(compile(code, name, "exec", dont_inherit=True), vars(main))  # noqa: S102  # it is what the user asked for
    except (LimitReached, _Killed):
        raise
    except SystemExit as left:
        if left.code is not None and not isinstance(left.code, int):
            print(left.code, file=sys.stderr)
        code_ = left.code if isinstance(left.code, int) else int(left.code is not None)
        return f"ended with exit code {code_}", code_ & 0xFF
    except BaseException as error:  # noqa: BLE001  # as Python itself: it tells of each, and ends
        told = traceback.TracebackException.from_exception(error)
        first = next((at for at, frame in enumerate(told.stack) if frame.filename == name), 0)
        del told.stack[:first]
        sys.stdout.flush()
        print("".join(told.format()), end="", file=sys.stderr)
        return f"died of {type(error).__name__}", 130 if isinstance(error, KeyboardInterrupt) else 1
    return "ended", 0


@contextmanager
def _process() -> Iterator[None]:
    """A ``with`` block in which os._exit and SIGTERM end the program, and not mqlab, and at whose end the functions run
    that the program registered for its exit."""

    def leave(code: int) -> None:
        raise _Killed(code, "os._exit")

    def terminate(*about: Any) -> None:
        raise _Killed(128 + signal.SIGTERM, "SIGTERM")

    at_exit: list[partial] = []

    def register(function: Callable[..., Any], *args: Any, **given: Any) -> Callable[..., Any]:
        at_exit.append(partial(function, *args, **given))
        return function

    def unregister(function: Callable[..., Any]) -> None:
        at_exit[:] = [each for each in at_exit if each.func != function]

    real = atexit.register, atexit.unregister
    atexit.register, atexit.unregister = register, unregister  # type: ignore[assignment]
    leaves, os._exit = os._exit, leave  # type: ignore[assignment]
    handles = threading.current_thread() is threading.main_thread()
    terminates = signal.signal(signal.SIGTERM, terminate) if handles else None
    try:
        yield
        while at_exit:
            try:
                at_exit.pop()()
            except Exception:  # noqa: BLE001  # told, and the others run, as Python does
                traceback.print_exc()
    finally:
        atexit.register, atexit.unregister = real
        os._exit = leaves
        if handles:
            signal.signal(signal.SIGTERM, terminates)


def _report(lab: Lab, session: Session, ended: str) -> Iterator[str]:
    """How the program ended, what is left, and why calls were refused, in lines."""
    yield f"-- {ended}; {lab.now_us / SECOND:g} s of simulated time, {len(lab.events)} events"
    for note in session.notes:
        yield f"   {note}"
    for queue in [queue for qmgr in lab.queue_managers for queue in qmgr.queues if queue.depth]:
        if queue.name.startswith("SYSTEM."):
            continue
        qmgr, units = queue.qmgr, queue.work_in_units()
        some = f"{queue.depth} message{'s' if queue.depth > 1 else ''}"
        yield f"   {queue.name} on {qmgr.name}: {some} left" + (f", {units} in units of work" if units else "")
        for rule, title, met, fact in qmgr.why_no_message(queue.name).rows:
            if not met:
                yield f"      a get finds no message: {title}: {fact} ({rule})"
    told = Counter(f"{error}" + (f" ({error.rule})" if error.rule else "") for error in session.refusals)
    for text, times in told.most_common(SHOWN):
        yield f"   refused{f' {times} times' if times > 1 else ''}: {text}"
    if len(told) > SHOWN:
        yield f"   and {len(told) - SHOWN} other refusals; --player shows them all"
