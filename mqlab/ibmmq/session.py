"""Connections of programs that call through IBM's library: handles of connections and objects, and who may use them.

A `Session` is the time during which a lab serves the library. Each connection (hConn) is an application of the engine,
each object handle (hObj) a handle of the engine; both are numbers for the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import RLock, get_ident
from typing import Any

from ..mq import constants as mq
from ..mq.errors import LabError, MQError
from ..qmgr.calls import program_name

_NUMBERS = count(1)


class Refused(Exception):
    """A call that ends before the engine is asked, or with other codes than the engine's: completion and reason."""

    def __init__(self, reason: int, comp: int = mq.MQCC_FAILED):
        super().__init__(reason)
        self.reason, self.comp = reason, comp


class Connection:
    """One hConn: its application, its open objects, and the thread that made it.

    `objects` maps each hObj to the engine's handle; `more` is for what other verbs keep (message handles,
    subscriptions, consumers).
    """

    def __init__(self, session: Session, application: Any, shared: bool):
        self.session, self.application, self.shared = session, application, shared
        self.number, self.thread = next(_NUMBERS), get_ident()
        self.objects: dict[int, Any] = {}
        self.more: dict[str, Any] = {}
        self.last_put: Any = None
        self._next = count(1)

    @property
    def qmgr(self) -> Any:
        """The queue manager that it is connected to."""
        return self.application.qmgr

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
            said, hint = f"hObj {number!r} is no object that this connection has open", "open it, or open it again"
            self.application.refuse(mq.MQRC_HOBJ_ERROR, None, call, "MQI-14", said, hint)

    def end(self, commit: bool, why: str = "") -> None:
        """End the connection: its unit of work is committed, or backed out, and its objects are closed."""
        self.session.connections.pop(self.number, None)
        self.application.disconnect(commit, why)
        self.objects.clear()


class Session:
    """The time during which a lab serves IBM's library; `notes` are the sentences about what mqlab does not simulate.

    `program` is the name of the program, unless its MQCNO gives another one.
    """

    def __init__(self, lab: Any, program: str = "python"):
        self.lab, self.program = lab, program_name(program)
        self.lock = RLock()
        self.connections: dict[int, Connection] = {}
        self.notes: list[str] = []

    def connect(self, qmgr: Any, name: str, shared: bool, **who: Any) -> Connection:
        """Connect a program to a queue manager; MQError 2035, 2059, 2539, 2540."""
        qmgr.require_running("connect")
        if who.get("channel"):
            self.prepare_channel(qmgr, who["channel"])
        application = qmgr.connect(program_name(name) if name else self.program, **who)
        application.begin()
        connection = Connection(self, application, shared)
        self.connections[connection.number] = connection
        return connection

    def queue_manager(self, name: str) -> Any:
        """The queue manager that a name in a connect means: blank is the lab's first one, ``*`` in front is left out.
        Refused with 2058 if the lab has none of this name."""
        managers = {each.name: each for each in self.lab.queue_managers}
        wanted = name.removeprefix("*")
        if not wanted and managers:
            return next(iter(managers.values()))
        if wanted not in managers:
            raise Refused(mq.MQRC_Q_MGR_NAME_ERROR)
        return managers[wanted]

    def prepare_channel(self, qmgr: Any, channel: str) -> None:
        """Prepare the channel of a client that connects; here nothing, because the lab has the channels it has."""

    def note(self, said: str) -> None:
        """Keep a sentence about what mqlab does not simulate, or could not do."""
        self.notes.append(said)

    def end(self) -> None:
        """End what is still connected, as the end of a process without MQDISC does: on z/OS it commits, elsewhere it
        backs out."""
        for connection in list(self.connections.values()):
            commit = connection.qmgr.platform == "zos"
            connection.end(commit, "" if commit else "it ended without MQDISC")


_sessions: list[Session] = []


def current() -> Session:
    """The session that connects now; Refused with 2059 if no lab serves the library."""
    if not _sessions:
        raise Refused(mq.MQRC_Q_MGR_NOT_AVAILABLE)
    return _sessions[-1]


def connection_of(number: Any) -> Connection:
    """The connection with this hConn, for the calling thread; Refused with 2018 if there is none."""
    for session in reversed(_sessions):
        found = session.connections.get(number)
        if found is not None and (found.shared or found.thread == get_ident()):
            return found
    raise Refused(mq.MQRC_HCONN_ERROR)


@contextmanager
def serving(session: Session) -> Iterator[Session]:
    """A ``with`` block in which this session connects; at its end, its connections end."""
    _sessions.append(session)
    try:
        yield session
    finally:
        session.end()
        _sessions.remove(session)


def codes(error: Exception, session: Session | None) -> tuple[int, int]:
    """Completion and reason code of a call that ended with this error; what mqlab does not simulate is noted."""
    if isinstance(error, MQError | Refused):
        return error.comp, error.reason
    if not isinstance(error, LabError):
        raise error
    if session is not None:
        session.note(str(error))
    reason = mq.MQRC_FUNCTION_NOT_SUPPORTED if isinstance(error, NotImplementedError) else mq.MQRC_UNEXPECTED_ERROR
    return mq.MQCC_FAILED, reason
