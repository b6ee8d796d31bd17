"""Connections of programs that call through IBM's library: handles of connections and objects, and who may use them.

A `Session` is the time during which a lab serves the library. Each connection (hConn) is an application of the engine,
each object handle (hObj) a handle of the engine; both are numbers for the program.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from threading import current_thread, get_ident
from typing import Any

from ..engine.queues.application import program_name
from ..engine.words import constants as mq
from ..engine.words.errors import LabError, MQError
from ..engine.words.refusals import Grounds
from ..engine.world.clock import EndlessWait
from .threads import Carrier, Turns, in_program
from .times import Times, real_again, simulated
from .tracebacks import place_in_own

REFUSALS = 1000
"""So many different refusals are kept; the others are counted together."""
_NUMBERS = count(1)


class Connection:
    """A connection handle (hConn) with its application, its open objects, and the thread that connected.

    `objects` maps each hObj to the engine's handle; `more` has the other things that verbs keep (message handles,
    subscriptions, consumers). `sharing` is one of MQCNO_HANDLE_SHARE_*: NONE leaves it to its thread, with BLOCK a
    thread waits until the call of another is done, with NO_BLOCK it gets 2219. `later` are the functions to call at the
    beginning of its next call.
    """

    def __init__(self, session: Session, application: Any, sharing: int):
        self.session, self.application, self.sharing = session, application, sharing
        self.number, self.thread = next(_NUMBERS), current_thread()
        self._caller: int | None = None
        self.objects: dict[int, Any] = {}
        self.more: dict[str, Any] = {}
        self.later: list[Callable[[], None]] = []
        self._next = count(1)

    @property
    def qmgr(self) -> Any:
        """The queue manager that it is connected to."""
        return self.application.qmgr

    def count(self, direction: int, values: tuple) -> None:
        """Count what a client sends with a call (0), and what it receives (1)."""
        traffic = self.application.client_traffic
        if traffic is not None:
            traffic[0] += not direction
            traffic[1 + direction] += sum(len(each) for each in values if type(each) is bytes)

    def require_alive(self, call: str) -> None:
        """Refuse the call with 2009 if the queue manager has ended the connection."""
        if self.application not in self.qmgr.connections:
            if call == "disconnect":
                del self.session.connections[self.number]
            if self.application.gate is not None:
                self.application.gate.require_inside(call)
            if self.application in self.qmgr.connections:  # connected again
                return
            self.application.refuse(mq.MQRC_CONNECTION_BROKEN, "connection-ended", None, call, qmgr=self.qmgr.name)

    @contextmanager
    def calling(self, call: str) -> Iterator[None]:
        """A ``with`` block that is a call of this thread; 2018 for a thread that may not call, 2219, or a wait, while
        another thread calls."""
        me, before, alone = get_ident(), self._caller, self.sharing == mq.MQCNO_HANDLE_SHARE_NONE
        if alone and self.thread is not current_thread() and not in_program():
            threads = {"owner": self.thread.name, "thread": current_thread().name}
            self.application.refuse(mq.MQRC_HCONN_ERROR, "other-thread", None, call, **threads)
        if before not in (None, me):
            if self.sharing == mq.MQCNO_HANDLE_SHARE_NO_BLOCK or in_program():
                self.application.refuse(mq.MQRC_CALL_IN_PROGRESS, "another-thread-calls", None, call)
            self.session.turns.wait_for(lambda: self._caller is None)
            before = None
            if self.number not in self.session.connections:
                raise _no_connection(self.number)
        self._caller = me
        try:
            yield
        finally:
            self._caller = before

    def keep(self, handle: Any) -> int:
        """Give an object a number (hObj)."""
        number = next(self._next)
        self.objects[number] = handle
        return number

    def object(self, number: int, call: str) -> Any:
        """The object with this number; 2019 if there is none."""
        try:
            return self.objects[number]
        except (KeyError, TypeError):
            self.application.refuse(mq.MQRC_HOBJ_ERROR, "no-object", None, call, number=number)

    def end(self, commit: bool, why: str = "") -> None:
        """End the connection: its unit of work is committed, or backed out, and its objects are closed."""
        self.session.connections.pop(self.number, None)
        if self.application in self.qmgr.connections:
            for unit in self.qmgr.units.values():
                if unit.application is self.application and (unit.puts or unit.gets):
                    fate = f"committed by {self.session.last_words}" if commit else f"backed out, because {why}"
                    work = f"{len(unit.puts)} put and {len(unit.gets)} got"
                    self.session.note(f"{self.application.caller} left a unit of work open ({work}): it was {fate}")
            self.application.disconnect(commit, why)
        self.objects.clear()


class Session:
    """The time during which a lab serves IBM's library; `notes` are the sentences about what mqlab does not simulate,
    and about units of work that were left open, `refusals` counts the refused calls by the text of the refusal.

    `program` is the name of the program, unless its MQCNO gives another one.
    """

    clocks = True
    """Whether the clocks, sleeps, and timeouts of Python follow the lab's clock."""

    def __init__(self, lab: Any, program: str = "python"):
        self.lab, self.program = lab, program_name(program)
        self.turns: Turns = next((each.turns for each in _sessions if each.lab is lab), None) or Turns(lab)
        self.times = Times(lab, self.turns, self.clocks)
        self.connections: dict[int, Connection] = {}
        self.notes: list[str] = []
        self.exits: Callable[[SystemExit], None] | None = None  # ends the process for a consumer that asks for it
        self.last_words = "MQDISC"  # how a commit by a disconnect is explained
        self.refusals: Counter[str] = Counter()

    def connect(self, qmgr: Any, name: str, sharing: int, **who: Any) -> Connection:
        """Connect a program to a queue manager; MQError 2035, 2046, 2059, 2538 to 2540."""
        qmgr.require_running("connect")
        if who.get("channel"):
            self.prepare_channel(qmgr, who["channel"])
        return self._enter(qmgr.connect(program_name(name) if name else self.program, **who), sharing)

    def connect_by_table(self, qmgr: str, name: str, sharing: int, **who: Any) -> Connection:
        """Connect a program as a client by the CCDT `ccdt`; MQError 2058, 2059, 2600 for a table that is none, and
        those of `connect`."""
        try:
            application = self.lab.connect(program_name(name) if name else self.program, qmgr, **who)
        except MQError:
            raise
        except LabError as error:
            grounds = Grounds(mq.MQRC_CCDT_URL_ERROR, "no-table", {"error": f"{error}"})
            raise MQError(mq.MQRC_CCDT_URL_ERROR, qmgr, grounds=grounds) from None
        return self._enter(application, sharing)

    def keys_of(self, sco: dict[str, Any]) -> dict[str, Any]:
        """The keywords of a connect that an MQSCO stands for: the key repository that the program's machine has under
        that name, and the label of its certificate."""
        keys, label = self.lab.key_repositories.get(sco["KeyRepository"]), sco.get("CertificateLabel", "")
        return ({} if keys is None else {"keys": keys}) | ({"label": label} if label else {})

    def _enter(self, application: Any, sharing: int) -> Connection:
        """The connection of an application that was let in."""
        application.begin()
        application.client_traffic = [0, 0, 0] if application.client else None
        connection = Connection(self, application, sharing)
        self.connections[connection.number] = connection
        return connection

    def queue_manager(self, name: str, addresses: Sequence[str] = ()) -> Any:
        """The queue manager that a name in a connect means: blank is the lab's first one, ``*`` in front is left out.
        Without a name, the first of `addresses` whose queue manager runs decides, as `Lab.address` has them. MQError
        2058 if the lab has none of this name."""
        managers = {manager.name: manager for manager in self.lab.queue_managers}
        wanted = name.removeprefix("*")
        known = [self.lab.network.addresses.get(address) for address in addresses if not wanted or name.startswith("*")]
        there = [managers[owner] for owner in known if owner in managers]
        if there:
            return next((manager for manager in there if manager.running), there[0])
        if not wanted and managers:
            return next(iter(managers.values()))
        if wanted not in managers:
            has = {"managers": ", ".join(managers) or "no queue manager"}
            grounds = Grounds(mq.MQRC_Q_MGR_NAME_ERROR, "not-in-lab", has)
            raise MQError(grounds.reason, wanted, grounds=grounds)
        return managers[wanted]

    def prepare_channel(self, qmgr: Any, channel: str) -> None:
        """Prepare the channel of a client that connects; here nothing, because the lab has the channels it has."""

    def end_lost(self) -> None:
        """End the connections of threads that have ended without MQDISC; their units of work are backed out."""
        for connection in list(self.connections.values()):
            if connection.sharing == mq.MQCNO_HANDLE_SHARE_NONE and not connection.thread.is_alive():
                connection.end(False, f"{connection.thread.name} ended without MQDISC")

    def note(self, said: str) -> None:
        """Keep a sentence about what mqlab does not simulate, or could not do."""
        self.notes.append(said)

    def refused(self, error: MQError) -> None:
        """Count a call that was refused."""
        said = f"{error}" + (f" ({error.rule})" if error.rule else "")
        known = said in self.refusals or len(self.refusals) < REFUSALS
        self.refusals[said if known else "calls, for other reasons"] += 1

    def end(self) -> None:
        """End what is still connected, as the end of a process without MQDISC does: on z/OS it commits, elsewhere it
        backs out."""
        for connection in list(self.connections.values()):
            commit = connection.qmgr.platform == "zos"
            connection.end(commit, "" if commit else "it ended without MQDISC")


_sessions: list[Session] = []


_forked = False


def _cut_off() -> None:
    """In a forked process, no lab serves: the memory is a copy, so that no call would reach the queue manager."""
    global _forked
    _forked = _forked or bool(_sessions)
    _sessions.clear()
    real_again()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_cut_off)


@cache
def _tell_cut_off() -> None:
    print(
        "mqlab: this forked process has no link to the lab of the process that started it, so that its calls of the "
        "MQI return 2009 and its connects 2059. Use threads instead",
        file=sys.stderr,
        flush=True,
    )


def current() -> Session:
    """The session that connects now; MQError 2059 if no lab serves the library."""
    if not _sessions:
        if _forked:
            _tell_cut_off()
        reason = mq.MQRC_Q_MGR_NOT_AVAILABLE
        raise MQError(reason, grounds=Grounds(reason, "no-lab", {}))
    return _sessions[-1]


def connection_of(number: Any) -> Connection:
    """The connection with this hConn; MQError 2018 if there is none, and 2009 in a forked process."""
    for session in reversed(_sessions):
        found = session.connections.get(number)
        if found is not None:
            return found
    if _forked:
        _tell_cut_off()
        raise MQError(mq.MQRC_CONNECTION_BROKEN)
    raise _no_connection(number)


def _no_connection(number: Any) -> MQError:
    grounds = Grounds(mq.MQRC_HCONN_ERROR, "no-connection", {"number": number})
    return MQError(mq.MQRC_HCONN_ERROR, grounds=grounds)


@contextmanager
def serving(session: Session) -> Iterator[Session]:
    """A ``with`` block in which this session connects; at its end, its connections end."""
    clock = session.lab.clock
    before = clock.park, clock.carrier
    _sessions.append(session)
    clock.park, clock.carrier = session.turns.park, Carrier
    try:
        with session.turns.holding(), simulated(session.times):
            yield session
    finally:
        with session.turns:
            session.end()
        session.turns.over = True
        _sessions.remove(session)
        clock.park, clock.carrier = before


def codes(error: Exception, session: Session | None, function: str) -> tuple[int, int]:
    """Completion and reason code of a call of this function that ended with this error; what mqlab does not simulate,
    and a failure of mqlab, is noted. EndlessWait, and what code of the program raised in the call, is raised again."""
    session = session or next(reversed(_sessions), None)
    if isinstance(error, MQError):
        if session is not None:
            session.refused(error)
        return error.comp, error.reason
    if not isinstance(error, LabError) and (place := place_in_own(error)) is not None:
        error = LabError(f"mqlab failed in {function}: {error!r} at {place}. Report this at mqlab's issues")
    if not isinstance(error, LabError) or isinstance(error, EndlessWait):
        raise error
    if session is not None:
        session.note(str(error))
    reason = mq.MQRC_FUNCTION_NOT_SUPPORTED if isinstance(error, NotImplementedError) else mq.MQRC_UNEXPECTED_ERROR
    return mq.MQCC_FAILED, reason
