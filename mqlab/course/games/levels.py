"""The twelve levels of *Be the queue manager* and its endless rounds, each a lab and a call or some steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any

from .judging import Act, Round, Scene, Step, outcome

LEVELS: list[Callable[[], Round]] = []


def level(make: Callable[[], Round]) -> Callable[[], Round]:
    """Register a level; its number is its place."""
    LEVELS.append(make)
    return make


@cache
def levels() -> tuple[Round, ...]:
    """Return all levels, judged."""
    return tuple(make() for make in LEVELS)


def _bakery(scene: Scene) -> None:
    scene.put("bread", priority=4)
    scene.put("croissant", priority=7)
    scene.put("tart", priority=9)
    scene.put("bun", priority=7)


GET = "MQGET from ORDERS by OVEN: no wait, any message"


def get(scene: Scene, **how: Any) -> Callable[[], Any]:
    """Return the call: a get by OVEN with these options."""
    return lambda: scene.qmgr.connect("OVEN").get(scene.queue, **how)


@level
def _fifo() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(FIFO)")
    _bakery(scene)
    story = "Four orders are on a queue, and the oven asks for the next one. Which order do you return?"
    return scene.call("1", "First in, first out", story, GET, get(scene))


@level
def _priority() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(PRIORITY)")
    _bakery(scene)
    scene.put("scone", priority=9)
    story = "The same orders and one more, but this queue delivers by priority."
    return scene.call("2", "By priority", story, GET, get(scene))


@level
def _expiry() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(PRIORITY)")
    scene.put("bread", priority=4)
    scene.put("croissant", priority=7, seconds=5)
    scene.put("bun", priority=2, seconds=5)
    scene.lab.advance(6)
    scene.put("tart", priority=7)
    scene.put("rolls", priority=7)
    story = f"It is {scene.now}. Some of the orders have an expiry time. The oven asks for the next order."
    return scene.call("3", "Expired, and still there", story, GET, get(scene))


@level
def _browse() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(FIFO)")
    scene.put("bread", seconds=3)
    scene.put("croissant", seconds=60)
    scene.put("bun", seconds=3)
    scene.put("tart")
    scene.lab.advance(4)
    story = f"It is {scene.now}. A display in the shop browses the queue: it wants to see the first message."
    words = "MQGET with browse (first message) from ORDERS by DISPLAY"
    display = scene.qmgr.connect("DISPLAY")
    return scene.call("4", "Only looking", story, words, lambda: display.browse("ORDERS"), browse=True)


@level
def _match() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(FIFO)")
    scene.put("bread", selector="A", seconds=3)
    scene.put("croissant", selector="B", seconds=3)
    scene.put("bun", selector="A")
    scene.put("tart", selector="B")
    scene.put("rolls", selector="B", seconds=3)
    scene.lab.advance(4)
    scene.selected = "B"
    story = f"It is {scene.now}. The queue holds replies for two programs. The second one asks for its CorrelId."
    words = "MQGET from ORDERS by OVEN: no wait, CorrelId B"
    return scene.call("5", "Only those with CorrelId B", story, words, get(scene, correl_id=b"B".ljust(24, b"\0")))


@level
def _units() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(PRIORITY)")
    scene.put("bread", priority=5)
    scene.put("croissant", priority=5)
    scene.qmgr.connect("SHELF").unit_of_work().get("ORDERS")
    scene.put("wedding cake", scene.qmgr.connect("WEB").unit_of_work(), priority=9)
    scene.put("bun", priority=3)
    unit = scene.qmgr.connect("GRILL").unit_of_work()
    unit.get("ORDERS")
    unit.backout()
    story = "Three programs work in units of work: WEB put an order, SHELF got one, and GRILL got one and backed out."
    return scene.call("6", "Not committed", story, GET, get(scene))


@level
def _inhibited() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(FIFO)")
    scene.put("bread", seconds=3)
    scene.put("croissant")
    scene.put("bun", seconds=3)
    scene.lab.advance(3)
    scene.qmgr.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)").require()
    scene.shown += "\nALTER QLOCAL(ORDERS) GET(DISABLED)"
    story = f"It is {scene.now}. An operator has inhibited gets, and the oven asks for the next order."
    return scene.call("7", "The operator said no", story, GET, get(scene))


@level
def _limits() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MAXDEPTH(3) MAXMSGL(100)")
    scene.put("old order", seconds=1)
    scene.put("draft", scene.qmgr.connect("WEB").unit_of_work())
    till = scene.qmgr.connect("TILL")

    def put(size: int) -> Callable[[], Any]:
        return lambda: till.put("ORDERS", b"x" * size)

    story = (
        "Two messages are on the queue. One expired, and no call has reached it. WEB put the other in a unit of work "
        "that is not committed. Now TILL puts four orders. Which reason code does each put return?"
    )
    oven = scene.qmgr.connect("OVEN")

    def make_room() -> Any:
        oven.get("ORDERS")
        return till.put("ORDERS", b"x" * 60)

    steps: list[Step] = [
        ("poster", ("400 bytes",), put(400)),
        ("note", ("100 bytes",), put(100)),
        ("letter", ("60 bytes",), put(60)),
        ("card", ("60 bytes", "before this put, OVEN gets a message"), make_room),
    ]
    words = "Four times MQPUT to ORDERS by TILL"
    return scene.steps("8", "How many, and how long", story, steps, words, (0, 2030, 2053))


@level
def _truncated() -> Round:
    scene = Scene("DEFINE QLOCAL(ORDERS) MSGDLVSQ(FIFO)")
    scene.put("flyer", size=80, seconds=2)
    scene.put("catalog", size=9000)
    scene.put("card", size=40)
    scene.lab.advance(3)
    story = f"It is {scene.now}. The oven has a buffer of 100 bytes, and it does not accept truncated messages."
    words = "MQGET from ORDERS by OVEN: no wait, any message, BufferLength 100"
    codes = (0, 2033, 2079, 2080)
    return scene.call("9", "The buffer is too short", story, words, get(scene, buffer_length=100), codes)


TRIGGERED = "TRIGGER INITQ(SHOP.INITQ) PROCESS(PACK)"


def triggered(define: str, queue: str) -> Scene:
    """A scene whose queue is triggered, with a process and a trigger monitor."""
    scene = Scene(define, queue)
    scene.qmgr.mqsc("DEFINE QLOCAL(SHOP.INITQ)\nDEFINE PROCESS(PACK) APPLICID('PACKER')").require()
    scene.open.append(scene.qmgr.connect("MONITOR").open("SHOP.INITQ", input="shared"))
    return scene


@level
def _first() -> Round:
    scene = triggered(f"DEFINE QLOCAL(PARCELS) TRIGTYPE(FIRST) {TRIGGERED}", "PARCELS")
    till, packer = scene.qmgr.connect("TILL"), scene.qmgr.connect("PACKER")
    open_queue: list[Any] = []

    def begin() -> None:
        open_queue.append(packer.open("PARCELS", input="shared"))
        open_queue[0].get()

    def drain() -> None:
        open_queue[0].drain()
        open_queue[0].close()

    put = partial(till.put, "PARCELS", b"x")
    steps: list[Step] = [
        ("parcel 1", ("TILL puts it", "the queue is empty"), put),
        ("parcel 2", ("TILL puts it",), put),
        ("PACKER starts", ("opens the queue", "gets parcel 1"), begin),
        ("parcel 3", ("TILL puts it", "PACKER has the queue open"), put),
        ("PACKER ends", ("gets the rest", "closes the queue"), drain),
        ("parcel 4", ("TILL puts it", "the queue is empty"), put),
    ]
    story = (
        "A trigger monitor runs, and the process is defined. Parcels arrive, and PACKER works on them. "
        "At which steps does the queue manager write a trigger message?"
    )
    words = "MQPUT to PARCELS by TILL; MQOPEN, MQGET, and MQCLOSE by PACKER"
    return scene.steps("10", "Does it fire? FIRST", story, steps, words)


@level
def _every_and_depth() -> Round:
    define = f"DEFINE QLOCAL(BY.EVERY) TRIGTYPE(EVERY) {TRIGGERED}\n"
    scene = triggered(f"{define}DEFINE QLOCAL(BY.DEPTH) TRIGTYPE(DEPTH) TRIGDPTH(2) {TRIGGERED}", "BY.EVERY")
    till, packer = scene.qmgr.connect("TILL"), scene.qmgr.connect("PACKER")
    scene.open.append(packer.open("BY.EVERY", input="shared"))
    reader = "PACKER has the queue open"

    every, depth = (partial(till.put, queue, b"x") for queue in ("BY.EVERY", "BY.DEPTH"))
    steps: list[Step] = [
        ("parcel 1", ("to BY.EVERY", reader), every),
        ("parcel 2", ("to BY.EVERY", reader), every),
        ("crate 1", ("to BY.DEPTH",), depth),
        ("crate 2", ("to BY.DEPTH",), depth),
        ("crate 3", ("to BY.DEPTH", "nobody has read the queue"), depth),
    ]
    story = "Two queues with other trigger types. A trigger monitor runs, and the process is defined."
    return scene.steps("11", "Does it fire? EVERY and DEPTH", story, steps, "Five times MQPUT by TILL")


@level
def _shared() -> Round:
    define = (
        "DEFINE CFSTRUCT(BANK1) CFLEVEL(4) RECOVER(YES)\n"
        "DEFINE QLOCAL(VAULT) QSGDISP(SHARED) CFSTRUCT(BANK1) MSGDLVSQ(PRIORITY)"
    )
    scene = Scene(define, "VAULT", "BANK", ("MVSA", "MVSB"))
    scene.put("ring", priority=5, persistent=True)
    scene.lab["MVSA"].connect("TELLER").unit_of_work().get("VAULT")
    scene.put("vase", priority=7, seconds=3)
    scene.put("pearl", priority=5, persistent=False)
    scene.put("watch", scene.qmgr.connect("WEB").unit_of_work(), priority=9)
    scene.lab.advance(2)
    scene.lab["MVSA"].fail()
    scene.lab.advance(1)
    story = (
        f"It is {scene.now}. MVSA and MVSB share the queue. TELLER at MVSA got a message in a unit of work, and then "
        "MVSA failed. WEB runs at MVSB, and its unit of work is open. Now OVEN at MVSB asks for the next message."
    )
    words = "MQGET from VAULT by OVEN at MVSB: no wait, any message"
    return scene.call("12", "A member has failed", story, words, get(scene))


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
    if outcome(unit.get, "ORDERS")[0] == 0 and chance.random() < 0.5:
        unit.backout()


def triggers(key: str, chance: Random) -> Round:
    """Return puts to a triggered queue, which a program opens, reads, and closes meanwhile."""
    kind = chance.choice(("FIRST", "FIRST", "EVERY", "DEPTH"))
    depth = f" TRIGDPTH({chance.randint(2, 3)})" if kind == "DEPTH" else ""
    scene = triggered(f"DEFINE QLOCAL(PARCELS) TRIGTYPE({kind}){depth} {TRIGGERED}", "PARCELS")
    till, packer = scene.qmgr.connect("TILL"), scene.qmgr.connect("PACKER")
    reading: list[Any] = []
    steps: list[Step] = []
    opened, parcels, there = False, 0, 0
    step: Act
    while len(steps) < 6:
        draw = chance.random()
        if draw < 0.5 or not steps:
            parcels, there = parcels + 1, there + 1
            step = (f"TILL puts parcel {parcels}",), lambda: till.put("PARCELS", b"x")
        elif not opened:
            opened = True
            step = (
                ("PACKER opens the queue", "for input"),
                lambda: reading.append(packer.open("PARCELS", input="shared")),
            )
        elif draw < 0.8 and there:
            there -= 1
            step = ("PACKER gets a parcel",), lambda: reading[-1].get()
        else:
            opened = False
            step = ("PACKER closes the queue",), lambda: reading.pop().close()
        steps.append((f"step {len(steps) + 1}", *step))
    story = (
        "A trigger monitor runs, and the process is defined. At which steps does the queue manager write a trigger "
        "message?"
    )
    words = "MQPUT to PARCELS by TILL; MQOPEN, MQGET, and MQCLOSE by PACKER"
    return scene.steps(key, key.capitalize(), story, steps, words)
