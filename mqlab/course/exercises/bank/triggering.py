"""Exercises about triggering: its conditions, the number of starts, and the duties of the triggered program."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from types import SimpleNamespace
from typing import Any

from ....lab.lab import Lab
from ....views.text import plural
from ..exercise import given, posed
from .log_queries import channel_states, done, fired, rows, starts, state, taken_by_starts, texts
from .shops import alone, at_depot, at_shop, order, orders, seconds_alone, serve, serve_up_to, shop_and_depot, watched

SECOND, MINUTE = 1_000_000, 60_000_000


def _triggered(queue: str, trigger: str, initq: str, **started: Callable) -> Callable[[Lab], None]:
    """Return a setup of QM1: a queue with this trigger, its initiation queue, and the one program that it starts."""
    (process,) = started
    commands = f"""
        DEFINE QLOCAL({initq})
        DEFINE PROCESS({process}) APPLICID('{process}')
        DEFINE QLOCAL({queue}) TRIGGER {trigger} PROCESS({process}) INITQ({initq})
        """
    return alone(commands, programs=started, initq=initq)


_QUEUES = ("WASHERS", "FRIDGES", "OVENS", "RADIOS", "PHONES", "HEATERS")


def _bench_load(lab: Lab) -> None:
    """One monitor, on SHOP.INITQ; three jobs for each queue, a minute apart, all of them urgent."""
    counter = watched(lab, "SHOP.INITQ", "COUNTER")
    for number in range(3):
        for queue in _QUEUES:
            counter.put(queue, b"job %d" % number, priority=9)
        lab.advance(60)


def _idle(lab: Lab) -> list[str]:
    return [queue for queue in _QUEUES if not fired(queue)(lab)]


def _left(lab: Lab) -> list[str]:
    counts = {queue: texts("QM1", queue).count(lab) for queue in _QUEUES}
    return [f"{plural(left, 'job waits', 'jobs wait')} on {queue}" for queue, left in counts.items() if left]


t01 = posed("T01", alone(given("T01"), programs={"BENCH": serve}, initq="SHOP.INITQ"), _bench_load)
# an APPLICID must be the name of a registered program
t01.predict("queues", lambda lab: len(_QUEUES) - len(_idle(lab)), fired("HEATERS").first)
t01.predict("urgent", lambda lab: fired("OVENS").count(lab) > 0, fired("OVENS", fires=False).first)
t01.check(_idle, [])
t01.check(_left, [], "; ".join)
t01.check(starts("BENCH").count, 18)


POWER = 63 * MINUTE
"""The power is back just after a start that was in vain, so that the next one shows how long prints can wait."""


def _printer(app: Any, trigger: Any) -> None:
    """Print until no print has arrived for 30 seconds. If the power is off, end before anything is opened."""
    if app.qmgr.lab.now_us >= POWER:
        with app.open(trigger.queue, input="shared") as queue:
            list(queue.get_each(wait=30))


def _print_load(lab: Lab) -> None:
    """From nine to noon, every ten minutes, eight prints that are ten seconds apart."""
    shop = watched(lab, "PRINT.INITQ", "SHOP")
    for number in range(18):
        for copy in range(8):
            shop.put("PRINTS", b"print %d of lot %d" % (copy, number))
            lab.advance(10)
        lab.advance(520)


def _longest_wait(lab: Lab) -> int:
    """Minutes from the return of the power until the last waiting print was retrieved; 117 if one never was."""
    early = [row for row in done("put", "PRINTS")(lab) if row.time_us < POWER]
    got = {row.message: row.time_us for row in done("get", "PRINTS")(lab)}
    return max((got.get(row.message, 180 * MINUTE) - POWER for row in early), default=117 * MINUTE) // MINUTE


t02 = posed("T02", _triggered("PRINTS", "TRIGTYPE(FIRST)", "PRINT.INITQ", PRINTER=_printer), _print_load)
t02.predict("starts", starts("PRINTER").count, fired("PRINTS", fires=False).first)
t02.check(texts("QM1", "PRINTS").count, 0)
t02.check(_longest_wait, lambda minutes: minutes <= 15)
t02.check(
    starts("PRINTER").count,
    lambda number: 0 < number <= 30,
    starts("PRINTER").where(lambda row: row.time_us < POWER).count,
)
t02.belief("every-is-a-safe-first", lambda number, off: number == 144)  # once for each print
t02.belief("trigint-in-seconds", lambda number, off: number == 67)  # also for each print while the power is off


def _answer_one(app: Any, trigger: Any) -> None:
    """Answer one call, which takes a minute."""
    with app.open(trigger.queue, input="shared") as queue:
        for _ in islice(queue.get_each(), 1):
            app.qmgr.lab.advance(60)


def _types_load(lab: Lab) -> None:
    """Two rushes an hour apart, each of five calls and ten letters; then 29 loaves, one a minute."""
    shop = watched(lab, "BAKERY.INITQ", "SHOP")
    for _ in range(2):
        for number in range(5):
            shop.put("CALLS", b"call %d" % number)
        for number in range(10):
            shop.put("LETTERS", b"letter %d" % number)
        lab.advance(3600)
    for number in range(29):
        shop.put("LOAVES", b"loaf %d" % number)
        lab.advance(60)


def _slowest_call(lab: Lab) -> int:
    """The longest wait of a call in seconds; an hour if a call was never retrieved, or none was put."""
    got = {row.message: row.time_us for row in done("get", "CALLS")(lab)}
    hour = 3600 * SECOND
    waits = [got.get(row.message, row.time_us + hour) - row.time_us for row in done("put", "CALLS")(lab)]
    return max(waits, default=hour) // SECOND


_trays = taken_by_starts("OVEN", "LOAVES")

_bakers = {"CLERK": _answer_one, "POSTMAN": serve, "OVEN": serve_up_to(12)}
t03 = posed("T03", alone(given("T03"), programs=_bakers, initq="BAKERY.INITQ"), _types_load)
t03.predict("postmen", starts("POSTMAN").count, fired("LETTERS").at(1))
t03.predict("caller", _slowest_call, fired("CALLS", fires=False).first)
t03.check(_slowest_call, lambda seconds: seconds <= 10)
t03.check((starts("POSTMAN").count, texts("QM1", "LETTERS").count), (2, 0))
t03.check(
    (_trays, texts("QM1", "LOAVES").count), ([12, 12], 5), starts("OVEN").count, lambda lab: max(_trays(lab), default=0)
)


def _crush_load(lab: Lab) -> None:
    """34 crates, one a minute."""
    gate = watched(lab, "YARD.INITQ", "GATE")
    for number in range(34):
        gate.put("CRATES", b"crate %d" % number)
        lab.advance(60)


def _listed(numbers: list[int]) -> str:
    """The first few of some numbers, in words."""
    return ", ".join([*map(str, numbers[:5]), *(["..."] if len(numbers) > 5 else [])]) or "nothing"


t04 = posed(
    "T04",
    _triggered("CRATES", "TRIGTYPE(DEPTH) TRIGDPTH(10)", "YARD.INITQ", CRUSHER=serve_up_to(10, again=False)),
    _crush_load,
)
# setting the depth again does not turn triggering on
t04.predict("starts", starts("CRUSHER").count, rows(kind="alter", object="CRATES", rule="TRG-03").first)
t04.check(
    taken_by_starts("CRUSHER", "CRATES"),
    lambda taken: set(taken) == {10},
    lambda taken: f"CRUSHER took {_listed(taken)}",
)
t04.check((starts("CRUSHER").count, texts("QM1", "CRATES").count), (3, 4))
t04.check(lambda lab: "TRG-09" in lab["QM1"].why_not_triggered("CRATES").missing, False)


def _florist_load(lab: Lab) -> None:
    """An order every half hour from nine o'clock; the orders at eleven and at one are for today."""
    shop = watched(lab, "FLORIST.INITQ", "SHOP")
    for number in range(10):
        what, priority = {4: ("wreath", 8), 8: ("bouquet", 7)}.get(number, (f"plant {number}", number % 4))
        shop.put("DELIVERIES", what.encode(), priority=priority)
        lab.advance(1800)


_first_taken = taken_by_starts("DRIVER", "DELIVERIES", lambda taken: taken[0].priority if taken else -1)
"""The priority of the message that each start of DRIVER got first; -1 if it got none."""


def _priorities(first: list[int]) -> str:
    found = ", ".join(str(priority) for priority in first if priority >= 0)
    return f"the first order of each drive has priority {found}" if found else "DRIVER took no order"


t05 = posed(
    "T05", _triggered("DELIVERIES", "TRIGTYPE(FIRST) MSGDLVSQ(FIFO)", "FLORIST.INITQ", DRIVER=serve), _florist_load
)
t05.predict("drives", starts("DRIVER").count, fired("DELIVERIES").first)
t05.predict("waiting", taken_by_starts("DRIVER", "DELIVERIES").at(1), fired("DELIVERIES").at(1))
t05.check(starts("DRIVER").count, 2)
t05.check(_first_taken, lambda first: min(first, default=-1) >= 7, _priorities)
t05.check(texts("QM1", "DELIVERIES").count, 1)


def _parts_of(app: Any, parcel: int, seconds: tuple[int, ...]) -> None:
    """Put each part in a unit of work of its own, which stays open for the given seconds."""
    for part, length in enumerate(seconds):
        with app.unit_of_work() as unit:
            unit.put("PARTS", b"part %d of parcel %d" % (part, parcel))
            app.qmgr.lab.advance(length)


def _parcels_load(lab: Lab) -> None:
    """Two pickers: one commits at once, and the other checks each part for twenty seconds before the commit."""
    qm = lab["QM1"]
    watched(lab, "PACK.INITQ", "PICKERS")
    for parcel in range(4):
        qm.run_program("CAREFUL", _parts_of, parcel, (20,))
        qm.run_program("QUICK", _parts_of, parcel, (1, 0))
        lab.advance(300)


_parcels = taken_by_starts("PACKER", "PARTS")


t06 = posed(
    "T06", _triggered("PARTS", "TRIGTYPE(DEPTH) TRIGDPTH(3)", "PACK.INITQ", PACKER=serve_up_to(3)), _parcels_load
)
t06.predict("first_parcel", _parcels.at(0), fired("PARTS").first)
t06.predict("depth", lambda lab: fired("PARTS").first(lab).depth, rows(kind="get", object="PARTS", reason=2033).first)
t06.check(_parcels, lambda parts: set(parts) == {3})
t06.belief("depth-is-available", lambda parts: parts[:1] == [2])
t06.check(lambda lab: min((row.depth for row in fired("PARTS")(lab)), default=0), lambda depth: depth >= 3)
t06.check((starts("PACKER").count, texts("QM1", "PARTS").count), (4, 0))
t06.check(
    lambda lab: seconds_alone(lab, "PACKER", lambda _: SimpleNamespace(queue="PARTS"), 601), lambda ended: ended <= 600
)


def _pharmacy_load(lab: Lab) -> None:
    """Nine prescriptions, the fourth of which cannot be read."""
    doctor = watched(lab, "PHARMACY.INITQ", "DOCTOR")
    for number in range(9):
        doctor.put("PRESCRIPTIONS", b"illegible ???" if number == 3 else b"prescription %d" % number, persistent=True)
        lab.advance(60)


def _dispensed(lab: Lab) -> int:
    """The number of prescriptions that were retrieved and committed: put, but no longer on either queue."""
    left = texts("QM1", "PRESCRIPTIONS").count(lab) + texts("QM1", "ASK.THE.DOCTOR").count(lab)
    return done("put", "PRESCRIPTIONS").count(lab) - left


_backed_out = rows(kind="restore", object="PRESCRIPTIONS").count

t07 = posed("T07", alone(given("T07"), "T07", initq="PHARMACY.INITQ"), _pharmacy_load)
# the attributes alone do nothing: the queue manager does not act on them
t07.predict("dispensed", _dispensed, rows(kind="trigger", object="PRESCRIPTIONS", rule="TRG-12b").first)
t07.predict("tries", lambda lab: _backed_out(lab) + 1, rows(kind="put", object="ASK.THE.DOCTOR").first)
t07.check(_dispensed, 8, texts("QM1", "PRESCRIPTIONS").count)
t07.check(texts("QM1", "ASK.THE.DOCTOR"), ["illegible ???"])
t07.check(_backed_out, 3)


def _outage_set_up(lab: Lab) -> None:
    """Two orders arrive."""
    # The link is cut for the night, and the channel stops retrying. In the morning the link is restored.
    shop_and_depot("SHORTRTY(3) SHORTTMR(60) LONGRTY(2) LONGTMR(1200)")(lab)
    lab.advance(1)
    order(lab, 1, 2)
    lab.advance(3600)
    lab.cut("SHOP", "DEPOT")
    order(lab, 3)
    lab.advance(12 * 3600)
    lab.restore("SHOP", "DEPOT")
    order(lab, 4, 5)
    lab.advance(3600)


def _not_by_itself(lab: Lab) -> str:
    """The reason why an order that is put while the channel is idle would not start it, in words; "" if it would."""
    stopped = {"TRG-05", "TRG-07", "TRG-08", "TRG-09", "TRG-10"} & set(lab["SHOP"].why_not_triggered("DEPOT").missing)
    queue = lab["SHOP"].objects.get("QLOCAL", "DEPOT").attributes
    now = state("SHOP", "TO.DEPOT")(lab)
    if not stopped and queue["GET"] == "ENABLED" and now != "STOPPED":
        return ""
    starting = now in ("STARTING", "INITIALIZING", "BINDING")
    return f"TO.DEPOT is {now}, and {'has had no time yet' if starting else 'no new order would start it'}"


t08 = posed("T08", _outage_set_up)
# the queue is open again, but the channel itself is still STOPPED
t08.predict("state", state("SHOP", "TO.DEPOT"), channel_states("SHOP", "TO.DEPOT").last)
t08.predict("waiting", at_shop.count, fired("DEPOT", fires=False).last)
t08.check(at_depot, orders(5), at_depot.count, at_shop.count)
t08.check(_not_by_itself)
