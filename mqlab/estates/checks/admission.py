"""Checks of what lets a channel in when it is called: TLS at both ends, and channel authentication records."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from ...admin.runcheck import PARTNER, address_decision, map_decision
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
from ..findings import ERROR, NOTE, SECURITY, WARNING, Found, check
from ..proofs import Proof
from .channels import call_in, fails, pairs
from .names import written
from .objects import alter, each, records_unsure

if TYPE_CHECKING:
    from ..definitions import Definitions

_PAGE = "IBM MQ: Channel authentication records"
_CIPHERS = ("TLS-01", "TLS-02", "TLS-08")
"""The rules of a handshake that definitions alone decide: no dump shows the certificates."""
_REFUSED = "2035 MQRC_NOT_AUTHORIZED"


class Ends(NamedTuple):
    """Two ends of a channel: the queue manager and the definition of each, and the handshake of a call."""

    qmgr: QueueManager
    calls: Definition
    there: QueueManager
    answers: Definition
    handshake: Handshake

    @property
    def kind(self) -> str:
        """The kind of the object that calls."""
        return "CLNTCONN" if self.calls.attributes["CHLTYPE"] == "CLNTCONN" else "CHANNEL"


def ends(estate: Definitions) -> Iterator[Ends]:
    """The ends of each channel that the estate has both of, if their types go together: also those of clients."""
    found = [(*pair, end_of(pair.qmgr, pair.calls.attributes)) for pair in pairs(estate)]
    for qmgr, one in each(estate, "CLNTCONN"):
        there = estate.lab[one.attributes["QMNAME"]] if one.attributes["QMNAME"] in estate.names else qmgr
        client = Definition("CHANNEL", one.name, one.attributes)
        near = End("a client", one.attributes["SSLCIPH"], None, "", "", "", there.level)
        found.append((qmgr, client, there, there.objects.get("CHANNEL", one.name), near))
    for qmgr, one in each(estate, "CHANNEL"):
        if one.attributes["CHLTYPE"] == "CLUSSDR":
            others = [(other, other.objects.get("CHANNEL", one.name)) for other in estate.queue_managers]
            found += [(qmgr, one, *other, end_of(qmgr, one.attributes)) for other in others if other[0] is not qmgr]
    for qmgr, one, there, other, near in found:
        kinds = (*answers(one.attributes["CHLTYPE"]), *(["SVRCONN"] if one.attributes["CHLTYPE"] == "CLNTCONN" else []))
        if other is not None and other.attributes["CHLTYPE"] in kinds:
            asks = other.attributes.get("SSLCAUTH", "REQUIRED")
            handshake = Handshake(near, end_of(there, other.attributes), asks, there.lab.now)
            yield Ends(qmgr, one, there, other, handshake)


@check(
    "channel-cipher-differs",
    ERROR,
    "SSLCIPH differs at the ends of a channel",
    "IBM MQ: SSL Cipher Specification (SSLCIPH)",
)
def cipher_differs(estate: Definitions) -> Iterator[Found]:
    for end in ends(estate):
        qmgr, one, there, other, handshake = end
        mine, theirs, chltype = handshake.near.cipher, handshake.far.cipher, one.attributes["CHLTYPE"]
        faults = [(row, fault) for row in ROWS if row.rule in _CIPHERS and (fault := row.fault(handshake)) is not None]
        if not faults or not (mine or theirs):
            continue
        row, (case, fields) = faults[0]
        said = f"channel {one.name} has TLS at one end only, {handshake.near.name} has SSLCIPH({mine or ' '}) and "
        said += f"{there.name} has SSLCIPH({theirs or ' '}): IBM MQ does not start it"
        if mine and theirs:
            said = f"channel {one.name} does not start: {Grounds(row.reason, case, fields).said}"
        proof = fails(qmgr, one, there.name, row.here) if chltype in SENDING else None
        if chltype == "CLNTCONN":
            proof = Proof(_connect(there, one.name, mine), f"{row.reason} {REASONS[row.reason]}")
        fix, at = alter(other, f"SSLCIPH({quoted(mine)})") if mine else "", there
        if chltype == "CLNTCONN" and not mine:
            fix, at = alter(one, f"SSLCIPH({quoted(theirs)})"), qmgr
        severity = WARNING if case == "other-cipher" else ""  # the order of preference has changed between releases
        yield Found(qmgr.name, end.kind, one.name, said, fix, proof, "SSLCIPH", at.name, severity)


def _connect(qmgr: QueueManager, channel: str, cipher: str = "", address: str = "") -> str:
    """A program in which a client connects by a channel, with any certificate that it may need."""
    facts = f", cipher={cipher!r}, keys=Keys()" if cipher else ""
    facts += f", address={address!r}" if address else ""
    return f"""{"from mqlab.gates.attempt import Keys" if cipher else ""}
lab[{qmgr.name!r}].connect('CLIENT', channel={channel!r}{facts}).caller""".strip()


def _let_in(qmgr: QueueManager, channel: str, cipher: str = "", address: str = "127.0.0.1") -> Attempt | None:
    """The attempt of a client without a certificate that all gates let in; None for a refused one."""
    client = Client(address, cipher=cipher, keys=Keys())
    attempt = Attempt(qmgr, "CLIENT", channel, "app", client=client, hypothetical=True)
    return attempt if attempt.walk(CONDITIONS) is None else None


@check("peer-not-checked", WARNING, "SSLPEER without TLS", "IBM MQ: SSL Peer (SSLPEER)", SECURITY)
def peer_not_checked(estate: Definitions) -> Iterator[Found]:
    one_end = {(end.there.name, end.answers.name) for end in ends(estate) if end.handshake.near.cipher}
    for qmgr, one in each(estate, "CHANNEL", "CLNTCONN"):
        has = one.attributes
        if (
            not has.get("SSLPEER")
            or has["SSLCIPH"]
            or (qmgr.name, one.name) in one_end
            or estate.refused(qmgr, "SSLCIPH")
        ):
            continue
        said = f"channel {one.name} has SSLPEER({quoted(has['SSLPEER'])}) and no SSLCIPH: nobody shows a certificate, "
        said += "and nothing is checked"
        proof = None
        if has["CHLTYPE"] == "RCVR" and not _blocking(qmgr, one) and not has["MCAUSER"]:
            proof = Proof(f"{call_in(qmgr, one)}\npartner.channels[{one.name!r}, ''].state", "RUNNING")
        elif has["CHLTYPE"] == "SVRCONN" and _let_in(qmgr, one.name):
            proof = Proof(_connect(qmgr, one.name), "CLIENT")
        yield Found(qmgr.name, one.kind, one.name, said, "", proof, "SSLPEER")


def _about(qmgr: QueueManager, one: Definition) -> list[dict[str, Any]]:
    """The records that may map or refuse the partner of a channel; those about certificates only with TLS."""
    client = one.attributes["CHLTYPE"] == "SVRCONN"
    sorts = ["ADDRESSMAP", "USERMAP" if client else "QMGRMAP", *(["SSLPEERMAP"] if one.attributes["SSLCIPH"] else [])]
    return [row for row in records(qmgr) if row["TYPE"] in sorts and fnmatchcase(one.name, row["CHLAUTH"])]


def _blocking(qmgr: QueueManager, one: Definition, partner: str = "") -> dict[str, Any] | None:
    """The record that refuses any caller, or this partner, from any address and with any certificate; or None."""
    facts = dict.fromkeys(PARTNER, "") | {"QMNAME": partner}
    shown = [] if partner else ["QMGRMAP"]  # a caller of any name
    if any(
        row["USERSRC"] != "NOACCESS" and row["TYPE"] in ("USERMAP", "SSLPEERMAP", *shown) for row in _about(qmgr, one)
    ):
        return None
    rows = records(qmgr)
    decisions = (address_decision(rows, facts), map_decision(rows, one.name, facts, ""))
    return next((decision.record for decision in decisions if decision.refuses), None)


@check("channel-blocked", ERROR, "A record blocks a channel of the estate", _PAGE)
def blocked(estate: Definitions) -> Iterator[Found]:
    calling: dict[tuple[str, str], list[Ends | None]] = {}
    for end in ends(estate):
        if end.calls.attributes["CHLTYPE"] != "CLNTCONN":
            calling.setdefault((end.there.name, end.answers.name), []).append(end)
    for qmgr, one in each(estate, "CHANNEL"):
        chltype, key = one.attributes["CHLTYPE"], (qmgr.name, one.name)
        if chltype not in ("SVRCONN", "RCVR", "RQSTR", "CLUSRCVR") or records_unsure(estate, qmgr, "CHLAUTH"):
            continue
        for called in calling.get(key) or [None]:
            record = _blocking(qmgr, one, called.qmgr.name if called else "")
            if record is None:
                continue
            who = called.qmgr.name if called else "a client" if chltype == "SVRCONN" else "a queue manager"
            said = f"channel {one.name} refuses {who} whatever its address: {in_mqsc(record)} blocks it, and no record "
            said += "lets it in"
            fix, proof, severity = "", None, WARNING if estate.whole(qmgr) else NOTE
            if called:
                severity = "" if estate.whole(qmgr) else WARNING
                fix = f"SET CHLAUTH({quoted(one.name)}) TYPE(QMGRMAP) QMNAME({quoted(who)}) USERSRC(CHANNEL)"
                if (
                    called.calls.attributes["CHLTYPE"] in SENDING
                    and called.calls.attributes["SSLCIPH"] == one.attributes["SSLCIPH"]
                ):
                    proof = fails(called.qmgr, called.calls, qmgr.name, "AMQ9209E")
            elif chltype == "SVRCONN" and not one.attributes["SSLCIPH"]:
                proof = Proof(_connect(qmgr, one.name), _REFUSED)
            elif chltype == "RCVR":
                proof = Proof(f"{call_in(qmgr, one)}\npartner.channels[{one.name!r}, ''].why.code", "AMQ9209E")
            place = written(estate, qmgr, "CHLAUTH", record["CHLAUTH"])
            about, cause = who if called else "", in_mqsc(record)
            yield Found(qmgr.name, "CHANNEL", one.name, said, fix, proof, "", "", severity, place, about, cause)


@check("record-only-warns", WARNING, "A record that blocks only warns", _PAGE, SECURITY)
def only_warns(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        for record in records(qmgr):
            if record.get("WARN") != "YES":
                continue
            blocks = in_mqsc(record | {"WARN": "NO"})
            said = f"{in_mqsc(record)} lets in whom it is about, and only writes an event message"
            descr = f" DESCR({quoted(record['DESCR'])})" if record["DESCR"] else ""
            fix = f"{blocks}{descr} WARN(NO) ACTION(REPLACE)"
            address = record.get("ADDRESS", "*").replace("*", "127.0.0.1")
            clients = (one for one in estate.own(qmgr, "CHANNEL") if one.attributes["CHLTYPE"] == "SVRCONN")
            attempts = ((one, _let_in(qmgr, one.name, address=address)) for one in clients)
            warned = next((one for one, attempt in attempts if attempt and record in warnings(attempt)), None)
            proof = Proof(_connect(qmgr, warned.name, address=address), "CLIENT") if warned else None
            place = written(estate, qmgr, "CHLAUTH", record["CHLAUTH"])
            yield Found(qmgr.name, "QMGR", "", said, fix, proof, "", place=place, about=blocks)


@check(
    "certificate-not-required", WARNING, "A client comes in without the certificate that records map", _PAGE, SECURITY
)
def certificate_not_required(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        has = one.attributes
        if has["CHLTYPE"] != "SVRCONN" or not has["SSLCIPH"] or has["SSLCAUTH"] != "OPTIONAL" or has["SSLPEER"]:
            continue
        rows = _about(qmgr, one)
        mapped = [row for row in rows if row["TYPE"] == "SSLPEERMAP" and row["USERSRC"] == "MAP"]
        without = [row for row in rows if row["TYPE"] != "SSLPEERMAP"]
        facts = dict.fromkeys(PARTNER, "")
        if not mapped or map_decision(without, one.name, facts, "").refuses:
            continue
        said = f"channel {one.name} has SSLCAUTH(OPTIONAL): a client without a certificate comes in, and "
        said += f"{in_mqsc(mapped[0])} does not ask it"
        cipher = has["SSLCIPH"]
        proof = Proof(_connect(qmgr, one.name, cipher), "CLIENT") if _let_in(qmgr, one.name, cipher) else None
        yield Found(qmgr.name, "CHANNEL", one.name, said, alter(one, "SSLCAUTH(REQUIRED)"), proof, "SSLCAUTH")
