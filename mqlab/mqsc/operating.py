"""Operating channels and the channel initiator by MQSC: START, STOP, PING, RESET and RESOLVE."""

from __future__ import annotations

from ..programs.channels import control
from ..programs.channels.channel import MOVING
from ..programs.channels.initiator import INITQ, start_initiator
from .command import Command
from .refusal import Refused

__all__ = ["OPERATED", "operate"]

OPERATED = frozenset(
    {
        *((verb, "CHANNEL") for verb in ("START", "STOP", "PING", "RESET", "RESOLVE")),
        ("START", "CHINIT"),
        ("STOP", "CHINIT"),
    }
)
"""The commands, verb and object, that this module carries out."""


_AS_SHOWN = {8405: 8412, 9513: 9502, 9519: 8227, 9530: 8000, 9531: 9507}
"""Number of a ChannelError -> the number that runmqsc answers with, where it is another one."""

_SENDERS = ("SDR", "SVR", "CLUSSDR")
_FITTING = {"PING": _SENDERS, "RESOLVE": _SENDERS, "RESET": (*MOVING, "CLUSSDR", "CLUSRCVR")}
"""Verb -> types of channel that it is for; any other verb is for all but a client's end."""


def operate(qmgr, command: Command) -> str | None:
    """Carry one of OPERATED out; its answer, None for the usual one.

    A command about a channel of a type that the lab does not run is accepted and does nothing. STOP of a channel that
    is neither active nor to be tried again makes it STOPPED all the same, with a warning (our reading).

    Raises
    ------
    Refused
        With the number of the message that an operator would see when it cannot be done.
    """
    if command.object == "CHINIT":
        return _CHINIT[command.verb](qmgr, command)
    _require_type(qmgr, command)
    definition = qmgr.objects.get("CHANNEL", command.name)
    if definition is not None and definition.attributes["CHLTYPE"] not in MOVING:
        return None
    try:
        return _CHANNEL[command.verb](qmgr, command)
    except control.ChannelError as error:
        if (command.verb, error.code) == ("START", 9514) and command.options.get("IGNSTATE") == "YES":
            return None
        raise Refused(_AS_SHOWN.get(error.code, error.code), error.said, name=command.name) from error


def _require_type(qmgr, command: Command) -> None:
    """Refuse a command that channels of this type do not have (AMQ9502)."""
    verb, name = command.verb, command.name
    found = qmgr.objects.get("CHANNEL", name) or qmgr.objects.get("CLNTCONN", name)
    if found is None:
        return
    chltype, fitting = found.attributes.get("CHLTYPE", "CLNTCONN"), _FITTING.get(verb)
    if chltype == "CLNTCONN" or (fitting is not None and chltype not in fitting):
        wanted = f"one of type {', '.join(fitting)}" if fitting else "the queue manager's end of it"
        raise Refused(9502, f"{name} is a channel of type {chltype}; {verb} CHANNEL is for {wanted}")


def _start_initiator(qmgr, command: Command) -> None:
    if qmgr.channel_initiator is not None:
        raise Refused(8000, f"the channel initiator of {qmgr.name} runs already")
    initq = command.options.get("INITQ", INITQ)
    if initq not in qmgr.targets:
        raise Refused(8147, f"INITQ({initq}) is no local queue", name=initq)
    start_initiator(qmgr, initq)


def _stop_initiator(qmgr, command: Command) -> None:
    if qmgr.channel_initiator is None:
        raise Refused(8000, f"no channel initiator runs on {qmgr.name}; START CHINIT")
    qmgr.channel_initiator.stop()


def _stop(qmgr, command: Command) -> str | None:
    options, name = command.options, command.name
    current = [each for each in control.instances(qmgr, name) if each.state not in ("INACTIVE", "STOPPED")]
    control.stop(qmgr, name, options.get("MODE", "QUIESCE"), options.get("STATUS", "STOPPED"))
    for keyword in ("CONNAME", "QMNAME"):
        if keyword in options:
            command.notes.append(f"{keyword} is not acted on: every instance of {name} is stopped")
    if current or options.get("IGNSTATE") == "YES":
        return None
    return f"AMQ9533W: Channel '{name}' is not currently active."


_CHANNEL = {
    "START": lambda qmgr, command: control.start(qmgr, command.name),
    "STOP": _stop,
    "PING": lambda qmgr, command: control.ping(qmgr, command.name) and None,
    "RESET": lambda qmgr, command: control.reset(qmgr, command.name, command.options.get("SEQNUM", 1)),
    "RESOLVE": lambda qmgr, command: control.resolve(qmgr, command.name, command.options["ACTION"]),
}
_CHINIT = {"START": _start_initiator, "STOP": _stop_initiator}
