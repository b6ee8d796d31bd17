"""Message channels at the gates: which call a queue manager accepts, and the effects of a refusal, and of a refresh."""

from __future__ import annotations

from typing import Any

from ..admin.runcheck import spelled_out
from ..admin.whys import ChannelRefused
from ..engine.programs.channels.channel import ACTIVE, Channel, sends
from ..engine.programs.channels.control import stop
from ..engine.programs.channels.mca import launch
from ..engine.words.because import refused_on
from ..engine.words.whys import CalledBy, Sends
from . import kept, read_keys
from .admitting import CONDITIONS, tell, tell_of_warning
from .attempt import Attempt, Client, warnings
from .instances import end
from .tls import end_of, handshake_of

ASKED = tuple(each for each in CONDITIONS if each.gate in ("BLOCKADDR", "TLS", "CHLAUTH", "BLOCKUSER"))
"""The conditions of a connect that the call of a message channel must meet too, in their order."""


def called(qmgr: Any, name: str, partner: str) -> Attempt:
    """The call of a partner by a channel of this name, as the gates decide about it now; nothing is changed."""
    there, attempt = qmgr.lab[partner], Attempt(qmgr, partner, name, "", partner=partner)
    definition, channel = there.objects.get("CHANNEL", name), there.channels.get((name, ""))
    has = channel.attributes if channel is not None else {} if definition is None else definition.attributes
    attempt.client = Client(_address(there))
    attempt.handshake = handshake_of(attempt, end_of(there, has))
    attempt.walk(ASKED)
    return attempt


def _address(qmgr: Any) -> str:
    """The first IP address that the lab has for a queue manager, "" for none."""
    known = (address.partition("(")[0] for address, name in qmgr.lab.network.addresses.items() if name == qmgr.name)
    return next((host for host in known if spelled_out(host)), "")


def refusal_of(attempt: Attempt) -> ChannelRefused | None:
    """The reason of a refused call; None if the call was accepted."""
    refusal = attempt.refusal
    if refusal is None:
        return None
    move = f"{attempt.qmgr.name}: {refusal.opens}" if refusal.opens else refusal.grounds.hint
    there = refusal.codes[0] if refusal.codes else ""
    about, here = (attempt.qmgr.name, refusal.grounds.rule or ""), refusal.client or "AMQ9209E"
    return ChannelRefused(*about, refused_on(refusal.grounds), here, there, move)


def changed(channel: Channel, cause: int) -> None:
    """A channel has entered a state: put the event message of a refusal or a warning, keep the columns of DISPLAY
    CHSTATUS, and start the channel again if it ended to shake hands again (TLS-05)."""
    qmgr, state, why, name = channel.qmgr, channel.state, channel.why, channel.name
    lab: Any = qmgr.lab
    if state in ACTIVE and channel.attributes["SSLCIPH"]:
        read_keys(qmgr)
    if state == "BINDING" and isinstance(why, CalledBy):
        attempt = called(qmgr, name, channel.partner)
        channel.columns = {"MCAUSER": attempt.runs_as} if attempt.runs_as else {}
        if (ends := attempt.handshake) is not None:
            channel.columns |= ends.columns(ends.sent)
        for record in warnings(attempt):
            tell_of_warning(qmgr, attempt, record)
    elif (state == "RUNNING" and not channel.partner) or (channel.partner and isinstance(why, Sends)):
        ends = called(lab[channel.partner or channel.remote], name, qmgr.name).handshake
        channel.columns = {} if ends is None else ends.columns(ends.far.certificate)
    elif state not in ACTIVE:
        channel.columns = {}
        if isinstance(why, ChannelRefused):
            _tell_partner(lab[why.partner], name, qmgr.name, cause)
        if (name, channel.partner) in kept(qmgr).again:
            kept(qmgr).again.discard((name, channel.partner))
            again: Any = qmgr.clock.timeout(0)
            again.callbacks.append(lambda _: _again(channel, cause))


def _tell_partner(partner: Any, name: str, caller: str, cause: int) -> None:
    """Let the queue manager that refused a channel put its event message, if its gates still refuse that."""
    attempt = called(partner, name, caller)
    if attempt.refusal is not None:
        if attempt.handshake is not None:
            read_keys(partner)
        tell(partner, attempt, attempt.refusal, cause)


def _again(channel: Channel, cause: int) -> None:
    """Start a channel that ended to shake hands again."""
    if channel.qmgr.running and channel.state == "INACTIVE":
        launch(channel, cause, "TLS-05")


def refresh(qmgr: Any, command: object) -> None:
    """REFRESH SECURITY TYPE(SSL): read the key repository again. Channels with TLS that send finish their batch, and
    start again; others end at once, and are INACTIVE; the connections of clients break (TLS-05)."""
    kept(qmgr).keys_read = (kept(qmgr).repository,)
    for channel in [active for active in qmgr.channels.values() if active.active and active.attributes["SSLCIPH"]]:
        sending = sends(channel.chltype)
        if sending and channel.attributes["CONNAME"]:
            kept(qmgr).again.add((channel.name, channel.partner))
        stop(qmgr, channel.name, "QUIESCE" if sending else "FORCE", "INACTIVE", [channel])
    for application in sorted(qmgr.connections, key=lambda active: active.connection):
        if getattr(application.admission, "handshake", None) is not None:
            end(application, application.client[0], "tls-refreshed")
