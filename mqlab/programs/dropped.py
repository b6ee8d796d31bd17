"""Labs that a web page has dropped: nothing holds them but their own waiting programs.

Python's collector cannot look into a suspended stack, and keeps whatever the program on it uses. So each waiting
program lists the objects that its calls hold. A lab is dropped if nothing else leads to it or to its event log. A lab
that is only in a variable of a task of the reader's own, which waits in Pyodide's `run_sync`, counts as dropped.
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
    from ..qmgr.target import Lab

FEW = 32
"""So many labs with waiting programs are not worth a search; later, twice as many as the last search left."""

labs: WeakSet = WeakSet()
"""The labs of this page that have had programs."""
_left = FEW // 2


def end() -> None:
    """End the programs of the labs that were dropped, and return the memory; their further calls are refused."""
    global _left
    found = [lab for lab in labs if _waiting(lab)]
    if len(found) < 2 * _left:
        return
    gone = unheld(found, locals_of(sys._getframe(1)))
    for lab in gone:
        with suppress(Exception):  # nobody is there to read the error
            lab.close()
        lab.clock.passing.drop()
    _left = max(len(found) - len(gone), FEW // 2)
    del found, gone
    gc.collect()


def unheld(found: list, running: list) -> list:
    """The labs that nothing holds but their own waiting programs; `running` is what the calls that run now hold."""
    carriers = [each.carrier for lab in found for each in _waiting(lab)]
    told = {id(each): each.held() for each in carriers}
    tasks = {id(each) for carrier in carriers for each in (carrier.task, carrier.task.get_coro())}

    def reached(start: Iterable, within: dict[int, Any] | None = None) -> dict[int, Any]:
        seen: dict[int, Any] = {}
        while new := {id(each): each for each in start if id(each) not in seen and _counts(each, within)}:
            seen |= new
            plain, start = [], []
            for key, each in new.items():
                start += told.get(key, ())
                if isinstance(each, FunctionType):  # not to its globals
                    start += (each.__closure__, each.__defaults__, each.__kwdefaults__, each.__dict__)
                elif within is None or key not in tasks:  # which the event loop holds, whatever the page does
                    plain.append(each)
            start += gc.get_referents(*plain)
        return seen

    inside = reached(found)
    ours = {id(each) for each in (found, carriers, inside, *told.values())}
    # a cell holds nothing by itself: a waiting call may have it, which nobody sees
    ours |= {id(each) for each in gc.get_objects() if isinstance(each, CellType)}
    outside = [each for each in gc.get_objects() if id(each) not in inside and id(each) not in ours]
    held = reached([*gc.get_referents(*outside), *running], inside)
    return [lab for lab in found if id(lab) not in held and id(lab.events) not in held]


def locals_of(frame: FrameType | None) -> list:
    """Return the objects that the calls of a stack hold, from this frame down."""
    found: list = []
    while frame is not None:
        found.extend(frame.f_locals.values())
        frame = frame.f_back
    return found


def _waiting(lab: Lab) -> list:
    """The programs of a lab that have begun and not ended."""
    programs = [each for qmgr in lab.queue_managers for each in qmgr.programs_running]
    return [each for each in programs if each.carrier is not None and each.carrier.begun]


def _counts(each: Any, within: dict[int, Any] | None) -> bool:
    """Whether an object can hold others, and is none that the whole page uses."""
    if within is not None:
        return id(each) in within or isinstance(each, CellType)
    return gc.is_tracked(each) and not isinstance(each, type | ModuleType | FrameType)
