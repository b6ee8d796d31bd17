"""The instances of SVRCONN channels: the sockets of clients, their rows of DISPLAY CHSTATUS, and their end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..admin.ending import wake
from ..engine.commands.display import moment
from ..engine.queues.application import Application
from ..engine.queues.broken import break_off
from ..engine.queues.caller import Gate
from ..engine.words import constants as mq
from ..engine.words.refusals import Grounds
from ..engine.world.clock import SECOND
from . import kept
from .attempt import Attempt, Client

if TYPE_CHECKING:
    from ..engine.commands.command import Command

GRACE = 5 * SECOND
"""So long a client of a channel that is stopped with QUIESCE keeps its connection."""


@dataclass(eq=False)
class Instance:
    """One instance of a SVRCONN channel: the conversations of one program from one address share it (GAT-05)."""

    channel: str
    program: str
    client: Client
    conversations: list[Application] = field(default_factory=list)
    alone: bool = False

    @property
    def address(self) -> str:
        """The IP address of the client."""
        return self.client.address


def _alone(options: int) -> bool:
    """Whether a connect asks for a socket of its own."""
    return bool(options & mq.MQCNO_NO_CONV_SHARING)


def shares(instance: Instance, attempt: Attempt, most: int) -> bool:
    """Whether a connect becomes one more conversation of an instance."""
    fits = (instance.program, instance.address) == (attempt.program, attempt.client.address)
    return fits and not instance.alone and not _alone(attempt.options) and len(instance.conversations) < max(1, most)


def instances_of(qmgr: Any, channel: str | None = None) -> list[Instance]:
    """The instances that run, in the order of their first conversations."""
    instances: list[Instance] = []
    for application in sorted(qmgr.connections, key=lambda connected: connected.connection):
        if application.client is None or (channel is not None and application.client[0] != channel):
            continue
        name, admission = application.client[0], application.admission
        client, options = (admission.client, admission.options) if isinstance(admission, Attempt) else (Client(), 0)
        definition = qmgr.objects.get("CHANNEL", name)
        most = 1 if definition is None else definition.attributes.get("SHARECNV", 1)
        attempt = Attempt(qmgr, application.caller, name, "", client=client, options=options)
        own = (each for each in instances if each.channel == name and shares(each, attempt, most))
        instance = next(own, None)
        if instance is None:
            instances.append(instance := Instance(name, application.caller, client, alone=_alone(options)))
        instance.conversations.append(application)
    return instances


def client_rows(qmgr: Any) -> list[dict[str, Any]]:
    """Every column of DISPLAY CHSTATUS of each instance, and of each channel that is STOPPED (GAT-08)."""
    rows = []
    for instance in instances_of(qmgr):
        first: Any = instance.conversations[0]
        definition = qmgr.objects.get("CHANNEL", instance.channel)
        has = definition.attributes if definition is not None else {}
        ends = getattr(first.admission, "handshake", None)
        counted = [each.client_traffic for each in instance.conversations if each.client_traffic]
        rows.append(
            {
                **_head(instance.channel, instance.address, "RUNNING"),
                "SUBSTATE": "RECEIVE",
                **dict.fromkeys(("BUFSRCVD", "BUFSSENT"), ""),
                # MSGS counts the MQI calls of a program in MQ's own words, and the others the bytes of their structures
                # and data, without the protocol around them; nothing is counted of clients that make Python calls
                **dict(zip(("MSGS", "BYTSRCVD", "BYTSSENT"), map(sum, zip(*counted, strict=True)), strict=False)),
                **({} if counted else dict.fromkeys(("MSGS", "BYTSRCVD", "BYTSSENT"), "")),
                **moment(qmgr, first.client[1], "CHSTADA", "CHSTATI"),
                "CURSHCNV": len(instance.conversations),
                "MAXSHCNV": has.get("SHARECNV", 1),
                "MCASTAT": "RUNNING",
                "MCAUSER": first.context.user,
                "RAPPLTAG": first.caller,
                **(dict.fromkeys(("SSLCIPH", "SSLPEER", "SSLCERTI"), "") | {"SECPROT": "NONE"}),
                **({} if ends is None else ends.columns(ends.sent)),
                "STOPREQ": "YES" if isinstance(first.gate, Quiescing) else "NO",
            }
        )
    running = {row["CHANNEL"] for row in rows}
    return rows + [_head(name, "", "STOPPED") for name in sorted(kept(qmgr).stopped - running)]


def _head(channel: str, address: str, status: str) -> dict[str, Any]:
    return {"CHANNEL": channel, "CHLTYPE": "SVRCONN", "CONNAME": address, "CURRENT": True, "RQMNAME": "",
            "STATUS": status, "SUBSTATE": ""}  # fmt: skip


class Quiescing(Gate):
    """The gate of a connection whose channel is being stopped: calls fail with 2202, but for those that end work."""

    def __init__(self, application: Application, channel: str):
        self.application, self.channel = application, channel

    def require_still(self, call: str, options: int = 0) -> None:
        """Refuse what waits, too."""
        self.require_inside(call)

    def require_inside(self, call: str) -> None:
        """Refuse a call that begins something."""
        if call not in ("commit", "backout", "close", "disconnect", "stat"):
            grounds = Grounds(mq.MQRC_CONNECTION_QUIESCING, "channel-quiescing", {"channel": self.channel})
            raise self.application.refusal(grounds, None, call)


def start(qmgr: Any, command: Command) -> None:
    """START CHANNEL of a SVRCONN: clients may come in again."""
    kept(qmgr).stopped.discard(command.name)


def stop(qmgr: Any, command: Command) -> str | None:
    """STOP CHANNEL of a SVRCONN (GAT-07): QUIESCE lets its clients go on for a moment, with 2202 for what they begin;
    FORCE and TERMINATE break their connections. STATUS(INACTIVE) ends only the instances that run."""
    name, options = command.name, command.options
    address = options.get("CONNAME")
    running = [run for run in instances_of(qmgr, name) if address in (None, run.address)]
    if options.get("STATUS", "INACTIVE" if address else "STOPPED") == "STOPPED":
        kept(qmgr).stopped.add(name)
    for application in [run for instance in running for run in instance.conversations]:
        if options.get("MODE", "QUIESCE") != "QUIESCE":
            end(application, name)
            continue
        if application.gate is not None:
            application.gate.tell(mq.MQRC_CONNECTION_QUIESCING)
        application.gate = Quiescing(application, name)
        _later(qmgr, application, name)
    return None if running else f"AMQ9533W: Channel '{name}' is not currently active."


def _later(qmgr: Any, application: Application, channel: str) -> None:
    """Wake what waits in a connection that quiesces, and break the connection when the grace is over."""
    wake(application)
    timer = qmgr.clock.timeout(GRACE)
    qmgr.clock.idle(timer)
    there = qmgr.connections

    def over(_: object) -> None:
        if application in there and isinstance(application.gate, Quiescing):
            end(application, channel)

    timer.callbacks.append(over)


def end(application: Application, channel: str, case: str = "channel-ended") -> None:
    """Break the connection of a client whose channel was stopped: 2009 at its next call."""
    grounds = Grounds(mq.MQRC_CONNECTION_BROKEN, case, {"channel": channel})
    break_off(application, lambda: application.disconnect(False), grounds)
