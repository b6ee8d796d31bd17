"""The rows of the lifecycle chart: single messages, or messages with the same life together, as plain rows to draw."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby, pairwise, takewhile
from operator import itemgetter
from statistics import median
from typing import Any, NamedTuple

from ..frames.lifecycle_rows import ENDS, HELD, SLOWEST, STATES, LifecycleFrame
from ..frames.moments import duration
from ..text import cut, plural, sans_width, shorten, thousands

MOST = 60  # rows that can be read
ROOM = 300  # pixels of a label
TEXT = 150  # pixels of a message's text in it
PIECES = 1200  # that all groups may be cut into along the time axis


class Bar(NamedTuple):
    """Part of a row: from `low` to `high` (0 to 1 of the row's height) in `state` between two times, microseconds."""

    state: str
    from_us: int
    to_us: int
    low: float
    high: float
    rule: str
    reason: str


class Sign(NamedTuple):
    """A mark of a row, for `count` messages: at `time_us`, the last of them, microseconds."""

    kind: str
    time_us: int
    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    rule: str
    reason: str


class Row(NamedTuple):
    """A line of the chart: what it is called in short and in full, how many messages it stands for, bars and signs, and
    whether it is one of the slowest messages of many."""

    label: str
    name: str
    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    bars: tuple[Bar, ...]
    signs: tuple[Sign, ...]
    slow: bool = False


class _Life:
    """One message: `path`, the queues it came to in order, `states`, what it went through there, and its `end`."""

    def __init__(self, number: int, report: bool, segments: list, marks: list) -> None:
        self.number, self.report, self.segments, self.marks = number, report, segments, marks
        self.noun = "report" if report else "message"
        places = [(s.from_us, f"{s.qmgr}/{s.queue}") for s in segments]
        places += [(m.time_us, f"{m.qmgr}/{m.queue}") for m in marks]
        self.path = tuple(dict.fromkeys(place for _, place in sorted(places, key=itemgetter(0))))
        self.states = tuple(key for key, _ in groupby((s.qmgr, s.queue, s.state) for s in segments))
        self.end = next((m.kind for m in reversed(marks) if m.kind in ENDS), "")
        times = sorted([t for s in segments for t in (s.from_us, s.to_us)] + [m.time_us for m in marks])
        self.begin, self.taken = times[0], times[-1] - times[0]


def _lives(frame: LifecycleFrame) -> list[_Life]:
    """The messages of a frame that there is anything to tell of."""
    segments, marks = defaultdict(list), defaultdict(list)
    for segment in frame.segments:
        segments[segment.message].append(segment)
    for mark in frame.marks:
        marks[mark.message].append(mark)
    told = (n for n in frame.messages if n in segments or n in marks)
    return [_Life(n, n in frame.reports, segments[n], marks[n]) for n in told]


def single_rows(frame: LifecycleFrame, heights: dict[str, float]) -> list[Row]:
    """A row for each message; `heights` says how much of it the bar of each state fills."""
    lives = _lives(frame)
    names = _names(lives)
    rows = []
    for life in lives:
        # a unit of work that still holds what is elsewhere already is drawn over that
        over = [(s, s.from_us, s.to_us) for s in life.segments if s.state == HELD]
        shown = [*_one_at_a_time([s for s in life.segments if s.state != HELD]), *over]
        around = {state: (0.5 - height / 2, 0.5 + height / 2) for state, height in heights.items()}
        bars = [Bar(s.state, one, other, *around[s.state], s.rule, s.reason) for s, one, other in shown]
        signs = [Sign(m.kind, m.time_us, 1, m.rule, m.reason) for m in life.marks]
        label = cut(frame.labels.get(life.number, ""), TEXT, 11)
        called = _called(f"{life.noun} {life.number}{f': {label}' if label else ''}", life.path, names)
        rows.append(Row(*called, 1, tuple(bars), tuple(signs)))
    return rows


def grouped_rows(frame: LifecycleFrame, start_us: int, end_us: int, most: int = MOST) -> list[Row]:
    """At most `most` rows: neighbors with the same path of states and queues and the same end are one.

    Where these are still too many, messages are put together by queue and end, then by less, and by when they came.
    Of more than `most` messages, the slowest have rows of their own, which come first.
    """
    lives = _lives(frame)
    names = _names(lives)
    slow = _slowest(lives)[: most - most // 2] if len(lives) > most else []
    rest = [life for life in lives if life not in slow]
    runs = [list(each) for _, each in groupby(rest, lambda life: (life.report, life.path, life.states, life.end))]
    if len(runs) > most - len(slow):
        runs = _merged(rest, start_us, end_us, most // 2)
    pieces = max(8, PIECES // len(runs))
    alone = [(life, _row([life], names, pieces)) for life in slow]
    first = [row._replace(label=f"{duration(life.taken)}: {row.label}", slow=True) for life, row in alone]
    return [*first, *(_row(run, names, pieces) for run in runs)]


def _slowest(lives: list[_Life]) -> list[_Life]:
    """The SLOWEST lives of those that took at least twice the time of half of all, the slowest first."""
    half = median(life.taken for life in lives)
    slow = [life for life in lives if life.taken >= 2 * half > 0]
    return sorted(slow, key=lambda life: (-life.taken, life.number))[:SLOWEST]


def _merged(lives: list[_Life], start_us: int, end_us: int, most: int) -> list[list[_Life]]:
    """The lives by as much of path and end as leaves few enough rows, in as many equal stretches of time as fit."""
    keys = (
        lambda life: (life.report, life.path, life.end),
        lambda life: (life.report, life.path[0], life.end),
        lambda life: (life.report, life.path[0]),
        lambda life: (life.report, life.end),
        lambda life: life.report,
    )
    for key in keys:
        told = {life.number: key(life) for life in lives}
        if len(set(told.values())) <= most:
            break
    found: list[list[_Life]] = []
    for stretches in range(most // len(set(told.values())), most + 1):
        step = max(1, -(-(end_us + 1 - start_us) // stretches))
        groups: dict[tuple, list[_Life]] = defaultdict(list)
        for life in lives:
            groups[told[life.number], (life.begin - start_us) // step].append(life)
        if len(groups) > most:
            break
        order = {key: i for i, key in enumerate(dict.fromkeys(told.values()))}
        found = [groups[each] for each in sorted(groups, key=lambda each: (order[each[0]], each[1]))]
    return found


def _row(run: list[_Life], names: dict, pieces: int) -> Row:
    """A run of lives as one row: how many were in each state, stacked, and how many had each end."""
    several, one = len(run) > 1, run[0]
    shared = [at[0] for at in takewhile(lambda at: len(set(at)) == 1, zip(*(life.path for life in run), strict=False))]
    alike = all(life.path == one.path for life in run)
    path = one.path if alike else (*shared, "…") if shared else ("several queues",)
    low, high = min(life.number for life in run), max(life.number for life in run)
    span = f"{low} to {high}" if several else f"{low}"
    label = f"{one.noun}{'s' if several else ''} {span}{f' ({thousands(len(run))})' if several else ''}"
    return Row(*_called(label, path, names), len(run), tuple(_stack(run, pieces)), tuple(_signs(run)))


def _stack(run: list[_Life], pieces: int) -> Any:
    """The bars of a group: for each stretch of time the mean number of messages in each state, on top of another."""
    # the row is full where most of them are there at once
    changes: dict[str, Counter] = {state: Counter() for state in STATES}
    said: dict[str, tuple[str, set]] = {}
    for life in run:
        for segment, from_us, to_us in _one_at_a_time(life.segments):
            changes[segment.state][from_us] += 1
            changes[segment.state][to_us] -= 1
        for segment in life.segments:
            said.setdefault(segment.state, (segment.rule, set()))[1].add(segment.queue)
    times = sorted({time for counter in changes.values() for time in counter})
    if not times:
        return
    if len(times) > pieces:
        step = -(-(times[-1] - times[0]) // pieces)
        times = [*range(times[0], times[-1], step), times[-1]]
    means = {state: _means(changes[state], times) for state in STATES if changes[state]}
    most = max(map(sum, zip(*means.values(), strict=True)))
    for state, from_us, to_us, low, high in _stacked(means, times, most):
        rule, queues = said[state]
        words = _words((high - low) * most, len(run), state, queues, to_us - from_us)
        yield Bar(state, from_us, to_us, low, high, rule, words)


def _stacked(means: dict[str, list[float]], times: list[int], most: float) -> Any:
    """Means put on top of each other as (state, from_us, to_us, low, high), `most` being 1; what stays alike is one."""
    last: dict[str, Any] = {}
    for i, (one, other) in enumerate(pairwise(times)):
        low = 0.0
        for state, mean in means.items():
            high = low + mean[i] / most
            before = last.pop(state, None)
            goes_on = before is not None and before[2] == one and abs(before[3] - low) + abs(before[4] - high) < 1e-6
            if before is not None and not goes_on:
                yield before
            if high > low:
                last[state] = (state, before[1] if goes_on else one, other, low, high)
            low = high
    yield from last.values()


def _words(mean: float, count: int, state: str, queues: set, time_us: int) -> str:
    many = f"{mean:.0f}" if abs(mean - round(mean)) < 1e-6 else f"{mean:.2g} (a mean)"
    where = f" of {next(iter(queues))}" if len(queues) == 1 else ""
    return f"{many} of {plural(count, 'message')} {state}{where} for {duration(time_us)}"


def _one_at_a_time(segments: list) -> Any:
    """The stretches of a life as (segment, from_us, to_us), one at each moment."""
    # where two overlap that which is at the later place, so that the copy a sender keeps until it is sure does not
    # count twice
    times = sorted({t for s in segments for t in (s.from_us, s.to_us)})

    def latest(ends: tuple[int, int]) -> Any:
        there = [(s.from_us, i, s) for i, s in enumerate(segments) if s.from_us <= ends[0] and s.to_us >= ends[1]]
        return max(there)[2] if there else None

    for segment, run in groupby(pairwise(times), latest):
        if segment is not None:
            stretches = list(run)
            yield segment, stretches[0][0], stretches[-1][1]


def _means(changes: Counter, times: list[int]) -> list[float]:
    """The mean of a running sum in each stretch between two times."""
    order, found = sorted(changes), []
    place = total = 0
    for one, other in pairwise(times):
        at, area = one, 0
        while place < len(order) and order[place] < other:
            area += total * (max(order[place], one) - at)
            at = max(order[place], one)
            total += changes[order[place]]
            place += 1
        found.append((area + total * (other - at)) / (other - one))
    return found


def _signs(run: list[_Life]) -> Any:
    """The marks of a group, one for each kind of end and for each turn at each queue, where the last of them is."""
    kinds: dict[tuple, list] = defaultdict(list)
    for life in run:
        for mark in life.marks:
            kinds[mark.kind, mark.kind not in ENDS and (mark.qmgr, mark.queue)].append(mark)
    for (kind, _), marks in kinds.items():
        first, last = min(marks, key=lambda m: m.time_us), max(marks, key=lambda m: m.time_us)
        if len(marks) == 1:
            yield Sign(kind, last.time_us, 1, last.rule, last.reason)
            continue
        within = duration(last.time_us - first.time_us)
        count = len({mark.message for mark in marks})
        said = f"{plural(count, 'message')}: {kind}, within {within}; the last: {last.reason}"
        yield Sign(kind, last.time_us, count, last.rule, said)


def _names(lives: list[_Life]) -> dict[str, str]:
    """The name of each queue in a label: with its queue manager if there are several; {} if one is enough."""
    places = {place for life in lives for place in life.path}
    if len(places) < 2:
        return {}
    several = len({place.split("/")[0] for place in places}) > 1
    return {place: place if several else place.split("/", 1)[1] for place in places}


def _called(name: str, path: tuple[str, ...], names: dict[str, str]) -> tuple[str, str]:
    """The short and the full name of a row: its messages and, if there are several queues, their queues."""
    told = [names.get(place, place) for place in path] if names else []
    full = " · ".join([name, " → ".join(told)] if told else [name])
    short, longest = full, max(map(len, told), default=0)
    between = ["…"] if len(told) > 2 else []
    while sans_width(short, 11) > ROOM and longest > 8:
        ends = [shorten(each, longest) for each in (told if len(told) == 1 else [told[0], told[-1]])]
        short, longest = f"{name} · {' → '.join([*ends[:-1], *between, ends[-1]])}", longest - 2
    return short, full
