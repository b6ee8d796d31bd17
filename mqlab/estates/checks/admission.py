"""Checks of what lets a channel in when it is called: TLS at both ends, and channel authentication records."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ...admin.runcheck import PARTNER, address_decision, map_decision, spelled_out
from ...engine.programs.channels.channel import SENDING
from ...engine.programs.channels.session import answers
from ...engine.words.constants import REASONS
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...engine.words.refusals import Grounds
from ...gates.admitting import CONDITIONS
from ...gates.attempt import Attempt, Client, Keys, warnings
from ...gates.chlauth import in_mqsc, records
from ...gates.tls import ROWS, End, Handshake, end_of
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, SECURITY, WARNING, Found, check, fault
from ..proofs import Proof
from .channels import FAR_END, Pair, call_in, fails, pairs
from .names import written
from .objects import alter, each, records_unsure

if TYPE_CHECKING:
    from ..definitions import Definitions

_PAGE = "IBM MQ: Channel authentication records"
_CIPHERS = ("TLS-01", "TLS-02", "TLS-08")
"""The rules of a handshake that definitions alone decide: no dump shows the certificates."""
_CALLED = ("SVRCONN", "RCVR", "RQSTR", "CLUSRCVR")


def ends(estate: Definitions) -> list[tuple[QueueManager, Definition, QueueManager, Definition]]:
    """Both ends of each channel that the estate has, if their types go together; also those of clients and clusters."""
    if "ends" not in estate.kept:
        estate.kept["ends"] = [
            (qmgr, channel, there, other)
            for qmgr, channel, there, other in (*pairs(estate), *_others(estate))
            if other and other.attributes["CHLTYPE"] in (answers(channel.attributes["CHLTYPE"]) or ("SVRCONN",))
        ]
    return estate.kept["ends"]


def _others(estate: Definitions) -> Iterator[Pair]:
    """The pairs of client-connection and of cluster-sender channels."""
    for qmgr, channel in each(estate, "CLNTCONN", "CHANNEL"):
        named = channel.attributes.get("QMNAME", "")
        itself = not named or (len(estate.names) == 1 and not estate.whole(qmgr))
        theirs = [estate.lab[named]] if named in estate.names else [qmgr] if itself else []
        if channel.attributes["CHLTYPE"] == "CLUSSDR":
            theirs = [other for other in estate.queue_managers if other is not qmgr]
        if channel.attributes["CHLTYPE"] in ("CLUSSDR", "CLNTCONN"):
            yield from (Pair(qmgr, channel, there, there.objects.get("CHANNEL", channel.name)) for there in theirs)


@check("channel-cipher-differs", ERROR, "SSLCIPH differs at the ends of a channel",
       "IBM MQ: SSL Cipher Specification (SSLCIPH)")  # fmt: skip
def cipher_differs(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel, there, other in ends(estate):
        mine, theirs, client = channel.attributes["SSLCIPH"], other.attributes["SSLCIPH"], channel.kind == "CLNTCONN"
        near = End("a client", mine, None, "", "", "", there.level) if client else end_of(qmgr, channel.attributes)
        handshake = Handshake(near, end_of(there, other.attributes), "OPTIONAL", there.lab.now)
        faults = [(row, why) for row in ROWS if row.rule in _CIPHERS and (why := row.fault(handshake)) is not None]
        if not faults or not (mine or theirs):
            continue
        row, (case, fields) = faults[0]
        sentence = f"channel {channel.name} has TLS at one end only, {near.name} has SSLCIPH({mine or ' '}) and "
        sentence += f"{there.name} has SSLCIPH({theirs or ' '}): IBM MQ does not start it"
        if mine and theirs:
            sentence = f"channel {channel.name} does not start: {Grounds(row.reason, case, fields).said}"
        proof = fails(qmgr, channel, there.name, row.here) if channel.attributes["CHLTYPE"] in SENDING else None
        if client:
            proof = Proof(_connect(there, channel.name, mine), f"{row.reason} {REASONS[row.reason]}")
        fix, fixed = alter(other, f"SSLCIPH({quoted(mine)})") if mine else "", there
        if client and not mine:
            fix, fixed = alter(channel, f"SSLCIPH({quoted(theirs)})"), qmgr
        severity = WARNING if case == "other-cipher" else ""  # the order of preference has changed between releases
        yield fault(qmgr, channel, sentence, fix, proof, "SSLCIPH", fixed.name, severity)


def _connect(qmgr: QueueManager, channel: str, cipher: str = "", address: str = "") -> str:
    """A program in which a client connects by a channel; it has no certificate."""
    facts = f", cipher={cipher!r}, keys=Keys()" if cipher else ""
    facts += f", address={address!r}" if address else ""
    line = f"lab[{qmgr.name!r}].connect('CLIENT', channel={channel!r}{facts}).caller"
    return f"from mqlab.gates.attempt import Keys\n{line}" if cipher else line


def _let_in(qmgr: QueueManager, channel: str, cipher: str = "", address: str = "127.0.0.1") -> Attempt | None:
    """The attempt of such a client if all gates let it in."""
    client = Client(address, cipher=cipher, keys=Keys())
    attempt = Attempt(qmgr, "CLIENT", channel, "app", client=client, hypothetical=True)
    return attempt if attempt.walk(CONDITIONS) is None else None


@check("peer-not-checked", WARNING, "SSLPEER without TLS", "IBM MQ: SSL Peer (SSLPEER)", SECURITY)
def peer_not_checked(estate: Definitions) -> Iterator[Found]:
    one_end = {(there.name, other.name) for _, channel, there, other in ends(estate) if channel.attributes["SSLCIPH"]}
    for qmgr, channel in each(estate, "CHANNEL", "CLNTCONN"):
        has = channel.attributes
        if not has.get("SSLPEER") or has["SSLCIPH"] or (qmgr.name, channel.name) in one_end:
            continue
        sentence = f"channel {channel.name} has SSLPEER({quoted(has['SSLPEER'])}) and no SSLCIPH: nobody shows a "
        sentence += "certificate, and nothing is checked"
        proof = None
        if has["CHLTYPE"] == "RCVR" and not blocking(records(qmgr), channel, FAR_END) and not has["MCAUSER"]:
            proof = Proof(f"{call_in(qmgr, channel)}\npartner.channels[{channel.name!r}, ''].state", "RUNNING")
        elif has["CHLTYPE"] == "SVRCONN" and _let_in(qmgr, channel.name):
            proof = Proof(_connect(qmgr, channel.name), "CLIENT")
        if not estate.refused(qmgr, "SSLCIPH"):
            yield fault(qmgr, channel, sentence, "", proof, "SSLPEER")


_Records = list[dict[str, Any]]


def _about(rows: _Records, channel: Definition) -> _Records:
    """The records that may map or refuse the partner of a channel; those about certificates only with TLS."""
    sorts = ["BLOCKADDR", "ADDRESSMAP", "USERMAP" if channel.attributes["CHLTYPE"] == "SVRCONN" else "QMGRMAP"]
    sorts += ["SSLPEERMAP"] if channel.attributes["SSLCIPH"] else []
    return [row for row in rows if row["TYPE"] in sorts and fnmatchcase(channel.name, row["CHLAUTH"])]


def blocking(rows: _Records, channel: Definition, partner: str = "") -> dict[str, Any] | None:
    """The record that refuses any caller, or this partner, from any address and with any certificate; or None."""
    unknown = ("USERMAP", "SSLPEERMAP", *([] if partner else ["QMGRMAP"]))
    rows, facts = _about(rows, channel), dict.fromkeys(PARTNER, "") | {"QMNAME": partner}
    if any(row.get("USERSRC") != "NOACCESS" and row["TYPE"] in unknown for row in rows):
        return None
    decisions = (address_decision(rows, facts), map_decision(rows, channel.name, facts, ""))
    return next((decision.record for decision in decisions if decision.refuses), None)


@check("channel-blocked", ERROR, "A record blocks a channel of the estate", _PAGE)
def blocked(estate: Definitions) -> Iterator[Found]:
    calls: list[Any] = [pair for pair in ends(estate) if pair[1].kind == "CHANNEL"]
    unsure = {qmgr: records_unsure(estate, qmgr, "CHLAUTH") for qmgr in estate.queue_managers}
    rows = {qmgr: [] if unsure[qmgr] else records(qmgr) for qmgr in estate.queue_managers}
    for qmgr, channel in each(estate, "CHANNEL"):
        if channel.attributes["CHLTYPE"] not in _CALLED:
            continue
        callers = [(caller, call) for caller, call, there, other in calls if there is qmgr and other is channel]
        for caller, call in callers or [(None, channel)]:
            record, has = blocking(rows[qmgr], channel, caller.name if caller else ""), channel.attributes
            if record is None:
                continue
            who = "a client" if has["CHLTYPE"] == "SVRCONN" else "a queue manager" if caller is None else caller.name
            sentence = f"channel {channel.name} refuses {who} from any address: {in_mqsc(record)} blocks it, and "
            sentence += "no record lets it in"
            fix, proof, severity = "", None, WARNING if estate.whole(qmgr) else NOTE
            if caller:
                severity = "" if estate.whole(qmgr) else WARNING
                fix = f"SET CHLAUTH({quoted(channel.name)}) TYPE(QMGRMAP) QMNAME({quoted(who)}) USERSRC(CHANNEL)"
                plays = call.attributes["CHLTYPE"] in SENDING and call.attributes["SSLCIPH"] == has["SSLCIPH"]
                proof = fails(caller, call, qmgr.name, "AMQ9209E") if plays else None
            elif has["CHLTYPE"] == "SVRCONN" and not has["SSLCIPH"]:
                proof = Proof(_connect(qmgr, channel.name), "2035 MQRC_NOT_AUTHORIZED")
            elif has["CHLTYPE"] == "RCVR":
                proof = Proof(f"{call_in(qmgr, channel)}\npartner.channels[{channel.name!r}, ''].why.code", "AMQ9209E")
            decided = (severity, written(estate, qmgr, "CHLAUTH", record["CHLAUTH"]), who if caller else "")
            yield fault(qmgr, channel, sentence, fix, proof, "", "", *decided, in_mqsc(record))


@check("record-only-warns", WARNING, "A record that blocks only warns", _PAGE, SECURITY)
def only_warns(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        for record in records(qmgr):
            if record.get("WARN") != "YES":
                continue
            sentence = f"{in_mqsc(record)} blocks nobody: it only writes an event message"
            blocks = in_mqsc(record | {"WARN": "NO"})
            fix = f"{blocks} DESCR({quoted(record['DESCR'])}) WARN(NO) ACTION(REPLACE)"
            address = next(filter(spelled_out, (record.get("ADDRESS", ""), "127.0.0.1")))
            channels = estate.own(qmgr, "CHANNEL")
            ways = ((each.name, each.attributes.get("SSLCIPH", ""), address) for each in channels)
            attempts = ((way, _let_in(qmgr, *way)) for way in ways)
            warned = next((way for way, attempt in attempts if attempt and record in warnings(attempt)), None)
            proof = Proof(_connect(qmgr, *warned), "CLIENT") if warned else None
            where = written(estate, qmgr, "CHLAUTH", record["CHLAUTH"])
            yield Found(qmgr.name, "QMGR", "", sentence, fix, proof, place=where, about=blocks, cause="WARN(YES)")


@check("certificate-not-required", WARNING, "Records about certificates miss a client without one", _PAGE, SECURITY)
def certificate_not_required(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        has = channel.attributes
        if has["CHLTYPE"] != "SVRCONN" or not has["SSLCIPH"] or has["SSLCAUTH"] != "OPTIONAL" or has["SSLPEER"]:
            continue
        rows = _about(records(qmgr), channel)
        mapped = [row for row in rows if row["TYPE"] == "SSLPEERMAP" and row["USERSRC"] == "MAP"]
        if not mapped or map_decision(records(qmgr), channel.name, dict.fromkeys(PARTNER, ""), "").refuses:
            continue
        sentence = f"channel {channel.name} has SSLCAUTH(OPTIONAL): a client without a certificate comes in past "
        sentence += in_mqsc(mapped[0])
        fix, cipher = alter(channel, "SSLCAUTH(REQUIRED)"), has["SSLCIPH"]
        proof = Proof(_connect(qmgr, channel.name, cipher), "CLIENT") if _let_in(qmgr, channel.name, cipher) else None
        yield fault(qmgr, channel, sentence, fix, proof, "SSLCAUTH")
