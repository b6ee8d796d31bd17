"""Wrong answers to each exercise about the IMS bridge: what someone might do, and words of the symptom."""

from mqlab.course.exercises.bank.mobile import IMS
from mqlab.course.exercises.exercise import typed

WRONG = {
    "M03": [
        ("a report option for programs", typed(IMS.work.replace("=300", "=300, report=16384")), "4 of them forever"),
        ("another flag", typed(IMS.work.replace("reply_format=", "flags=8, reply_format=")), "4 of them forever"),
        (
            "the queue shortens",
            lambda lab: lab["QMZ"].mqsc("ALTER QLOCAL(REPLIES) CUSTOM('CAPEXPRY(300)')"),
            "3 of 4 answers outlive their question, 0 of them forever",
        ),
        ("nothing to pass on", typed(IMS.answer.replace(", expiry=300", "")), "4 of them forever"),
        ("shorter questions", typed(IMS.answer.replace("expiry=300", "expiry=100")), "2 of 4 questions got an answer"),
        (
            "a byte too few",
            typed(IMS.answer.replace("account)\n    app", "account)[:-1]\n    app")),
            "4 are on the dead",
        ),
    ]
}
