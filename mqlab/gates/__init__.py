"""The gates that a program passes on its way to a queue: network, TLS, records, passwords, and authority: an extra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .attempt import Attempt, Keys


class Kept:
    """The state that the gates keep for a queue manager."""

    def __init__(self) -> None:
        self.authinfo: tuple[str, dict[str, Any]] = ("", {})  # the AUTHINFO object in force: name, attributes
        self.members: dict[str, tuple[str, ...]] = {}  # groups and their users, as last read
        self.stopped: set[str] = set()  # SVRCONN channels that are STOPPED
        self.listening = True  # on z/OS: whether no STOP LISTENER ended the listener
        self.owned: dict[str, str] = {}  # dynamic queues -> the user who created each
        self.repository: Keys | None = None  # the key repository on disk; None if nobody described it
        self.keys_read: tuple[Keys | None, ...] = ()  # the repository as last read; () if it has not been read
        self.again: set[tuple[str, str]] = set()  # channels that end to shake hands again
        self.clients: dict[str, str] = {}  # programs that were let in as clients -> the channel of each, the last one
        self.attempts: dict[str, Attempt] = {}  # programs -> their last attempt that says something


def kept(qmgr: Any) -> Kept:
    """The state that the gates keep for this queue manager, made at the first call."""
    found: Kept = qmgr.kept.setdefault("gates", Kept())
    return found


def read_authinfo(qmgr: Any, command: object = None) -> None:
    """Read CONNAUTH and its AUTHINFO object, as a start and REFRESH SECURITY do (SEC-01): what changes later waits for
    the next refresh."""
    name = qmgr.attributes["CONNAUTH"] if qmgr.level >= 800 else ""  # the level that brought CONNAUTH
    found = qmgr.objects.get("AUTHINFO", name) if name else None
    kept(qmgr).authinfo = (name, dict(found.attributes) if found is not None else {})


def read_groups(qmgr: Any, command: object = None) -> None:
    """Read who is in which group, as a start and REFRESH SECURITY TYPE(AUTHSERV) do (OAM-08)."""
    kept(qmgr).members = {group: tuple(members) for group, members in qmgr.groups.items()}
    qmgr.administrators |= set(qmgr.groups.get("mqm", ()))


def keys_of(qmgr: Any) -> Keys | None:
    """The key repository as last read; as it is on disk, if no channel with TLS has run since the start (TLS-06)."""
    return (*kept(qmgr).keys_read, kept(qmgr).repository)[0]


def read_keys(qmgr: Any) -> None:
    """Read the key repository, unless it has been read."""
    kept(qmgr).keys_read = (keys_of(qmgr),)
