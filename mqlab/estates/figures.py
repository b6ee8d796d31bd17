"""Figures of findings: what a run of traffic showed of a fault, from the counts of its queues and channels.

A check has a symptom: calls that fail with the reason of its proof, messages that stay, poison that comes back. A fault
shows in a run if its symptom is there, at the object of the finding or further on the way of a message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..engine.words.constants import REASONS
from ..views.text import plural, thousands

if TYPE_CHECKING:
    from .findings import Finding

_CODE = re.compile(r"\d{4}\b|AMQ9\d{3}[A-Z]")
"""A reason, or the message of a channel that ends, at the beginning of what a proof shows."""


class Figure(NamedTuple):
    """The part of a run that is about a finding: whether its fault showed, and a sentence without its full stop."""

    showed: bool
    said: str


Look = Callable[["Finding", Counter], str]
"""From a finding and the counts of its places: the symptom in words, "" if it is not there."""


def _fails(one: Finding, counts: Counter) -> str:
    """The calls, or the starts of a channel, that failed as they do in the proof."""
    found = _CODE.match(one.proof.shows) if one.proof else None  # text: what a program shows
    many = counts[found[0]] if found else 0
    if not found or not many:
        return ""
    if found[0].isdigit():
        return f"{plural(many, 'call')} failed with {found[0]} ({REASONS[int(found[0])]})"
    return f"the channel ended with {found[0]} {plural(many, 'time')}"


def _stays(one: Finding, counts: Counter) -> str:
    """The messages of a queue that none has left."""
    if not counts["messages"] or counts["left"]:
        return ""
    return f"{plural(counts['messages'], 'message')} arrived, and none was sent"


def _comes_back(one: Finding, counts: Counter) -> str:
    """The poison that a reader backed out."""
    if not counts["poison"] or not counts["backouts"]:
        return ""
    poison, gets = thousands(counts["poison"]), plural(counts["backouts"], "get was", "gets were")
    return f"{plural(counts['messages'], 'message')} arrived, {poison} of them poison; {gets} backed out"


def _undelivered(one: Finding, counts: Counter) -> str:
    """The puts to a dead-letter queue that failed."""
    many = counts["failed_puts"]
    return f"{plural(many, 'put')} of undeliverable messages failed" if many else ""


def _expired(one: Finding, counts: Counter) -> str:
    """The messages that had expired at the end of the run, and were still there."""
    many = counts["expired"]
    return f"{plural(many, 'expired message')} still on the queues at the end" if many else ""


SYMPTOMS: dict[str, tuple[Look, ...]] = {
    "alias-target": (_fails,),
    "backout-queue-": (_comes_back,),
    "backout-without-": (_comes_back,),
    "channel-": (_fails, _stays),
    "dead-letter-": (_undelivered,),
    "default-xmitq-": (_fails,),
    "expiry-scan-off": (_expired,),
    "persistence-refused": (_fails,),
    "queue-": (_fails,),
    "remote-": (_fails,),
    "xmitq-disabled": (_fails, _stays),
    "xmitq-short": (_fails,),
    "xmitq-two-channels": (_fails,),
    "xmitq-": (_stays,),
}
"""How the ids of checks begin -> how their faults show, and further symptoms; the first id that fits counts.
Traffic cannot show the faults of other checks."""


def figure_of(one: Finding, time: str, places: Sequence[Counter], comes: bool) -> Figure:
    """The figure of a finding in a run: `places` are the counts of its object, and of those behind it on the ways of
    messages; `comes` is whether any message reaches it."""
    looks = next((symptom for begins, symptom in SYMPTOMS.items() if one.check.startswith(begins)), ())
    told = [look(one, sum(places, Counter())) for look in looks]
    if told and told[0]:
        return Figure(True, f"in {time}, {'; '.join(filter(None, told))}")
    why = "traffic cannot show such a fault" if not looks else "" if comes else "no message reached it"
    return Figure(False, f"the run of {time} did not show it{f': {why}' if why else ''}")
