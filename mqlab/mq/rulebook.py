"""The rule book: what makes each thing happen, in our own words, with its source.

Ids beginning EXP, TRG, IGQ and MQE come from the source documents on expiry, triggering, intra-group queuing and MQ
Everyplace. The others are everyday rules around them: MQI of the message queue interface, PRP of message properties,
STQ of streaming queues, CHL of channels, NET of the lab's links, QSG of queue sharing groups, DLQ of the dead-letter
handler, IMS of the IMS bridge, MQE-08 and later of MQ Everyplace, SEC of connections, PCF of commands as messages,
EVT of event messages. Every event names the rule that caused it, and the test that proves a rule is marked with its id.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple

from .shown import shown

GROUPS: dict[str, str] = {
    "EXP": "Message expiry",
    "TRG": "Triggering",
    "MQI": "The message queue interface",
    "PRP": "Message properties, selectors and conversion",
    "STQ": "Streaming queues",
    "CHL": "Name resolution and message channels",
    "NET": "The network of a lab",
    "QSG": "Queue sharing groups",
    "IGQ": "Intra-group queuing",
    "DLQ": "The dead-letter handler",
    "IMS": "The IMS bridge",
    "MQE": "MQ Everyplace",
    "SEC": "Connecting with a password",
    "PCF": "Programmable command format",
    "EVT": "Event messages",
}
"""The subject of each group of rules, by the first letters of their ids."""


@shown
class Rule(NamedTuple):
    """One rule: its id, a title of a few words, its source, one to three sentences, what the lab simplifies in it, and
    the words that the trust page holds the lab to if it then says that something is not done."""

    id: str
    title: str
    source: str
    text: str
    simplified: str = ""
    denies: str = ""


def _book() -> dict[str, Rule]:
    """The tables of rules.toml as rules; their line ends are spaces."""
    tables = tomllib.loads(files(__package__).joinpath("rules.toml").read_text("utf-8"))
    sources = tables.pop("sources")
    book = {}
    for id, table in tables.items():
        words = {key: " ".join(said.split()) for key, said in table.items()}
        book[id] = Rule(id, **{**words, "source": sources.get(words["source"], words["source"])})
    return book


RULES: dict[str, Rule] = _book()
"""Every rule by id, in the order of the book."""


def rule(id: str) -> Rule:
    """The rule with this id; KeyError that names the ids there are.

    >>> rule("EXP-15").title
    'An Expiry of zero is an error'
    """
    try:
        return RULES[id]
    except (KeyError, TypeError):
        raise KeyError(f"no rule {id!r}; the rule book has {', '.join(RULES)}") from None
