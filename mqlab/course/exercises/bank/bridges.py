"""Exercises about the IMS bridge: a program that answers, and whose lifetimes are its own."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .happening import bodies, got, run, sent
from .typed import typed

__all__ = ["EXERCISES"]

ACCOUNTS = (b"anna", b"bob", b"carol", b"dave")
DEAD = "QMZ.DEAD"
BRIDGE = "IMS.BRIDGE"

ASK = """from mqlab.mq.headers import MQIIH, ImsHeader, join_segments


def ask(app, account):
    header = MQIIH.pack(ImsHeader(format="MQIMSVS", reply_format="MQIMSVS"))
    question = header + join_segments(b"BALANCE " + account)
    app.put("BRIDGE", question, format="MQIMS", msg_type=1, reply_to_q="REPLIES", expiry=300)


lab["QMZ"].program("ASK", ask)"""
ASK_ALL = "from mqlab.constants import MQIIH_PASS_EXPIRATION\n" + ASK.replace(
    'ImsHeader(format="MQIMSVS",', 'ImsHeader(format="MQIMSVS", flags=MQIIH_PASS_EXPIRATION,'
)
"""The question with the flag that the bridge reads."""
ASK_IN_VAIN = ASK.replace("expiry=300", "expiry=300, report=16384")
"""With MQRO_PASS_DISCARD_AND_EXPIRY, which asks programs for it."""


def _ims_set_up(lab) -> None:
    qmz = lab.queue_manager("QMZ", platform="zos")
    qmz.mqsc(f"DEFINE QLOCAL(BRIDGE)\nDEFINE QLOCAL(REPLIES)\nDEFINE QLOCAL({DEAD})\nALTER QMGR DEADQ({DEAD})")
    typed(ASK)(lab)


def _ims_load(lab) -> None:
    """Four questions at once; IMS needs five seconds for each. A minute later all is over."""

    def balance(segments):
        lab.advance(5)
        return b"balance of " + segments[0].split()[-1]

    for account in ACCOUNTS:
        run(lab, "QMZ", "ASK", account)
    lab["QMZ"].ims_bridge("BRIDGE", balance)
    lab.advance(60)


def _replies(lab) -> list:
    return sent(lab, BRIDGE, "REPLIES")


def _limited(lab) -> list:
    return [row for row in _replies(lab) if row.expiry_left is not None]


def _outliving(lab) -> int:
    """How many replies begin with longer to live than their question had left when the bridge got it."""
    pairs = zip(got(lab, BRIDGE, "BRIDGE"), _replies(lab), strict=False)
    left = [(asked.expiry_left, reply.expiry_left) for asked, reply in pairs]
    return sum(reply is None or (asked is not None and reply > asked) for asked, reply in left)


def _unanswered(lab) -> str:
    dead = len(bodies(lab, "QMZ", DEAD))
    return f"{len(_replies(lab))} of 4 questions are answered; {dead} are on the dead-letter queue"


IMS = Exercise(
    id="M03",
    title="The balance that nobody waits for",
    situation="On z/OS the program ASK puts questions for an IMS transaction on BRIDGE; the IMS bridge hands them over "
    "and puts the answers on REPLIES. A customer at a cash machine waits for half a minute, and a question lives as "
    "long. IMS needs five seconds for each. The answers for customers who have gone stay on REPLIES for ever.",
    task="Change `ask(app, account)` so that no answer lives longer than its question had left when the bridge got it. "
    "All four questions are answered, and each still lives for half a minute.",
    rules=("EXP-30", "IMS-01"),
    minutes=10,
    set_up=_ims_set_up,
    load=_ims_load,
    # what a program would understand, the bridge does not read
    defect=typed(ASK_IN_VAIN),
    work=ASK,
    answer=ASK_ALL,
    solution=typed(ASK_ALL),
    predictions=(
        Prediction(
            "limited",
            "As it is: how many of the four answers have a limited lifetime?",
            lambda lab: len(_limited(lab)),
            lambda lab: _replies(lab)[0],
        ),
        Prediction(
            "last",
            "When it works: with how many tenths of a second to live does the answer to the fourth question begin?",
            lambda lab: _replies(lab)[-1].expiry_left,
            lambda lab: got(lab, BRIDGE, "BRIDGE")[-1],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "the four questions are answered",
            lambda lab: [body.split()[-1] for body in bodies(lab, "QMZ", "REPLIES")] == list(ACCOUNTS),
            _unanswered,
            "IMS-01",
        ),
        Check(
            "no answer has longer to live than its question had left",
            lambda lab: bool(_replies(lab)) and not _outliving(lab),
            lambda lab: (
                f"{_outliving(lab)} of {len(_replies(lab))} answers outlive their question, "
                f"{len(_replies(lab)) - len(_limited(lab))} of them for ever"
                if _replies(lab)
                else "there is no answer"
            ),
            "EXP-30",
        ),
        Check(
            "each question lives for half a minute",
            lambda lab: [row.expiry_left for row in sent(lab, "ASK", "BRIDGE")] == [300] * 4,
            lambda lab: f"lifetimes of the questions, in tenths: {[row.expiry_left for row in sent(lab, 'ASK')]}",
        ),
    ),
    hints=(
        "The bridge makes the answer by itself: nothing that is defined for REPLIES knows what a question had left. "
        "Where does a question tell the bridge about itself?",
        "`%mqlab rule EXP-30`. The question begins with an MQIIH, a header for IMS, and one of its fields is flags.",
        "The name of the flag begins with MQIIH and ends in EXPIRATION; it is in mqlab.constants. A report option of "
        "the descriptor is for programs; the bridge does not read it.",
    ),
)

EXERCISES = (IMS,)
