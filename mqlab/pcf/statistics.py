"""Reset Queue Statistics: reports the statistics of local queues, and resets them."""

from __future__ import annotations

from typing import Any

from ..admin.statistics import tally
from ..engine.words import catalog, pcf
from ..engine.words import constants as mq
from ..engine.words.errors import NotSimulated
from ..engine.words.pcf import Parameter, PCFError

_NAME, _HIGH, _ENQUEUED, _DEQUEUED, _SINCE = 2016, 36, 37, 38, 35
_LONGEST = 999_999_999


def reset_statistics(qmgr: Any, message: pcf.Message) -> list[list[Parameter]]:
    """The answers to Reset Queue Statistics, one for each local queue of the name; PCFError 3019, 4008 or 2085."""
    given = {one.id: one for one in message.parameters}
    name = given.get(_NAME)
    if name is None or name.sort != "CFST":
        raise PCFError(mq.MQRCCF_PARM_COUNT_TOO_SMALL, "a reset of statistics without a queue name", _NAME)
    if not qmgr.lab.events.recording:
        raise NotSimulated("Reset Queue Statistics: a lab without a log (record=False) counts no messages")
    generic = name.value.rstrip(" ")
    try:
        catalog.check_name("QLOCAL", generic, generic=True)
    except catalog.CatalogError as error:
        raise PCFError(mq.MQRCCF_OBJECT_NAME_ERROR, str(error), _NAME) from error
    queues = [qmgr.targets.look(counted.name) for counted in qmgr.objects.match(("QLOCAL",), generic)]
    if not queues:
        raise PCFError(mq.MQRC_UNKNOWN_OBJECT_NAME, f"no local queue called {generic}", _NAME)
    answers = []
    for queue in queues:
        counted = tally(qmgr).reset(queue, qmgr.caller)
        seconds = (qmgr.clock.time_us - counted.since_us) // 1_000_000
        answers.append(
            [
                pcf.string(_NAME, queue.name, 48),
                pcf.integer(_ENQUEUED, min(counted.enqueued, _LONGEST)),
                pcf.integer(_DEQUEUED, min(counted.dequeued, _LONGEST)),
                pcf.integer(_HIGH, min(counted.high, _LONGEST)),
                pcf.integer(_SINCE, min(seconds, _LONGEST)),
            ]
        )
    return answers
