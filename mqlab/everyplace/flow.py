"""Flows: one request to another queue manager and its answer, over a link that takes time and can fail.

A flow is a generator of the microseconds that it lets pass, so that a call may wait for it (`wait_for`) and a queue
manager may do it in the background (`in_background`) alike.
"""

from __future__ import annotations

from .errors import LinkDown, MQeError

__all__ = ["exchange", "in_background", "wait_for"]


def exchange(qmgr, name: str, act):
    """Have the queue manager `name` do `act(peer)`; a generator that returns what it returned, or raises its MQeError.

    Request and answer each take the link's latency. LinkDown if the link is down, or either end is not running, when
    one of them leaves or arrives; a link that is cut and mended in between is not noticed.
    """
    _, latency_us = _reach(qmgr, name, "request")
    yield latency_us
    peer, latency_us = _reach(qmgr, name, "request")
    refused = answer = None
    try:
        answer = act(peer)
    except MQeError as error:
        refused = error
    yield latency_us
    _reach(qmgr, name, "answer")
    if refused is not None:
        raise refused
    return answer


def _reach(qmgr, name: str, lost: str) -> tuple:
    """The queue manager at the other end of a link that is up, and the link's latency; LinkDown if there is none."""
    path = qmgr.lab.network.path(qmgr.name, name)
    peer = next((other for other in qmgr.lab.everyplace_queue_managers if other.name == name), None)
    if path is None:
        why = f"there is no link {qmgr.name} - {name}"
    elif not path.up:
        why = f"the link {qmgr.name} - {name} is down"
    elif peer is None:
        why = f"{name} is not an MQ Everyplace queue manager of this lab"
    elif not (peer.running and qmgr.running):
        why = f"{qmgr.name if peer.running else name} is not running"
    else:
        return peer, path.latency_us
    raise LinkDown(qmgr.name, name, lost, why)


def wait_for(clock, steps):
    """Do the steps of a flow now, letting time pass for everybody else; what the flow returned."""
    try:
        while True:
            if delay := next(steps):
                clock.advance_to(clock.time_us + delay)
    except StopIteration as done:
        return done.value


def in_background(clock, steps) -> None:
    """Do the steps of a flow as time passes."""

    def process():
        for delay in steps:
            yield clock.timeout(delay)

    clock.process(process())
