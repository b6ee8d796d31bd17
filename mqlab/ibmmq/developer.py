"""A session that serves programs as they come: each queue manager and each channel that they name is there.

`mqlab run` and the plugin of pytest use it: a script that connects to QM7 by the channel ITS.SVRCONN need not be
changed. The queue managers have the developer defaults; a channel that these do not have runs as user app, without a
password. Where a session `trusts`, as in `mqlab run`, the first password of each user is right.
"""

from __future__ import annotations

from typing import Any

from ..mq.objects import legal_name
from .session import Connection, Session

DEFAULT = "QM1"
"""The queue manager that a program means which names none."""


class DeveloperSession(Session):
    """A session in which a connect makes the queue manager, and the channel, that are missing."""

    trusts = False
    """Whether the first password that a program gives for a user becomes the password of this user."""

    def __init__(self, lab: Any, program: str = "python"):
        super().__init__(lab, program)
        self._met: set[tuple[str, str]] = set()

    def connect(self, qmgr: Any, name: str, sharing: int, **who: Any) -> Connection:
        """Connect a program; its user may be one that the queue manager has not known so far."""
        user = who.get("user")
        if self.trusts and user and (qmgr.name, user) not in self._met:
            self._met.add((qmgr.name, user))
            if qmgr.users.get(user) != who.get("password"):
                qmgr.users[user] = who.get("password")
                self.note(f"{qmgr.name} took the password of user {user} as the program gave it")
        return super().connect(qmgr, name, sharing, **who)

    def queue_manager(self, name: str) -> Any:
        """The queue manager of this name, made now if the lab has none; Refused with 2058 for a name that none can
        have."""
        wanted = name.removeprefix("*") or next((each.name for each in self.lab.queue_managers), DEFAULT)
        known = {each.name for each in self.lab.queue_managers}
        if wanted not in known and legal_name(wanted):
            self.lab.queue_manager(wanted, developer=True)
        return super().queue_manager(wanted)

    def prepare_channel(self, qmgr: Any, channel: str) -> None:
        """Define the SVRCONN channel of this name if there is no channel of this name."""
        if not legal_name(channel) or len(channel) > 20 or qmgr.objects.get("CHANNEL", channel) is not None:
            return
        qmgr.mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) MCAUSER('app')").require()
        qmgr.mqsc(f"SET CHLAUTH({channel}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)").require()
        self.note(f"{qmgr.name} has no channel {channel}; it was defined for this program, without a password")
