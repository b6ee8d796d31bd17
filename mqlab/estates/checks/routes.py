"""Checks of routes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...engine.explain.ways import leads_to
from ...engine.words import constants as mq
from ...engine.words.errors import MQError
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ...sharing.shared_queue import QSG_TRANSMIT_QUEUE
from ..clustered import instead
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, absent, check, fault
from ..proofs import Proof, put_to
from ..routes import BROKEN, DEAD_LETTERED, DELIVERS, Hop, Route, in_other_case, route, senders_of
from ..together import known
from .channels import xmitq_for
from .objects import alter, each, nothing

if TYPE_CHECKING:
    from ..definitions import Definitions


def _named(remote: Definition) -> str:
    """The name by which a put reaches a remote definition: for an alias of a queue manager, a queue behind it."""
    return remote.name if remote.kind == "QALIAS" or remote.attributes["RNAME"] else f"A.QUEUE@{remote.name}"


def _alias_of(qmgr: Any, name: str) -> Definition | None:
    """The alias of a queue manager of this name that a queue manager has, or None."""
    found = qmgr.objects.get("QREMOTE", name)
    return found if found is not None and not found.attributes["RNAME"] else None


def _refusals(estate: Definitions, kind: str, *reasons: int) -> Iterator[tuple[QueueManager, Definition, MQError, str]]:
    """Each alias or remote definition, a put to which fails with one of these reasons, and why that is not sure."""
    for qmgr, one in each(estate, kind):
        try:
            leads_to(qmgr, _named(one))
        except MQError as refused:
            names = [one.attributes.get(key, "") for key in ("TARGET", "RQMNAME", "XMITQ")]
            known = instead(qmgr, _named(one), refused)
            unsure = "cluster" if known else estate.unsure(qmgr, *names)
            if not unsure and one.kind == "QREMOTE" and not one.attributes["XMITQ"]:
                unsure = estate.unsure_of_igq(qmgr, one.attributes["RQMNAME"] or one.name)
            if refused.reason in reasons and not estate.asked_of(qmgr, *names):
                yield qmgr, one, refused, unsure


def _found(
    estate: Definitions, qmgr: QueueManager, one: Definition, refused: MQError, sentence: str, fix: str, keyword: str,
    severity: str = "", unsure: str = "",
) -> Found:  # fmt: skip
    """A finding about a definition to which a put fails."""
    what = "alias" if one.kind == "QALIAS" else "remote definition"
    what = "alias of a queue manager" if "@" in _named(one) else what
    if unsure:
        known = instead(qmgr, _named(one), refused)
        sentence = f"{unsure}; {what} {one.name}: {known.fact if known else sentence}"
        return fault(qmgr, one, sentence, "", None, keyword, severity=OPEN)
    proof = Proof(put_to(qmgr.name, _named(one)), f"{refused.reason} {refused.name}")
    nowhere = "leads nowhere" if estate.whole(qmgr) else "leads nowhere in these scripts"
    sentence = f"{what} {one.name} {nowhere}: {sentence}; a put to it fails with {refused.reason}"
    return fault(qmgr, one, sentence, fix, proof, keyword, severity=severity)


@check("alias-target-type", ERROR, "An alias leads to another alias", "MQI-14")
def alias_target_type(estate: Definitions) -> Iterator[Found]:
    reasons = (mq.MQRC_ALIAS_BASE_Q_TYPE_ERROR, mq.MQRC_REMOTE_Q_NAME_ERROR)
    for qmgr, alias, refused, _ in _refusals(estate, "QALIAS", *reasons):
        target = alias.attributes["TARGET"]
        base = qmgr.objects.named("QLOCAL", target)
        further = base.attributes["TARGET"] if base is not None and base.kind == "QALIAS" else ""
        end = qmgr.objects.named("QLOCAL", further)
        fix = alter(alias, f"TARGET({quoted(further)})") if end and end.kind in ("QLOCAL", "QREMOTE") else ""
        kinds = {"QALIAS": "an alias itself", "QMODEL": "a model queue", "QREMOTE": "an alias of a queue manager"}
        said = f"its TARGET {target} is {kinds.get(base.kind if base else '', 'no queue for messages')}"
        yield _found(estate, qmgr, alias, refused, said, fix, "TARGET")


@check("remote-xmitq-missing", ERROR, "A remote definition names an unknown transmission queue", "CHL-01")
def remote_xmitq_missing(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, refused, unsure in _refusals(estate, "QREMOTE", mq.MQRC_UNKNOWN_XMIT_Q):
        xmitq = one.attributes["XMITQ"]
        if xmitq.startswith("SYSTEM."):
            continue
        near = in_other_case(qmgr, "QLOCAL", xmitq)
        said = f"XMITQ is {nothing(estate, qmgr, xmitq)}" + (f", and {near} differs in case only" if near else "")
        fix = alter(one, f"XMITQ({quoted(near)})") if near else xmitq_for(qmgr, xmitq)
        severity, unsure = ERROR if near else absent(estate, qmgr), "" if near or unsure == "cluster" else unsure
        yield _found(estate, qmgr, one, refused, said, fix, "XMITQ", severity, unsure)


@check("remote-xmitq-wrong", ERROR, "A remote definition uses a queue that is no transmission queue", "CHL-01")
def remote_xmitq_wrong(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, refused, _ in _refusals(estate, "QREMOTE", mq.MQRC_XMIT_Q_TYPE_ERROR, mq.MQRC_XMIT_Q_USAGE_ERROR):
        xmitq = one.attributes["XMITQ"] or one.attributes["RQMNAME"] or one.name
        alias = None if one.attributes["XMITQ"] else _alias_of(qmgr, xmitq)
        if alias is not None and alias.attributes["RQMNAME"] in ("", qmgr.name):
            continue  # a reply-to alias, for a queue manager alias that others use
        unsure = "" if one.attributes["XMITQ"] else estate.unsure_of_igq(qmgr, xmitq)
        usage = refused.reason == mq.MQRC_XMIT_Q_USAGE_ERROR
        queue = qmgr.objects.get("QLOCAL", xmitq)
        fix = xmitq_for(qmgr, xmitq) if usage and queue is not None else ""
        said = refused.said
        if alias is not None and one is not alias:
            at = alias.attributes["RQMNAME"]
            way = qmgr.objects.get("QLOCAL", alias.attributes["XMITQ"] or at)
            said = f"its RQMNAME {xmitq} is an alias of queue manager {at}, which only an open by {xmitq} itself uses"
            if way is not None and way.attributes["USAGE"] == "XMITQ":
                fix = alter(one, f"RQMNAME({quoted(at)}) XMITQ({quoted(way.name)})")
        keyword = "XMITQ" if one.attributes["XMITQ"] else "RQMNAME"
        yield _found(estate, qmgr, one, refused, said, fix, keyword, unsure=unsure)


@check("remote-qmgr-unknown", ERROR, "No transmission queue leads to the queue manager of a remote definition",
       "CHL-01")  # fmt: skip
def remote_qmgr_unknown(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, refused, unsure in _refusals(estate, "QREMOTE", mq.MQRC_UNKNOWN_REMOTE_Q_MGR):
        at = one.attributes["RQMNAME"] or one.name
        if one.attributes["RNAME"] and one.attributes["RQMNAME"] in ("", qmgr.name):
            continue  # remote-to-itself
        if at not in estate.names and any(_alias_of(other, at) for other in estate.queue_managers):
            continue  # a reply-to alias
        near = in_other_case(qmgr, "QLOCAL", at)
        queue = qmgr.objects.get("QLOCAL", near)
        near = near if queue is not None and queue.attributes["USAGE"] == "XMITQ" else ""
        said = f"no transmission queue of {qmgr.name} {'' if estate.whole(qmgr) else 'in these scripts '}is called {at}"
        said += f" ({near} differs in case only)" if near else ", and XMITQ and DEFXMITQ are blank"
        fix = alter(one, f"RQMNAME({quoted(near)})") if near else xmitq_for(qmgr, at)
        yield _found(estate, qmgr, one, refused, said, fix, "RQMNAME", ERROR if near else absent(estate, qmgr), unsure)


@check("remote-to-itself", WARNING, "A remote definition names its own queue manager", "CHL-01")
def remote_to_itself(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, refused, unsure in _refusals(estate, "QREMOTE", mq.MQRC_UNKNOWN_REMOTE_Q_MGR):
        rname, at = one.attributes["RNAME"], one.attributes["RQMNAME"]
        if not rname or at not in ("", qmgr.name):
            continue
        blank = unsure if unsure == "cluster" and not at else ""
        said = f"RQMNAME is {at or 'blank'}" + (", which is this queue manager" if at else "")
        local = rname != one.name and qmgr.objects.get("QLOCAL", rname) is not None
        fix = f"DELETE QREMOTE({quoted(one.name)})\nDEFINE QALIAS({quoted(one.name)}) TARGET({quoted(rname)})"
        yield _found(estate, qmgr, one, refused, said, fix if local else "", "RQMNAME", unsure=blank)


@check("default-xmitq-wrong", ERROR, "The default transmission queue is none", "CHL-01")
def default_xmitq_wrong(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        name = qmgr.attributes["DEFXMITQ"]
        try:
            leads_to(qmgr, "A.QUEUE@NO.SUCH.QMGR")
            continue
        except MQError as failed:
            refused = failed
        if not name or refused.reason == mq.MQRC_UNKNOWN_REMOTE_Q_MGR or estate.refused(qmgr, name):
            continue
        missing = refused.reason == mq.MQRC_UNKNOWN_DEF_XMIT_Q
        near = in_other_case(qmgr, "QLOCAL", name) if missing else ""
        why = f"DEFXMITQ is {nothing(estate, qmgr, name)}" if missing else refused.said
        said = f"{why}{f', and {near} differs in case only' if near else ''}: a put to a queue manager without a "
        said += f"transmission queue fails with {refused.reason}"
        served = missing or refused.reason == mq.MQRC_DEF_XMIT_Q_USAGE_ERROR
        fix = xmitq_for(qmgr, name) if served and not near else ""
        fix = fix or f"ALTER QMGR DEFXMITQ({quoted(near)})"
        proof = Proof(put_to(qmgr.name, "A.QUEUE@NO.SUCH.QMGR"), f"{refused.reason} {refused.name}")
        severity = absent(estate, qmgr) if missing and not near else ""
        yield Found(qmgr.name, "QMGR", "", said, fix, proof, "DEFXMITQ", severity=severity)


def every_route(estate: Definitions) -> dict[tuple[str, str], Route]:
    """The route of every remote definition, (queue manager, name) -> `Route`; worked out once for all checks."""
    if "routes" not in estate.kept:
        senders = senders_of(estate)
        remotes = [(qmgr.name, one) for qmgr, one in each(estate, "QREMOTE")]
        estate.kept["routes"] = {(at, one.name): route(estate, _named(one), at, senders) for at, one in remotes}
    return estate.kept["routes"]


def _beyond(estate: Definitions) -> dict[tuple[str, str], Route]:
    """The routes of `every_route`, of which those that are broken go on past channels that do not start or get."""
    if "beyond" not in estate.kept:
        known, senders = every_route(estate), senders_of(estate)
        broken = {key: found for key, found in known.items() if found.verdict == BROKEN}
        further = {key: route(estate, found.name, key[0], senders, beyond=True) for key, found in broken.items()}
        estate.kept["beyond"] = known | further
    return estate.kept["beyond"]


def _routes(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, Route, Hop]]:
    """The routes of remote definitions that end badly on another queue manager, and the hop that stops the message."""
    for qmgr, one in each(estate, "QREMOTE"):
        if one.attributes["RNAME"]:
            found = _beyond(estate)[qmgr.name, one.name]
            stop = next((hop for hop in found.hops if hop.holds is False), None)
            if found.verdict in (BROKEN, DEAD_LETTERED) and stop and stop.qmgr != qmgr.name and stop.kind != "CHANNEL":
                yield qmgr, one, found, stop


def _sent(found: Route, shown: str, put: str = "", *first: str) -> str:
    """A program that lets a message go its way, and then shows something."""
    starts = [f"lab[{at!r}].mqsc({command!r})" for at, command in found.starts]
    return "\n".join((*first, *starts, put or put_to(found.at, found.name), "lab.advance(60)", shown))


def _arrival(found: Route, reason: int, put: str = "", stop: Hop | None = None) -> Proof:
    """A proof that the receiving agent's put fails; one that fails at once shows its refusal."""
    # a message that is held up before it comes to the hop that stops it is put there instead
    if found.beyond and stop is not None:
        name = f"A.QUEUE@{stop.name}" if stop.case == "qmgr-alias" else stop.name
        return Proof(put_to(stop.qmgr, name), f"{reason} {mq.REASONS[reason]}")
    shown = f'lab.events.where(kind="put", reason={reason})[0].reason'
    return Proof(_sent(found, shown, put), str(reason))


def _fate(found: Route, qmgr: str) -> str:
    """The fate of a message that cannot be put, in words."""
    if found.beyond:
        return f"a message for it will not be put there either when the other fault is fixed ({found.beyond})"
    if found.verdict == DEAD_LETTERED:
        return f"a message for it goes to the dead-letter queue of {qmgr}"
    return f"{qmgr} has no dead-letter queue for it: a fast message is lost, and any other stops the channel"


@check("remote-target-missing", ERROR, "A remote definition leads to a queue that its queue manager does not have",
       "MQI-30")  # fmt: skip
def remote_target_missing(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, found, stop in _routes(estate):
        if stop.kind == "QLOCAL" or not stop.reason or stop.name.startswith("SYSTEM."):
            continue
        there, (name, _, wanted) = estate.lab[stop.qmgr], stop.name.partition("@")
        if stop.reason == mq.MQRC_UNKNOWN_REMOTE_Q_MGR and wanted and not known(estate, there.name):
            said = f"{one.name} is for queue manager {wanted}, and no script says whether {there.name} is its name"
            yield fault(qmgr, one, said, keyword="RQMNAME", severity=OPEN)
            continue
        unknown = stop.reason == mq.MQRC_UNKNOWN_OBJECT_NAME
        near = in_other_case(there, "QLOCAL", name) if unknown else ""
        own = name == one.attributes["RNAME"]
        fix, at = f"DEFINE QLOCAL({quoted(name)})" if unknown else "", stop.qmgr
        if near and own:
            fix, at = alter(one, f"RNAME({quoted(near)})"), qmgr.name
        what = f"{name} of {stop.qmgr}, where a put fails ({stop.said})"
        if unknown:
            what = f"{name}, which {stop.qmgr} does not {'have' if estate.whole(there) else 'define in these scripts'}"
        said = f"{one.name} leads to {what}" + (f" ({near} differs in case only)" if near else "")
        said += f": {_fate(found, stop.qmgr)}"
        proof, severity = _arrival(found, stop.reason, stop=stop), ERROR if near else absent(estate, there)
        yield fault(qmgr, one, said, fix, proof, "RNAME", at, severity)


@check("remote-target-closed", WARNING, "A remote definition leads to a queue that takes no messages", "MQI-30")
def remote_target_closed(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, found, stop in _routes(estate):
        if stop.rule not in ("MQI-11", "MQI-09") or stop.case == "get-disabled":
            continue
        full = stop.rule == "MQI-09"
        reason = mq.MQRC_Q_FULL if full else mq.MQRC_PUT_INHIBITED
        said = f"{one.name} leads to {stop.name} of {stop.qmgr}, which has {'MAXDEPTH(0)' if full else 'PUT(DISABLED)'}"
        closed = estate.lab[stop.qmgr].objects.get(stop.kind, stop.name)
        fix = alter(closed, "MAXDEPTH(5000)" if full else "PUT(ENABLED)") if closed is not None else ""
        said += f": {_fate(found, stop.qmgr)}"
        yield fault(qmgr, one, said, fix, _arrival(found, reason, stop=stop), "RNAME", stop.qmgr)


@check("remote-target-short", NOTE, "A remote definition leads to a queue that takes only shorter messages", "MQI-10")
def remote_target_short(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "QREMOTE"):
        found = every_route(estate)[qmgr.name, one.name]
        *way, last = found.hops
        passes = min((hop.longest for hop in way if hop.longest is not None), default=0)
        if found.verdict != DELIVERS or last.longest is None or last.qmgr == qmgr.name or last.longest >= passes:
            continue
        there = estate.lab[last.qmgr]
        least = there.attributes["MAXMSGL"]
        reason = mq.MQRC_MSG_TOO_BIG_FOR_Q_MGR if last.longest == least else mq.MQRC_MSG_TOO_BIG_FOR_Q
        said = f"{one.name} leads to {last.name} of {last.qmgr}, which takes {last.longest} bytes, and {passes} bytes "
        said += f"pass on the way: a longer message fails there with {reason}"
        fix = f"ALTER QMGR MAXMSGL({passes})\n" if passes > least else ""
        end = there.objects.get("QLOCAL", last.name)
        fix += alter(end, f"MAXMSGL({passes})") if end is not None else ""
        put = f"lab[{qmgr.name!r}].put({_named(one)!r}, bytes({last.longest + 1}))"
        yield fault(qmgr, one, said, fix, _arrival(found, reason, put), "RNAME", last.qmgr)


@check("route-loops", ERROR, "A route comes back to where it was", "CHL-01")
def route_loops(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "QREMOTE"):
        found = _beyond(estate)[qmgr.name, one.name]
        if not found.loops or found.end[0] != qmgr.name:
            continue
        way = " to ".join(name for name, _ in groupby(hop.qmgr for hop in found.hops))
        said = f"{one.name} leads back to itself, {way}: a message for it goes round and never arrives"
        links = [f"lab.link({a!r}, {b!r}, latency=1)" for a in estate.names for b in estate.names if a < b]
        shown = f"len([row for row in lab.events.where(kind='put', qmgr={qmgr.name!r}, message=1)]) > 3"
        if any(hop.name == QSG_TRANSMIT_QUEUE for hop in found.hops):
            links.append(f"lab[{qmgr.name!r}].group.igq.pace = 1")
            shown = "len([row for row in lab.events.where(kind='put', message=1)]) > 9"
        said += f"; for now another fault holds the message up ({found.beyond})" if found.beyond else ""
        proof = None if found.beyond else Proof(_sent(found, shown, "", *links), "True")
        yield fault(qmgr, one, said, "", proof, "RNAME")


@check("names-differ-in-case", NOTE, "Two queues have names that differ in case only",
       "IBM MQ: Rules for naming IBM MQ objects")  # fmt: skip
def names_differ_in_case(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        by: dict[str, list[Definition]] = {}
        for one in estate.own(qmgr, "QLOCAL", "QALIAS", "QREMOTE", "QMODEL"):
            by.setdefault(one.name.upper(), []).append(one)
        for first, second, *_ in (same for same in by.values() if len(same) > 1):
            both = [first.name, second.name]
            said = f"{' and '.join(both)} are two queues: MQSC without quotes always means the one in capitals"
            proof = Proof(f"[name for name in {both} if lab[{qmgr.name!r}].objects.named('QLOCAL', name)]", str(both))
            yield fault(qmgr, second, said, "", proof)
