"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from textwrap import indent

from mqlab.course.exercises.bank import clients
from mqlab.course.exercises.exercise import typed

BILLING, ANSWERS = clients.CLOSED.answer, clients.FOUND.answer
PRINTING, BOOKING = clients.PRINTED.answer, clients.SET_ASIDE.answer
BILLING_NEW_MD = BILLING.replace(
    "            if error.reason != mq.CMQC.MQRC_NO_MSG_AVAILABLE:\n                raise\n", ""
)
PRINTING_UNIT = clients.PRINTED.work.replace("MQGMO_WAIT,", "MQGMO_WAIT | mq.CMQC.MQGMO_SYNCPOINT,")
BACKS_OUT = "            qmgr.backout()\n            raise"
_LOOP = clients.PRINTED.defect[clients.PRINTED.defect.index("    while True") :].partition("\n\n\n")[0]
DISCONNECTS = clients.PRINTED.defect.replace(
    _LOOP, f"    try:\n{indent(_LOOP, '    ')}\n    finally:\n        qmgr.disconnect()"
)

WRONG = {
    "Y01": [
        ("only MsgId reset", typed(clients.CLOSED.defect), "egg stayed on ORDERS"),
        ("more patience", typed(clients.CLOSED.work.replace("10_000", "30_000")), "LEDGER has tea, jam"),
        ("a new descriptor, any error is the end", typed(BILLING_NEW_MD), "the day was closed 2 times"),
        (
            "2033 is not the end",
            typed(BILLING.replace('ledger.put("closed")\n            return', "continue")),
            "BILLING never ended",
        ),
        (
            "no error is the end",
            typed(BILLING_NEW_MD.replace('ledger.put("closed")\n            return', "continue")),
            "BILLING makes the same calls again and again",
        ),
        ("no wait", typed(BILLING.replace("MQGMO_WAIT", "MQGMO_NO_WAIT")), "the day was closed 2 times"),
    ],
    "Y02": [
        ("the descriptor of the question", typed(clients.FOUND.defect), "PHONE asked about rye, and found nothing"),
        (
            "always the MsgId",
            typed(ANSWERS.replace("md.CorrelId if passes else md.MsgId", "md.MsgId")),
            "PHONE asked about rye, and found nothing",
        ),
        (
            "always the CorrelId",
            typed(ANSWERS.replace("md.CorrelId if passes else md.MsgId", "md.CorrelId")),
            "WEB asked about tea and jam, and found nothing",
        ),
        (
            "an empty descriptor",
            typed(ANSWERS.replace(", CorrelId=md.CorrelId if passes else md.MsgId", "")),
            "PHONE asked about rye, and found nothing",
        ),
        (
            "the MsgId as well",
            typed(ANSWERS.replace("MsgType=mq.CMQC.MQMT_REPLY", "MsgType=mq.CMQC.MQMT_REPLY, MsgId=md.MsgId")),
            "the answers to tea, rye, jam have the MsgIds of their questions",
        ),
        (
            "an answer to everyone",
            typed(ANSWERS.replace("md.MsgType != mq.CMQC.MQMT_REQUEST", "False")),
            "its last reason code was 2085",
        ),
    ],
    "Y03": [
        (
            "a unit of work and a commit",
            typed(clients.PRINTED.defect),
            "its get was committed 4 seconds after the start, when PRINTING ended",
        ),
        (
            "a disconnect in any case",
            typed(DISCONNECTS),
            "its get was committed 4 seconds after the start, when PRINTING ended",
        ),
        (
            "commit first",
            typed(PRINTING_UNIT.replace("        printer(job)", "        qmgr.commit()\n        printer(job)")),
            "its get was committed 2 seconds after the start",
        ),
        ("no commit", typed(PRINTING_UNIT), "its get was committed 4 seconds after the start, when PRINTING ended"),
        (
            "one unit of work for all jobs",
            typed(PRINTING.replace("            qmgr.commit()\n", "")),
            "PRINTED has invoice, invoice, label, letter",
        ),
        (
            "nobody hears of it",
            typed(PRINTING.replace(BACKS_OUT, "            qmgr.backout()")),
            "PRINTING ended after 13",
        ),
    ],
    "Y04": [
        (
            "aside, and no backout",
            typed(clients.SET_ASIDE.defect),
            "??? is on no queue: its get was committed 4 seconds after the start, when BOOKING ended",
        ),
        (
            "aside at once",
            typed(BOOKING.replace("BackoutCount < 3", "BackoutCount < 1")),
            "BOOKING got ??? 2 times before",
        ),
        (
            "aside outside the unit of work",
            typed(BOOKING.replace(", mq.PMO(Options=mq.CMQC.MQPMO_SYNCPOINT)", "")),
            "??? was put on ORDERS.BAD outside the unit of work of its get",
        ),
        (
            "thrown away",
            typed(clients.SET_ASIDE.work.replace("            qmgr.backout()", "            qmgr.commit()")),
            "??? is on no queue: its get was committed 2 seconds after the start",
        ),
        (
            "every error is backed out",
            typed(BOOKING.replace(BACKS_OUT, "            qmgr.backout()")),
            "BOOKING makes the same calls again and again",
        ),
    ],
}

RIGHT = [
    (
        "Y01",
        BILLING.replace("        md = mq.MD()\n", "").replace(
            "gmo = mq.GMO(", "md, gmo = mq.MD(), mq.GMO(MatchOptions=mq.CMQC.MQMO_NONE, "
        ),
    ),
    ("Y02", ANSWERS.replace("md.MsgType != mq.CMQC.MQMT_REQUEST", "not md.ReplyToQ.strip()")),
    ("Y03", clients.PRINTED.defect.replace('mq.connect("QM1")', 'mq.QueueManager("QM1", False)')),
    ("Y04", BOOKING.replace("except mq.MQMIError:", "except BaseException:")),
]
"""Other right answers, which pass."""
