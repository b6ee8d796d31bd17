"""Wrong answers to each exercise: what somebody might do, and words of the symptom that refuses it."""

WRONG = {
    "Q01": [
        ("a little more room", lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(7)"), "refused with 2053"),
        ("room without end", lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(5000)"), "would take more"),
        ("longer messages", lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) MAXMSGL(1000)"), "BILLING got 5"),
    ]
}
