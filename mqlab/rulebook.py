"""The rule book: what makes each thing happen, in our own words, with its source.

Ids beginning EXP, TRG, IGQ and MQE come from the source documents on expiry, triggering, intra-group queuing and MQ
Everyplace; ids beginning MQI are the everyday rules of the message queue interface around them. Every event names the
rule that caused it, and the test that proves a rule is marked with its id.
"""

from __future__ import annotations

from .rules import calls, expiry, triggering
from .rules.rule import Rule

__all__ = ["RULES", "Rule", "rule"]

RULES: dict[str, Rule] = {entry.id: entry for book in (expiry, triggering, calls) for entry in book.RULES}
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
