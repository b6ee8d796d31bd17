"""Commands that define nothing: REFRESH, RESET and SET, and operating channels.

Source: the MQSC command reference of MQ 9.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..extra import extras, of_extras
from ..programs.channels import control
from ..programs.channels.channel import MOVING, moves
from ..programs.channels.initiator import INITQ, start_initiator
from ..words import catalog
from .command import Command
from .replies import Refused

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager

_BELONGS: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("REFRESH", "QMGR"): {"NAME": ("CONFIGEV", "EXPIRY"), "OBJECT": ("CONFIGEV",), "INCLINT": ("CONFIGEV",)},
    ("RESET", "QMGR"): {"ARCHIVED": ("ARCHLOG",), "CHILD": ("PUBSUB",), "PARENT": ("PUBSUB",)},
}
"""Which TYPE each further keyword goes with."""
_REQUIRED: dict[tuple[str, str], tuple[tuple[str, ...], ...]] = {
    ("RESET", "CLUSTER"): (("ACTION",), ("QMNAME", "QMID")),
    ("RESOLVE", "CHANNEL"): (("ACTION",),),
    **{(verb, "QMGR"): (("CLUSTER", "CLUSNL", "FACILITY", "LOG"),) for verb in ("SUSPEND", "RESUME")},
    **of_extras("required"),
}
"""Command -> sets of keywords; it needs one at least of each."""
_OF_TYPE: dict[tuple[str, str, str], tuple[str, ...]] = {
    ("RESET", "QMGR", "ARCHLOG"): ("ARCHIVED",),
    ("RESET", "QMGR", "PUBSUB"): ("CHILD", "PARENT"),
    **of_extras("required_of_type"),
}
"""Command and its TYPE -> the keywords of which it needs exactly one; ACTION(REMOVEALL) needs none."""


def require_shape(command: Command) -> None:
    """Refuse a command without what it needs; REFRESH and RESET QMGR also with what does not go with their TYPE."""
    rules, options, end = _BELONGS.get((command.verb, command.object)), command.options, len(command.text)
    subject, sort = f"{command.verb} {command.object}", options.get("TYPE")
    for group in _REQUIRED.get((command.verb, command.object), ()):
        if not any(keyword in options for keyword in group):
            wanted = _wanted(command, group[0])
            raise Refused(8421, "needs-one-of", end, command=subject, keywords=" or ".join(group), wanted=wanted)
        if (
            command.object in ("CLUSTER", "QMGR")
            and len(given := [option for option in group if option in options]) > 1
        ):
            raise Refused(8405, "not-both", end, command=subject, keywords=" or ".join(given))
    if not 16 <= options.get("DATALEN", 64) <= 32_768:
        raise Refused(8412, "datalen", end, length=options["DATALEN"])
    needed = _OF_TYPE.get((command.verb, command.object, sort or ""), ())
    if needed and options.get("ACTION") != "REMOVEALL" and len([each for each in needed if each in options]) != 1:
        raise Refused(8421, "type-needs", end, command=subject, type=sort, keywords=" or ".join(needed))
    if rules is None:
        return
    if sort is None:
        raise Refused(8421, "needs-one-of", end, command=subject, keywords="TYPE", wanted=_wanted(command, "TYPE"))
    for keyword, sorts in rules.items():
        if keyword in options and sort not in sorts:
            raise Refused(8405, "goes-with-type", end, keyword=keyword, types=" or ".join(sorts), type=sort)
    if sort == "EXPIRY" and "NAME" in options:
        try:
            catalog.check_name("QLOCAL", options["NAME"], generic=True)
        except catalog.CatalogError as error:
            raise Refused(8424, "in-words", end, words=str(error)) from error


def _wanted(command: Command, keyword: str) -> str:
    """The possible values of a keyword of this command, in words."""
    known = catalog.keywords(command.verb, command.object)
    return known[2][keyword].wanted() if known is not None else ""


def request(qmgr: QueueManager, command: Command) -> str | None:
    """Do what the lab acts on (REFRESH QMGR TYPE(EXPIRY), EXP-35, and the commands of extras) and give the answer; None
    for anything else, and for the usual answer."""
    words = command.verb, command.object
    for extra in extras():
        act = extra.commands.get((*words, command.options.get("TYPE"))) or extra.commands.get(words)
        if act is not None:
            return act(qmgr, command)
    if (*words, command.options.get("TYPE")) != ("REFRESH", "QMGR", "EXPIRY"):
        return None
    generic = command.options.get("NAME", "*")
    gone = qmgr.scanner.refresh(generic)
    messages = "message" if gone == 1 else "messages"
    command.notes.append(f"{gone or 'no'} expired {messages} discarded from the queues of {generic}")
    return "CSQ9022I: ' REFRESH QMGR' NORMAL COMPLETION"


_AS_SHOWN = {8405: 8412, 9513: 9502, 9519: 8227, 9530: 8000, 9531: 9507}
"""Number of a ChannelError -> the number that runmqsc answers with, where it is another one."""

_SENDERS = ("SDR", "SVR", "CLUSSDR")
_FITTING = {"PING": _SENDERS, "RESOLVE": _SENDERS, "RESET": (*MOVING, "CLUSSDR", "CLUSRCVR")}
"""Verb -> types of channel that it is for; any other verb is for all but a client's end."""


def operate(qmgr: QueueManager, command: Command) -> str | None:
    """Carry one of OPERATED out; its answer, None for the usual one.

    A command about a channel of a type that the lab does not run is accepted and does nothing. STOP of a channel that
    is neither active nor to be tried again makes it STOPPED as well, with a warning.

    Refused with the number of the message that an operator would see when it cannot be done.
    """
    if command.object == "CHINIT":
        return _CHINIT[command.verb](qmgr, command)
    _require_type(qmgr, command)
    definition = control.defined(qmgr, command.name)
    if definition is not None and not moves(definition.attributes["CHLTYPE"]):
        done = (extra.operated(qmgr, command, definition) for extra in extras())
        return next((answer for answer in done if answer != ""), None)
    try:
        return _CHANNEL[command.verb](qmgr, command)
    except control.ChannelError as error:
        if (command.verb, error.code) == ("START", 9514) and command.options.get("IGNSTATE") == "YES":
            return None
        number = _AS_SHOWN.get(error.code, error.code)
        raise Refused(number, "in-words", words=error.grounds.said, name=command.name) from error


def _require_type(qmgr: QueueManager, command: Command) -> None:
    """Refuse a command that channels of this type do not have (AMQ9502)."""
    verb, name = command.verb, command.name
    definition = control.defined(qmgr, name) or qmgr.objects.get("CLNTCONN", name)
    if definition is None:
        return
    chltype, fitting = definition.attributes.get("CHLTYPE", "CLNTCONN"), _FITTING.get(verb)
    if chltype == "CLNTCONN" or (fitting is not None and chltype not in fitting):
        if fitting is None:
            raise Refused(9502, "client-end", channel=name, type=chltype, verb=verb)
        raise Refused(9502, "other-channel-type", channel=name, type=chltype, verb=verb, types=", ".join(fitting))


def _start_initiator(qmgr: QueueManager, command: Command) -> None:
    if qmgr.channel_initiator is not None:
        raise Refused(8000, "initiator-runs", qmgr=qmgr.name)
    initq = command.options.get("INITQ", INITQ)
    if initq not in qmgr.targets:
        raise Refused(8147, "no-initq", initq=initq, name=initq)
    start_initiator(qmgr, initq)


def _stop_initiator(qmgr: QueueManager, command: Command) -> None:
    if qmgr.channel_initiator is None:
        raise Refused(8000, "no-initiator", qmgr=qmgr.name)
    qmgr.channel_initiator.stop()


def _stop(qmgr: QueueManager, command: Command) -> str | None:
    """STOP CHANNEL; CONNAME or QMNAME stops only channels with this partner, which then become INACTIVE."""
    options, name = command.options, command.name
    some = [options[keyword] for keyword in ("CONNAME", "QMNAME") if keyword in options]
    if some and options.get("STATUS") == "STOPPED":
        raise Refused(8405, "stopped-with-partner", len(command.text))
    current = [channel for channel in control.instances(qmgr, name) if channel.state not in ("INACTIVE", "STOPPED")]
    if some:
        current = [
            channel
            for channel in current
            if {*some} <= {channel.partner or channel.remote, channel.attributes.get("CONNAME") or channel.partner}
        ]
    if current or not some:
        state = options.get("STATUS", "INACTIVE" if some else "STOPPED")
        control.stop(qmgr, name, options.get("MODE", "QUIESCE"), state, current if some else None)
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
OPERATED = frozenset([*((verb, "CHANNEL") for verb in _CHANNEL), *((verb, "CHINIT") for verb in _CHINIT)])
"""The commands about channels and the channel initiator: verb and object."""
