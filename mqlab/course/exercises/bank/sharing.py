"""Exercises about queue-sharing groups: who is triggered, how members talk, and what outlives whom."""

from __future__ import annotations

from ....mq.errors import MQError
from ..exercise import Check, Exercise, Prediction
from .programs import serve
from .seen import bodies, done, fired, first, starts
from .typed import typed

__all__ = ["EXERCISES"]

_MEMBERS = ("QMA", "QMB", "QMC")
TRANSMIT = "SYSTEM.QSG.TRANSMIT.QUEUE"


# ---------------------------------------------------------------- S01
def _one_start_set_up(lab) -> None:
    lab.queue_sharing_group("BANK", list(_MEMBERS))
    lab["QMA"].mqsc("""
        DEFINE CFSTRUCT(MONEY) CFLEVEL(4) RECOVER(YES)
        DEFINE PROCESS(PAY) QSGDISP(GROUP) APPLICID('PAY')
        DEFINE QLOCAL(MEMBER.INITQ) QSGDISP(GROUP)
        DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(MONEY) SHARE DEFSOPT(SHARED) DEFPSIST(YES) +
           TRIGGER TRIGTYPE(FIRST) PROCESS(PAY) INITQ(MEMBER.INITQ)
        """).require()
    for name in _MEMBERS:
        lab[name].program("PAY", serve)


def _one_start_load(lab) -> None:
    """A monitor on every member; six payments, ten minutes apart; QMA is ended after the third."""
    payments = lab["QMA"].objects.get("QLOCAL", "PAYMENTS")
    initq = "" if payments is None else payments.attributes["INITQ"]
    for name in _MEMBERS:
        if initq in lab[name].targets:
            lab[name].trigger_monitor(initq)
    lab.advance(1)
    for number in range(6):
        if number == 3:
            lab["QMA"].stop()
        lab["QMC"].connect("TELLER").put("PAYMENTS", b"payment %d" % number)
        lab.advance(600)


def _later(lab) -> int:
    """How often PAY was started after QMA had ended."""
    return sum(row.time_us >= 1_800_000_000 for row in starts(lab, "PAY"))


_ONE_START_ANSWER = """%%mqsc QMA
DEFINE QLOCAL(GROUP.INITQ) QSGDISP(SHARED) CFSTRUCT(MONEY) SHARE DEFSOPT(SHARED)
ALTER QLOCAL(PAYMENTS) QSGDISP(SHARED) INITQ(GROUP.INITQ)"""

ONE_START = Exercise(
    id="S01",
    title="Three members start for one payment",
    situation="The bank's queue-sharing group has members QMA, QMB and QMC. PAYMENTS is a shared queue; when a payment "
    "comes, program PAY is to be started. It is started on all three members: one of them gets the payment, two find "
    "nothing. A trigger monitor runs on each member, on the queue that INITQ of PAYMENTS names.",
    task="For each payment PAY is started once, on whichever member, also when a member has ended.",
    rules=("QSG-02", "QSG-11", "TRG-03b"),
    minutes=15,
    set_up=_one_start_set_up,
    load=_one_start_load,
    # one start a payment, as long as that member lives
    defect=lambda lab: (
        lab["QMA"].mqsc("DEFINE QLOCAL(ONE.INITQ)\nALTER QLOCAL(PAYMENTS) QSGDISP(SHARED) INITQ(ONE.INITQ)").require()
    ),
    work="%%mqsc QMA\n* a definition with QSGDISP(SHARED) or QSGDISP(GROUP) is typed once, on any member",
    answer=_ONE_START_ANSWER,
    solution=typed(_ONE_START_ANSWER),
    predictions=(
        Prediction(
            "starts",
            "As it is: how often is PAY started for six payments, QMA having ended after the third?",
            lambda lab: len(starts(lab, "PAY")),
            lambda lab: fired(lab, "PAYMENTS")[1],
        ),
    ),
    checks=(
        Check(
            "the six payments are paid",
            lambda lab: len(done(lab, "get", "PAYMENTS")) == 6,
            lambda lab: f"{len(done(lab, 'get', 'PAYMENTS'))} of 6 payments were paid",
            "QSG-05",
        ),
        Check(
            "PAY is started six times",
            lambda lab: len(starts(lab, "PAY")) == 6,
            lambda lab: f"PAY was started {len(starts(lab, 'PAY'))} times for 6 payments",
            "QSG-11",
        ),
        Check(
            "it is started for the three payments after QMA has ended",
            lambda lab: _later(lab) >= 3,
            lambda lab: f"after QMA had ended PAY was started {_later(lab)} times for 3 payments",
            "QSG-05",
        ),
    ),
    hints=(
        "Where does each member write its trigger message, and who reads it there?",
        "A queue with QSGDISP(GROUP) is a queue of its own on each member. What would there be only one of?",
        "Define an initiation queue that is shared, in the structure that is there, and name it where PAYMENTS names "
        "its own.",
    ),
)


# ---------------------------------------------------------------- S02
def _igq_set_up(lab) -> None:
    group = lab.queue_sharing_group("BANK", ["QMA", "QMB"], intra_group_queuing=True)
    for each in group.members:
        lab[each.name].mqsc("ALTER QMGR IGQ(DISABLED) MAXMSGL(104857600)").require()
    lab["QMA"].mqsc(f"ALTER QLOCAL({TRANSMIT}) QSGDISP(SHARED) MAXMSGL(50000)").require()
    lab["QMB"].mqsc("DEFINE QLOCAL(CLAIMS) MAXMSGL(4194304)").require()


def _igq_load(lab) -> None:
    """Two letters and two photographs; what is refused is noted by the program and left."""
    lab.advance(1)
    branch = lab["QMA"].connect("BRANCH")
    for text, persistent, length in (
        ("letter 1", True, 0),
        ("letter 2", False, 0),
        ("photo 1", True, 90_000),
        ("photo 2", False, 90_000),
    ):
        try:
            branch.put("CLAIMS@QMB", text.encode().ljust(length), persistent=persistent)
        except MQError:
            continue
    lab.run(60)


def _claims(lab) -> list[str]:
    return [body.strip() for body in bodies(lab, "QMB", "CLAIMS")]


def _refusals(lab) -> list:
    return lab.events.where(kind="put", program="BRANCH", message=None)


_IGQ_ANSWER = """%%mqsc QMA
ALTER QMGR IGQ(ENABLED)
ALTER QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE) QSGDISP(SHARED) MAXMSGL(200000)

%%mqsc QMB
ALTER QMGR IGQ(ENABLED)"""

IGQ = Exercise(
    id="S02",
    title="Claims without channels",
    situation="An insurer has QMA and QMB in one queue-sharing group and no channels between them. BRANCH at QMA puts "
    "claims for CLAIMS at QMB: letters, and photographs of 90,000 bytes. Some are persistent, some are not. Every put "
    "is refused.",
    task="The four claims are on CLAIMS at QMB, and no channel is defined.",
    rules=("IGQ-01", "IGQ-02", "IGQ-07"),
    minutes=10,
    set_up=_igq_set_up,
    load=_igq_load,
    defect=lambda lab: [lab[name].mqsc("ALTER QMGR IGQ(ENABLED)").require() for name in ("QMA", "QMB")],
    work="%%mqsc QMA\n* what QMA needs\n\n%%mqsc QMB\n* what QMB needs",
    answer=_IGQ_ANSWER,
    solution=typed(_IGQ_ANSWER),
    predictions=(
        Prediction(
            "refused",
            "As it is: with which reason code is the first letter refused?",
            lambda lab: first(_refusals(lab)).reason,
            lambda lab: first(_refusals(lab)),
        ),
        Prediction(
            "arrived",
            "When it works: are claims that are not persistent delivered too? True or False.",
            lambda lab: "letter 2" in _claims(lab),
            lambda lab: done(lab, "put", "CLAIMS")[-1],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "both letters are at QMB",
            lambda lab: {"letter 1", "letter 2"} <= set(_claims(lab)),
            lambda lab: _not_there(lab, "letter"),
            "IGQ-02",
        ),
        Check(
            "both photographs are at QMB",
            lambda lab: {"photo 1", "photo 2"} <= set(_claims(lab)),
            lambda lab: _not_there(lab, "photo"),
            "IGQ-07",
        ),
        Check(
            "no channel carried them",
            lambda lab: bool(done(lab, "get", TRANSMIT)) and not lab.events.where(kind="channel"),
            lambda lab: f"{len(done(lab, 'get', TRANSMIT))} claims went by the shared transmission queue",
            "IGQ-01",
        ),
    ),
    hints=(
        "Members of a group can reach one another by a queue that all of them share. Is that switched on?",
        "DISPLAY QMGR IGQ on both members. Then look at the reason code that the photographs get: it is another one.",
        f"The messages go by {TRANSMIT}, each with a header. How long may a message on it be? It is a shared queue: "
        "ALTER it with QSGDISP(SHARED).",
    ),
)


def _not_there(lab, what: str) -> str:
    there = sum(claim.startswith(what) for claim in _claims(lab))
    if reasons := sorted({str(row.reason) for row in _refusals(lab)}):
        return f"{there} of 2 are at QMB; puts were refused with {', '.join(reasons)}"
    where = sorted({row.object for row in done(lab, "put", program="BRANCH")})
    return f"{there} of 2 are at QMB; every put was taken, onto {' and '.join(where)}"


EXERCISES = (ONE_START, IGQ)
