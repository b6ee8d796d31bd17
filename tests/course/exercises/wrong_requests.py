"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import requests
from mqlab.course.exercises.exercise import typed

ASKS = requests.RESELL.answer

WRONG = {
    "R01": [
        (
            "seconds for tenths",
            typed(ASKS.replace("expiry=9000", "expiry=900")),
            "4 requests, 0 of them with 15 minutes",
        ),
        ("milliseconds", typed(ASKS.replace("wait=30)", "wait=30000)")), "RESELLER never stopped waiting"),
        ("too little patience", typed(ASKS.replace("wait=30)", "wait=3)")), "RESELLER stopped waiting after 3 seconds"),
        ("no expiry", typed(ASKS.replace(", expiry=9000", "")), "CONFIRMATION holds 2 replies"),
        ("any reply", typed(ASKS.replace("correl_id=name, wait", "wait")), "without RIVAL's"),
        (
            "each reply is a yes",
            typed(ASKS.replace('if reply.body == b"Accepted"', "if reply")),
            "SOLD holds opera, ballet",
        ),
        ("2033 ends it", typed(ASKS.replace("            continue", "            return")), "SOLD holds opera"),
        ("no reply-to queue", typed(ASKS.replace('reply_to_q="CONFIRMATION", ', "")), "SOLD holds nothing"),
    ]
}
