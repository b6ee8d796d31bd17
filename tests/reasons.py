"""Reasons of every case, with values of every kind."""

from itertools import product
from typing import Any

import mqlab.lab  # noqa: F401 - the extras have reasons, too
from mqlab.engine.words.whys import cases, types_of
from mqlab.everyplace.whys import KeepsForNobody, QueueFull

VALUES = {
    str: lambda name: {"joining": ["", "QM1"], "check": ["REQUIRED", "REQDADM"]}.get(name, [name.upper(), f"{name}.2"]),
    int: lambda name: [0, 1, 2],
    int | None: lambda name: [None, 7],
    bool: lambda name: [False, True],
    dict[str, Any]: lambda name: [KeepsForNobody("local").facts, QueueFull(2, 2).facts],
    list[str]: lambda name: [["A"], ["A", "B.C"]],
}
_TRIED = [{"partner": "QM2", "path": "none"}, {"partner": "QM3", "path": "cut"}, {"partner": "QM4", "path": "up"}]


def reasons():
    """Up to nine reasons of each case."""
    for kind in cases().values():
        values = [
            VALUES[type](name) if type in VALUES else [_TRIED, _TRIED[:1]] for name, type in types_of(kind).items()
        ]
        for chosen in list(product(*values))[:9]:
            yield kind(*chosen)
