"""Reasons of every case, with values of every kind."""

from itertools import product
from typing import Any

import mqlab.lab  # noqa: F401 - the extras have reasons, too
from mqlab.engine.words.because import refused_call
from mqlab.engine.words.errors import MQError
from mqlab.engine.words.refusals import Grounds
from mqlab.engine.words.whys import NoInitq, Qualifying, Refused, cases, types_of

VALUES = {
    str: lambda name: {"joining": ["", "QM1"], "check": ["REQUIRED", "REQDADM"]}.get(name, [name.upper(), f"{name}.2"]),
    int: lambda name: [0, 1, 2],
    int | None: lambda name: [None, 7],
    bool: lambda name: [False, True],
    Refused: lambda name: [
        "2016 MQRC_GET_INHIBITED",
        {"reason": 2085, "case": "no-queue", "fields": {"queue": "Q"}},
        refused_call(MQError(2016, "Q", "QM1", grounds=Grounds(2016, "disabled", {"closed": "Q", "kind": "QLOCAL"}))),
        refused_call(MQError(2009, "Q", "QM1")),
    ],
    dict[str, Any]: lambda name: [NoInitq().facts, Qualifying(2).facts],
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
