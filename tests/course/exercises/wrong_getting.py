"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import getting
from mqlab.course.exercises.exercise import typed

LOCKED = getting.UNDER_CURSOR.answer

WRONG = {
    "Q06": [
        ("under the cursor, without a lock", typed(getting.UNDER_CURSOR.defect), "INSPECTOR removed nothing"),
        ("a lock, and the first message", typed(LOCKED.replace("_under_cursor", "")), "INSPECTOR removed tiramisu"),
        ("exclusive input", typed(LOCKED.replace('"shared"', '"exclusive"')), "2042"),
        (
            "no call",
            typed(LOCKED.replace("phone.is_prank(order)", 'b"400" in order.body')),
            "removed an order after 0 seconds",
        ),
    ],
    "Q07": [
        ("any answer will do", typed(getting.REPLIES.work.replace("msg_id=request.msg_id, ", "")), "ASKER got GUEST's"),
        ("more patience", typed(getting.REPLIES.work.replace("wait=10", "wait=100")), "ASKER got no answer, then 2033"),
        ("milliseconds", typed(getting.REPLIES.answer.replace("wait=10", "wait=10000")), "ASKER still waits after 60"),
        ("one descriptor for both", typed(getting.REPLIES.defect), "ASKER got the first, then 2033"),
    ],
    "Q08": [
        ("milliseconds", typed(getting.CUT.answer.replace("wait=30", "wait=30000")), "READER still waits after 120"),
        ("too little patience", typed(getting.CUT.answer.replace("wait=30", "wait=3")), "READER ends after 3 seconds"),
        (
            "more room than needed",
            typed(getting.CUT.answer.replace("warning.message.length", "1000")),
            "1 of READER's gets ended with 2080",
        ),
        ("a second try", typed(getting.CUT.defect), "2 letters are left on POST"),
        (
            "no truncation, no growth",
            typed(getting.CUT.work.replace(", accept_truncated=True", "")),
            "READER got 1 of 3",
        ),
        (
            "room for everything",
            typed(
                getting.CUT.work.replace("buffer_length=buffer.length, accept_truncated=True", "buffer_length=4194304")
            ),
            "0 of READER's gets ended with 2080",
        ),
    ],
}
