"""The results of a lab in numbers: pure functions of its event log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, isfinite
from numbers import Real
from typing import TYPE_CHECKING

from ...engine.words.constants import MQRC_NO_MSG_AVAILABLE, MQRC_Q_FULL
from ...engine.words.errors import LabError
from ...engine.world.event_kinds import ARRIVES, DEAD_LETTER_RULES, ENDS

if TYPE_CHECKING:
    from ...lab.lab import Lab

MEASURES = {
    "put": "messages that applications put",
    "got": "messages that an application got, and that no backout brought back",
    "discarded": "messages discarded because they had expired",
    "expired": "messages that have expired and still count",
    "lost": "messages lost: nonpersistent ones of a broken flow or a restart",
    "dead_lettered": "messages on a dead-letter queue",
    "backed_out": "messages whose put was backed out",
    "cleared": "messages that CLEAR or DELETE removed",
    "rejected": "undeliverable messages discarded, as their report options ask",
    "waiting": "messages still there, expired ones among them, those on a dead-letter queue not",
    "got_share": "got / put, from 0 to 1",
    "returned": "gets that a backout took back",
    "refused": "puts refused because the queue was full (2053)",
    "empty_gets": "gets that found nothing (2033)",
    "starts": "trigger messages written, each of which starts a server",
    "max_depth": "the greatest depth of any queue of the applications",
    "mean_latency": "mean number of seconds from the put to the committed get",
    "p50_latency": "median number of seconds from the put to the committed get",
    "p95_latency": "seconds from the put to the committed get that 95 % do not exceed",
    "events": "rows of the event log",
}

Measures = Sequence[str] | Mapping[str, Callable[["Lab"], float | None]]
"""Names of MEASURES, or functions of a lab by name, whose values are numbers or None."""

_STANDS = (*ARRIVES, "restore")
_COLUMNS = (
    *("time_us", "kind", "qmgr", "object", "message", "program"),
    *("depth", "reason", "rule", "put_us", "expiry_left"),
)


def check(measures: Measures | None) -> Measures:
    """The measures as they are, every one of MEASURES for None; LabError for a name or a function there is not."""
    if measures is None:
        return tuple(MEASURES)
    own = measures if isinstance(measures, Mapping) else None
    names = list(measures) if isinstance(measures, Iterable) else []
    texts = {name for name in names if isinstance(name, str)}
    known = [name for name in texts if (name in MEASURES if own is None else callable(own[name]))]
    if not names or len(known) < len(names):
        raise LabError(
            f"measures must be names out of {', '.join(MEASURES)}, each once, or functions of a lab by name, such as "
            f'{{"rows": lambda lab: len(lab.events)}}; got {measures!r:.200}'
        )
    return tuple(names) if own is None else own


def measure(lab: Lab, measures: Measures | None = None) -> dict[str, float | None]:
    """The measures of a lab by name, without messages that MQ itself puts; None if there is nothing to measure.
    LabError for an unknown measure."""
    wanted = check(measures)
    if isinstance(wanted, Mapping):
        return {name: _number(name, function(lab)) for name, function in wanted.items()}
    found = _tally(lab)
    return {name: found[name] for name in wanted}


def _number(name: str, value: object) -> float | None:
    if value is None or (isinstance(value, Real) and isfinite(value)):  # also a number of NumPy
        return None if value is None else float(value)
    raise LabError(f"measure {name} must return a finite number or None; got {value!r}")


def _tally(lab: Lab) -> dict[str, float | None]:
    """Every measure, from one pass over the log: the last row of a message gives its fate."""
    # An undo at a queue other than the message's present one belongs to a channel that backs out its own put.
    log, own = lab.events, {each.name for each in lab.queue_managers}
    fates: dict[int, tuple] = {}  # by message: its fate, its queue, and its last row's time and put time
    due: dict[int, float] = {}  # by message: its deadline in microseconds
    foreign: set[int] = set()
    counts = dict.fromkeys(MEASURES, 0)
    columns = [log.column(name) for name in _COLUMNS]
    for time_us, kind, qmgr, queue, number, program, depth, reason, rule, put_us, left in zip(*columns, strict=True):
        if number is None:
            if kind == "put" and reason == MQRC_Q_FULL:
                counts["refused"] += 1
            elif kind == "get" and reason == MQRC_NO_MSG_AVAILABLE:
                counts["empty_gets"] += 1
            continue
        if number in foreign:
            continue
        if number not in fates and (program in own or kind == "report" or queue.startswith("SYSTEM.")):
            foreign.add(number)  # put by a queue manager, or on a queue of a channel's own
            continue
        if depth is not None and depth > counts["max_depth"]:
            counts["max_depth"] = depth
        place = (qmgr, queue)
        if kind in _STANDS:
            counts["returned"] += kind == "restore"
            due[number] = inf if left is None else time_us + left * 100_000
            fates[number] = ("dead_lettered" if rule in DEAD_LETTER_RULES else "waiting", place, time_us, put_us)
        elif kind == "undo":
            if fates[number][1] == place:
                fates[number] = ("backed_out", place, time_us, put_us)
        elif kind in ENDS:
            fates[number] = (ENDS[kind], place, time_us, put_us)
    for name, *_ in fates.values():
        counts[name] += 1
    counts["put"], counts["events"] = len(fates), len(log)
    counts["starts"] = sum(row.facts["fired"] for row in log.where(kind="trigger"))
    counts["expired"] = sum(fate[0] == "waiting" and due[number] <= lab.now_us for number, fate in fates.items())
    return {**counts, **_latencies(fates), "got_share": counts["got"] / len(fates) if fates else None}


def _latencies(fates: dict[int, tuple]) -> dict[str, float | None]:
    """Mean and percentiles (nearest rank) of the time from put to get, in seconds; None if no message was retrieved."""
    times = sorted(time_us - put_us for name, _, time_us, put_us in fates.values() if name == "got")
    count, names = len(times), ("mean_latency", "p50_latency", "p95_latency")
    if not count:
        return dict.fromkeys(names)
    found = (sum(times) / count, times[(count + 1) // 2 - 1], times[(95 * count + 99) // 100 - 1])
    return {name: time_us / 1e6 for name, time_us in zip(names, found, strict=True)}
