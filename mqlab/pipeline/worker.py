"""What a Spark Python worker does once, after its first task, when all it needs is loaded."""

from __future__ import annotations

import gc
from functools import cache

__all__ = ["settle"]


@cache
def settle() -> None:
    """Take what is loaded by now, modules above all, out of the sight of the garbage collector, once in a process.

    Spark collects garbage after every task, and walks all of it each time: 50 ms where pandas is loaded.
    """
    gc.collect()
    gc.freeze()
