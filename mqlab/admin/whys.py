"""Why a connection was refused: the cases that only authentication has, as in `mqlab.engine.words.whys`."""

from __future__ import annotations

from ..engine.words.whys import Refused, Why


class NoAuthinfo(Why):
    """CONNAUTH names no AUTHINFO object."""

    connauth: str


class WrongPassword(Why):
    """A user gave another password than his."""

    user: str


class UnknownUser(Why):
    """The queue manager does not know a user."""

    user: str
    qmgr: str


class CredentialsRequired(Why):
    """An AUTHINFO object demands a user and a password, and the program gave none; `user` is what it would run as."""

    authinfo: str
    keyword: str
    check: str
    user: str


class CredentialsRequiredHere(Why):
    """A record of CHLAUTH demands a user and a password, and the program gave none; `user` is what it would run as."""

    profile: str
    type: str
    keyword: str
    check: str
    user: str


class UserBlocked(Why):
    """A record of CHLAUTH blocks a user."""

    profile: str
    type: str
    user: str


class GateRefused(Why):
    """A gate refused a connection, an open, or a channel, on these grounds."""

    refusal: Refused


class ChannelRefused(Why):
    """The gates of a queue manager, `partner`, refused the call of a channel: `here` is the message at the end that
    called, `there` the one at the other end, and `move` what would open the gate."""

    partner: str
    rule: str
    refusal: Refused
    here: str
    there: str
    move: str

    @property
    def code(self) -> str:  # type: ignore[override]  # of each refusal
        """The message at the end that called."""
        return self.here


class PartnerBlocked(Why):
    """A record of CHLAUTH blocks a queue manager, whose channel calls from an address."""

    profile: str
    type: str
    qmgr: str
    address: str


class AddressBlocked(Why):
    """A record of CHLAUTH blocks a user from an address."""

    profile: str
    type: str
    user: str
    address: str
