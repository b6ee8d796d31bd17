"""Wrong answers to each exercise about the IMS bridge: what someone might do, and words of the symptom."""

from mqlab.course.exercises.bank.mobile import ASK, ASK_ALL
from mqlab.course.exercises.exercise import typed

WRONG = {
    "M03": [
        ("a report option for programs", typed(ASK.replace("=300", "=300, report=16384")), "4 of them forever"),
        ("another flag", typed(ASK.replace("reply_format=", "flags=8, reply_format=")), "4 of them forever"),
        (
            "the queue shortens",
            lambda lab: lab["QMZ"].mqsc("ALTER QLOCAL(REPLIES) CUSTOM('CAPEXPRY(300)')"),
            "3 of 4 answers outlive their question, 0 of them forever",
        ),
        ("nothing to pass on", typed(ASK_ALL.replace(", expiry=300", "")), "4 of them forever"),
        ("shorter questions", typed(ASK_ALL.replace("expiry=300", "expiry=100")), "2 of 4 questions got an answer"),
        ("a byte too few", typed(ASK_ALL.replace("account)\n    app", "account)[:-1]\n    app")), "4 are on the dead"),
    ]
}
