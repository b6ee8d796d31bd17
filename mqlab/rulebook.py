"""The rule book: what makes each thing happen, in our own words, with its source.

Ids beginning EXP, TRG, IGQ and MQE come from the source documents on expiry, triggering, intra-group queuing and MQ
Everyplace; ids beginning MQI are the everyday rules of the message queue interface around them. Every event names the
rule that caused it, and the test that proves a rule is marked with its id.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["RULES", "Rule", "rule"]


class Rule(NamedTuple):
    """One rule: its id, a title of a few words, one sentence, and where it comes from."""

    id: str
    title: str
    text: str
    source: str


_EXPIRY = "Expiry in MQMD, product documentation"
_CALLS = "MQI reference, product documentation"
_READING = "our reading of the MQI reference"

_BOOK = (
    Rule(
        "EXP-01",
        "A lifetime set by the putter",
        "Expiry is a lifetime in tenths of a second that starts at the put; left alone it is unlimited (-1).",
        _EXPIRY,
    ),
    Rule(
        "EXP-02",
        "Lapsing removes nothing",
        "A message whose lifetime is over may be discarded, but it stays where it is until something meets it.",
        _EXPIRY,
    ),
    Rule(
        "EXP-07",
        "What is left is returned",
        "A get or browse returns the lifetime still left: more than zero, or unlimited.",
        _EXPIRY,
    ),
    Rule(
        "EXP-08",
        "Only a call that would have returned it discards it",
        "A lapsed message goes when a get or browse would have returned it; a call that selects others passes it by.",
        _EXPIRY,
    ),
    Rule(
        "EXP-09",
        "FIFO: everything lapsed ahead of the first live message",
        "On a FIFO queue a get of anything discards the lapsed messages ahead of the first live one, and no others.",
        _EXPIRY,
    ),
    Rule(
        "EXP-10",
        "Priority: the lapsed of higher priority, and the earlier of the same",
        "On a priority queue such a get discards the lapsed messages of higher priority and those of the same priority "
        "that came before the first live one.",
        _EXPIRY,
    ),
    Rule(
        "EXP-11",
        "A lapsed message is never returned",
        "Neither browse nor get ever gives an application a message whose lifetime is over.",
        _EXPIRY,
    ),
    Rule(
        "EXP-13",
        "A report only if asked for",
        "Discarding a lapsed message sends an expiration report if its putter set one of the MQRO_EXPIRATION options.",
        _EXPIRY,
    ),
    Rule(
        "EXP-14",
        "The lifetime starts at the put, not at the commit",
        "A message put in a unit of work ages from the put; if it lapses before the commit it is discarded afterwards "
        "and never returned.",
        _EXPIRY,
    ),
    Rule(
        "EXP-15",
        "Zero is no lifetime",
        "A put with an Expiry of zero, or negative other than -1, fails with 2013 and sends no report.",
        _EXPIRY,
    ),
    Rule(
        "EXP-17",
        "Lapsed messages still count",
        "Until they are discarded, lapsed messages count towards CURDEPTH, MAXDEPTH and trigger depth.",
        _EXPIRY,
    ),
    Rule(
        "EXP-18",
        "The report is sent at the discard",
        "An expiration report is made when the message is discarded, not when its lifetime ended.",
        _EXPIRY,
    ),
    Rule(
        "EXP-19",
        "Discards are nobody's unit of work",
        "A discard and its report are final even when the get that met the message is backed out.",
        _EXPIRY,
    ),
    Rule(
        "EXP-20",
        "A backed out message goes on ageing",
        "A message got with little time left may have lapsed by the time its unit of work is backed out.",
        _EXPIRY,
    ),
    Rule(
        "MQI-01",
        "A put joins its priority",
        "A message is filed behind those of its own priority when it arrives; FIFO queues file by DEFPRTY.",
        _CALLS,
    ),
    Rule(
        "MQI-02",
        "A get takes the first in order",
        "A get takes the highest priority first and, within a priority, the message put first.",
        _CALLS,
    ),
    Rule(
        "MQI-03",
        "A browse takes nothing",
        "A browse returns a copy; the cursor moves on and misses what arrives behind it.",
        _CALLS,
    ),
    Rule(
        "MQI-04",
        "Selecting by MsgId and CorrelId",
        "A get or browse with a MsgId or CorrelId takes the first message in order that carries it.",
        _CALLS,
    ),
    Rule(
        "MQI-05",
        "An uncommitted put counts and cannot be seen",
        "A message put in a unit of work raises CURDEPTH at once and can be got only after the commit.",
        _CALLS,
    ),
    Rule(
        "MQI-06",
        "An uncommitted get lowers the depth",
        "A message got in a unit of work leaves CURDEPTH at once and is gone for good at the commit.",
        _CALLS,
    ),
    Rule(
        "MQI-07",
        "A commit ends the unit of work",
        "A commit makes all its puts visible and all its gets final.",
        _CALLS,
    ),
    Rule(
        "MQI-08",
        "A backout puts things back",
        "A backout removes its puts and returns its gets to their old places with BackoutCount one higher.",
        _READING,
    ),
    Rule("MQI-09", "A full queue", "A put fails with 2053 when the queue already holds MAXDEPTH messages.", _CALLS),
    Rule(
        "MQI-10",
        "A message too long",
        "A put fails with 2030 when the data is longer than the queue's MAXMSGL.",
        _CALLS,
    ),
    Rule("MQI-11", "Inhibited", "PUT(DISABLED) refuses puts with 2051, GET(DISABLED) refuses gets with 2016.", _CALLS),
    Rule(
        "MQI-12",
        "Nothing to return",
        "A get or browse that finds no message it may take fails with 2033, whatever CURDEPTH says.",
        _CALLS,
    ),
    Rule(
        "MQI-13",
        "The descriptor is checked first",
        "A put with a field out of range fails and changes nothing.",
        _CALLS,
    ),
    Rule("MQI-14", "Names and opens", "A call names an object that exists, opened for what the call does.", _CALLS),
    Rule("MQI-15", "Definitions", "A command defines, changes, clears or deletes an object.", "MQSC reference"),
    Rule(
        "MQI-16",
        "Stopping and starting",
        "When a queue manager ends, open units of work are backed out and non-persistent messages are gone.",
        _CALLS,
    ),
    Rule("MQI-17", "Waiting", "A get with a wait interval waits for a message until the interval is over.", _CALLS),
    Rule(
        "MQI-18",
        "A unit of work has a limit",
        "More than MAXUMSGS puts and gets in one unit of work fail with 2024.",
        _CALLS,
    ),
)

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
