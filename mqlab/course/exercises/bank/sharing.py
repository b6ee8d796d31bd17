"""Exercises about queue sharing groups: shared queues, intra-group queuing, and failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....engine.words.errors import MQError
from ....lab.lab import Lab
from ..exercise import given, posed, said, typed
from .log_queries import done, fired, for_good, rows, sent, starts, texts
from .shops import reach, serve

_MEMBERS = ("QMA", "QMB", "QMC")
TRANSMIT = "SYSTEM.QSG.TRANSMIT.QUEUE"


def _one_start_set_up(lab: Lab) -> None:
    lab.queue_sharing_group("BANK", list(_MEMBERS))
    lab["QMA"].mqsc(given("S01")).require()
    for name in _MEMBERS:
        lab[name].program("PAY", serve)


def _one_start_load(lab: Lab) -> None:
    """A monitor on every member, and six payments, ten minutes apart. QMA ends after the third."""
    payments = lab["QMA"].objects.get("QLOCAL", "PAYMENTS")
    initq = "" if payments is None else payments.attributes["INITQ"]
    for name in _MEMBERS:
        if initq in lab[name].targets:
            lab[name].trigger_monitor(initq)
    lab.advance(1)
    for number in range(6):
        if number == 3:
            lab["QMA"].stop()
        lab["QMC"].connect("TELLER").put("PAYMENTS", b"payment %d" % number)
        lab.advance(600)


_later = starts("PAY").where(lambda row: row.time_us >= 1_800_000_000)
"""The starts of PAY after QMA had ended."""

s01 = posed("S01", _one_start_set_up, _one_start_load)
# one start for each payment, while that member is running
s01.predict("starts", starts("PAY").count, fired("PAYMENTS").at(1))
s01.check(done("get", "PAYMENTS").count, 6)
s01.check(starts("PAY").count, 6)
s01.check(_later.count, lambda started: started >= 3)


def _igq_set_up(lab: Lab) -> None:
    group = lab.queue_sharing_group("BANK", ["QMA", "QMB"], intra_group_queuing=True)
    for each in group.members:
        lab[each.name].mqsc("ALTER QMGR IGQ(DISABLED) MAXMSGL(104857600)").require()
    lab["QMA"].mqsc(f"ALTER QLOCAL({TRANSMIT}) QSGDISP(SHARED) MAXMSGL(50000)").require()
    lab["QMB"].mqsc("DEFINE QLOCAL(CLAIMS) MAXMSGL(4194304)").require()


def _igq_load(lab: Lab) -> None:
    """Two letters and two photographs; a put that fails is ignored."""
    lab.advance(1)
    branch = lab["QMA"].connect("BRANCH")
    for what, length in (("letter", 0), ("photo", 90_000)):
        for number, persistent in ((1, True), (2, False)):
            reach(branch, "CLAIMS@QMB", f"{what} {number}".encode().ljust(length), persistent)
    lab.run(60)


_refusals = rows(kind="put", program="BRANCH", message=None)


def _missing(what: str) -> Callable[[Lab], str]:
    """The number of letters or photographs that are at QMB and the reason, in words; "" if both are there."""

    def look(lab: Lab) -> str:
        there = {claim.strip() for claim in texts("QMB", "CLAIMS")(lab)} & {f"{what} 1", f"{what} 2"}
        reasons = sorted({str(row.reason) for row in _refusals(lab)})
        where = sorted({row.object for row in done("put", program="BRANCH")(lab)})
        why = f"puts were refused with {', '.join(reasons)}" if reasons else f"every put went to {' and '.join(where)}"
        return "" if len(there) == 2 else f"{len(there)} of 2 are at QMB; {why}"

    return look


s02 = posed("S02", _igq_set_up, _igq_load)
s02.predict("refused", lambda lab: _refusals.first(lab).reason, _refusals.first)
s02.predict(
    "arrived",
    lambda lab: any(text.strip() == "letter 2" for text in texts("QMB", "CLAIMS")(lab)),
    done("put", "CLAIMS").last,
)
s02.check(_missing("letter"))
s02.check(_missing("photo"))
s02.check((done("get", TRANSMIT).count, rows(kind="channel").count), lambda claims, events: claims and not events)


MINUTE = 60_000_000


def _member_set_up(lab: Lab) -> None:
    lab.queue_sharing_group("CLNC", ["QMA", "QMB"])
    lab["QMA"].mqsc("DEFINE CFSTRUCT(LAB1) CFLEVEL(4) RECOVER(YES)").require()
    lab["QMA"].mqsc("DEFINE QLOCAL(SAMPLES) SHARE DEFSOPT(SHARED) DEFPSIST(YES)").require()


def _analyse(app: Any) -> None:
    """Get samples for an hour, each in a unit of work that stays open for five minutes."""
    with app.open("SAMPLES", input="shared") as queue:
        while True:
            unit = app.unit_of_work()
            try:
                queue.get(wait=3600, unit=unit)
            except MQError:
                unit.dissolve()
                return
            app.qmgr.lab.advance(300)
            unit.commit()


def _member_load(lab: Lab) -> None:
    """A clerk puts two samples at QMA, and two more ten minutes later."""
    # two minutes after that, QMA fails for an hour
    for name in ("QMA", "QMB"):
        if "SAMPLES" in lab[name].targets:
            lab[name].run_program("ANALYSE", _analyse)
    lab.advance(1)
    clerk = lab["QMA"].connect("CLERK")
    for number in range(4):
        clerk.put("SAMPLES", b"sample %d" % number)
        if number == 1:
            lab.advance(600)
    lab.advance(120)
    lab["QMA"].fail()
    lab.advance(3600)
    lab["QMA"].start()
    lab.advance(600)


_gets = done("get", "SAMPLES")


def _analysed_in_time(lab: Lab) -> int:
    """The number of samples whose gets were committed within a quarter of an hour after QMA failed."""
    failed_us = next((row.time_us for row in rows(kind="stop", qmgr="QMA")(lab)), 0)
    return len({row.message for row in for_good(_gets, failed_us + 15 * MINUTE)(lab)})


def _times_analysed(lab: Lab) -> list[int]:
    """The number of committed gets of each sample."""
    analysed = [row.message for row in for_good(_gets)(lab)]
    return [analysed.count(row.message) for row in sent("CLERK", "SAMPLES")(lab)]


def _member_solution(lab: Lab) -> None:
    """Type the answer, but first delete a private queue of that name on QMB."""
    found = lab["QMB"].objects.get("QLOCAL", "SAMPLES")
    if found is not None and found.attributes["QSGDISP"] == "QMGR":
        lab["QMB"].mqsc("DELETE QLOCAL(SAMPLES)").require()
    typed(said("S03")["answer"])(lab)


# a queue of the same name on each member is two queues
s03 = posed("S03", _member_set_up, _member_load, solution=_member_solution)
s03.predict("waiting", _analysed_in_time, rows(kind="stop", qmgr="QMA").first)
s03.predict(
    "who", lambda lab: rows(kind="backout", rule="QSG-07").first(lab).program, rows(kind="backout", rule="QSG-07").first
)
s03.check(_analysed_in_time, 4)
s03.check(_times_analysed, [1] * 4)
s03.check(rows(kind="restore", object="SAMPLES", program="QMB").count, bool)


def _structure_set_up(lab: Lab) -> None:
    lab.queue_sharing_group("HOTL", ["QMA", "QMB"])
    lab["QMA"].mqsc(given("S04")).require()


def _structure_load(lab: Lab) -> None:
    """Three bookings and two questions."""
    # The coupling facility fails. Another question, and ten minutes later a recovery.
    lab.advance(1)
    desk = lab["QMA"].connect("DESK")
    for number in range(3):
        reach(desk, "BOOKINGS", b"booking %d" % number, None)
    for number in range(2):
        reach(desk, "QUESTIONS", b"question %d" % number, False)
    lab.advance(60)
    lab.queue_sharing_groups[0].fail_coupling_facility()
    lab.advance(60)
    reach(desk, "QUESTIONS", b"question 2", False)
    lab.advance(600)
    for row in rows(kind="fault", object_type="CFSTRUCT")(lab):
        lab["QMB"].mqsc(f"RECOVER CFSTRUCT({row.object})")
    lab.advance(60)


s04 = posed("S04", _structure_set_up, _structure_load)
# half of the answer: nonpersistent messages are still lost
s04.predict("bookings", rows(kind="lost", object="BOOKINGS").count, rows(kind="lost", object="BOOKINGS").first)
s04.predict(
    "question", lambda lab: bool(rows(kind="put", object="QUESTIONS", message=None)(lab)), done("put", "QUESTIONS").last
)
s04.check(done("put", "BOOKINGS").count, 3, lambda n: f"{3 - n} of 3 puts of bookings failed")
s04.check(texts("QMB", "BOOKINGS"), ["booking 0", "booking 1", "booking 2"], texts("QMB", "BOOKINGS").count)
s04.check(lambda lab: texts("QMB", "QUESTIONS")(lab)[-1:], ["question 2"])
