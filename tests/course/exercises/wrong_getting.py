"""Wrong answers to each exercise of the module: what somebody might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import getting
from mqlab.course.exercises.exercise import typed

LOCKED = getting.UNDER_CURSOR.answer

WRONG = {
    "Q06": [
        ("under the cursor, without a lock", typed(getting.INSPECTOR_CURSOR), "INSPECTOR removed nothing"),
        ("a lock, and the first message", typed(LOCKED.replace("_under_cursor", "")), "INSPECTOR removed tiramisu"),
        ("exclusive input", typed(LOCKED.replace('"shared"', '"exclusive"')), "2042"),
        (
            "no call",
            typed(LOCKED.replace("phone.is_prank(order)", 'b"400" in order.body')),
            "removed an order after 0 seconds",
        ),
    ],
    "Q07": [
        ("any answer will do", typed(getting.ASKER.replace("msg_id=request.msg_id, ", "")), "ASKER got GUEST's"),
        ("more patience", typed(getting.ASKER.replace("wait=10", "wait=100")), "ASKER got no answer, then 2033"),
        ("one descriptor for both", typed(getting.ASKER_REUSES), "ASKER got the first, then 2033"),
    ],
}
