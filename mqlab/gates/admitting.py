"""Letting a connection in: the gates in their order, and what a refusal leaves in the log and the events."""

from __future__ import annotations

from typing import Any

from ..admin.whys import GateRefused
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.because import Told, refused_on
from ..engine.world.clock import SECOND
from . import authority, chlauth, kept, network, passwords, read_keys, tls
from .attempt import Attempt, Client, Condition, Refusal, warnings

CONDITIONS = (
    Condition("queue manager", "REC-09", network.lasts),
    Condition("network", "GAT-01", network.reached),
    Condition("BLOCKADDR", "SEC-02", chlauth.address_allowed),
    *(Condition("TLS", rule, test) for rule, test in tls.HANDSHAKE),
    Condition("channel", "GAT-02", network.is_there),
    Condition("limits", "GAT-04", network.within_limits),
    Condition("connections", "GAT-06", network.connections_left),
    Condition("password", "SEC-01", passwords.checked),
    Condition("CHLAUTH", "SEC-02", chlauth.mapped),
    Condition("BLOCKUSER", "SEC-03", chlauth.user_allowed),
    Condition("CHCKCLNT", "SEC-01", passwords.required),
    Condition("connect", "OAM-01", authority.may_connect),
)
"""The gates of a connect, in their order; a local program has nothing to do with those of clients."""


def admit(application: Any, attempt: Attempt, again: bool = False) -> Attempt:
    """Let a connection in, or refuse it: MQError 2009 to 2540, after FAILDLAY if it was the password, and it is not
    the reconnection of a connection that broke (`again`)."""
    attempt.time_us = attempt.qmgr.clock.time_us
    refusal = attempt.walk(CONDITIONS)
    if attempt.handshake is not None:
        read_keys(attempt.qmgr)
    for record in warnings(attempt):
        tell_of_warning(application, attempt, record)
    if refusal is None:
        return attempt
    kept(attempt.qmgr).attempts[attempt.program] = attempt
    if refusal.event[0] == "csp" and not again:
        _delay(attempt)
    raise refuse(application, attempt, refusal)


def attempt_of(
    application: Any, channel: str | None, user: str, password: str | None, options: int, client: object
) -> Attempt:
    """The attempt that the arguments of a connect describe; without a password no MQCSP is given."""
    require("client", client, Client | None, "a Client of mqlab.gates.attempt")
    known = client if isinstance(client, Client) else Client()
    given = (user, password) if password is not None else ("", "")
    asserted = known.asserted or user
    return Attempt(application.qmgr, application.caller, channel, asserted, *given, client=known, options=options)


def _delay(attempt: Attempt) -> None:
    """Hold the refusal of a password for FAILDLAY seconds (AUT-B)."""
    seconds = kept(attempt.qmgr).authinfo[1].get("FAILDLAY", 0)
    if seconds:
        clock = attempt.qmgr.clock
        clock.wait(clock.event(), clock.time_us + seconds * SECOND)


def refuse(application: Any, attempt: Attempt, refusal: Refusal) -> Exception:
    """The error of a refused connect, after its row, its event message, and what the error log reads from the row."""
    gate, grounds = attempt.outcomes[-1][0].gate, refusal.grounds
    told = grounds.fields.get("why")
    why = told.facts if isinstance(told, Told) else GateRefused(refused_on(grounds)).facts
    user = attempt.user or attempt.runs_as or attempt.asserted
    detail: dict[str, Any] = {"gate": gate, "user": user, "why": why, "address": attempt.client.address}
    if refusal.grounds.case == "no-authority":
        detail |= {"entity": attempt.runs_as, "opened": f"{attempt.qmgr.name} [qmgr]", "missing": "connect"}
    if "active" in grounds.fields:
        detail["active"] = grounds.fields["active"]
    if refusal.codes:
        detail |= {"code": refusal.codes[0], "also": list(refusal.codes[1:])}
    error = application.refusal(grounds, None, "connect", attempt.channel or attempt.qmgr.name, detail=detail)
    attempt.seq = error.seq
    tell(application, attempt, refusal, error.seq or 0)
    return error


def tell(application: Any, attempt: Attempt, refusal: Refusal, cause: int) -> None:
    """Put the event message of a refusal, if the queue manager wants it (EVT-11); `application` is the queue manager
    itself if a message channel is refused."""
    has, (sort, qualifier) = attempt.qmgr.attributes, refusal.event
    channels, authority_, tls_ = has.get("CHLEV"), has.get("AUTHOREV"), has.get("SSLEV")
    wanted = {"blocked": channels, "limit": channels, "ssl": tls_, "csp": authority_, "connect": authority_}
    if wanted.get(sort, "DISABLED") in (None, "DISABLED"):
        return
    from ..admin import event_messages

    if sort in ("csp", "connect", "blocked"):
        user = attempt.user or attempt.runs_as
        reason = mq.MQRC_CHANNEL_BLOCKED if sort == "blocked" else mq.MQRC_NOT_AUTHORIZED
        about = (attempt.channel, user, attempt.where, cause)
        event_messages.connect_refused(application, reason, qualifier, *about)
    else:
        reason = mq.MQRC_CHANNEL_NOT_AVAILABLE if sort == "limit" else mq.MQRC_CHANNEL_SSL_ERROR
        name = attempt.channel if attempt.definition else ""
        event_messages.channel_refused(attempt.qmgr, reason, qualifier, name or "", attempt.where, cause)


def tell_of_warning(application: Any, attempt: Attempt, record: dict[str, Any]) -> None:
    """Put the event message about a record that only warns (CHL-F)."""
    if attempt.qmgr.attributes["CHLEV"] == "DISABLED":
        return
    from ..admin import event_messages

    sort = record["TYPE"]
    qualifier = {"BLOCKADDR": mq.MQRQ_CHANNEL_BLOCKED_ADDRESS, "BLOCKUSER": mq.MQRQ_CHANNEL_BLOCKED_USERID}
    about = (attempt.channel, attempt.runs_as or attempt.known, attempt.where, None)
    blocked = qualifier.get(sort, mq.MQRQ_CHANNEL_BLOCKED_NOACCESS)
    event_messages.connect_refused(application, mq.MQRC_CHANNEL_BLOCKED_WARNING, blocked, *about)
