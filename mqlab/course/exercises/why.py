"""The product's explanations of an exercise that is not done yet: failed calls, triggers, and held-up messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter

from ...engine.explain.words import sentence
from ...engine.world.event import Event
from ...lab.lab import Lab
from ...views.cards.cards import card, delivery_card, reasons_card
from ...views.frames.moments import clock
from ...views.text import plural
from ..lessons import Card, explained

MOST = 2
"""No more explanations than this are shown: the first ones that fit the failed checks."""
_NOTHING_LEFT = 2033
"""A get that drains a queue ends with this reason; only if messages were there does it need an explanation."""
CALLS = 5


def whys(lab: Lab, rules: list[str]) -> list[Card]:
    """Return the product's explanations of a lab in which checks with these rules failed: at most `MOST` cards.

    The group of the first rule decides which explanation is first: triggers for TRG, discards for EXP, undelivered
    messages for channels, dead letters, queue sharing, and MQ Everyplace; failed calls for all others. Nothing in the
    lab changes.
    """
    group = next(iter(rules), "MQI")[:3]
    sources = [_FIRST.get(group, failed_calls), *_SOURCES]
    found = (each for source in dict.fromkeys(sources) for each in source(lab))
    return [each for each, _ in zip(found, range(MOST), strict=False)]


def failed_calls(lab: Lab) -> Iterator[Card]:
    """A card of the calls that failed and the programs that died, one line for all alike; none if all is well."""
    alike: dict[tuple, list[Event]] = {}
    for row in lab.events:
        died = row.kind == "program" and row.facts["state"] == "died"
        failed = row.reason is not None and (row.reason != _NOTHING_LEFT or bool(row.depth))
        if failed or died:
            alike.setdefault((row.kind, row.qmgr, row.program, row.object, row.reason), []).append(row)
    if not alike:
        return
    items = []
    for rows in list(alike.values())[:CALLS]:
        times = f", {plural(len(rows), 'time')} in total" if len(rows) > 1 else ""
        held = f" when CURDEPTH was {rows[0].depth}" if rows[0].depth else ""
        items.append((clock(lab.start, rows[0].time_us), f"{sentence(rows[0])}{held}{times}", rows[0].rule or ""))
    title = "Calls that failed"
    lines = [title, *(f"  {time} {said} [{rule}]" for time, said, rule in items)]
    yield Card("\n".join(lines), card(title, items=items, failed=True))


def untriggered(lab: Lab) -> Iterator[Card]:
    """`why_not_triggered` of each queue that holds messages and has an initiation queue or a process, if any."""
    for qmgr, queue in _own_queues(lab):
        attributes = queue.definition.attributes
        triggered = attributes["TRIGGER"] == "YES" or attributes["INITQ"] or attributes["PROCESS"]
        if queue.depth and triggered and attributes["USAGE"] == "NORMAL":
            reasons = qmgr.why_not_triggered(queue.name)
            if reasons.missing:
                yield Card(*reasons_card(reasons))


def undelivered(lab: Lab) -> Iterator[Card]:
    """`why_not_delivered` of the first message on each transmission queue, dead-letter queue, and device."""
    numbers: list[int | None] = []
    for qmgr in lab.queue_managers:
        for queue in qmgr.queues:
            dead = queue.name == qmgr.attributes["DEADQ"]
            if dead or queue.definition.attributes["USAGE"] == "XMITQ":
                numbers += [message.number for message in queue.store.in_order()][:1]
    for device in lab.everyplace_queue_managers:
        for kept in device.queues:
            numbers += [entry.message.number for entry in kept.entries()][:1]
    for number in dict.fromkeys(numbers):
        delivery = lab.why_not_delivered(number)
        if delivery.missing:
            yield Card(*delivery_card(delivery))


def unavailable(lab: Lab) -> Iterator[Card]:
    """`why_no_message` of each queue that holds messages of which a get would return none."""
    for qmgr, queue in _own_queues(lab):
        if queue.depth:
            reasons = qmgr.why_no_message(queue.name)
            if reasons.missing:
                yield Card(*reasons_card(reasons))


def discarded(lab: Lab) -> Iterator[Card]:
    """The life of the first message that was discarded, if one was."""
    for row in lab.events.where(kind="discard")[:1]:
        yield explained(lab, row.message)


def _own_queues(lab: Lab) -> Iterator[tuple]:
    """The queues of the queue managers that run, without the system queues."""
    for qmgr in filter(attrgetter("running"), lab.queue_managers):
        for queue in qmgr.queues:
            if not queue.name.startswith("SYSTEM."):
                yield qmgr, queue


_SOURCES: tuple[Callable[[Lab], Iterator[Card]], ...] = (failed_calls, undelivered, untriggered, unavailable, discarded)
_FIRST = {"TRG": untriggered, "EXP": discarded} | dict.fromkeys(("CHL", "DLQ", "QSG", "IGQ", "MQE"), undelivered)
