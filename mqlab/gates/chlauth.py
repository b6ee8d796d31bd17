"""Channel authentication records: addresses, maps, and blocked users, for clients and for message channels (G3)."""

from __future__ import annotations

from typing import Any

from ..admin.runcheck import Decision, Facts, address_decision, map_decision, user_decision
from ..admin.security_records import in_order
from ..admin.whys import AddressBlocked, PartnerBlocked, UserBlocked
from ..engine.words import constants as mq
from ..engine.words.because import Told
from ..engine.words.refusals import Grounds
from .attempt import Attempt, Outcome, Passed, Refusal


def records(qmgr: Any) -> list[dict[str, Any]]:
    """The records in their order; none where CHLAUTH(DISABLED) or the level leaves them out."""
    return in_order(qmgr, "CHLAUTH") if qmgr.attributes.get("CHLAUTH", "DISABLED") == "ENABLED" else []


def facts_of(attempt: Attempt) -> Facts:
    """What records compare: the address and the certificate, the user of a client, and the name of a partner."""
    certificate = attempt.certificate
    names = ("", "") if certificate is None else (certificate.name, certificate.issuer)
    facts = {"ADDRESS": attempt.client.address, "CLNTUSER": attempt.known, "QMNAME": attempt.partner}
    return facts | {"SSLPEER": names[0], "SSLCERTI": names[1]}


def in_mqsc(record: dict[str, Any]) -> str:
    """A record as the command that sets it, without what is usual.

    >>> in_mqsc({"CHLAUTH": "A.*", "TYPE": "USERMAP", "CLNTUSER": "till", "USERSRC": "MAP", "MCAUSER": "shop"})
    "SET CHLAUTH('A.*') TYPE(USERMAP) CLNTUSER('till') MCAUSER('shop')"
    """
    words = [f"SET CHLAUTH('{record['CHLAUTH']}') TYPE({record['TYPE']})"]
    for keyword in ("SSLPEER", "SSLCERTI", "CLNTUSER", "QMNAME", "ADDRESS", "MCAUSER"):
        words += [f"{keyword}('{record[keyword]}')"] if record.get(keyword) else []
    for keyword in ("ADDRLIST", "USERLIST"):
        listed = ",".join(f"'{each}'" for each in record.get(keyword, ()))
        words += [f"{keyword}({listed})"] if listed else []
    words += [f"USERSRC({record['USERSRC']})"] if record.get("USERSRC", "MAP") != "MAP" else []
    words += [f"CHCKCLNT({record['CHCKCLNT']})"] if record.get("CHCKCLNT", "ASQMGR") != "ASQMGR" else []
    words += ["WARN(YES)"] if record.get("WARN") == "YES" else []
    return " ".join(words)


def address_allowed(attempt: Attempt) -> Outcome | None:
    """Whether no TYPE(BLOCKADDR) has the address of a client, which a listener asks first (CHL-A)."""
    if attempt.channel is None:
        return None
    decision = address_decision(records(attempt.qmgr), facts_of(attempt))
    if not decision.refuses:
        return _passed("address", decision, address=attempt.client.address) if decision.warned else None
    assert decision.record is not None
    left = "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('{}') ACTION(REMOVE)"
    hit = [each for each in decision.record["ADDRLIST"] if address_decision([decision.record | {"ADDRLIST": (each,)}],
                                                                            facts_of(attempt)).refuses]  # fmt: skip
    why = _blocks(attempt, decision.record)
    return _blocked(attempt, decision.record, why, mq.MQRQ_CHANNEL_BLOCKED_ADDRESS, left.format("','".join(hit)))


def mapped(attempt: Attempt) -> Outcome | None:
    """Which record gives the client its user, or refuses it (CHL-B, CHL-C, AUT-D)."""
    qmgr, channel = attempt.qmgr, attempt.channel
    if channel is None:
        return None
    early = attempt.known == attempt.adopted
    flowed = attempt.definition.get("MCAUSER", "") or attempt.asserted
    decision = map_decision(records(qmgr), channel, facts_of(attempt), flowed, attempt.adopted)
    attempt.record = decision.record
    attempt.runs_as = decision.user if early or not attempt.adopted else attempt.adopted
    if not decision.refuses:
        shown = "no record" if decision.record is None else in_mqsc(decision.record)
        return _passed("mapped", decision, record=shown, user=attempt.runs_as)
    assert decision.record is not None
    fields, partner = _blocks(attempt, decision.record), _map(attempt)
    if decision.record["TYPE"] == "SSLPEERMAP":
        partner = f"TYPE(SSLPEERMAP) SSLPEER('{facts_of(attempt)['SSLPEER']}')"
    partner += f" ADDRESS('{attempt.client.address}')" if attempt.client.address else ""
    opens = f"SET CHLAUTH('{channel}') {partner} USERSRC(CHANNEL) ACTION(REPLACE)"
    return _blocked(attempt, decision.record, fields, mq.MQRQ_CHANNEL_BLOCKED_NOACCESS, opens)


def user_allowed(attempt: Attempt) -> Outcome | None:
    """Whether the user that results is not blocked (CHL-D)."""
    qmgr, channel = attempt.qmgr, attempt.channel
    if channel is None or not (rows := records(qmgr)):
        return None
    decision = user_decision(qmgr, rows, channel, attempt.runs_as)
    if not decision.refuses:
        listed = [row for row in rows if row["TYPE"] == "BLOCKUSER"]
        return _passed("not-blocked", decision, user=attempt.runs_as) if listed else None
    assert decision.record is not None
    why = UserBlocked(decision.record["CHLAUTH"], decision.record["TYPE"], attempt.runs_as)
    listed = [user for user in decision.record["USERLIST"] if user not in (attempt.runs_as, "*MQADMIN")]
    if "*MQADMIN" in decision.record["USERLIST"]:  # the others of the group stay blocked on this channel
        listed += sorted(qmgr.administrators - {attempt.runs_as})
    users = ",".join(f"'{user}'" for user in dict.fromkeys(listed)) or "'nobody'"
    opens = f"SET CHLAUTH('{channel}') TYPE(BLOCKUSER) USERLIST({users}) ACTION(REPLACE)"
    return _blocked(attempt, decision.record, why, mq.MQRQ_CHANNEL_BLOCKED_USERID, opens)


def _blocks(attempt: Attempt, record: dict[str, Any]) -> AddressBlocked | PartnerBlocked:
    """The reason of a refusal because of where a client or a partner is."""
    kind, who = (PartnerBlocked, attempt.partner) if attempt.partner else (AddressBlocked, attempt.known)
    return kind(record["CHLAUTH"], record["TYPE"], who, attempt.client.address)


def _map(attempt: Attempt) -> str:
    """The keywords of a record about this client or partner alone."""
    if attempt.partner:
        return f"TYPE(QMGRMAP) QMNAME('{attempt.partner}')"
    return f"TYPE(USERMAP) CLNTUSER('{attempt.known}')"


def _passed(case: str, decision: Decision, **fields: object) -> Passed:
    """A gate that lets the client in; where a record only warns, that is said."""
    if not decision.warned:
        return Passed(case, fields)
    return Passed("warned", {**fields, "record": in_mqsc(decision.warned[0])}, decision.warned[0])


def _blocked(attempt: Attempt, record: dict[str, Any], why: Any, qualifier: int, opens: str) -> Refusal:
    """The refusal of a client that a record blocks."""
    code = "AMQ9776E" if record["TYPE"] == "BLOCKUSER" else "AMQ9777E"
    fields = {"why": Told(why.facts), "channel": attempt.channel, "address": attempt.client.address}
    facts = facts_of(attempt)
    words = ("SSLPEER", "SSLCERTI", "CLNTUSER", "QMNAME", *(("ADDRESS",) if code == "AMQ9777E" else ()))
    active = [f"{word}({facts[word]})" for word in words if facts[word]]
    active[:0] = [f"MCAUSER({attempt.runs_as})"] if code == "AMQ9776E" else []
    fields |= {"client": attempt.known, "active": " ".join(active)}
    grounds = Grounds(mq.MQRC_NOT_AUTHORIZED, "blocked", fields)
    return Refusal(grounds, (code,), "", ("blocked", qualifier), in_mqsc(record), opens)
