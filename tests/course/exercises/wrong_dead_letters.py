"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import dead_letters
from mqlab.course.exercises.exercise import typed


def _mqsc(qmgr, text):
    return lambda lab: lab[qmgr].mqsc(text)


def _day(
    stock="ALTER QLOCAL(STOCK) MAXDEPTH(100)",
    notes="ALTER QLOCAL(NOTES) MAXMSGL(1000)",
    shop="ALTER QREMOTE(PAYROLL) RNAME(PAYROLL)",
):
    def act(lab):
        lab["HQ"].mqsc(f"{stock}\n{notes}")
        lab["SHOP"].mqsc(shop)

    return act


def _handle(table, seconds=900):
    def act(lab):
        lab["HQ"].dead_letter_handler(table)
        lab.advance(seconds)

    return act


def _clear(lab):
    lab["HQ"].mqsc("CLEAR QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)")
    lab.advance(900)


FULL = "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(20)\n"
LOST = "REASON(MQRC_UNKNOWN_OBJECT_NAME) ACTION(FWD) FWDQ(PROBLEMS)"
MOVES, JMS = dead_letters.POISON.answer, dead_letters.TOO_LATE.answer

WRONG = {
    "L01": [
        ("no more room", _day(stock="* as it is"), "for STOCK is on the dead-letter queue, reason 2053"),
        ("no longer letters", _day(notes="* as it is"), "reason 2030"),
        ("the name as it was", _day(shop="* as it is"), "for PAYROL is on the dead-letter queue, reason 2085"),
        (
            "a queue for the wrong name",
            _day(shop="* no", stock="DEFINE QLOCAL(PAYROL)"),
            "0 letters arrived on PAYROLL",
        ),
    ],
    "L02": [
        ("everything aside", _handle("ACTION(FWD) FWDQ(PROBLEMS)"), "4 letters are on PROBLEMS"),
        ("everything away", _handle("ACTION(DISCARD)"), "1 of the 2 letters for STOCK"),
        ("one attempt", _handle("REASON(MQRC_Q_FULL) ACTION(RETRY)\n" + LOST + "\nACTION(DISCARD)"), "1 of the 2"),
        ("no header", _handle(FULL + LOST + " HEADER(NO)\nDESTQ(ADS) ACTION(DISCARD)"), "0 of them with a header"),
        ("no time", _handle(FULL + LOST + "\nDESTQ(ADS) ACTION(DISCARD)", 60), "1 letter is left"),
        ("the table left to itself", _handle(FULL + LOST), "2 letters are left"),
        ("a clean sweep", _clear, "0 letters are on PROBLEMS"),
    ],
    "L03": [
        ("a lower threshold", _mqsc("QM1", "ALTER QLOCAL(JOBS) BOTHRESH(1)"), "backed out 8 times"),
        ("hardened", _mqsc("QM1", "ALTER QLOCAL(JOBS) HARDENBO"), "0 jobs are on JOBS.BAD"),
        ("thrown away", typed(dead_letters.POISON.defect), "0 jobs are on JOBS.BAD"),
        ("one too many", typed(MOVES.replace(">=", ">")), "backed out 4 times"),
        (
            "at once",
            typed(MOVES.replace('job.backout_count >= limits["BOTHRESH"]', 'b"torn" in job.body')),
            "backed out 0 times",
        ),
    ],
    "L04": [
        ("one queue again", _mqsc("HQ", "DEFINE QLOCAL(OLD.ADS)"), "2 of 3 arrived on SALES"),
        (
            "both queues again",
            _mqsc("HQ", "DEFINE QLOCAL(OLD.ADS)\nDEFINE QLOCAL(OLD.NEWS)"),
            "0 of the 2 undeliverable messages have",
        ),
        ("a name that is none", _mqsc("HQ", "ALTER QMGR DEADQ(HQ.DEAD.LETTERS)"), "1 of 3 arrived on SALES"),
        (
            "retries without end",
            _mqsc("SHOP", "ALTER CHANNEL(SHOP.HQ) CHLTYPE(SDR) SHORTRTY(999) SHORTTMR(1)"),
            "1 of 3 arrived on SALES",
        ),
    ],
    "L05": [
        ("more patience", typed(dead_letters.TEMPORARY.work.replace("wait=30", "wait=90")), "ASKER ran for 60 seconds"),
        (
            "less patience",
            typed(dead_letters.TEMPORARY.work.replace("wait=30", "wait=1")),
            "2 replies are on the dead-letter",
        ),
        ("no dead-letter queue", _mqsc("QM1", "ALTER QMGR DEADQ(' ')"), "0 of 2 prices are on a queue of QM1"),
    ],
    "L06": [
        ("a lower threshold", _mqsc("QM1", "ALTER QLOCAL(JOBS) BOTHRESH(1)"), "the wet page 1 times"),
        ("one too many", typed(JMS.replace(">=", ">")), "the torn page was backed out 4 times"),
        (
            "a put that stays",
            typed(dead_letters.TOO_LATE.work.replace("unit.put", "app.put")),
            "JOBS.BAD holds torn page, torn page, torn page",
        ),
        ("moved at once", typed(JMS.replace('limits["BOTHRESH"]', "0")), "the torn page was backed out 0 times"),
    ],
}
