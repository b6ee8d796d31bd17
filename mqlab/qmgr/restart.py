"""How a queue manager fails, what that leaves behind, and what its restart does about it."""

from __future__ import annotations

from . import triggering

__all__ = ["leave", "lose_nonpersistent", "restart"]


def leave(qmgr) -> int:
    """Let a queue manager go without ending anything in order; the event row.

    Its units of work wait in `qmgr.pending` for whoever backs them out; what it knew about triggers is gone.
    """
    lab = qmgr.lab
    cause = lab.events.write(qmgr.clock.time_us, "stop", (qmgr.name, None, None), rule="QSG-06", detail={"abend": True})
    for queue in qmgr.queues:
        queue.trigger = None  # no handle that goes now is a close that triggers
    kept, qmgr.pending = {}, []
    for number, unit in qmgr.units.items():
        if unit.in_doubt:
            kept[number], unit.outlived = unit, True
        else:
            unit.open, unit.broken = False, f"{qmgr.name} failed"
            qmgr.pending.append(unit)
    qmgr.units = kept
    for program in list(qmgr.programs_running):
        program.stop()
    lab.network.disconnect(qmgr.name)
    for handle in list(qmgr.handles):
        handle.close()
    return cause


def restart(qmgr, cause: int) -> None:
    """Back out what a failure left, lose what did not survive it, and know about triggers anew (TRG-11a)."""
    pending, qmgr.pending = qmgr.pending, []
    for unit in pending:
        unit.open = True
        qmgr.units[unit.number] = unit
        unit.backout()
    lose_nonpersistent(qmgr, cause)
    for queue in qmgr.queues:
        triggering.attach(queue)
        if queue.trigger is not None:
            queue.trigger.last_us = None


def lose_nonpersistent(qmgr, cause: int) -> None:
    """Lose the non-persistent messages of the queues that do not keep them (MQI-16)."""
    for queue in qmgr.queues:
        if not queue.keeps_nonpersistent:
            for message in [m for m in queue.store.in_order() if not m.persistent]:
                qmgr.vanish(queue, message, "lost", "MQI-16", cause)
