"""The client channel definition table (CCDT) in JSON: which channels lead to a queue manager, or to a group, and in
which order a client tries them (REC-06)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from ..engine.words import constants as mq
from ..engine.words.errors import LabError, MQError
from ..engine.words.refusals import Grounds
from ..gates.attempt import Client
from ..gates.network import located

_TRIES_NEXT = {
    *(mq.MQRC_CONNECTION_BROKEN, mq.MQRC_MAX_CONNS_LIMIT_REACHED, mq.MQRC_Q_MGR_NAME_ERROR),
    *(mq.MQRC_Q_MGR_NOT_AVAILABLE, mq.MQRC_Q_MGR_QUIESCING, mq.MQRC_CHANNEL_NOT_AVAILABLE),
    mq.MQRC_HOST_NOT_AVAILABLE,
}
"""The reason codes of a connect to one queue manager after which the next place is tried."""
_DEFRECON = {"no": "NO", "yes": "YES", "queueManager": "QMGR", "disabled": "DISABLED", "": "NO"}


def connect(lab: Any, program: str, name: str, ccdt: Any, client: Client, keywords: dict[str, Any]) -> Any:
    """Connect a client to a queue manager by its name, or to any one of a group, ``*GROUP``: the application."""
    group = name.removeprefix("*")
    channels = [each for each in read(ccdt) if _part(each, "clientConnection").get("queueManager", "") == group]
    places = tuple(place for each in _order(lab, program, name, channels) for place in _places(each, client))
    if not places:
        raise _refused(mq.MQRC_Q_MGR_NAME_ERROR, "not-in-ccdt", name)
    any_of_group, failed, refused = name.startswith("*") or not name, [], None
    for address, channel, known in places:
        try:
            return _try(lab, program, name, address, channel, known._replace(places=places), keywords)
        except MQError as error:
            if error.reason not in _TRIES_NEXT and not any_of_group:
                raise
            refused = error
            failed.append(f"{channel} at {address}: {error.name}")
    if any_of_group:
        raise _refused(mq.MQRC_Q_MGR_NOT_AVAILABLE, "nobody-in-group", name, places="; ".join(failed))
    assert refused is not None
    raise refused


def _try(lab: Any, program: str, name: str, address: str, channel: str, client: Client, keywords: dict) -> Any:
    """Connect through one channel at one address."""
    by_name = not name.startswith("*") and bool(name)
    qmgr = located(lab, address, name if by_name else "")
    if qmgr is None:
        raise _refused(mq.MQRC_HOST_NOT_AVAILABLE, "unknown-host", name, address=address)
    if by_name and qmgr.name != name:
        raise _refused(mq.MQRC_Q_MGR_NAME_ERROR, "another-qmgr", name, address=address, qmgr=qmgr.name)
    return qmgr.connect(program, channel=channel, client=client, **keywords)


def read(ccdt: Any) -> list[dict[str, Any]]:
    """The client channels of a CCDT: a dict, its JSON text, or the path or ``file:`` URL of its file. LabError for
    anything else."""
    table = ccdt
    if isinstance(ccdt, str) and not ccdt.lstrip().startswith("{"):
        table = Path(ccdt.removeprefix("file://"))
    try:
        table = table.read_text("utf-8") if isinstance(table, Path) else table
        table = json.loads(table) if isinstance(table, str) else table
        channels = [channel for channel in table["channel"] if channel.get("type") == "clientConnection"]
        for channel in channels:
            _addresses(channel)
            weight = _part(channel, "connectionManagement").get("clientWeight", 0)
            if not isinstance(channel["name"], str) or not isinstance(weight, int):
                raise TypeError("name must be text, and clientWeight a number")
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        known = 'a CCDT in JSON, {"channel": [...]}: a dict, text, or a path'
        raise LabError(f"ccdt must be {known}; got {ccdt!r:.60} ({error!r})") from None
    return channels


def _part(channel: dict[str, Any], name: str) -> dict[str, Any]:
    """A group of attributes of a channel; empty if the channel leaves it out."""
    return channel.get(name) or {}


def _addresses(channel: dict[str, Any]) -> list[str]:
    """The addresses of a channel, such as host(1414), in order."""
    places = channel["clientConnection"]["connection"]
    return [f"{each['host']}({int(each.get('port', 1414))})" for each in places]


def _places(channel: dict[str, Any], client: Client) -> Iterator[tuple[str, str, Client]]:
    """Each address of a channel, with the channel's name, and the client as the channel describes it."""
    tls, manages = _part(channel, "transmissionSecurity"), _part(channel, "connectionManagement")
    known = client._replace(
        cipher=tls.get("cipherSpecification", "") or client.cipher,
        label=tls.get("certificateLabel", "") or client.label,
        peer=tls.get("certificatePeerName", "") or client.peer,
        defrecon=_DEFRECON.get(manages.get("defaultReconnect", ""), "NO"),
    )
    for address in _addresses(channel):
        yield address, channel["name"], known._replace(port=int(address.partition("(")[2][:-1]))


def _order(lab: Any, program: str, name: str, channels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The channels in the order in which they are tried: those of weight 0 by name, the others at random by weight."""
    # with affinity "preferred" a program has the same order each time, with "none" a new one for each connect
    weight = {channel["name"]: _part(channel, "connectionManagement").get("clientWeight", 0) for channel in channels}
    by_name = sorted(channels, key=lambda channel: str(channel["name"]))
    first = [channel for channel in by_name if not weight[channel["name"]]]
    others = [channel for channel in by_name if weight[channel["name"]]]
    new = any(_part(channel, "connectionManagement").get("affinity") == "none" for channel in others)
    chooser = vars(lab).setdefault("chooser", Random(lab.seed)) if new else Random(f"{lab.seed} {program} {name}")
    while others:
        chosen = chooser.choices(others, [weight[channel["name"]] for channel in others])[0]
        others.remove(chosen)
        first.append(chosen)
    return first


def _refused(reason: int, case: str, name: str, **fields: object) -> MQError:
    """The refusal of a connect that reached no queue manager, which has no row."""
    return MQError(reason, name, grounds=Grounds(reason, case, {"name": name, **fields}))
