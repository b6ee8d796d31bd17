"""Exercises about lifetimes: who removes expired messages, and when."""

from __future__ import annotations

from ....mq.errors import MQError
from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from . import expiry_more
from .happening import got, let_pass, lost, refused, run, seconds, sent
from .typed import typed

__all__ = ["EXERCISES"]

BROOM = """def broom(app, trigger):
    pass


lab["QM1"].program("BROOM", broom)
"""
BROOM_SWEEPS = """from mqlab import MQError


def broom(app, trigger):
    with app.open("PRICES", browse=True) as prices:
        try:
            while True:
                prices.browse_next()
        except MQError as end:
            if end.reason != 2033:
                raise


lab["QM1"].program("BROOM", broom)
"""
BROOM_GLANCES = """def broom(app, trigger):
    app.browse("PRICES")


lab["QM1"].program("BROOM", broom)
"""


def _prices_set_up(lab) -> None:
    lab.queue_manager("QM1", level=530).mqsc("DEFINE QLOCAL(PRICES) MAXDEPTH(5)")
    typed(BROOM)(lab)


def _try(app, queue: str, body: bytes, **options) -> None:
    """Put; a refusal is a row of the log, and no more."""
    try:
        app.put(queue, body, **options)
    except MQError:
        return


def _prices_load(lab) -> None:
    """A list price without end, then two prices a minute for 6 minutes, good for 40 s; BROOM comes each minute."""
    supplier, reader = lab["QM1"].connect("SUPPLIER"), lab["QM1"].connect("READER")
    supplier.put("PRICES", b"list price")
    for minute in range(6):
        _try(supplier, "PRICES", b"price a%d" % minute, expiry=400)
        _try(supplier, "PRICES", b"price b%d" % minute, expiry=400)
        lab.advance(50)
        run(lab, "QM1", "BROOM")
        let_pass(lab, 10)
    _try(supplier, "PRICES", b"price of the evening", expiry=400)
    for _ in range(lab["QM1"].depth("PRICES")):
        _get(reader, "PRICES")


def _get(app, queue: str, **options) -> None:
    """Get; a refusal is a row of the log, and no more."""
    try:
        app.get(queue, **options)
    except MQError:
        return


def _deepest(lab) -> int:
    return max((depth for depth in lab.events.column("depth") if depth is not None), default=0)


COUNTED = Exercise(
    id="E01",
    title="Full of prices that hold no longer",
    situation="SUPPLIER puts two prices a minute on PRICES, each good for 40 s; only the list price, put first, is "
    "good for ever. PRICES takes five messages, and READER comes in the evening. After a few minutes puts are refused "
    "with 2053, though hardly a price holds. The queue manager is of level 530: it never looks for expired messages by "
    "itself. The program BROOM is started every minute, and does nothing yet.",
    task="Write `broom(app, trigger)` so that no put is refused. READER must still find every price that holds in the "
    "evening, the list price too, and the queue must stay as small as it is.",
    questions=(12,),
    rules=("EXP-02", "EXP-17", "EXP-38", "EXP-09"),
    minutes=15,
    work=BROOM,
    set_up=_prices_set_up,
    load=_prices_load,
    defect=typed(BROOM_GLANCES),
    solution=typed(BROOM_SWEEPS),
    answer=BROOM_SWEEPS,
    predictions=(
        Prediction(
            "refused",
            "As it is: how many of SUPPLIER's 14 puts are refused?",
            lambda lab: len(refused(lab, "SUPPLIER", 2053)),
            lambda lab: refused(lab, "SUPPLIER", 2053)[0],
        ),
        Prediction(
            "discarded",
            "As it is: how many expired messages has the queue manager removed by itself before READER comes?",
            lambda lab: len([row for row in lost(lab, "PRICES") if row.time_us < 360_000_000]),
        ),
    ),
    checks=(
        Check(
            "no put is refused",
            lambda lab: not refused(lab, "SUPPLIER", 2053),
            lambda lab: f"{plural(len(refused(lab, 'SUPPLIER', 2053)), 'put was', 'puts were')} refused with 2053",
            "EXP-17",
        ),
        Check(
            "READER gets the two prices that hold",
            lambda lab: len(got(lab, "READER")) == 2,
            lambda lab: f"READER got {len(got(lab, 'READER'))} of the 2 prices that hold",
            "EXP-38",
        ),
        Check(
            "there are never more than 5 messages on the queue",
            lambda lab: _deepest(lab) <= 5,
            lambda lab: f"the depth rose to {_deepest(lab)}",
        ),
    ),
    hints=(
        "An expired message stays on the queue, and counts, until a call reaches it. Which call reaches messages "
        "without taking the valid ones?",
        "One look at the queue ends at the first message that holds: the list price. What has expired behind it is not "
        "met.",
        "Open the queue to browse it and go from one message to the next, until there is none: 2033 is the end of the "
        "way.",
    ),
)


CLERK = """def clerk(app, trigger):
    request = app.get("REQUESTS")
    app.reply(request, b"we have it", expiry=-1)


lab["QM1"].program("CLERK", clerk)
"""
CLERK_LIMITED = CLERK.replace("expiry=-1", 'expiry="remaining"')
CALLS = ("ann", "bob", "cem", "dea")
"""Who asks, in this order; bob and dea hang up before the answer is there."""


def _answers_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(REQUESTS)\nDEFINE QLOCAL(ANSWERS)")
    typed(CLERK)(lab)


def _answers_load(lab) -> None:
    """Four customers ask, a minute apart, each with a request good for 50 s; then ten minutes pass."""
    web = lab["QM1"].connect("WEB")
    for name in CALLS:
        request = web.put("REQUESTS", f"{name} asks", expiry=500, reply_to_q="ANSWERS", msg_type=1)
        lab.advance(15)
        run(lab, "QM1", "CLERK")
        let_pass(lab, 10)
        if name in ("ann", "cem"):
            _get(web, "ANSWERS", correl_id=request.msg_id)
        lab.advance(35)
    lab.advance(600)


ORPHANS = Exercise(
    id="E02",
    title="Answers nobody waits for",
    situation="WEB puts a customer's request, good for 50 s, and gets the answer by its CorrelId. CLERK answers after "
    "15 s. Two customers of four hang up first: their answers stay on ANSWERS for ever, though WEB gets there all day "
    "long. This queue manager is of a current level and looks for expired messages every 300 s.",
    task="Change `clerk(app, trigger)` so that an answer nobody has got is gone within ten minutes. Customers who wait "
    "must get theirs; every request is answered.",
    questions=(12, 13),
    rules=("EXP-22", "EXP-08", "MQI-20"),
    minutes=12,
    work=CLERK,
    set_up=_answers_set_up,
    load=_answers_load,
    defect=typed(CLERK.replace("expiry=-1", "expiry=20")),
    solution=typed(CLERK_LIMITED),
    answer=CLERK_LIMITED,
    predictions=(
        Prediction(
            "left",
            "As it is: how many answers stand on ANSWERS in the end?",
            lambda lab: lab["QM1"].depth("ANSWERS"),
            lambda lab: sent(lab, "CLERK")[1],
        ),
        Prediction(
            "cleared",
            "When it is done: bob's answer has expired when WEB gets cem's by CorrelId. How many expired answers does "
            "that get remove?",
            lambda lab: len([row for row in lost(lab, "ANSWERS") if row.cause == got(lab, "WEB")[1].seq]),
            lambda lab: got(lab, "WEB")[1],
            solved=True,
        ),
        Prediction(
            "minute",
            "And how many seconds after the lab's start is it removed?",
            lambda lab: int(seconds(lost(lab, "ANSWERS")[0])),
            lambda lab: lost(lab, "ANSWERS")[0],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "all four requests are answered",
            lambda lab: len(sent(lab, "CLERK", "ANSWERS")) == 4,
            lambda lab: f"{len(sent(lab, 'CLERK', 'ANSWERS'))} of 4 requests were answered",
        ),
        Check(
            "the two customers who wait get their answers",
            lambda lab: len(got(lab, "WEB", "ANSWERS")) == 2,
            lambda lab: f"{len(got(lab, 'WEB', 'ANSWERS'))} of the 2 customers who wait got an answer",
            "EXP-22",
        ),
        Check(
            "no answer is left ten minutes later",
            lambda lab: lab["QM1"].depth("ANSWERS") == 0,
            lambda lab: f"left: {plural(lab['QM1'].depth('ANSWERS'), 'answer')} that nobody waits for",
            "MQI-20",
        ),
    ),
    hints=(
        "A get by CorrelId passes by what is meant for others. So what else could make an old answer go?",
        "A message that may expire is removed some time after. How long is an answer of any use to the customer?",
        "The request knows how long the customer's patience lasts: a reply can take what is left of it. Look at "
        "help(app.reply) for `expiry`.",
    ),
)


CAP = """%%mqsc QM1
ALTER QLOCAL(PRICES) CAPEXPRY(600)"""
PUTTERS = (
    ("WHOLESALE", "PRICES", -1),
    ("MARKET", "PRICES", 36000),
    ("FLASH", "PRICES", 200),
    ("MAIL", "PRICES.IN", -1),
)
"""Who puts a price, by which name, and with which lifetime in tenths of a second."""


def _cap_load(lab) -> None:
    """Each puts a price; ORDERS takes an order."""
    for program, queue, tenths in PUTTERS:
        lab["QM1"].connect(program).put(queue, b"price", expiry=tenths)
    lab["QM1"].connect("SHOP").put("ORDERS", b"order")


def _life(lab, program: str):
    """The lifetime in seconds that a program's message was given; None for one without end."""
    rows = sent(lab, program)
    return None if not rows or rows[0].expiry_left is None else rows[0].expiry_left / 10


def _lives(lab, *programs: str) -> str:
    """What the lifetimes of these programs' messages are."""
    said = [(program, _life(lab, program)) for program in programs]
    return ", ".join(f"{program}'s message lives {'for ever' if s is None else f'{s:g} s'}" for program, s in said)


CAPPED = Exercise(
    id="E03",
    title="Whose lifetime counts",
    situation="Prices on PRICES are worth nothing after a minute. WHOLESALE puts them without a lifetime, MARKET with "
    "an hour, MAIL without one by the alias PRICES.IN, and FLASH with 20 s. None of the four programs can be changed. "
    "SHOP's orders on ORDERS must live until they are got.",
    task="See to it that no price lives longer than 60 s, whoever puts it and by whichever name. FLASH's live 20 s, as "
    "FLASH wants it.",
    questions=(14,),
    rules=("EXP-31", "EXP-01"),
    minutes=8,
    set_up=lambda lab: lab.queue_manager("QM1").mqsc(
        "DEFINE QLOCAL(PRICES)\nDEFINE QALIAS(PRICES.IN) TARGET(PRICES)\nDEFINE QLOCAL(ORDERS)"
    ),
    load=_cap_load,
    defect=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(PRICES) CAPEXPRY(60)"),
    solution=typed(CAP),
    answer=CAP,
    predictions=(
        Prediction(
            "flash",
            "With the limit of 60 s set: how many seconds does FLASH's price live?",
            lambda lab: int(_life(lab, "FLASH")),
            lambda lab: sent(lab, "FLASH")[0],
            solved=True,
        ),
        Prediction(
            "market",
            "And MARKET's, put with an hour?",
            lambda lab: int(_life(lab, "MARKET")),
            lambda lab: sent(lab, "MARKET")[0],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "prices put for ever or for an hour live 60 s",
            lambda lab: {_life(lab, each) for each in ("WHOLESALE", "MARKET")} == {60},
            lambda lab: _lives(lab, "WHOLESALE", "MARKET"),
            "EXP-31",
        ),
        Check(
            "those put by the alias too",
            lambda lab: _life(lab, "MAIL") == 60,
            lambda lab: _lives(lab, "MAIL"),
            "EXP-31",
        ),
        Check("FLASH's live 20 s", lambda lab: _life(lab, "FLASH") == 20, lambda lab: _lives(lab, "FLASH"), "EXP-01"),
        Check("orders live for ever", lambda lab: _life(lab, "SHOP") is None, lambda lab: _lives(lab, "SHOP")),
    ),
    hints=(
        "The putter says a lifetime, and the administrator can say the longest there may be. The shorter of the two "
        "counts.",
        "The limit is an attribute of queues: of every one on the way that a put takes. Which one do all four ways "
        "lead to?",
        "It is called CAPEXPRY, and it is counted in the unit of a message's Expiry: tenths of a second.",
    ),
)

EXERCISES = (COUNTED, ORPHANS, CAPPED, *expiry_more.EXERCISES)
