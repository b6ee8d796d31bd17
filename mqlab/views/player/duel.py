"""Two futures on one clock: their steps in one outline with the score at each, side by side as pictures and a page."""

from __future__ import annotations

import gzip
import json
from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain
from operator import ge, itemgetter
from os import PathLike
from pathlib import Path
from typing import Any

from ...engine.words.arguments import require
from ...engine.words.errors import LabError
from ...engine.world.event import Event
from ...formats.whole_file import write_whole
from ..drawing.scene import Scene
from ..drawing.topology import draw_topology, facts_of, places_of
from ..frames.moments import Lab
from ..frames.score import MEANINGS, Score, scores
from ..frames.topology import merged, seen_by, topology_frame
from ..text import escape, mime_bundle
from .compare import STYLE, comparison_card, comparison_frame
from .player import FEWEST, LEVELS, LIMIT, fewest_steps, page_of, require_page
from .player_steps import PlayerSteps

SHARED = ("plan", "first", "view", "scene", "rules", "start")


class Race:
    """The steps of two labs that started together, `sources`, and the positions of both at each stop of one slider:
    `moments` are (step of the one, step of the other); between two lies at most one step of either that shows anything.

    With `parted`, a sentence for each side about where it begins, nothing is asked, and the second side is imagined."""

    parted: tuple[str, str] | None = None

    def __init__(self, lab: Lab, other: Lab, names: tuple[str, str], without: frozenset[str] = frozenset()) -> None:
        self.names, labs = names, (lab, other)
        outline = merged(Scene(lab).outline, Scene(other).outline)
        self.sources = tuple(PlayerSteps(each, outline=outline, without=without) for each in labs)
        self.scores = tuple(map(_tracked, labs, self.sources))
        self.moments = _moments(*map(_watched, self.sources))

    def alike(self, first_seq: int | None) -> int:
        """The last moment before row `first_seq` of the two logs, up to which they are alike; the last for None."""
        steps = self.sources[0].steps
        common = len(steps) if first_seq is None else sum(step.seq < first_seq for step in steps)
        return max(0, bisect_right(self.moments, common - 1, key=max) - 1)

    def after(self, rows: Sequence[int]) -> int:
        """The first moment that has so many rows of each of the two logs."""
        steps = [source.step_of_row(count - 1) for source, count in zip(self.sources, rows, strict=True)]
        both = (at for at, ends in enumerate(self.moments) if all(map(ge, ends, steps)))
        return next(both, len(self.moments) - 1)

    def time_us(self, moment: int) -> int:
        """When a moment is, in microseconds since the start."""
        pairs = zip(self.sources, self.moments[moment], strict=True)
        return max(source.steps[step].time_us for source, step in pairs)

    def moment_at(self, time_us: int) -> int:
        """The last moment that is not after `time_us`."""
        return max(0, bisect_right(range(len(self.moments)), time_us, key=self.time_us) - 1)

    def score(self, moment: int) -> list[Score]:
        """The two scores at a moment."""
        found = []
        for track, step in zip(self.scores, self.moments[moment], strict=True):
            found.append(track[bisect_right(track, step, key=lambda entry: entry[0]) - 1][1])
        return found

    def columns(self, title: str, first: int) -> dict[str, Any]:
        """Everything as JSON values, to begin at moment `first`."""
        ours, theirs = (source.columns() for source in self.sources)
        values = {
            "title": title,
            "names": self.names,
            "sides": [ours, {name: value for name, value in theirs.items() if name not in SHARED}],
            "shared": SHARED,
            "first": first,
            "moments": list(chain.from_iterable(self.moments)),
            "scores": [list(chain.from_iterable(track)) for track in self.scores],
            "meanings": MEANINGS,
        } | ({"parted": self.parted} if self.parted else {})
        ours["rules"] |= theirs["rules"]
        return values

    def packed(self, title: str, first: int) -> bytes:
        """`columns` as JSON, compressed with gzip; the same labs give the same bytes."""
        values = self.columns(title, first)
        return gzip.compress(json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode("utf-8"), 9, mtime=0)


def _tracked(lab: Lab, source: PlayerSteps) -> list[tuple[int, Score]]:
    """(step, score) at each step from which on the score is another."""
    changes = scores(lab.events, lab.now_us)
    track: list[tuple[int, Score]] = []
    for number, step in enumerate(source.steps):
        at = bisect_right(changes, (step.time_us, step.seq), key=lambda change: change[:2]) - 1
        if not track or track[-1][1] != changes[max(0, at)][2]:
            track.append((number, changes[max(0, at)][2]))
    return track


def _watched(source: PlayerSteps) -> list[tuple[int, int]]:
    """(time, step) of the steps that change the picture or that something explains, and of the last."""
    seen = {n for track in source.facts.values() for n, _ in track} | source.traces.keys() | {0, len(source.steps) - 1}
    return [(step.time_us, n) for n, step in enumerate(source.steps) if step.sort or step.ways or n in seen]


def _moments(*sides: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The steps of both at each stop, from the times and steps that are watched."""
    found, at = [(0, 0)], [0, 0]
    for time_us in sorted({time for side in sides for time, _ in side}):
        ends = [bisect_right(side, time_us, key=itemgetter(0)) - 1 for side in sides]
        while at != ends:
            at = [min(now + 1, max(now, end)) for now, end in zip(at, ends, strict=True)]
            found.append((sides[0][at[0]][1], sides[1][at[1]][1]))
    return found


class Futures:
    """Two futures beside each other, such as a lab and a branch of it, or the two sides of a duel.

    `names` are what the two are called, `frame` holds what differs at their end as rows, `scores` the score of both
    then, and `first_difference` the first two rows of the event logs that differ. `text` and `html` are the
    whole: the prediction is asked, and the answer (pictures with what differs marked, score, tables, and logs) is
    behind it; `card` is the answer without the pictures. `save` writes a page that plays both.

    That page opens at the last point where both logs are alike, or after `opens`, a number of rows for each log.

    LabError for two labs that did not start at the same simulated time, for names that are none, and for no labs.
    """

    def __init__(self, lab: Lab, other: Lab, words: str = "what if", ours: str = "as it was", title: str = "") -> None:
        for name in (words, ours):
            require("words", name, str, "a few words on the difference", str.strip)
        if not hasattr(other, "events"):
            raise LabError(f"give another lab, such as lab.branch(...); got {other!r}")
        self.labs, self.names = (lab, other), (ours.strip(), words.strip())
        self.opens: tuple[int, int] | None = None
        self.frame = comparison_frame(lab, other)
        self.title = title or f"{self.frame.title}: {' or '.join(self.names)}"
        self.text, self.card = comparison_card(self.frame, *self.names)

    @property
    def scores(self) -> tuple[Score, Score]:
        """The score of both at their end."""
        return self.frame.scores

    @property
    def first_difference(self) -> tuple[Event | None, Event | None] | None:
        """The first rows of the two event logs that differ, None for a side that has no more rows; None for
        logs that are alike."""
        seq = self.frame.first_seq
        if seq is None:
            return None
        ours, theirs = (lab.events[seq] if seq < len(lab.events) else None for lab in self.labs)
        return ours, theirs

    @property
    def html(self) -> str:
        """The question, and behind it the pictures at the end and the card."""
        drawn = self.pictures(self.frame.end_us)
        figures = "".join(
            f"<figure><figcaption>{escape(name)}</figcaption>{svg}</figure>"
            for name, svg in zip(self.names, drawn, strict=True)
        )
        asked = f"Predict first: which of the two delivers more, and which loses more? {self.names[0]}, or "
        return (
            f'<div class="mqlab-compare">{STYLE}<p><strong>{escape(self.title)}</strong></p><details><summary>'
            f"{escape(asked + self.names[1])}? Open this for the answer.</summary>"
            f'<div class="futures">{figures}</div>{self.card}</details></div>'
        )

    def pictures(self, time_us: int) -> list[str]:
        """The two pictures at a time, in microseconds since the start, with what differs marked."""
        one, other = (Scene(lab).outline for lab in self.labs)
        both = merged(one, other)
        frames, facts = [], []
        for lab, own in zip(self.labs, (one, other), strict=True):
            frames.append(topology_frame(seen_by(both, own), lab.state(time_us), time_us, start=lab.start))
            facts.append(facts_of(frames[-1]) | dict.fromkeys(set(both.nodes) - set(own.nodes)))
        places = places_of(frames[0])
        return [draw_topology(frames[side], places, facts[side], facts[1 - side]) for side in (0, 1)]

    def save(self, path: str | PathLike) -> Path:
        """Write one self-contained HTML file of under 2 MB that plays both side by side on one clock, with the score
        running; its path. It asks for a prediction first.

        LabError for a path that is not .html, and for logs that are too long.
        """
        require_page(path, "duel.html")
        size = 0
        for without in LEVELS:
            if FEWEST * sum(fewest_steps(lab, without) for lab in self.labs) > LIMIT:
                continue
            race = Race(*self.labs, self.names, without)
            first = race.alike(self.frame.first_seq) if self.opens is None else race.after(self.opens)
            packed = race.packed(self.title, first)
            page = page_of(self.title, race.sources[0], packed, duel=True, still=self.html).encode()
            size = len(page)
            if size <= LIMIT:
                write_whole(path, page)
                return Path(path)
        raise LabError(f"the page of two logs must have at most {LIMIT:,} bytes; got one of {size:,} bytes")

    def __repr__(self):
        return self.text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return mime_bundle(self.text, self.html, include, exclude)
