"""A session that serves programs unchanged: every queue manager and channel that they name exists.

`mqlab run` and the plugin of pytest use it: a script that connects to QM7 by the channel ITS.SVRCONN need not be
changed. The queue managers have the developer defaults; a channel that these do not have runs as user app, without a
password. Where a session `trusts`, as in `mqlab run`, the queue managers are as IBM's container is if the program is
right about its passwords: the first password of each user is right, and as long as none is given for app, the container
has none, so that DEV.APP.SVRCONN asks for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.words.objects import legal_name
from .session import Connection, Session

DEFAULT = "QM1"
"""The queue manager that a program means which names none."""
_APP, _ADMIN = _CHANNELS = ("DEV.APP.SVRCONN", "DEV.ADMIN.SVRCONN")


UNGUARDED: dict[str, Any] = {"environment": {"MQSNOAUT": "YES"}}
"""The setting of a queue manager that asks no program for authority: what a program defines, it may use."""


class DeveloperSession(Session):
    """A session in which a connect makes the queue manager, and the channel, that are missing."""

    trusts = False
    """Whether what a program says about its passwords is so."""
    settings: dict[str, Any] = {}
    """Settings of the queue managers that a connect makes: with an environment, authority is asked for as there."""

    def __init__(self, lab: Any, program: str = "python"):
        super().__init__(lab, program)
        self._met: set[tuple[str, str]] = set()  # queue managers, each with a user or a channel it already knows

    def connect(self, qmgr: Any, name: str, sharing: int, **who: Any) -> Connection:
        """Connect a program; its user may be one that the queue manager has not known so far."""
        user, channel = who.get("user", ""), who.get("channel", "")
        who.pop("port", None)  # a program's queue managers listen where it calls them
        if self.trusts and qmgr.running and (user or channel in _CHANNELS):
            told = (qmgr.name, user or channel)
            if told not in self._met:
                self._met.add(told)
                self._take(qmgr, user, who.get("password", "")) if user else self._take_none(qmgr, channel)
        return super().connect(qmgr, name, sharing, **who)

    def _take(self, qmgr: Any, user: str, password: str) -> None:
        """Let a queue manager have the password that a program gives for a user."""
        if qmgr.users.get(user) != password:
            qmgr.users[user] = password
            self.note(f"{qmgr.name} took the password of user {user} as the program gave it")
        if user == "app" and (qmgr.name, _APP) not in self._met:  # a container whose app has a password asks for it
            record = f"SET CHLAUTH({_APP}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"
            qmgr.mqsc(f"{record} ACTION(REPLACE)").require()

    def _take_none(self, qmgr: Any, channel: str) -> None:
        """Let a queue manager have no passwords if a program gives none on a channel of the developer defaults."""
        if channel == _APP and "app" not in qmgr.users:
            self.note(f"{channel} on {qmgr.name} asks for no password, because the program gave none")
        if channel == _ADMIN and "admin" not in qmgr.users:
            qmgr.mqsc(f"SET CHLAUTH({channel}) TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('app')").require()
            only = "IBM's container lets in only user admin with a password there (2035)"
            self.note(f"{channel} on {qmgr.name} was opened for this program, which gives no user. {only}")

    def queue_manager(self, name: str, addresses: Sequence[str] = ()) -> Any:
        """The queue manager of this name, made now if the lab has none; MQError 2058 for a name that none can have."""
        wanted = name.removeprefix("*") or next((each.name for each in self.lab.queue_managers), DEFAULT)
        known = {each.name for each in self.lab.queue_managers}
        if wanted not in known and legal_name(wanted):
            users: dict[str, Any] = {"users": {}} if self.trusts else {}
            self.lab.queue_manager(wanted, developer=True, **(UNGUARDED | users | self.settings))
        return super().queue_manager(wanted)

    def prepare_channel(self, qmgr: Any, channel: str) -> None:
        """Define the SVRCONN channel of this name if there is no channel of this name."""
        if not legal_name(channel) or len(channel) > 20 or qmgr.objects.get("CHANNEL", channel) is not None:
            return
        qmgr.mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) MCAUSER('app')").require()
        qmgr.mqsc(f"SET CHLAUTH({channel}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)").require()
        self.note(f"{qmgr.name} has no channel {channel}; it was defined for this program, without a password")
