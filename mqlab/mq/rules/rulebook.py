"""The rule book: what makes each thing happen, in our own words, with its source.

Ids beginning EXP, TRG, IGQ and MQE come from the source documents on expiry, triggering, intra-group queuing and MQ
Everyplace. The others are everyday rules around them: MQI of the message queue interface, CHL of channels, NET of the
lab's links, QSG of queue-sharing groups, DLQ of the dead-letter handler, IMS of the IMS bridge, MQE-08 and later of MQ
Everyplace. Every event names the rule that caused it, and the test that proves a rule is marked with its id.
"""

from __future__ import annotations

from . import calls, channels, everyplace, expiry, sharing, triggering
from .rule import Rule

__all__ = ["RULES", "Rule", "rule"]

_BOOK = (*expiry.BOOK, *triggering.BOOK, *calls.BOOK, *channels.BOOK, *sharing.BOOK, *everyplace.BOOK)


RULES: dict[str, Rule] = {entry.id: entry for entry in _BOOK}
"""Every rule by id, in the order of the book."""


def rule(id: str) -> Rule:
    """The rule with this id; KeyError that names the ids there are.

    >>> rule("EXP-15").title
    'Zero is no lifetime'
    """
    try:
        return RULES[id]
    except KeyError:
        raise KeyError(f"no rule {id!r}; the rule book has {', '.join(RULES)}") from None
