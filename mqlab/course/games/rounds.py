"""Endless rounds of *Be the queue manager*: a lab and a call for each seed; the judging is the same as for levels."""

from __future__ import annotations

from random import Random
from typing import Any

from ...engine.words.errors import MQError
from .judging import Round, Scene, Step
from .levels import TRIGGERED, triggered

NAMES = ("bread", "bun", "cake", "croissant", "donut", "muffin", "pie", "roll", "scone", "tart", "wafer", "waffle")


def generated(seed: int) -> Round:
    """Return the round of a seed; the same seed gives the same round."""
    chance = Random(seed)
    make = triggers if chance.random() < 0.25 else messages
    return make(f"round {seed}", chance)


def messages(key: str, chance: Random) -> Round:
    """Return a get or a browse of a queue with messages of all sorts."""
    order = chance.choice(("PRIORITY", "FIFO"))
    scene = Scene(f"DEFINE QLOCAL(ORDERS) MSGDLVSQ({order})")
    priorities = chance.sample(range(10), 3) if order == "PRIORITY" or chance.random() < 0.4 else [0]
    selects, sized = chance.random() < 0.3, chance.random() < 0.15
    names = chance.sample(NAMES, chance.randint(4, 6))
    early = chance.randrange(1, len(names)) if chance.random() < 0.3 else 0
    for place, name in enumerate(names):
        if place == early > 0:
            _held(scene, chance)
        scene.put(
            name,
            scene.qmgr.connect("WEB").unit_of_work() if chance.random() < 0.15 else None,
            seconds=chance.randint(2, 7) if chance.random() < 0.5 else None,
            selector=chance.choice("AB") if selects else "",
            size=chance.choice((40, 90, 400)) if sized else 0,
            priority=chance.choice(priorities),
        )
    scene.lab.advance(chance.randint(1, 5))
    if chance.random() < 0.07:
        scene.qmgr.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)").require()
        scene.shown += "\nALTER QLOCAL(ORDERS) GET(DISABLED)"
    how: dict[str, Any] = {}
    words = ["any message"]
    if selects:
        scene.selected = chance.choice("AB")
        how["correl_id"] = scene.selected.encode().ljust(24, b"\0")
        words = [f"CorrelId {scene.selected}"]
    verb = "MQGET"
    codes: tuple[int, ...] = (0, 2016, 2033)
    if sized:
        how |= {"buffer_length": 100, "accept_truncated": chance.random() < 0.5}
        accepts = "accept" if how["accept_truncated"] else "do not accept"
        words += ["BufferLength 100", f"{accepts} a truncated message"]
        codes = (0, 2016, 2033, 2079, 2080)
    elif chance.random() < 0.2:
        verb = "MQGET with browse (first message)"
    oven = scene.qmgr.connect("OVEN")
    browse = verb != "MQGET"
    call = oven.browse if browse else oven.get
    story = f"It is {scene.now}, and OVEN calls. You are the queue manager."
    said = f"{verb} from ORDERS by OVEN: no wait, {', '.join(words)}"
    return scene.call(key, key.capitalize(), story, said, lambda: call("ORDERS", **how), codes, browse)


def _held(scene: Scene, chance: Random) -> None:
    """Let SHELF get a message in a unit of work, which stays open or is backed out."""
    unit = scene.qmgr.connect("SHELF").unit_of_work()
    try:
        unit.get("ORDERS")
    except MQError:  # there is none that it could get
        return
    if chance.random() < 0.5:
        unit.backout()


def triggers(key: str, chance: Random) -> Round:
    """Return puts to a triggered queue, which a program opens, reads, and closes meanwhile."""
    kind = chance.choice(("FIRST", "FIRST", "EVERY", "DEPTH"))
    depth = f" TRIGDPTH({chance.randint(2, 3)})" if kind == "DEPTH" else ""
    scene = triggered(f"DEFINE QLOCAL(PARCELS) TRIGTYPE({kind}){depth} {TRIGGERED}", "PARCELS")
    till, packer = scene.qmgr.connect("TILL"), scene.qmgr.connect("PACKER")
    reading: list[Any] = []

    def put() -> Any:
        return till.put("PARCELS", b"x")

    def begin() -> None:
        reading.append(packer.open("PARCELS", input="shared"))

    def take() -> Any:
        return reading[-1].get()

    def end() -> None:
        reading.pop().close()

    steps: list[Step] = []
    opened, parcels, gets, there = False, 0, 0, 0
    while len(steps) < 6:
        draw = chance.random()
        if draw < 0.5 or not steps:
            parcels, there = parcels + 1, there + 1
            steps.append((f"step {len(steps) + 1}", (f"TILL puts parcel {parcels}",), put))
        elif not opened:
            opened = True
            steps.append((f"step {len(steps) + 1}", ("PACKER opens the queue", "for input"), begin))
        elif draw < 0.8 and there:
            gets, there = gets + 1, there - 1
            steps.append((f"step {len(steps) + 1}", ("PACKER gets a parcel",), take))
        else:
            opened = False
            steps.append((f"step {len(steps) + 1}", ("PACKER closes the queue",), end))
    story = (
        "A trigger monitor runs, and the process is defined. At which steps does the queue manager write a trigger "
        "message?"
    )
    words = "MQPUT to PARCELS by TILL; MQOPEN, MQGET, and MQCLOSE by PACKER"
    return scene.steps(key, key.capitalize(), story, steps, words)
