"""Stories: the steps of a person with a lab, written as a function, so that they can be repeated and varied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any

from ..engine.words.arguments import require
from ..engine.words.errors import LabError, ProgramDied, Refusal
from ..engine.words.shown import shown
from ..engine.words.structures import encoded
from ..engine.world.interrupts import interruptible


@shown
@dataclass
class Shot:
    """One stop of a lab's story: what happened from row `since` of the event log to before row `seq`, at `time_us`, its
    words, and the keys of the objects to look at. As a `with` block, it ends with the block."""

    since: int
    seq: int
    time_us: int
    title: str
    say: str
    focus: tuple[str, ...]
    _lab: Any = field(repr=False, compare=False)

    def __enter__(self) -> Shot:
        return self

    def __exit__(self, *_: object) -> None:
        lab = self._lab
        self.seq, self.time_us = len(lab.events), lab.now_us
        lab.shots[:] = [*(each for each in lab.shots if each is not self), self]


def shot(lab: Any, title: str, say: str, focus: Sequence[str] | str) -> Shot:
    """See `mqlab.Lab.shot`."""
    if not isinstance(title, str) or not title.strip() or not isinstance(say, str):
        raise LabError(f"title must be a few words, and say some sentences or none; got {title!r} and {say!r}")
    encoded(title + say, "title")
    if not say:
        title, _, say = title.strip().partition("\n")
    require("focus", focus, str | list | tuple, 'a list of objects of this lab, such as ["HUB", "QM1/ORDERS"]')
    keys = _keys(lab, [focus] if isinstance(focus, str) else focus) if focus else ()
    seq = len(lab.events)
    lab.shots.append(Shot(seq, seq, lab.now_us, title.strip(), " ".join(say.split()), keys, lab))
    return lab.shots[-1]


def _keys(lab: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The keys of objects in `lab.topology()`, by their keys or names; LabError for a name that no object has."""
    from ..views.frames.look import keys_by_name

    graph, keys = lab.topology(), dict[str, None]()
    named = keys_by_name(graph)
    for name in map(str, names):
        if name not in named:
            known = ", ".join(get_close_matches(name, graph, 3, 0.5)) or "lab.topology() lists them"
            raise LabError(f"focus must be objects of this lab, by their names or keys; got {name!r}. Near: {known}")
        keys |= dict.fromkeys(named[name])
    return tuple(keys)


def play(lab: Any, story: Callable[[Any], object]) -> None:
    """Tell a story, `story(lab)`, in this empty lab, and remember it for `branch`; LabError if it is not empty.

    A story uses only its lab, so that it can run again in another lab.
    """
    require("story", story, Callable, "a function of a lab, such as def story(lab): ...")
    if lab.queue_managers or lab.others or lab.now_us:
        raise LabError(f"a story needs an empty lab: Lab().play(story); got {lab!r}")
    lab.story = story
    story(lab)


def branch(lab: Any, at_us: int, change: Callable[[Any], object]) -> Any:
    """See `mqlab.Lab.branch`."""
    if lab.story is None:
        raise LabError(
            "only a lab with a story can be played again: write your steps as a function, def story(lab): ..., "
            "and play it: lab = Lab(); lab.play(story)"
        )
    require("change", change, Callable, 'a function of a lab, such as lambda lab: lab.cut("QM1", "QM2")')
    if not 0 <= at_us <= lab.now_us:
        raise LabError(f"at must be a moment of the story, 0 to {lab.now_us} us; got {at_us}")
    changes = [*(each for each in lab.changes if each[0] <= at_us), (at_us, change)]
    other = told_again(lab, lab.story, changes)
    other.branched_us = at_us
    go_on(other, max(other.now_us, lab.now_us))
    for _ in changes:
        other.clock.intervene_now()
    return other


def go_on(lab: Any, time_us: int) -> None:
    """Let time pass until a moment, although programs may die on the way: the lab goes on, and its log records it."""
    while True:
        try:
            lab.clock.advance_to(time_us)
        except ProgramDied:
            continue
        return


def told_again(lab: Any, story: Callable[[Any], object], changes: Sequence[tuple[int, Callable[[Any], object]]]) -> Any:
    """Run a story in a new lab of the same kind, and make each change after all events of its moment, in microseconds;
    raises a change's LabError."""
    other = type(lab)(seed=lab.seed, start=lab.start.isoformat(), moment_limit=lab.guard.limit)
    other.changes, wrong, left = list(changes), [], iter(changes)

    def next_change() -> None:
        for at_us, change in left:
            other.clock.intervene(at_us, partial(changed, change))
            return

    def changed(change: Callable[[Any], object]) -> None:
        next_change()
        retold, other.retold = other.retold, False
        try:
            interruptible(change, other)
        except LabError as refused:
            wrong.append(refused)
            raise
        finally:
            other.retold = retold

    next_change()
    other.retold = True
    try:
        play(other, story)
    except (Refusal, LabError, ProgramDied) as refused:  # as much a result of the change as any other
        if refused in wrong:
            raise
        other.broken_off = refused
    finally:
        other.retold = False
    return other
