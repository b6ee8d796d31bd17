"""Two labs beside each other: what differs at the end of two futures, as plain rows, and these rows as a card.

Messages are matched by their number while the two logs are alike. After the first row that differs the same number may
mean another message, so a later one is matched by where it first appeared and in which order: the third message that
CLERK put on ORDERS of QM1 in one future is the third that CLERK put there in the other. A change that puts messages
itself can therefore shift that order, for the same program on the same queue only.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from ...engine.explain.replay import State
from ...engine.explain.words import rule_title, told
from ...engine.programs.channels.channel import SYNCQ
from ...engine.words.errors import LabError, visible
from ...engine.world.event import Event
from ...engine.world.event_kinds import ARRIVES, ENDS
from ..cards.cards import card
from ..cards.tables import Gap, Quiet, table
from ..frames.moments import Lab, clock
from ..frames.score import MEANINGS, Score, scores
from ..text import plural, thousands
from ..theme import style_sheet

SHOWN = 12  # rows of a table on a card, and lines of the two logs
NOTHING = "-"
QUIET = ("open", "close", "wait", "program")  # rows that are left out, because the rows after them show more


class Difference(NamedTuple):
    """One difference between the two futures; `ours` and `theirs` are numbers or words."""

    subject: str
    ours: int | str
    theirs: int | str


class Line(NamedTuple):
    """The events at one moment in each future, in words; "" if there are none."""

    time_us: int
    ours: str
    theirs: str


class Comparison(NamedTuple):
    """The differences between two labs at `end_us`; times are microseconds since `start`.

    `first_us` is when the logs first differ and `first_seq` the row, None if they are alike; `branched_us` is when
    the other lab left its story. `scores` are those of both at `end_us`, `sections` holds the differences by
    subject, `lines` the two logs from the first difference on, and `broken_off` what ended the other lab's story, ""
    for nothing.
    """

    start: datetime
    end_us: int
    branched_us: int | None
    first_us: int | None
    first_seq: int | None
    scores: tuple[Score, Score]
    sections: dict[str, tuple[Difference, ...]]
    lines: tuple[Line, ...]
    broken_off: str

    @property
    def alike(self) -> bool:
        """Return True if the two logs are the same, row by row."""
        return self.first_seq is None

    @property
    def title(self) -> str:
        """The subject of the comparison."""
        if self.branched_us is None:
            return "Two labs"
        return f"Two futures from {clock(self.start, self.branched_us)}"

    @property
    def sentence(self) -> str:
        """The outcome in a sentence or two."""
        if self.alike:
            return "Nothing differs: the two logs are the same, row by row."
        count = sum(len(rows) for rows in self.sections.values())
        first = f"They first differ at {clock(self.start, self.first_us or 0)}"
        end = clock(self.start, self.end_us)
        return f"{first}; at {end} there {'is' if count == 1 else 'are'} {plural(count, 'difference')}."


def comparison_frame(lab: Lab, other: Lab) -> Comparison:
    """The differences between a lab and another that ran as long, such as one of its branches, as rows without a
    drawing.

    LabError for two labs that did not start at the same simulated time.
    """
    if other.start != lab.start:
        starts = f"{lab.start.isoformat()} and {other.start.isoformat()}"
        raise LabError(f"the two labs must have the same start; got {starts}")
    ours, theirs = list(lab.events), list(other.events)
    first = next((seq for seq, (a, b) in enumerate(zip_longest(ours, theirs)) if a != b), None)
    later = [] if first is None else [*ours[first : first + 1], *theirs[first : first + 1]]
    ends = {} if first is None else _matched(_ends(lab, ours), _ends(other, theirs), first)
    states = lab.state(), other.state()
    sections = {
        "Messages by fate": _differing(
            *(Counter(pair[side].sort for pair in ends.values() if pair[side]) for side in (0, 1))
        ),
        "Depth of queues": _differing(*map(_depths, states)),
        "Messages with another fate": _differing(
            *({_subject(pair): pair[side].end if pair[side] else NOTHING for pair in ends.values()} for side in (0, 1))
        ),
        "Triggers that fired": _differing(_triggers(ours), _triggers(theirs)),
        "Channels": _differing(_channels(states[0]), _channels(states[1]), "INACTIVE"),
        "Queue managers and links": _differing(*map(_places, states)),
    }
    sections = {title: rows for title, rows in sections.items() if rows}
    first_us, end_us = min((row.time_us for row in later), default=None), max(lab.now_us, other.now_us)
    lines, broken_off = _lines(lab, ours[first:], theirs[first:]) if later else (), str(other.broken_off or "")
    ends_at = (scores(ours, lab.now_us)[-1][2], scores(theirs, other.now_us)[-1][2])
    return Comparison(lab.start, end_us, other.branched_us, first_us, first, ends_at, sections, lines, broken_off)


def _differing(ours: dict, theirs: dict, absent: Any = None) -> tuple[Difference, ...]:
    """The keys of two tables whose values differ, ours first; `absent` stands for no value."""
    if absent is None:
        absent = 0 if all(isinstance(value, int) for value in (*ours.values(), *theirs.values())) else NOTHING
    keys = dict.fromkeys((*ours, *theirs))
    pairs = ((key, ours.get(key, absent), theirs.get(key, absent)) for key in keys)
    return tuple(Difference(key, a, b) for key, a, b in pairs if a != b)


class _End(NamedTuple):
    """The fate of one message: where and when it first appeared, the kind of its fate, and its fate in words."""

    number: int
    seq: int
    origin: tuple
    put: str
    sort: str
    end: str


def _ends(lab: Lab, rows: list) -> dict[int, _End]:
    """The fate of each message of a log, by number; the state of channels on SYNCQ does not count."""
    start = lab.start
    found: dict[int, Event] = {}
    last: dict[int, Event] = {}
    committed = {row.uow for row in rows if row.kind == "commit"}
    for row in rows:
        if row.message is None or row.object == SYNCQ or row.kind not in (*ARRIVES, *ENDS):
            continue
        found.setdefault(row.message, row)
        last[row.message] = row
    state, ends = lab.state(), {}
    held = ((f"{queue} of {qmgr}", its.messages) for (qmgr, queue), its in state.queues.items())
    there = {message.number: (place, message) for place, messages in held for message in messages.values()}
    for number, row in found.items():
        put = f"put on {row.object} of {row.qmgr} at {clock(start, row.time_us)}"
        gone = last[number]
        end = _waiting(*there[number], state.time_us) if number in there else _gone(gone, committed, start)
        ends[number] = _End(number, row.seq, (row.qmgr, row.object, row.program), put, *end)
    return ends


def _waiting(place: str, message: Any, now_us: int) -> tuple[str, str]:
    """The end of a message that is still on a queue."""
    if message.uow is not None:
        return "not committed", f"on {place}, not committed"
    if message.expired(now_us):
        return "expired, still there", f"on {place}, expired"
    return "still there", f"on {place}"


def _gone(row: Event, committed: set, start: datetime) -> tuple[str, str]:
    """The end of a message that is on no queue."""
    place, when = f"{row.object} of {row.qmgr}", clock(start, row.time_us)
    if row.kind == "get":
        held = row.uow is not None and row.uow not in committed
        sort = "got, not committed" if held else "got"
        return sort, f"{sort} by {row.program or 'a program'} from {place} at {when}"
    sort = ENDS.get(row.kind, row.kind)
    return sort, f"{sort} from {place} at {when}"


def _matched(ours: dict[int, _End], theirs: dict[int, _End], first: int) -> dict[tuple, list]:
    """The messages of both futures by what makes them the same (see the top): [ours or None, theirs or None]."""
    pairs: dict[tuple, list] = {}
    for side, ends in enumerate((ours, theirs)):
        nth: Counter[tuple] = Counter()
        for number, end in ends.items():
            nth[end.origin] += end.seq >= first
            key = (number,) if end.seq < first else (*end.origin, nth[end.origin])
            pairs.setdefault(key, [None, None])[side] = end
    return pairs


def _subject(pair: list) -> str:
    """The name of a message of both futures."""
    numbers = dict.fromkeys(str(one.number) if one else NOTHING for one in pair)
    return f"message {' / '.join(numbers)}, {(pair[0] or pair[1]).put}"


def _depths(state: State) -> dict[str, int]:
    return {f"{queue} of {qmgr}": held.depth for (qmgr, queue), held in sorted(state.queues.items()) if queue != SYNCQ}


def _triggers(rows: list) -> dict[str, int]:
    """The number of times that each queue was triggered."""
    fired = (row for row in rows if row.kind == "trigger" and row.facts["fired"])
    return dict(sorted(Counter(f"{row.object} of {row.qmgr}" for row in fired).items()))


def _channels(state: State) -> dict[str, str]:
    return {
        f"{name} of {qmgr}" + (f" with {partner}" if partner else ""): now
        for (qmgr, name, partner), now in sorted(state.channels.items())
    }


def _places(state: State) -> dict[str, str]:
    """The state of each queue manager and link."""
    running = {name: "running" if runs else "stopped" for name, runs in sorted(state.running.items())}
    return running | {f"link {a} - {b}": "up" if up else "cut" for (a, b), up in sorted(state.links.items())}


def _lines(lab: Lab, ours: list, theirs: list) -> tuple[Line, ...]:
    """Two logs in words, the rows of a moment beside each other in their order; opens, waits and the like left out."""
    several = len(lab.queue_managers) > 1
    ours, theirs = ([row for row in rows if row.kind not in QUIET] for rows in (ours, theirs))
    moments: dict[int, tuple[list, list]] = {}
    for side, rows in enumerate((ours, theirs)):
        for time_us, group in groupby(rows, key=lambda row: row.time_us):
            moments.setdefault(time_us, ([], []))[side].extend(_said(row, several) for row in group)
    return tuple(
        Line(time_us, *pair) for time_us, both in sorted(moments.items()) for pair in zip_longest(*both, fillvalue="")
    )


def _said(row: Event, several: bool) -> str:
    rule = rule_title(row.rule)
    return told(row, several) + (f". {rule}" if rule else "")


def comparison_card(frame: Comparison, ours: str = "as it was", theirs: str = "what if") -> tuple[str, str]:
    """A comparison as (text, html): the differences in tables, and the two logs side by side; `ours` and `theirs` are
    the names of the two futures."""
    notes = {"Ended early": f"the story ended with an error: {frame.broken_off}"} if frame.broken_off else {}
    text = [f"{frame.title}: {ours} | {theirs}", frame.sentence, *notes.values()]
    sides, end = ("", ours, theirs), clock(frame.start, frame.end_us)
    html = [card(frame.title, notes=notes, lead=frame.sentence), table(f"Messages at {end}", sides, _scores(frame))]
    text += [f"{name}: {a} | {b}" for name, a, b in score_rows(frame) if a != b]
    for title, rows in frame.sections.items():
        text += [f"{title}:", *(f"  {row.subject}: {row.ours} | {row.theirs}" for row in rows[:SHOWN])]
        text += _more(len(rows))
        html.append(table(f"{title} at {end}", sides, [*rows[:SHOWN], *map(Gap, _more(len(rows)))]))
    if frame.lines:
        lines = [(clock(frame.start, line.time_us), line.ours, line.theirs) for line in frame.lines]
        text += ["What happened:", *(f"  {' | '.join(line)}" for line in lines[:SHOWN]), *_more(len(lines))]
        heads = ("time", ours, theirs)
        html.append(table("What happened from then on", heads, lines[:SHOWN]))
        if rest := lines[SHOWN:]:
            more = f"{thousands(len(rest))} more"
            html.append(f"<details><summary>{more}</summary>{table(more, heads, rest)}</details>")
    return visible("\n".join(text)), f'<div class="mqlab-compare">{STYLE}{"".join(html)}</div>'


def score_rows(frame: Comparison) -> list[tuple[str, int, int]]:
    """The score of both futures at their end, name by name (`mqlab.views.frames.score.Score`)."""
    return list(zip(map(words_of, Score._fields), *frame.scores, strict=True))


def _scores(frame: Comparison) -> list[tuple]:
    """The score of both futures as rows of a table, with the meaning of each number; quiet where it is the same."""
    rows: list[tuple] = []
    for (name, a, b), meaning in zip(score_rows(frame), MEANINGS.values(), strict=True):
        by = f" ({'+' if b > a else '−'}{thousands(abs(b - a))})" if a != b else ""
        row = f"{name}: {meaning}", thousands(a), thousands(b) + by
        rows.append(row if by else tuple(map(Quiet, row)))
    return rows


def words_of(name: str) -> str:
    """The name of a number of a score."""
    return "still waiting" if name == "waiting" else name


def _more(count: int) -> list[str]:
    return [f"  and {thousands(count - SHOWN)} more"] if count > SHOWN else []


STYLE = f"<style>{style_sheet('.mqlab-compare' * 2, 'compare.css')}</style>"
