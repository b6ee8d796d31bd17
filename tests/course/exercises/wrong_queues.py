"""Wrong answers to each exercise: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import queues
from mqlab.course.exercises.exercise import typed


def _mqsc(text):
    return lambda lab: lab["QM1"].mqsc(text)


def _close_all(lab):
    lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    lab["QM1"].connect("BILLING").drain("ORDERS")


def _close_by_clearing(lab):
    lab["QM1"].mqsc("ALTER QALIAS(ORDERS.IN) PUT(DISABLED)\nCLEAR QLOCAL(ORDERS)")


def _close_without_commit(lab):
    lab["QM1"].mqsc("ALTER QALIAS(ORDERS.IN) PUT(DISABLED)")
    unit = lab["QM1"].connect("BILLING").unit_of_work()
    while lab["QM1"].depth("ORDERS"):
        unit.get("ORDERS")


def _close_for_billing_too(lab):
    lab["QM1"].connect("BILLING").drain("ORDERS")
    lab["QM1"].mqsc("ALTER QALIAS(ORDERS.IN) PUT(DISABLED)\nALTER QLOCAL(ORDERS) GET(DISABLED)")


PICKUP, SURE = queues.PARCELS.work, queues.SURE.answer

WRONG = {
    "Q01": [
        ("a little more room", _mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(7)"), "refused with 2053"),
        ("room without end", _mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(5000)"), "would take more"),
        ("longer messages", _mqsc("ALTER QLOCAL(ORDERS) MAXMSGL(1000)"), "BILLING got 5"),
    ],
    "Q02": [
        ("anything will do", typed(PICKUP.replace(', correl_id=b"P-7"', "")), "PICKUP got P-9's"),
        ("milliseconds", typed(PICKUP.replace('P-7")', 'P-7", wait=60000)')), "PICKUP still waits after 300 seconds"),
        ("a short wait", typed(PICKUP.replace('P-7")', 'P-7", wait=5)')), "failed with 2033 after 5 s"),
        ("the letters of the notice", typed(PICKUP.replace('P-7")', 'p-7", wait=60)')), "failed with 2033 after 60 s"),
        (
            "all there is",
            typed(PICKUP.replace('correl_id=b"P-7")', 'wait=60)\n    app.get("PARCELS", wait=60)')),
            "no longer on the queue",
        ),
        ("a word it does not know", typed(PICKUP.replace('b"P-7")', 'b"P-7", patience=60)')), "patience"),
    ],
    "Q03": [
        ("a unit of work and no look", typed(queues.SURE.defect), "S-3 is on SALES 2 times"),
        ("a browse and no unit of work", typed(SURE.replace("unit.put", "app.put")), "S-2 is on STOCK 0 times"),
        (
            "pay first",
            typed(
                "def till(app, sale):\n    sale.pay_by_card()\n    app.put('SALES', sale.text)\n"
                "    app.put('STOCK', sale.text)\n    sale.print_receipt()\n"
                "lab['QM1'].program('TILL', till)"
            ),
            "S-3 is on STOCK 2 times",
        ),
    ],
    "Q04": [
        ("by priority alone", _mqsc("ALTER QLOCAL(REPAIRS) MSGDLVSQ(PRIORITY)"), "got the clock first"),
        ("the lowest for the silent", _mqsc("ALTER QLOCAL(REPAIRS) MSGDLVSQ(PRIORITY) DEFPRTY(0)"), "lamp, clock"),
        ("the default priority alone", _mqsc("ALTER QLOCAL(REPAIRS) DEFPRTY(4)"), "got the clock first"),
    ],
    "Q05": [
        ("the queue itself", _close_all, "RETURNS is refused with 2051"),
        ("away with them", _close_by_clearing, "BILLING got 0 of 4"),
        ("got and not committed", _close_without_commit, "BILLING got 0 of 4 orders and committed"),
        ("gets closed too", _close_for_billing_too, "BILLING is refused with 2016"),
        ("nothing but getting", lambda lab: lab["QM1"].connect("BILLING").drain("ORDERS"), "is accepted"),
    ],
}
