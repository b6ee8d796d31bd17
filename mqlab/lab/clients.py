"""What people say of clients and certificates, as keywords."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict

from ..engine.words import constants as mq
from ..engine.words.arguments import require
from .extras import room

if TYPE_CHECKING:
    from ..gates.attempt import Client, Keys


class ClientFacts(TypedDict, total=False):
    """Where a client comes from, and what it knows of TLS: the fields of a `mqlab.gates.attempt.Client`."""

    address: str
    port: int | None
    asserted: str
    cipher: str
    keys: Keys | None
    label: str
    peer: str
    defrecon: str
    places: tuple[Any, ...]


def client_with(client: Client | None, facts: ClientFacts, on_event: Callable[[int], object] | None) -> Client:
    """A client with these facts, which are fields of `Client`; LabError for a word that is none, or for a value."""
    with room("gates"):
        from ..gates.attempt import Client
    require("client", client, Client | None, "a mqlab.gates.attempt.Client, or None")
    for word in facts:
        require("connect", word, str, f"keywords of a client: {', '.join(Client._fields)}", Client._fields.__contains__)
    if on_event is not None:
        require("on_event", on_event, object, "a function of a reason code", callable)
        client = (client or Client())._replace(on_event=on_event)
    return (client or Client())._replace(**facts)


_RECONNECT = {"YES": mq.MQCNO_RECONNECT, "QMGR": mq.MQCNO_RECONNECT_Q_MGR, "DISABLED": mq.MQCNO_RECONNECT_DISABLED}


def reconnecting(reconnect: str, options: int) -> int:
    """MQCNO options with the one that `reconnect` stands for; LabError for a value that is none."""
    require("reconnect", reconnect, str, f"one of {', '.join(_RECONNECT)}, or empty", _RECONNECT.__contains__)
    require("options", options, int, "a sum of MQCNO options")
    return options | _RECONNECT[reconnect]


class CertificateFacts(TypedDict, total=False):
    """The facts of a certificate: fields of a `mqlab.gates.attempt.Certificate`, times also as texts. It is valid
    for so many `days` if `valid_to` is not given."""

    issuer: str
    label: str
    days: float
    valid_from: datetime | str
    valid_to: datetime | str
    serial: str
    revoked: bool | None
