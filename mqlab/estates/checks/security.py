"""Checks of security."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ...admin.runcheck import decisive
from ...admin.security_records import records
from ...engine.commands.parser import parse
from ...engine.words.lexer import quoted
from ..findings import NOTE, SECURITY, WARNING, Found, check, fault
from ..proofs import Proof
from .objects import each

if TYPE_CHECKING:
    from ..definitions import Definitions

_WEAK = re.compile("NULL|RC2|RC4|DES|MD5|EXPORT|SHA_US$|CBC_SHA$")
"""The CipherSpecs of SSL 3.0 and TLS 1.0, and those of TLS 1.2 without a strong cipher, all of which IBM deprecates."""
_STRONG = "ECDHE_RSA_AES_256_GCM_SHA384"
ADMIN = re.compile("(?i)ADMIN|PRIVILEGED|EXPLORER")
_PRIVILEGED = ("mqm", "musr_mqadmin", "qmqm")


@check("channel-without-tls", NOTE, "A channel without TLS", "IBM MQ: SSL Cipher Specification (SSLCIPH)", SECURITY)
def channel_without_tls(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        name, has = channel.name, channel.attributes
        unknown = estate.refused(qmgr, name) and estate.refused(qmgr, "SSLCIPH")
        plain = has["CHLTYPE"] != "MQTT" and not has["SSLCIPH"] and has.get("TRPTYPE", "TCP") == "TCP"
        if plain and not unknown:
            sentence = f"channel {name} has no SSLCIPH: messages cross the network without encryption"
            yield fault(qmgr, channel, sentence, keyword="SSLCIPH")


@check("weak-cipher", WARNING, "A deprecated CipherSpec", "IBM MQ: Deprecated and removed CipherSpecs", SECURITY)
def weak_cipher(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        name, has = channel.name, channel.attributes
        if has["CHLTYPE"] != "MQTT" and _WEAK.search(has["SSLCIPH"]):
            said = f"channel {name} has SSLCIPH({has['SSLCIPH']}), which is deprecated"
            fix = f"ALTER CHANNEL({quoted(name)}) CHLTYPE({has['CHLTYPE']}) SSLCIPH({_STRONG})"
            yield fault(qmgr, channel, said, fix if qmgr.level >= 800 else "", keyword="SSLCIPH")


@check("chlauth-disabled", WARNING, "Channel authentication is off",
       "IBM MQ: ALTER QMGR (alter queue manager settings)", SECURITY)  # fmt: skip
def chlauth_disabled(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        if qmgr.attributes["CHLAUTH"] == "DISABLED":
            said = "CHLAUTH(DISABLED): no channel authentication record is checked, and clients may be administrators"
            yield Found(qmgr.name, "QMGR", "", said, "ALTER QMGR CHLAUTH(ENABLED)", keyword="CHLAUTH")


@check("connauth-blank", WARNING, "Passwords are not checked", "IBM MQ: Connection authentication", SECURITY)
def connauth_blank(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        if qmgr.level >= 800 and not qmgr.attributes["CONNAUTH"]:
            fix = "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)"
            yield Found(qmgr.name, "QMGR", "", "CONNAUTH is blank: no password is checked", fix, keyword="CONNAUTH")


@check("mcauser-privileged", WARNING, "A channel has the name of an administrator in MCAUSER",
       "IBM MQ: Message channel agent user identifier (MCAUSER)", SECURITY)  # fmt: skip
def mcauser_privileged(estate: Definitions) -> Iterator[Found]:
    every = ((qmgr, one) for qmgr in estate.queue_managers for one in qmgr.objects.match(("CHANNEL",)))
    for qmgr, channel in every:
        name, has, user = channel.name, channel.attributes, channel.attributes.get("MCAUSER", "")
        if user.lower() not in _PRIVILEGED or has["CHLTYPE"] in ("CLUSSDR", "SDR"):
            continue
        checked, client = _checks(qmgr), has["CHLTYPE"] == "SVRCONN"
        said = f"channel {name} runs as {user}: anyone who connects through it is an administrator"
        said += ", unless a CHLAUTH record blocks it" if checked else ""
        if user == "MQM" and qmgr.platform == "distributed":
            said = f"channel {name} has MCAUSER({user}), as MQSC reads mqm without quotes: AIX and Linux do not know "
            said += "this user; if 'mqm' is meant, anyone who connects is an administrator"
        elif client and checked and any(row.get("TYPE") == "BLOCKUSER" for row in _decisive(qmgr, name, has)):
            said = f"channel {name} has MCAUSER({user}), and a CHLAUTH record blocks administrators: a client that no "
            said += "record gives another user is refused with 2035"
        yield fault(qmgr, channel, said, "", _runs_as(qmgr, name, has, user) if client else None, "MCAUSER")


_RECORDS = 710
"""The command level that brought channel authentication records."""


def _checks(qmgr: Any) -> bool:
    """Whether a queue manager checks channel authentication records."""
    return qmgr.level >= _RECORDS and qmgr.attributes["CHLAUTH"] == "ENABLED"


def _runs_as(qmgr: Any, name: str, has: dict, user: str, client: str = "anyone") -> Proof | None:
    """A proof that a client of a name, which comes by a channel, runs as a user; None if a record decides otherwise."""
    runs = (has["MCAUSER"] or client) == user and not _decisive(qmgr, name, has, client)
    if qmgr.level < _RECORDS or not runs:
        return None
    shown = f"lab[{qmgr.name!r}].mqsc({_checked(name, has, client)!r}).replies[0].text"
    return Proof(f"""{shown}.split("\\n")[0].partition(": ")[2]""", f"Channel will run using MCAUSER({user!r}).")


def _checked(name: str, has: dict, client: str = "anyone") -> str:
    """The command that shows which record decides about any client that comes by a channel."""
    # with a certificate if the channel requires one
    peer = " SSLPEER('CN=anyone')" if has["SSLCIPH"] and has["SSLCAUTH"] == "REQUIRED" else ""
    partner = f"CLNTUSER({quoted(client)}) ADDRESS('203.0.113.7'){peer}"
    return f"DISPLAY CHLAUTH({quoted(name)}) MATCH(RUNCHECK) {partner} ALL"


def _decisive(qmgr: Any, name: str, has: dict, client: str = "anyone") -> list[dict]:
    """The channel authentication records that decide about a client that comes by a channel, of those for its name."""
    if qmgr.level < _RECORDS:
        return []
    profiles = [(row, row["CHLAUTH"]) for row in records(qmgr).values() if "CHLAUTH" in row]
    rows = [row for row, profile in profiles if profile == name or ("*" in profile and fnmatchcase(name, profile))]
    return decisive(qmgr, parse(_checked(name, has, client), qmgr.platform, qmgr.level)[0], rows)


_PAGE = "IBM MQ: Channel authentication records"


@check("client-names-its-user", WARNING, "A client chooses its user", _PAGE, SECURITY)
def client_names_its_user(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        name, has = channel.name, channel.attributes
        authinfo = qmgr.objects.get("AUTHINFO", qmgr.attributes["CONNAUTH"])
        asked = authinfo is not None and authinfo.attributes.get("CHCKCLNT") == "REQUIRED"
        if has["CHLTYPE"] != "SVRCONN" or has["MCAUSER"] or has["SCYEXIT"] or asked:
            continue
        deciding = _decisive(qmgr, name, has) if _checks(qmgr) else []
        required = any(row.get("CHCKCLNT") == "REQUIRED" for row in deciding)
        itself = any(row.get("USERSRC") == "CHANNEL" for row in deciding) and not required
        if deciding and not itself:
            continue
        said = f"channel {name} has no MCAUSER, and no CHLAUTH record maps all clients: a client runs as the user "
        said += "it names"
        fix = f"SET CHLAUTH({quoted(name)}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)"
        fix = f"{fix} CHCKCLNT(REQUIRED) ACTION(REPLACE)"
        fix = fix if _checks(qmgr) and authinfo is not None and qmgr.level >= 800 else ""
        yield fault(qmgr, channel, said, fix, _runs_as(qmgr, name, has, "anyone"), "MCAUSER")


@check("administrator-not-blocked", NOTE, "A channel lets administrators in", _PAGE, SECURITY)
def administrator_not_blocked(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        name, has = channel.name, channel.attributes
        if has["CHLTYPE"] != "SVRCONN" or has["MCAUSER"] or not _checks(qmgr):
            continue
        rows = [row for row in records(qmgr).values() if row.get("TYPE") == "BLOCKUSER"]
        rows = [row for row in rows if fnmatchcase(name, row["CHLAUTH"])]
        counts = max(rows, key=lambda row: len(row["CHLAUTH"].replace("*", "")), default={"USERLIST": (), "DESCR": ""})
        if "*MQADMIN" in counts["USERLIST"] or ADMIN.search(f"{name} {counts['DESCR']}"):
            continue
        users, profile = ",".join(counts["USERLIST"]), str(counts.get("CHLAUTH", "*"))
        said = f"the CHLAUTH record of {profile} with USERLIST({users}) counts, not one with *MQADMIN"
        said = f"administrators may connect by channel {name}: {said if rows else 'no CHLAUTH record blocks *MQADMIN'}"
        fix = f"SET CHLAUTH({quoted(profile)}) TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REPLACE)"
        proof = _runs_as(qmgr, name, has, _PRIVILEGED[0], _PRIVILEGED[0])
        yield fault(qmgr, channel, said, fix, proof, "CHANNEL")


@check("security-summary", NOTE, "Security in one line", "IBM MQ: Securing")
def security_summary(estate: Definitions) -> Iterator[Found]:
    yield from ()  # made of the findings of the other checks (`causes`)
