"""The password of a connect (CONNAUTH): whether one that is given is right, and whether one must be given (G4).

Users and passwords are the queue manager's setting `users`. A password is checked before the channel authentication
records are; whether one is required is asked behind them, because a record can ask for one, and because only then the
user is known. ChlauthEarlyAdopt, in qm.ini, is a setting of the environment: Y unless it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admin.whys import CredentialsRequired, CredentialsRequiredHere, NoAuthinfo, UnknownUser, WrongPassword
from ..engine.queues.options import at_most_one, bits, names_of
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.because import Told
from ..engine.words.errors import NotSimulated
from ..engine.words.refusals import Grounds
from ..engine.words.whys import Why
from . import kept
from .attempt import Attempt, Outcome, Passed, Refusal

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
_ACTED = bits("MQCNO_", "HANDLE_SHARE_NONE HANDLE_SHARE_BLOCK HANDLE_SHARE_NO_BLOCK NO_CONV_SHARING")
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


def _demand(attempt: Attempt) -> str:
    """What the AUTHINFO object in force says of passwords: CHCKLOCL or CHCKCLNT, NONE without one."""
    authinfo = kept(attempt.qmgr).authinfo[1]
    if not authinfo:
        return "NONE"
    return authinfo["CHCKLOCL"] if attempt.channel is None else authinfo["CHCKCLNT"]


def checked(attempt: Attempt) -> Outcome:
    """Whether the password is right, if one is given and checked (AUT-A, AUT-E, AUT-F)."""
    qmgr, user = attempt.qmgr, attempt.user
    (name, authinfo), check = kept(qmgr).authinfo, _demand(attempt)
    attempt.runs_as = attempt.definition.get("MCAUSER", "") or attempt.asserted
    if name and not authinfo:
        return _failed(attempt, "no-authinfo", NoAuthinfo(name), authinfo=name)
    if authinfo and check != "NONE" and authinfo["AUTHTYPE"] != "IDPWOS":
        wrong = f"{name} is {authinfo['AUTHTYPE']}"
        raise NotSimulated(f"CONNAUTH must name an AUTHINFO object of AUTHTYPE(IDPWOS); {wrong}")
    if not user or check == "NONE":
        return Passed("password-ignored" if user else "no-password", {"check": check, "user": attempt.runs_as})
    if authinfo["ADOPTCTX"] == "YES":
        attempt.adopted = attempt.runs_as = user
    if qmgr.users.get(user) != attempt.password or not attempt.password:
        why: Why = WrongPassword(user) if user in qmgr.users else UnknownUser(user, qmgr.name)
        if qmgr.users:
            return _failed(attempt, "wrong-user", why, "AMQ5534E", users=", ".join(qmgr.users))
        return _failed(attempt, "no-users", why, "AMQ5534E")
    if attempt.adopted and len(user) > 12 and qmgr.platform != "zos":
        return _failed(attempt, "long-user", WrongPassword(user), "AMQ5534E", user=user)
    return Passed("password", {"user": user, "adopts": authinfo["ADOPTCTX"]})


def required(attempt: Attempt) -> Outcome | None:
    """Whether a password must be given, by CONNAUTH or by the record that decided (AUT-A, CHL-I)."""
    name, check, demanding = kept(attempt.qmgr).authinfo[0], _demand(attempt), None
    record, runs_as = attempt.record or {}, attempt.runs_as
    asked = record.get("CHCKCLNT", "ASQMGR")
    if attempt.channel is not None and asked not in ("ASQMGR", "NONE", "OPTIONAL") and not name:
        return _failed(attempt, "no-connauth", _required_here(record, asked, runs_as), "AMQ5540E")
    if attempt.channel is not None and check != "NONE" and _STRENGTH.index(asked) > _STRENGTH.index(check):
        check, demanding = asked, record
    administrator = check == "REQDADM" and runs_as in attempt.qmgr.administrators and attempt.qmgr.platform != "zos"
    if not attempt.user and (check == "REQUIRED" or administrator):
        keyword = "CHCKLOCL" if attempt.channel is None else "CHCKCLNT"
        why: Why = CredentialsRequired(name, keyword, check, runs_as)
        code = "AMQ5542I"
        if demanding is not None:
            why, code = _required_here(demanding, check, runs_as), "AMQ5541I"
        return _failed(attempt, "credentials-required", why, "AMQ5540E", code)
    if check == "NONE":
        return None
    return Passed("given" if attempt.user else "not-asked", {"check": check, "user": runs_as})


def _required_here(record: dict[str, Any], check: str, runs_as: str) -> Why:
    return CredentialsRequiredHere(record["CHLAUTH"], record["TYPE"], "CHCKCLNT", check, runs_as)


def _failed(attempt: Attempt, case: str, why: Why, *codes: str, **fields: object) -> Refusal:
    """The refusal of a password that is wrong or missing; the error log has the demand behind the failure (AUT-C)."""
    name, authinfo = kept(attempt.qmgr).authinfo
    if codes == ("AMQ5534E",) and authinfo:
        codes += ("AMQ5542I",)
    if codes:
        codes += ("AMQ9557E",)
    about = {"channel": attempt.channel, "address": attempt.client.address, "authinfo": name}
    grounds = Grounds(mq.MQRC_NOT_AUTHORIZED, case, about | fields | {"why": Told(why.facts)})
    opens = {"no-authinfo": f"DEFINE AUTHINFO({name}) AUTHTYPE(IDPWOS)\nREFRESH SECURITY TYPE(CONNAUTH)",
             "no-connauth": "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)\nREFRESH SECURITY TYPE(CONNAUTH)",
             }.get(case, "")  # fmt: skip
    return Refusal(grounds, codes, "", ("csp", mq.MQRQ_CSP_NOT_AUTHORIZED), "", opens)
