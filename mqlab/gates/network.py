"""Network and limits: the listener, the channel of a client, and how many of its instances may run (G1)."""

from __future__ import annotations

from typing import Any

from ..admin import kept as administered
from ..engine.queues.queue_manager import port_of
from ..engine.words import constants as mq
from . import kept
from .attempt import Attempt, Outcome, Passed, Refusal, refused
from .instances import instances_of, shares

DEFAULT_PORT = 1414
_NO_LIMIT = 999_999_999


def lasts(attempt: Attempt) -> Outcome | None:
    """Whether the queue manager is not about to end (REC-09); a client does not reach one that has ended."""
    qmgr = attempt.qmgr
    if administered(qmgr).ending is not None:
        return refused(mq.MQRC_Q_MGR_QUIESCING, "qmgr-quiescing", qmgr=qmgr.name)
    if qmgr.running:
        return None
    if attempt.channel is None:
        return refused(mq.MQRC_Q_MGR_NOT_AVAILABLE, "not-running", qmgr=qmgr.name)
    return _unreachable("no-listener", qmgr=qmgr.name, starts=f"strmqm {qmgr.name}")


def port_in(conname: str) -> int | None:
    """The port of an address, such as host(1414); None for none."""
    digits = conname.partition("(")[2].strip(" )")
    return int(digits) if digits.isdigit() else None


def located(lab: Any, conname: str, name: str = "") -> Any:
    """The queue manager that an address leads to, such as host(1414): one that `Lab.address` gave it, or whose name is
    the host's; else the queue manager called `name`, None if there is none."""
    host = conname.partition("(")[0]
    names = {qmgr.name.upper(): qmgr.name for qmgr in lab.queue_managers}
    known = (lab.network.addresses.get(conname), lab.network.addresses.get(host), names.get(host.upper()), name)
    found = next((each for each in known if each and each.upper() in names), None)
    return None if found is None else lab[found]


def reached(attempt: Attempt) -> Outcome | None:
    """Whether the call of a client reaches a listener: link, listener, port (GAT-01)."""
    qmgr, client = attempt.qmgr, attempt.client
    if attempt.channel is None:
        return None
    if (attempt.program, qmgr.name) in qmgr.lab.network.cut_clients:
        return _unreachable("link-cut", program=attempt.program, qmgr=qmgr.name)
    ports = {port_of(listener): listener.name for listener in qmgr.started if port_of(listener) is not None}
    if (qmgr.platform == "zos" and not kept(qmgr).listening) or not qmgr.listens:
        listeners = qmgr.objects.match(("LISTENER",))
        names = [listener.name for listener in listeners if port_of(listener) in (client.port, DEFAULT_PORT)]
        names.sort(key=lambda name: (name.startswith("SYSTEM.DEFAULT."), name.startswith("SYSTEM.")))
        starts = f"START LISTENER({names[0]})" if names else "START LISTENER TRPTYPE(TCP)"
        return _unreachable("no-listener", starts, qmgr=qmgr.name, starts=starts)
    if ports and client.port is not None and client.port not in ports:
        listed = ", ".join(str(port) for port in sorted(ports))  # type: ignore[type-var]
        return _unreachable("wrong-port", qmgr=qmgr.name, port=client.port, ports=listed)
    if not ports:
        return Passed("reached", {"qmgr": qmgr.name})
    port = client.port if client.port is not None else DEFAULT_PORT if DEFAULT_PORT in ports else min(ports)  # type: ignore[type-var]
    return Passed("listens", {"listener": ports[port], "port": port})


def _unreachable(case: str, opens: str = "", **fields: object) -> Refusal:
    """The refusal of a call that no listener hears, which the client alone notices."""
    return refused(mq.MQRC_HOST_NOT_AVAILABLE, case, **fields)._replace(client="AMQ9202E", opens=opens)


def is_there(attempt: Attempt) -> Outcome | None:
    """Whether the channel is defined, is a SVRCONN, and is not stopped (GAT-02, GAT-03)."""
    qmgr, name = attempt.qmgr, attempt.channel
    if name is None:
        return None
    definition = qmgr.objects.get("CHANNEL", name)
    if definition is None:
        refusal = refused(mq.MQRC_UNKNOWN_CHANNEL_NAME, "not-defined", "AMQ9519E", qmgr=qmgr.name, channel=name)
        return refusal._replace(client="AMQ9520E", opens=f"DEFINE CHANNEL({name}) CHLTYPE(SVRCONN)")
    if (chltype := definition.attributes["CHLTYPE"]) != "SVRCONN":
        return refused(mq.MQRC_CHANNEL_CONFIG_ERROR, "no-svrconn", "AMQ9547E", chltype=chltype)
    if name in kept(qmgr).stopped:
        refusal = refused(mq.MQRC_CHANNEL_NOT_AVAILABLE, "channel-stopped", "AMQ9534E", channel=name)
        return refusal._replace(client="AMQ9558E", opens=f"START CHANNEL({name})")
    return Passed("channel", {"channel": name})


def within_limits(attempt: Attempt) -> Outcome | None:
    """Whether one more conversation fits: MAXINST, MAXINSTC, and the total of the queue manager (GAT-03, GAT-04)."""
    qmgr, name, has = attempt.qmgr, attempt.channel, attempt.definition
    if name is None:
        return None
    running = instances_of(qmgr)
    own = [instance for instance in running if instance.channel == name]
    mine = [instance for instance in own if instance.address == attempt.client.address]
    most, most_of_client = has.get("MAXINST", _NO_LIMIT), has.get("MAXINSTC", _NO_LIMIT)
    if any(shares(instance, attempt, has.get("SHARECNV", 1)) for instance in mine):
        return Passed("shares", {"instances": len(own), "channel": name})
    total, keyword = _most_channels(qmgr)
    active = len(running) + sum(channel.active for channel in qmgr.channels.values())
    for count, limit, case, code, qualifier, alters in (
        (active, total, "max-channels", "AMQ9513E", mq.MQRQ_MAX_ACTIVE_CHANNELS, ""),
        (len(own), most, "maxinst", "AMQ9489E", mq.MQRQ_SVRCONN_INST_LIMIT, "MAXINST"),
        (len(mine), most_of_client, "maxinstc", "AMQ9490E", mq.MQRQ_CLIENT_INST_LIMIT, "MAXINSTC"),
    ):
        if count >= limit:
            about = {"channel": name, "count": count, "limit": limit, "address": attempt.client.address}
            found = refused(mq.MQRC_CHANNEL_NOT_AVAILABLE, case, code, keyword=keyword, qmgr=qmgr.name, **about)
            opens = f"ALTER CHANNEL({name}) CHLTYPE(SVRCONN) {alters}({count + 1})" if alters else ""
            return found._replace(event=("limit", qualifier), client="AMQ9558E", opens=opens)
    shown = [f"{len(own)} of MAXINST({most})"] if most != _NO_LIMIT else [f"{len(own)}, and MAXINST sets no limit"]
    shown += [f"{len(mine)} of MAXINSTC({most_of_client})"] if most_of_client != _NO_LIMIT else []
    return Passed("limits", {"running": ", ".join(shown)})


def _most_channels(qmgr: Any) -> tuple[int, str]:
    """The most channels that may be active, and what says so: qm.ini, on z/OS ACTCHL."""
    if qmgr.platform == "zos":
        return qmgr.attributes["ACTCHL"], "ACTCHL"
    given = qmgr.environment.get("MaxActiveChannels", qmgr.environment.get("MaxChannels", "100"))
    return int(given), "MaxActiveChannels"


def connections_left(attempt: Attempt) -> Outcome | None:
    """Whether the queue manager takes one more connection (GAT-06): a limit that the lab's environment may set."""
    limit = attempt.qmgr.environment.get("MaxConnections")
    if limit is None:
        return None
    count = len(attempt.qmgr.connections) - (not attempt.hypothetical)  # the connection that asks is among them
    if count >= int(limit):
        return refused(mq.MQRC_MAX_CONNS_LIMIT_REACHED, "max-connections", count=count, limit=int(limit))
    return Passed("connections", {"count": count, "limit": int(limit)})
