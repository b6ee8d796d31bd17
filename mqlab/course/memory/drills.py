"""Questions with other numbers for a review: a lab from a seed, a call or a moment, and the answer of the engine.

A rule that no question here and no round of *Be the queue manager* can ask comes back as its prediction in a notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from ...engine.words.constants import MQRO_EXPIRATION
from ...lab.lab import Lab
from ...views.text import plural
from ..channels import shop_and_depot, state_of
from ..games.judging import START, Act, Question, Round, Scene, Step, coded, outcome
from ..games.levels import NAMES, TRIGGERED, messages, triggered, triggers

Make = Callable[[str, Random], Round]
MAKERS: dict[str, list[Make]] = {}
"""The makers of questions by the rules that they can ask."""
TRIES = 300
LATER = "No program makes a call meanwhile."


def _asks(*rules: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        for rule in rules:
            MAKERS.setdefault(rule, []).append(make)
        return make

    return register


def question(rule: str, seed: int) -> Round | None:
    """Return a question that asks a rule, or None if mqlab cannot make one; the same seed gives the same question.

    >>> question("MQI-09", 3) == question("MQI-09", 3), question("IMS-01", 3)
    (True, None)
    """
    chance = Random(f"{rule} {seed}")
    for _ in range(TRIES if rule in MAKERS else 0):
        found = chance.choice(MAKERS[rule])(f"{rule} {seed}", chance)
        if rule in found.rules.values():
            named = found.title != found.key.capitalize()  # a round of the game is named by its key
            return found if named else found._replace(title="A call arrives" if found.questions else "Does it fire?")
    return None


def _asked(key: str, title: str, story: str, shown: Iterable[str], call: str, *questions: Question) -> Round:
    return Round(key, title, story, "\n".join(shown), call, "", {}, "", (), questions)


def _number(label: str, answer: int, near: Iterable[int], why: str, rule: str) -> Question:
    """A question for a number, among numbers that a likely mistake gives."""
    options = {str(each): str(each) for each in sorted({answer, *(each for each in near if each >= 0)})}
    return Question(label, options, str(answer), why, rule)


_asks("MQI-02", "MQI-03", "MQI-04", "MQI-05", "MQI-06", "MQI-11", "MQI-26")(messages)
_asks("EXP-07", "EXP-08", "EXP-09", "EXP-10", "EXP-11", "EXP-38")(messages)
_asks("TRG-03", "TRG-04", "TRG-11", "TRG-12")(triggers)


@_asks("MQI-09", "MQI-10", "MQI-13", "MQI-14", "EXP-15")
def _puts(key: str, chance: Random) -> Round:
    """Puts that one limit or another refuses."""
    depth, longest = chance.randint(2, 4), 100 * chance.randint(1, 5)
    scene = Scene(f"DEFINE QLOCAL(ORDERS) MAXDEPTH({depth}) MAXMSGL({longest})")
    till, oven = scene.qmgr.connect("TILL"), scene.qmgr.connect("OVEN")

    def put(size: int, queue: str = "ORDERS", **how: Any) -> Callable[[], Any]:
        return lambda: till.put(queue, b"x" * size, **how)

    def after_a_get() -> Any:
        outcome(oven.get, "ORDERS")
        return put(10)()

    limits: list[Act] = [
        ((f"{longest + 1} bytes",), put(longest + 1)),
        ((f"{longest} bytes", "priority -2"), put(longest, priority=-2)),
        (("10 bytes", "to the queue ORDER"), put(10, "ORDER")),
        (("10 bytes", "Expiry 0"), put(10, expiry=0)),
        (("10 bytes", "OVEN gets one first"), after_a_get),
    ]

    def step(name: str) -> Step:
        if (kind := chance.randrange(8)) < len(limits):
            return name, *limits[kind]
        size = chance.choice((10, longest))
        return name, (f"{size} bytes",), put(size)

    steps = [step(f"put {number}") for number in range(1, depth + 4)]
    story = "The queue is empty. TILL puts messages, one after another. Which reason code does each put return?"
    codes = (0, 2013, 2030, 2050, 2053, 2085)
    return scene.steps(key, "Limits", story, steps, "MQPUT to ORDERS by TILL", codes)


@_asks("EXP-02", "EXP-17", "MQI-12")
def _counted(key: str, chance: Random) -> Round:
    """CURDEPTH and the messages that a get can return, when some expired and one is not committed."""
    scene = Scene("DEFINE QLOCAL(ORDERS)")
    held = chance.random() < 0.5
    shown = [scene.shown]
    names = chance.sample(NAMES, chance.randint(4, 7))
    for place, name in enumerate(names):
        seconds = chance.choice((None, chance.randint(2, 4), 60)) if place else 3
        shown.append(f"{scene.now} TILL puts {name}, " + (f"expiry {seconds} s" if seconds else "no expiry"))
        scene.put(name, seconds=seconds)
    if held:
        shown.append(f"{scene.now} WEB puts {NAMES[0]} pie in a unit of work that stays open")
        scene.put(f"{NAMES[0]} pie", scene.qmgr.connect("WEB").unit_of_work())
    scene.lab.advance(5)
    shown.append(f"{scene.now} {LATER}")
    depth, oven, got = scene.qmgr.depth("ORDERS"), scene.qmgr.connect("OVEN"), 0
    while outcome(oven.get, "ORDERS")[0] == 0:
        got += 1
    expired = depth - got - held
    why = f"{expired} expired, and no call has reached them: they still count." + (
        " The uncommitted message counts too." if held else ""
    )
    counted = _number("CURDEPTH", depth, (got, got + held, depth + 1), why, chance.choice(("EXP-02", "EXP-17")))
    why = f"The gets return {got} messages, and the next one fails with 2033."
    available = _number("Gets that return a message", got, (depth, got + 1, got + held), why, "MQI-12")
    story = "First, what is CURDEPTH now? Then OVEN gets until a get fails. How many of its gets return a message?"
    return _asked(key, "What counts", story, shown, "DISPLAY QLOCAL(ORDERS) CURDEPTH", counted, available)


@_asks("MQI-01", "MQI-02")
def _position(key: str, chance: Random) -> Round:
    """The position of a message in a queue with or without priorities."""
    order = chance.choice(("FIFO", "PRIORITY"))
    scene = Scene(f"DEFINE QLOCAL(ORDERS) MSGDLVSQ({order}) DEFPRTY({chance.randint(0, 9)})")
    names, shown = chance.sample(NAMES, chance.randint(5, 7)), [scene.shown]
    asked = chance.choice(names[1:])
    for name in names:
        priority = chance.choice((2, 4, 6, 8))
        shown.append(f"TILL puts {name}, priority {priority}")
        scene.put(name, priority=priority)
    oven = scene.qmgr.connect("OVEN")
    got = [oven.get("ORDERS").body.decode() for _ in names]
    why, rule = f"The gets return {', '.join(got)}.", "MQI-01" if order == "FIFO" else "MQI-02"
    place = _number(f"Position of {asked}", got.index(asked) + 1, range(1, len(names) + 1), why, rule)
    story = f"OVEN gets until the queue is empty. At which position does {asked} come?"
    return _asked(key, "In which order", story, shown, "MQGET from ORDERS by OVEN, again and again", place)


@_asks("MQI-16")
def _restart(key: str, chance: Random) -> Round:
    """Messages that survive a restart of their queue manager."""
    npmclass = chance.choice(("NORMAL", "NORMAL", "HIGH"))
    scene = Scene(f"DEFINE QLOCAL(ORDERS) NPMCLASS({npmclass})")
    shown, kept = [scene.shown], 0
    for name in chance.sample(NAMES, chance.randint(4, 6)):
        persistent, unit = chance.random() < 0.6, chance.random() < 0.3
        words = "persistent" if persistent else "nonpersistent"
        shown.append(f"{scene.now} TILL puts {name}, {words}" + (", in a unit of work that stays open" if unit else ""))
        scene.put(name, scene.qmgr.connect("TILL").unit_of_work() if unit else None, persistent=persistent)
        kept += persistent and not unit
    before = scene.qmgr.depth("ORDERS")
    scene.qmgr.stop()
    scene.qmgr.start()
    why = "Uncommitted puts are backed out, and nonpersistent messages " + (
        "stay, because of NPMCLASS(HIGH)." if npmclass == "HIGH" else "are lost."
    )
    left = _number("CURDEPTH", scene.qmgr.depth("ORDERS"), (kept, before, before - 1, kept + 1), why, "MQI-16")
    story = "The queue manager is stopped and started again. How many messages are on the queue then?"
    return _asked(key, "A restart", story, shown, "endmqm SHOP, strmqm SHOP", left)


@_asks("MQI-08", "EXP-14", "EXP-20")
def _unit(key: str, chance: Random) -> Round:
    """A message with a lifetime in a unit of work that is backed out, or committed, late or early."""
    scene = Scene("DEFINE QLOCAL(ORDERS)")
    expiry, wait, more = 2 + 10 * chance.randint(2, 6), 5 * chance.randint(2, 8), 5 * chance.randint(1, 4)
    times, puts, counts = chance.randint(1, 3), chance.random() < 0.4, chance.random() < 0.5
    if puts:
        unit = scene.qmgr.connect("WEB").unit_of_work()
        shown = [f"{scene.now} WEB puts bread in a unit of work, expiry {expiry} s"]
        unit.put("ORDERS", "bread", expiry=10 * expiry)
        scene.lab.advance(wait)
        shown.append(f"{scene.now} WEB commits")
        unit.commit()
    else:
        shown = [f"{scene.now} TILL puts bread, expiry {expiry} s"]
        scene.qmgr.connect("TILL").put("ORDERS", "bread", expiry=10 * expiry)
        for _ in range(times):
            unit = scene.qmgr.connect("SHELF").unit_of_work()
            if outcome(unit.get, "ORDERS")[0]:  # it expired
                break
            shown.append(f"{scene.now} SHELF gets bread in a unit of work")
            scene.lab.advance(wait)
            shown.append(f"{scene.now} SHELF backs out")
            unit.backout()
    scene.lab.advance(more)
    shown.append(f"{scene.now} OVEN gets")
    found: list[Any] = []
    code = outcome(lambda: found.append(scene.qmgr.connect("OVEN").get("ORDERS")))[0]
    from_when = "the put, not from the commit" if puts else "the put, in a unit of work too"
    state = "had not expired" if code == 0 else "had expired: the get discarded it"
    rule = "EXP-14" if puts else "EXP-20"
    why = f"The expiry time counts from {from_when}. At {scene.now} the message {state}."
    asked = Question("Reason code", coded((0, 2033)), str(code), why, rule)
    story = "Which reason code does the get by OVEN return?"
    if found and not puts and counts:
        why = "Each backout restored the message and increased its BackoutCount by 1."
        asked = _number("BackoutCount", found[0].backout_count, range(times + 2), why, "MQI-08")
        story = "The get by OVEN returns bread. With which BackoutCount?"
    return _asked(key, "A unit of work takes time", story, [scene.shown, *shown], "MQGET from ORDERS by OVEN", asked)


@_asks("EXP-13", "EXP-18")
def _reports(key: str, chance: Random) -> Round:
    """Expiration reports, before and after a get."""
    scene = Scene("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(REPORTS)")
    till, shown = scene.qmgr.connect("TILL"), [*scene.shown.splitlines()]
    names, asked = chance.sample(NAMES, chance.randint(3, 5)), 0
    for name in names:
        asks = chance.random() < 0.6
        asked += asks
        shown.append(f"TILL puts {name}, expiry 5 s, " + ("MQRO_EXPIRATION" if asks else "no report"))
        till.put("ORDERS", name, expiry=50, report=MQRO_EXPIRATION if asks else 0, reply_to_q="REPORTS")
    minute = chance.randint(1, 3)
    scene.lab.advance(60 * minute)
    shown.append(f"{minute} min pass. {LATER}")
    before = scene.qmgr.depth("REPORTS")
    outcome(scene.qmgr.connect("OVEN").get, "ORDERS")
    after = scene.qmgr.depth("REPORTS")
    shown.append("OVEN gets from ORDERS")
    why = "The messages expired, but nothing has discarded them: a report is sent at the discard."
    first = _number("Reports before the get", before, (asked, len(names)), why, "EXP-18")
    why = f"The get discarded all {len(names)} messages, and {asked} of them asked for a report."
    second = _number("Reports after the get", after, (0, 1, asked, len(names)), why, "EXP-13")
    story = "How many reports are on REPORTS before OVEN gets, and how many after its get?"
    return _asked(key, "Reports", story, shown, "MQGET from ORDERS by OVEN", first, second)


@_asks("EXP-31", "EXP-07")
def _capped(key: str, chance: Random) -> Round:
    """The Expiry that a get returns from a queue with CAPEXPRY."""
    cap, given, wait = 50 + 100 * chance.randint(0, 6), 50 + 100 * chance.randint(0, 8), chance.randint(2, 12)
    unlimited = chance.random() < 0.3
    scene = Scene(f"DEFINE QLOCAL(ORDERS) CAPEXPRY({cap})")
    scene.qmgr.connect("TILL").put("ORDERS", "bread", expiry=-1 if unlimited else given)
    scene.lab.advance(wait)
    found: list[int] = []
    code = outcome(lambda: found.append(scene.qmgr.connect("OVEN").get("ORDERS").expiry))[0]
    lifetime = cap if unlimited else min(cap, given)
    values = {"-1": "-1, unlimited", **{str(each): str(each) for each in sorted({cap, given, cap - 10 * wait})}}
    values |= {str(given - 10 * wait): str(given - 10 * wait), "2033": "none: the get fails with 2033"}
    values = {key: words for key, words in values.items() if int(key) >= -1}
    answer = str(found[0]) if code == 0 else str(code)
    limits = unlimited or cap < given
    why = f"The lifetime is {lifetime} tenths of a second, and {10 * wait} have passed."
    asked = Question("Expiry that the get returns", values, answer, why, "EXP-31" if limits else "EXP-07")
    put = "Expiry -1 (unlimited)" if unlimited else f"Expiry {given}"
    shown = [scene.shown, f"TILL puts bread, {put}", f"{wait} s pass", "OVEN gets bread"]
    story = "Which Expiry, in tenths of a second, does the get return?"
    return _asked(key, "How long a message lives", story, shown, "MQGET from ORDERS by OVEN", asked)


@_asks("MQI-20", "EXP-33")
def _scanned(key: str, chance: Random) -> Round:
    """Expired messages that only a scan can reach."""
    lab = Lab(start=START)
    kind = chance.choice(("530", "current", "current", "zos", "zos"))
    if kind == "zos":
        interval = chance.choice((0, 30, 60, 120))
        qmgr, words = lab.queue_manager("SHOP", platform="zos"), f"SHOP runs on z/OS, EXPRYINT({interval or 'OFF'})."
        qmgr.mqsc(f"ALTER QMGR EXPRYINT({interval or 'OFF'})").require()
    else:
        qmgr = lab.queue_manager("SHOP", level=530 if kind == "530" else 940)
        words = f"SHOP runs on Linux at command level {530 if kind == '530' else 940}."
    qmgr.mqsc("DEFINE QLOCAL(ORDERS)").require()
    count, till = chance.randint(2, 6), qmgr.connect("TILL")
    for number in range(count):
        till.put("ORDERS", b"x", expiry=50 if number else -1)
    seconds = chance.choice((20, 45, 90, 200, 320, 400))
    lab.advance(seconds)
    depth = qmgr.depth("ORDERS")
    why = (
        "A scan has discarded the expired messages." if depth == 1 else "No scan has reached the expired messages yet."
    )
    if kind == "530":
        why = "At command level 530, outside z/OS, nothing scans for expired messages."
    left = _number("CURDEPTH", depth, (0, 1, count - 1, count), why, "MQI-20" if kind == "current" else "EXP-33")
    shown = ["DEFINE QLOCAL(ORDERS)", f"TILL puts {count} messages; all but the first expire after 5 s"]
    shown.append(f"{seconds} s pass. {LATER}")
    return _asked(key, "Without a call", f"{words} What is CURDEPTH?", shown, "DISPLAY QLOCAL(ORDERS) CURDEPTH", left)


@_asks("TRG-06", "TRG-07", "TRG-08", "TRG-09", "TRG-10", "TRG-13", "TRG-13a", "TRG-13c")
def _conditions(key: str, chance: Random) -> Round:
    """Puts and commands at a queue whose trigger conditions change."""
    kind = chance.choice(("FIRST", "EVERY", "DEPTH"))
    depth = " TRIGDPTH(2)" if kind == "DEPTH" else ""
    scene = triggered(f"DEFINE QLOCAL(PARCELS) TRIGTYPE({kind}){depth} {TRIGGERED}", "PARCELS")
    till, mqsc = scene.qmgr.connect("TILL"), scene.qmgr.mqsc

    def command(text: str) -> Act:
        return (text,), lambda: mqsc(text).require()

    def monitor() -> Any:
        scene.open.append(scene.qmgr.connect("MONITOR").open("SHOP.INITQ", input="shared"))

    closes: Act = ("the monitor closes", "SHOP.INITQ"), lambda: scene.open.pop().close()
    faults = (
        (command("ALTER QLOCAL(PARCELS) NOTRIGGER"), command("ALTER QLOCAL(PARCELS) TRIGGER")),
        (command("ALTER QLOCAL(PARCELS) TRIGTYPE(NONE)"), command(f"ALTER QLOCAL(PARCELS) TRIGTYPE({kind})")),
        (command("DELETE PROCESS(PACK)"), command("DEFINE PROCESS(PACK) APPLICID('PACKER')")),
        (command("ALTER QLOCAL(SHOP.INITQ) PUT(DISABLED)"), command("ALTER QLOCAL(SHOP.INITQ) PUT(ENABLED)")),
        (closes, (("a monitor opens", "SHOP.INITQ for input"), monitor)),
    )
    steps: list[Step] = []
    parcels = 0

    def puts(number: int) -> None:
        nonlocal parcels
        for _ in range(number):
            parcels += 1
            steps.append((f"parcel {parcels}", ("TILL puts it",), lambda: till.put("PARCELS", b"x")))

    fault, repair = chance.choice(faults)
    steps.append(("step 1", *fault))
    puts(chance.randint(1, 3))
    steps.append((f"step {len(steps) + 1}", *repair))
    puts(chance.randint(1, 2))
    story = (
        "A trigger monitor runs, the process is defined, and the queue is empty. At which steps does the queue manager "
        "write a trigger message?"
    )
    return scene.steps(key, "Does it fire?", story, steps, "MQPUT to PARCELS by TILL, and commands")


@_asks("CHL-09", "CHL-15")
def _channel(key: str, chance: Random) -> Round:
    """The state of a channel some time after its last message, with its link cut or idle."""
    short, every, long, later = chance.randint(1, 4), 10 * chance.randint(1, 3), chance.randint(0, 2), 60
    idle, cut = 60 * chance.randint(1, 5), chance.random() < 0.6
    attributes = f"DISCINT({idle}) SHORTRTY({short}) SHORTTMR({every}) LONGRTY({long}) LONGTMR({later})"
    lab, shop, _ = shop_and_depot(attributes)
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(10)
    total = short * every + long * later
    shown = [
        f"DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) ... +\n  {attributes}",
        "START CHANNEL(SHOP.DEPOT); it is RUNNING",
    ]
    if cut:
        lab.cut("SHOP", "DEPOT")
        shop.connect("TILL").put("ORDERS", "x")
        seconds = chance.choice((total // 2, total + 90))
        shown.append("The link is cut, and TILL puts a message for DEPOT")
    else:
        shop.connect("TILL").put("ORDERS", "x")
        seconds = idle + chance.choice((-40, 30))
        shown.append("TILL puts a message for DEPOT, and it arrives")
    lab.advance(seconds)
    shown.append(f"{seconds} s pass. {LATER}")
    state = state_of(shop, "SHOP.DEPOT")
    retries = plural(short, "retry", "retries")
    why = f"{retries} every {every} s and {long} every {later} s take {total} s; then the channel is STOPPED."
    if not cut:
        why = f"The channel ends when it has had nothing to send for {idle} s, and {seconds} s have passed."
    options = {each: each for each in ("RUNNING", "RETRYING", "STOPPED", "INACTIVE")}
    asked = Question("State of SHOP.DEPOT", options, state, why, "CHL-09" if cut else "CHL-15")
    return _asked(key, "A channel", "In which state is the channel now?", shown, "DISPLAY CHSTATUS(SHOP.DEPOT)", asked)


@_asks("EXP-03", "EXP-12")
def _aging(key: str, chance: Random) -> Round:
    """A message that waits on a transmission queue, and its lifetime."""
    lab, shop, depot = shop_and_depot()
    expiry, wait, more = 5 + 10 * chance.randint(2, 9), 10 * chance.randint(1, 6), 10 * chance.randint(1, 4)
    shop.connect("TILL").put("ORDERS", "bread", expiry=10 * expiry)
    lab.advance(wait)
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(more)
    arrived = any(row.object == "ORDERS.IN" and row.kind == "put" for row in lab.events)
    code = outcome(depot.connect("OVEN").get, "ORDERS.IN")[0]
    why = f"{wait} s on the transmission queue and {more} s since then count: {wait + more} of {expiry} s."
    if not arrived:
        why = f"The message expired on the transmission queue after {expiry} s, and the channel discarded it."
    asked = Question("Reason code", coded((0, 2033)), str(code), why, "EXP-03" if arrived else "EXP-12")
    shown = [
        "DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(DEPOT) XMITQ(DEPOT)",
        f"TILL puts bread to ORDERS at SHOP, expiry {expiry} s; the channel does not run",
        f"{wait} s later: START CHANNEL(SHOP.DEPOT)",
        f"{more} s later: OVEN gets from ORDERS.IN at DEPOT",
    ]
    story = "Which reason code does the get at DEPOT return?"
    return _asked(key, "On its route", story, shown, "MQGET from ORDERS.IN by OVEN at DEPOT", asked)
