"""Labs that a web page has dropped: nothing holds them but their own waiting programs.

Python's collector cannot look into a suspended stack, and keeps every object that a program on it uses. Therefore a
waiting program lists the objects that its calls hold. A lab is dropped if nothing else leads to it or to its event log.
A lab that is only in a variable of a task of the reader's own, which waits in Pyodide's `run_sync`, counts as dropped.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from contextlib import suppress
from types import CellType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from ..engine.queues.target import Lab

FEW = 32
"""So many labs with waiting programs are not worth a search; later, twice as many as the last search left."""

labs: WeakSet = WeakSet()
"""The labs of this page that have had programs."""
_left = FEW // 2


def end() -> None:
    """End the programs of the labs that were dropped, and return the memory; their further calls are refused."""
    global _left
    waiting_labs = [lab for lab in labs if _waiting(lab)]
    if len(waiting_labs) < 2 * _left:
        return
    gone = unheld(waiting_labs, locals_of(sys._getframe(1)))
    for lab in gone:
        with suppress(Exception):  # nobody is there to read the error
            lab.close()
        lab.clock.passing.drop()
    _left = max(len(waiting_labs) - len(gone), FEW // 2)
    del waiting_labs, gone
    gc.collect()


def unheld(dropped: list, running: list) -> list:
    """The labs that nothing holds but their own waiting programs; `running` is what the calls that run now hold."""
    carriers = [object_.carrier for lab in dropped for object_ in _waiting(lab)]
    held_by_carrier = {id(object_): object_.held() for object_ in carriers}
    tasks = {id(object_) for carrier in carriers for object_ in (carrier.task, carrier.task.get_coro())}

    def reached(start: Iterable, within: dict[int, Any] | None = None) -> dict[int, Any]:
        seen: dict[int, Any] = {}
        while new := {
            id(object_): object_ for object_ in start if id(object_) not in seen and _counts(object_, within)
        }:
            seen |= new
            plain, start = [], []
            for key, object_ in new.items():
                start += held_by_carrier.get(key, ())
                if isinstance(object_, FunctionType):  # not to its globals
                    start += (object_.__closure__, object_.__defaults__, object_.__kwdefaults__, object_.__dict__)
                elif within is None or key not in tasks:  # which the event loop holds, whatever the page does
                    plain.append(object_)
            start += gc.get_referents(*plain)
        return seen

    inside = reached(dropped)
    ours = {id(object_) for object_ in (dropped, carriers, inside, *held_by_carrier.values())}
    # a cell holds nothing by itself: a waiting call may have it, which nobody sees
    ours |= {id(object_) for object_ in gc.get_objects() if isinstance(object_, CellType)}
    outside = [object_ for object_ in gc.get_objects() if id(object_) not in inside and id(object_) not in ours]
    held = reached([*gc.get_referents(*outside), *running], inside)
    return [lab for lab in dropped if id(lab) not in held and id(lab.events) not in held]


def locals_of(frame: FrameType | None) -> list:
    """Return the objects that the calls of a stack hold, from this frame down."""
    objects: list = []
    while frame is not None:
        objects.extend(frame.f_locals.values())
        frame = frame.f_back
    return objects


def _waiting(lab: Lab) -> list:
    """The programs of a lab that have begun and not ended."""
    programs = [each for qmgr in lab.queue_managers for each in qmgr.programs_running]
    return [each for each in programs if each.carrier is not None and each.carrier.begun]


def _counts(object_: object, within: dict[int, Any] | None) -> bool:
    """Whether an object can hold others, and is none that the whole page uses."""
    if within is not None:
        return id(object_) in within or isinstance(object_, CellType)
    return gc.is_tracked(object_) and not isinstance(object_, type | ModuleType | FrameType)
