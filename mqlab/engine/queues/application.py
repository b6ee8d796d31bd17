"""An application that is connected to a queue manager: its name, its context, and the end of its connection."""

from __future__ import annotations

import re
from typing import Any

from ..extra import extras
from ..words import constants as mq
from ..words.arguments import checked, require
from ..words.errors import RunawayTrigger
from ..words.shown import shown
from ..words.whys import Failed, Why
from .calls import Calls, checked_user
from .message import Context

# a program's name reaches pictures, tables and files: what could be markup there is refused at the door
_PROGRAM = re.compile(r"[^<>&\"'\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,48}")
_MARKUP = re.compile(r"[<>&\"'\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def program_name(appl_id: str) -> str:
    """The name of a program that an APPLICID starts: 28 characters of it, ``_`` for what a name cannot hold.

    >>> program_name("C:\\\\a & b.exe")
    'C:\\\\a _ b.exe'
    """
    return _MARKUP.sub("_", appl_id[:28])


def require_program(name: str) -> None:
    """Refuse a name that no program can have."""
    require(
        "program", name, str, "a name of 1 to 48 printable characters, none of < > & and quotes", _PROGRAM.fullmatch
    )


@shown
class Application(Calls):
    """One application connected to a queue manager by name (MQCONN): the same calls, made in its name.

    `user` is the UserIdentifier of its messages, "app" unless it is given; its name is their PutApplName.
    """

    def __init__(
        self, qmgr: Any, program: str, cause: int | None = None, user: str = "app", context: Context | None = None
    ):
        require_program(program)
        self.qmgr, self.caller, self.cause = qmgr, program, cause
        self.context = context or context_of(qmgr.platform, program, user)
        if context is None:
            self.connection = qmgr.next_connection()
            qmgr.connections.add(self)

    def begin(self) -> None:
        """Write the row of its beginning, which is the cause of its actions (MQI-19)."""
        started = {"state": "started"}
        self.cause = self.qmgr.record("program", self._place, "MQI-19", program=self.caller, detail=started)

    @checked
    def disconnect(self, commit: bool = True, why: str | Why = "") -> None:
        """End the connection (MQDISC): its open units of work are committed, its handles are closed (MQI-19).

        Without `commit` it ends abnormally, for the reason `why`, and its units of work are backed out.
        """
        self.finish(commit)
        self.qmgr.connections.discard(self)
        reason = Failed(why) if isinstance(why, str) and why else why
        detail = {"state": "ended" if commit else "died", **({"why": reason.facts} if isinstance(reason, Why) else {})}
        self.qmgr.record("program", self._place, "MQI-19", program=self.caller, cause=self.cause, detail=detail)
        if self.gate is not None:
            self.gate.left()

    def finish(self, commit: bool) -> None:
        """Commit or back out what it has begun, then close its handles: the order decides whether the close triggers
        (TRG-12b). RunawayTrigger is raised when all are closed."""
        qmgr, runaway = self.qmgr, None
        if self.gate is not None:
            self.gate.end(commit)
        for unit in [u for u in qmgr.units.values() if u.application is self and not u.in_doubt]:
            unit.commit() if commit else unit.backout()
        for extra in extras():
            extra.disconnected(qmgr, self)
        for handle in qmgr.handles.having(self):
            try:
                handle.close()
            except RunawayTrigger as error:
                runaway = error
        if runaway is not None:
            raise runaway

    @property
    def _place(self) -> tuple[str, None, None]:
        return self.qmgr.name, None, None

    def __repr__(self) -> str:
        return f"Application({self.caller!r} on {self.qmgr.name})"


def context_of(platform: str, program: str, user: str = "app") -> Context:
    """The default context of an application's messages; LabError if the user has more than 12 characters."""
    kind = mq.MQAT_ZOS if platform == "zos" else mq.MQAT_UNIX
    return Context(user=checked_user(user, "user"), put_appl_type=kind, put_appl_name=program[:28])
