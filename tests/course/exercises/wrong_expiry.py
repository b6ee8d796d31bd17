"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import expiry
from mqlab.course.exercises.exercise import typed


def _mqsc(qmgr, text):
    return lambda lab: lab[qmgr].mqsc(text)


def _broom(body):
    return typed("def broom(app, trigger):\n" + body + "\nlab['QM1'].program('BROOM', broom)")


def _clerk(expiry_given):
    return typed(expiry.ORPHANS.work.replace("-1", expiry_given))


ASKS, LOOKS = expiry.REPORT.answer, expiry.SHORT.answer
MORE = (
    "def orderer(app, trigger):\n    app.put('ORDERS', b'40 loaves', expiry=600)\n    app.put('LATE', b'40 loaves')\n"
)

WRONG = {
    "E01": [
        ("one browse", typed(expiry.COUNTED.defect), "failed with 2053"),
        ("take what there is", _broom("    while app.depth('PRICES'):\n        app.get('PRICES')"), "READER got 1"),
        ("a bigger queue", _mqsc("QM1", "ALTER QLOCAL(PRICES) MAXDEPTH(500)"), "the depth rose to 14"),
        ("an import that is missing", _broom("    app.wipe('PRICES', MQError)"), "not known: the load stopped"),
        ("a get by name", _broom("    app.get('PRICES', correl_id=b'none')"), "failed with 2053"),
    ],
    "E02": [
        ("two seconds", _clerk("20"), "0 of the 2 customers"),
        ("an hour", _clerk("36000"), "2 answers that nobody waits for"),
        ("no answer", typed(expiry.ORPHANS.work.replace("    app.reply", "    # app.reply")), "0 of 4 requests"),
        (
            "answers that answer nothing",
            typed(
                expiry.ORPHANS.work.replace(
                    'app.reply(request, b"we have it", expiry=-1)', 'app.put("ANSWERS", b"we have it", expiry=300)'
                )
            ),
            "0 of the 2 customers",
        ),
    ],
    "E03": [
        ("seconds for tenths", _mqsc("QM1", "ALTER QLOCAL(PRICES) CAPEXPRY(60)"), "FLASH's message lives 6 s"),
        ("the alias alone", _mqsc("QM1", "ALTER QALIAS(PRICES.IN) CAPEXPRY(600)"), "MARKET's message lives 3600 s"),
        (
            "everywhere",
            _mqsc("QM1", "ALTER QLOCAL(PRICES) CAPEXPRY(600)\nALTER QLOCAL(ORDERS) CAPEXPRY(600)"),
            "SHOP's message lives 60 s",
        ),
        ("a faster scan", _mqsc("QM1", "ALTER QMGR EXPRYINT(60)"), "forever"),
    ],
    "E04": [
        ("every ten minutes", _mqsc("ZOS", "ALTER QMGR EXPRYINT(600)"), "s after it expired"),
        ("all the time", _mqsc("ZOS", "ALTER QMGR EXPRYINT(1)"), "ZOS scans 60 times a minute"),
        ("shorter lives", _mqsc("ZOS", "ALTER QLOCAL(PRICES) CAPEXPRY(10)"), "s after it expired"),
        ("once, by hand", _mqsc("ZOS", "REFRESH QMGR TYPE(EXPIRY) NAME(*)"), "s after it expired"),
    ],
    "E05": [
        ("without its data", typed(ASKS.replace("_WITH_FULL_DATA", "")), "the data on LATE is"),
        ("with some of its data", typed(ASKS.replace("_FULL", "")), "the data on LATE is 100 bytes"),
        ("without a queue to go to", typed(ASKS.replace(', reply_to_q="LATE"', "")), "0 messages arrived on LATE"),
        ("a copy of every order", typed(MORE + "lab['QM1'].program('ORDERER', orderer)"), "2 messages arrived on LATE"),
        ("seconds for tenths", typed(ASKS.replace("600", "60")), "ORDERER's order lives 6 s"),
        ("milliseconds for tenths", typed(ASKS.replace("600", "60_000")), "ORDERER's order lives 6000 s"),
        ("two minutes", typed(ASKS.replace("600", "1200")), "ORDERER's order lives 120 s"),
        ("orders that never expire", typed(ASKS.replace("expiry=600, ", "")), "0 of the orders expired"),
        (
            "arrivals too",
            typed(ASKS.replace("MQRO_EXPIRATION_WITH_FULL_DATA", "MQRO_COD_WITH_FULL_DATA")),
            "no expiration report",
        ),
    ],
    "E06": [
        ("passed on with its age", typed(expiry.SHORT.defect), "expired there"),
        ("a tenth of the limit", typed(LOOKS.replace("200", "20")), "1 job expired on JOBS"),
        ("ten times the limit", typed(LOOKS.replace("200", "2000")), "the cake is late"),
        ("nothing is baked", typed(LOOKS.replace("oven.bake(job)", "pass")), "0 are on SHELF"),
        ("bread that nobody can bring back", typed(LOOKS.replace("unit.get", "app.get")), "the bread is nowhere"),
        ("all of them", typed(LOOKS.replace("0 < job.expiry < 200", "True")), "3 jobs are on LATE"),
        (
            "not in the unit of work",
            typed(LOOKS.replace("unit.get", "app.get").replace("200", "20")),
            "0 jobs are on LATE",
        ),
        ("all that ever end", typed(LOOKS.replace("0 < job.expiry < 200", "job.expiry < 200")), "the bread is late"),
    ],
}
