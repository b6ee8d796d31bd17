"""The vocabulary of events: what each kind of row does to a message, and what the end of a message is called.

Every reader of the log takes its words from here: explanations, pictures, and sweeps, in Python or not.
"""

from __future__ import annotations

from typing import NamedTuple

from ..extra import extras
from .event import Event


class Kind(NamedTuple):
    """A kind of row that brings a message to a queue or ends its stay there.

    `change` is by how much CURDEPTH changes, `end` names the end of the stay ("" for an arrival). `while_held` says
    that a program may hold the message that ends, so that no queue loses it; the row then has no object type.
    """

    change: int
    end: str = ""
    while_held: bool = False


KINDS = {
    "put": Kind(+1),
    "report": Kind(+1),
    "restore": Kind(+1),  # a get that is backed out: the same stay goes on
    "get": Kind(-1, "got"),
    "discard": Kind(-1, "discarded", while_held=True),  # it had expired
    "reject": Kind(0, "rejected", while_held=True),  # undeliverable, and discarded as its report options ask
    "lost": Kind(-1, "lost", while_held=True),
    "clear": Kind(-1, "cleared"),
    "undo": Kind(-1, "backed out"),  # its put
}
"""By kind; the kinds that are not here leave every message where it is."""

EXPIRED = "expired"
"""The word for an expired message that is still on its queue, and counted."""

ARRIVES = ("put", "report")
"""The kinds that begin a stay."""

LEAVES = tuple(kind for kind, row in KINDS.items() if row.change < 0)
"""The kinds that take a message off its queue."""

CHANGES_DEPTH = tuple(kind for kind, row in KINDS.items() if row.change)
ENDS = {kind: row.end for kind, row in KINDS.items() if row.end}
"""The word for the end of a stay, by the kind of the row that ended it."""

HELD_ENDS = tuple(kind for kind, row in KINDS.items() if row.while_held)
"""The ends that a message may come to while a program holds it."""

DEAD_LETTER_RULES = ("MQI-30", "EXP-23", *(rule for extra in extras() for rule in extra.dead_letter_rules))
"""The rules by which a put is an arrival on a dead-letter queue."""


def is_dead_letter(row: Event) -> bool:
    """Return whether a row is an arrival on a dead-letter queue: its facts have the Reason and destination."""
    return row.kind == "put" and (row.rule in DEAD_LETTER_RULES or "DestQName" in row.facts)
