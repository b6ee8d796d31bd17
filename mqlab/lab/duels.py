"""Duels: one story under two configurations, each run in a lab of its own, on one clock.

Three that are ready. A fast channel that breaks (CHL-07):

>>> from mqlab import Lab
>>> def broken(lab):
...     shop, depot = lab.queue_manager("SHOP"), lab.queue_manager("DEPOT")
...     _ = lab.link("SHOP", "DEPOT", latency=0.8)
...     _ = depot.mqsc("DEFINE QLOCAL(ORDERS.IN)")
...     _ = depot.mqsc("DEFINE CHANNEL(S.D) CHLTYPE(RCVR)")
...     _ = shop.mqsc("DEFINE QLOCAL(DEPOT) USAGE(XMITQ)")
...     _ = shop.mqsc("DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(DEPOT)")
...     _ = shop.mqsc("DEFINE CHANNEL(S.D) CHLTYPE(SDR) CONNAME(DEPOT) XMITQ(DEPOT) SHORTTMR(5)")
...     lab.advance(1)
...     _ = shop.mqsc("START CHANNEL(S.D)")
...     for order in range(6):
...         _ = shop.put("ORDERS", b"an order")
...         lab.advance(0.5)
...     lab.cut("SHOP", "DEPOT")
...     lab.advance(5)
...     lab.restore("SHOP", "DEPOT")
...     lab.advance(60)
>>> speed = "ALTER CHANNEL(S.D) CHLTYPE(SDR) NPMSPEED({})"
>>> duel = Lab().duel(broken, speed.format("FAST"), speed.format("NORMAL"), names=("FAST", "NORMAL"))
>>> [(score.waiting, score.lost) for score in duel.scores]
[(5, 1), (6, 0)]

Jobs that arrived before the trigger monitor started (TRG-13c), for a server that gets one each time it is started, with
the story's own setting as a keyword argument. With FIRST it is started again when it ends, with EVERY nobody comes:

>>> def served(lab, trigtype):
...     qm = lab.queue_manager("QM1")
...     _ = qm.mqsc("DEFINE QLOCAL(INITQ)")
...     _ = qm.mqsc("DEFINE PROCESS(ONE) APPLICID('ONE')")
...     _ = qm.mqsc(f"DEFINE QLOCAL(JOBS) TRIGGER TRIGTYPE({trigtype}) PROCESS(ONE) INITQ(INITQ)")
...     _ = qm.program("ONE", lambda app, trigger: app.get("JOBS"))
...     for job in range(3):
...         _ = qm.put("JOBS", b"a job")
...     _ = qm.trigger_monitor("INITQ")
...     lab.advance(1)
>>> duel = Lab().duel(served, {"trigtype": "FIRST"}, {"trigtype": "EVERY"})
>>> [(score.delivered, score.waiting) for score in duel.scores]
[(3, 0), (1, 2)]

A small queue and a large one (MQI-09): see `mqlab.Lab.duel`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

from ..engine.words.arguments import at_least, require
from ..engine.words.errors import LabError
from .branching import go_on, told_again
from .extras import room

FIRST = -1  # before the first moment: when the story first lets time pass


def duel(lab: Any, story: Any, settings: tuple[Any, Any], names: Any, at_us: Any) -> Any:
    """See `mqlab.Lab.duel`."""
    with room("views"):
        from ..views.player.duel import Futures
    from .scenarios import scenario

    require("at", at_us, int | None, "a datetime, or whole microseconds since the start", at_least(0))
    for setting, name in zip(settings, "ab", strict=True):
        require(name, setting, str | dict | Callable | None, "MQSC text, a function of a lab, a dict, or None")
    called = tuple(map(_name, settings, ("a", "b"))) if names is None else names
    if not isinstance(called, tuple | list) or [type(name) for name in called] != [str, str] or not all(called):
        raise LabError(f'names must be two, such as ("FAST", "NORMAL"); got {names!r}')
    told, title = (scenario(story), scenario(story).title) if isinstance(story, str) else (None, "")
    tell = told.tell if told else story
    first, second = (_configured(lab, tell, setting, FIRST if at_us is None else at_us) for setting in settings)
    end = max(first.now_us, second.now_us)
    for each in (first, second):
        go_on(each, end)
        each.clock.intervene_now()
    title = title or getattr(story, "__name__", "story").replace("_", " ").strip("<>")
    return Futures(first, second, called[1], called[0], f"{title}: {called[0]}, or {called[1]}")


def _configured(lab: Any, tell: Callable[..., object], setting: Any, at_us: int) -> Any:
    """Run a story in a lab with a setting of a duel."""
    keywords = setting if isinstance(setting, dict) else {}
    try:
        signature(tell).bind(lab, **keywords)
    except (TypeError, ValueError):
        takes = f" and {', '.join(map(str, keywords))}" if keywords else ""
        raise LabError(f"story must be a function of a lab{takes}, or the name of a scenario; got {tell!r}") from None

    def change(other: Any) -> None:
        if isinstance(setting, str):
            _everywhere(other, setting)
        elif callable(setting):
            setting(other)

    return told_again(lab, partial(tell, **keywords), [(at_us, change)])


def _everywhere(lab: Any, text: str) -> None:
    """Run each command of MQSC text on the queue managers that take it; LabError if none takes one."""
    replies = [qmgr.mqsc(text).replies for qmgr in lab.queue_managers]
    for answers in zip(*replies, strict=True):
        if not any(answer.ok for answer in answers):
            raise LabError(f"a queue manager of the story must accept the MQSC; got {text!r}: {answers[0].text}")
    if not replies or not replies[0]:
        raise LabError(f"MQSC needs a story that has queue managers before time passes; got {text!r}")


def _name(setting: Any, side: str) -> str:
    """The default name of a side of a duel."""
    if setting is None or setting == {}:
        return f"{side}: as it is"
    if isinstance(setting, dict):
        return ", ".join(f"{name} {value}" for name, value in setting.items())
    if isinstance(setting, str):
        return " ".join(setting.split())[:80] or side
    name = getattr(setting, "__name__", side)
    return side if "<" in name else name.replace("_", " ")
