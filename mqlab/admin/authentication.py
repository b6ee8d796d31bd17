"""Authentication of a connect: the password (CONNAUTH), then the channel authentication records (CHLAUTH).

`authenticate` is what a connect with MQCONNX asks. Users and passwords are the queue manager's setting `users`. The
checks have this order: the password, if the program gives one; the most specific channel authentication record; and
then whether a missing password is required. Authority over objects is not simulated: no authority record (SET AUTHREC)
refuses anything. FAILDLAY delays nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..engine.queues import broken
from ..engine.queues.options import at_most_one, bits, names_of
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.because import Told
from ..engine.words.errors import NotSimulated
from ..engine.words.refusals import Grounds
from ..engine.words.whys import Why
from . import kept
from .security_records import deciding_record
from .whys import (
    AddressBlocked,
    CredentialsRequired,
    CredentialsRequiredHere,
    NoAuthinfo,
    UnknownUser,
    UserBlocked,
    WrongPassword,
)

if TYPE_CHECKING:
    from ..engine.queues.calls import Calls

_ALONE = tuple(
    bits("MQCNO_", names)
    for names in (
        "HANDLE_SHARE_NONE HANDLE_SHARE_BLOCK HANDLE_SHARE_NO_BLOCK",
        "FASTPATH_BINDING SHARED_BINDING ISOLATED_BINDING LOCAL_BINDING CLIENT_BINDING",
        "RECONNECT RECONNECT_Q_MGR RECONNECT_DISABLED",
        "SERIALIZE_CONN_TAG_Q_MGR SERIALIZE_CONN_TAG_QSG RESTRICT_CONN_TAG_Q_MGR RESTRICT_CONN_TAG_QSG",
        "NO_CONV_SHARING ALL_CONVS_SHARE",
        "ACCOUNTING_MQI_ENABLED ACCOUNTING_MQI_DISABLED",
        "ACCOUNTING_Q_ENABLED ACCOUNTING_Q_DISABLED",
        "ACTIVITY_TRACE_ENABLED ACTIVITY_TRACE_DISABLED",
    )
)
"""Options of a connect of which only one may be given."""
_KNOWN = sum(_ALONE) | bits("MQCNO_", "CD_FOR_OUTPUT_ONLY USE_CD_SELECTION GENERATE_CONN_TAG")
_ACTED = bits("MQCNO_", "HANDLE_SHARE_NONE HANDLE_SHARE_BLOCK HANDLE_SHARE_NO_BLOCK")
_ACTED |= bits("MQCNO_", "RECONNECT RECONNECT_Q_MGR RECONNECT_DISABLED")
_STRENGTH = ("ASQMGR", "NONE", "OPTIONAL", "REQDADM", "REQUIRED")


def check_options(calls: Calls, options: int, channel: str | None) -> None:
    """2046 for MQCNO options that MQ does not know, or does not take together (MQI-27); a row names those that it takes
    and nothing acts on."""
    require("options", options, int, "a sum of MQCNO options")
    if unknown := options & ~_KNOWN:
        options_text = f"{unknown & 0xFFFF_FFFF:#x}"
        calls.refuse(mq.MQRC_OPTIONS_ERROR, "unknown-connect-options", None, "connect", options=options_text)
    at_most_one(calls, None, "connect", "MQCNO_", options, *_ALONE)
    binding = mq.MQCNO_LOCAL_BINDING if channel is None else mq.MQCNO_CLIENT_BINDING  # what the program has
    if kept := names_of("MQCNO_", options & ~(_ACTED | binding), " ").split():
        calls.record("connect", (calls.qmgr.name, None, None), "MQI-27", detail={"kept_only": kept})


def authenticate(
    calls: Calls,
    channel: str | None,
    user: str = "",
    password: str = "",
    *,
    asserted: str = "app",
    address: str = "127.0.0.1",
) -> str:
    """Return the user that a connection runs as (MQCONNX), or refuse it with 2035, 2538, 2539, or 2540 (SEC-01, SEC-02,
    NET-02).

    `calls` is the queue manager or the application that connects. `channel` is a client's SVRCONN channel, None for a
    program on the machine itself; `user` and `password` are those of the MQCSP, "" for none; `asserted` is the user
    under which the program runs on its own machine, whose IP address is `address`. The row of a refusal names the gate.
    """
    qmgr = calls.qmgr
    if channel is not None:
        broken.require_link(calls, calls.caller, channel)
    definition = _server_channel(calls, channel) if channel is not None else {}
    name, gate = kept(qmgr).gate
    check = "NONE" if not gate else gate["CHCKLOCL"] if channel is None else gate["CHCKCLNT"]
    if name and not gate:
        _refuse(calls, "no-authinfo", channel, user, NoAuthinfo(name), "", address=address, authinfo=name)
    if gate and check != "NONE" and gate["AUTHTYPE"] != "IDPWOS":
        raise NotSimulated(f"CONNAUTH must name an AUTHINFO object of AUTHTYPE(IDPWOS); {name} is {gate['AUTHTYPE']}")
    checked = bool(user) and check != "NONE"
    if checked and (user not in qmgr.users or qmgr.users[user] != password):
        why = WrongPassword(user) if user in qmgr.users else UnknownUser(user, qmgr.name)
        detail = ("AMQ5534E", 0, address)
        if qmgr.users:
            _refuse(calls, "wrong-user", channel, user, why, *detail, users=", ".join(qmgr.users))
        _refuse(calls, "no-users", channel, user, why, *detail)
    adopted = user if checked and gate["ADOPTCTX"] == "YES" else ""
    known = adopted or asserted
    runs_as, demanding = adopted or definition.get("MCAUSER", "") or known, None
    if channel is not None and qmgr.attributes["CHLAUTH"] == "ENABLED":
        record = deciding_record(qmgr, channel, address, known, adopted)
        if record is not None and (record.get("USERSRC") == "NOACCESS" or record["TYPE"] in ("BLOCKADDR", "BLOCKUSER")):
            _blocked(calls, record, channel, known, runs_as, address)
        if record is not None:
            runs_as = record.get("MCAUSER") or runs_as
            if check != "NONE" and _STRENGTH.index(record.get("CHCKCLNT", "ASQMGR")) > _STRENGTH.index(check):
                check, demanding = record["CHCKCLNT"], record
    if not user and (check == "REQUIRED" or (check == "REQDADM" and runs_as in qmgr.administrators)):
        keyword = "CHCKLOCL" if channel is None else "CHCKCLNT"
        required: Why = CredentialsRequired(name, keyword, check, runs_as)
        if demanding is not None:
            required = CredentialsRequiredHere(demanding["CHLAUTH"], demanding["TYPE"], keyword, check, runs_as)
        _refuse(calls, "credentials-required", channel, runs_as, required, "AMQ5540E", address=address)
    return runs_as


def _server_channel(calls: Calls, channel: str) -> dict[str, Any]:
    """The attributes of a client's channel; refused with 2540 if it is not defined, 2539 if it is not a SVRCONN."""
    definition = calls.qmgr.objects.get("CHANNEL", channel)
    if definition is None:
        calls.refuse(
            mq.MQRC_UNKNOWN_CHANNEL_NAME, "not-defined", None, "connect", channel, qmgr=calls.qmgr.name, channel=channel
        )
    if definition.attributes["CHLTYPE"] != "SVRCONN":
        calls.refuse(
            mq.MQRC_CHANNEL_CONFIG_ERROR,
            "no-svrconn",
            None,
            "connect",
            channel,
            chltype=definition.attributes["CHLTYPE"],
        )
    attributes: dict[str, Any] = definition.attributes
    return attributes


def _blocked(calls: Calls, record: dict, channel: str, known: str, runs_as: str, address: str) -> NoReturn:
    """Refuse a client that a channel authentication record blocks."""
    if record["TYPE"] == "BLOCKUSER":
        blocked: Why = UserBlocked(record["CHLAUTH"], record["TYPE"], runs_as)
        about = ("AMQ9776E", mq.MQRQ_CHANNEL_BLOCKED_USERID, address)
        _refuse(calls, "blocked", channel, runs_as, blocked, *about, client=known)
    qualifier = mq.MQRQ_CHANNEL_BLOCKED_ADDRESS if record["TYPE"] == "BLOCKADDR" else mq.MQRQ_CHANNEL_BLOCKED_NOACCESS
    why = AddressBlocked(record["CHLAUTH"], record["TYPE"], known, address)
    _refuse(calls, "blocked", channel, known, why, "AMQ9777E", qualifier, address, client=known)


def _refuse(
    calls: Calls,
    case: str,
    channel: str | None,
    user: str,
    why: Why,
    code: str,
    blocked: int = 0,
    address: str = "",
    **fields: object,
) -> NoReturn:
    """Raise 2035, after a row that names the gate; a real client learns only the reason code."""
    gate = "CHLAUTH" if case == "blocked" else "CONNAUTH"
    detail = {"gate": gate, "code": code, "user": user, "why": why.facts}
    fields |= {"why": Told(why.facts), "channel": channel, "address": address}
    grounds = Grounds(mq.MQRC_NOT_AUTHORIZED, case, fields)
    error = calls.refusal(grounds, None, "connect", channel or calls.qmgr.name, detail=detail)
    has = calls.qmgr.attributes
    if (has["CHLEV"] if blocked else has.get("AUTHOREV", "DISABLED")) != "DISABLED":
        from .event_messages import connect_refused

        connect_refused(calls, blocked, channel, user, address, error.seq or 0)
    raise error
