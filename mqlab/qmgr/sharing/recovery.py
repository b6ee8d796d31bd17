"""Backing out work on shared queues that its own queue manager cannot back out, or may not keep."""

from __future__ import annotations

from .. import get as getting
from .. import put as putting

__all__ = ["back_out_shared", "touches"]


class _Peer:
    """Stands in for a unit of work while another member ends what it did on shared queues."""

    def __init__(self, unit, member):
        self.number, self.application = unit.number, member.reporter(None)


def _shared(queue) -> bool:
    return queue.structure is not None


def touches(unit, structure) -> bool:
    """Whether a unit of work has work in this structure."""
    return any(queue.structure is structure for queue, *_ in (*unit.puts, *unit.gets, *unit.triggers))


def back_out_shared(unit, member) -> None:
    """Back out what a unit of work of a failed member did on shared queues, by another member (QSG-07).

    What it did on queues of its own stays in it, for the restart.
    """
    if not any(_shared(queue) for queue, *_ in (*unit.puts, *unit.gets, *unit.triggers)):
        return
    puts, unit.puts = _divide(unit.puts)
    gets, unit.gets = _divide(unit.gets)
    triggers, unit.triggers = _divide(unit.triggers)
    over = not (unit.puts or unit.gets or unit.triggers)
    if over:
        unit.qmgr.pending.remove(unit)
    # a unit that has work left ends with its own backout row, at the restart
    seq = member.lab.events.write(
        member.clock.time_us,
        "backout" if over else "recover",
        unit.place,
        program=member.name,
        uow=unit.number,
        rule="QSG-07",
    )
    peer = _Peer(unit, member)
    for queue, message in reversed(puts):
        putting.undo(_on(queue, member), message, peer, seq)
    for queue, message in reversed(gets):
        getting.restore(_on(queue, member), message, peer, seq)
    for queue, message, kept in triggers:
        (putting.deliver if kept else putting.undo)(_on(queue, member), message, peer, seq)


def _divide(work: list) -> tuple[list, list]:
    """What was done on shared queues, and the rest."""
    return [one for one in work if _shared(one[0])], [one for one in work if not _shared(one[0])]


def _on(queue, member):
    """A shared queue as another member has it."""
    return queue.core.members[member.name]
