"""Exercises about channels: what they need, how long they try, and when they rest."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .seen import bodies, channel_states, done, fired, first, state
from .shops import order, shop_and_depot
from .typed import typed

__all__ = ["EXERCISES"]

HOUR, MINUTE = 3_600_000_000, 60_000_000


def _arrivals(lab) -> list:
    """The puts of orders at DEPOT."""
    return done(lab, "put", "ORDERS", qmgr="DEPOT")


def _in_time(lab) -> int:
    """How many orders were at DEPOT within a minute of COUNTER's put."""
    put = {row.message: row.time_us for row in lab.events.where(kind="put", program="COUNTER")}
    return sum(row.time_us - put[row.message] < MINUTE for row in _arrivals(lab))


def _orders(numbers) -> list[str]:
    return [f"order {number}" for number in numbers]


# ---------------------------------------------------------------- C01
def _two_set_up(lab) -> None:
    for name in ("SHOP", "DEPOT"):
        lab.queue_manager(name)
    lab.link("SHOP", "DEPOT", latency=0.05)
    lab.address("depot.example(1414)", "DEPOT")
    lab["DEPOT"].mqsc("DEFINE QLOCAL(ORDERS)").require()


def _two_load(lab) -> None:
    """Three orders at nine, and two more after a weekend, when an idle channel has ended."""
    lab.advance(1)
    order(lab, 1, 2, 3)
    lab.advance(48 * 3600)
    order(lab, 4, 5)
    lab.advance(60)


_TWO_WORK = """%%mqsc SHOP
* what SHOP needs to send

%%mqsc DEPOT
* what DEPOT needs to receive"""
_TWO_ANSWER = """%%mqsc SHOP
DEFINE QLOCAL(DEPOT) USAGE(XMITQ) REPLACE +
   TRIGGER TRIGTYPE(FIRST) TRIGDATA(SHOP.DEPOT) INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(DEPOT) XMITQ(DEPOT) REPLACE
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) CONNAME('depot.example(1414)') XMITQ(DEPOT) REPLACE

%%mqsc DEPOT
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR) REPLACE"""

TWO = Exercise(
    id="C01",
    title="From the shop to the depot",
    situation="A shop has queue manager SHOP, its depot has DEPOT with queue ORDERS, and a line connects them: DEPOT "
    "is at depot.example(1414). Nothing else is defined. COUNTER, a program at SHOP, puts orders to the name ORDERS.",
    task="What COUNTER puts is on ORDERS at DEPOT within a minute, on Monday and after a weekend too. Nobody starts "
    "anything by hand.",
    rules=("CHL-01", "CHL-03", "CHL-15", "CHL-16"),
    minutes=15,
    set_up=_two_set_up,
    load=_two_load,
    work=_TWO_WORK,
    # the two ends were named by two people
    defect=typed(_TWO_ANSWER.replace("(SHOP.DEPOT) CHLTYPE(RCVR)", "(FROM.SHOP) CHLTYPE(RCVR)")),
    answer=_TWO_ANSWER,
    solution=typed(_TWO_ANSWER),
    predictions=(
        Prediction(
            "reason",
            "As it is: with which reason code is the first put refused?",
            lambda lab: first(lab.events.where(kind="put", program="COUNTER")).reason,
            lambda lab: first(lab.events.where(kind="put", program="COUNTER")),
        ),
        Prediction(
            "monday",
            'When it works: in which state is the channel at SHOP when the weekend ends? One word, such as "RUNNING".',
            lambda lab: _state_at(lab, 48 * HOUR),
            lambda lab: channel_states(lab, "SHOP", "SHOP.DEPOT", "INACTIVE")[-1],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "the five orders are on ORDERS at DEPOT",
            lambda lab: bodies(lab, "DEPOT", "ORDERS") == _orders(range(1, 6)),
            lambda lab: f"{len(bodies(lab, 'DEPOT', 'ORDERS'))} of 5 orders are at DEPOT",
            "CHL-03",
        ),
        Check(
            "each arrives within a minute of its put",
            lambda lab: _in_time(lab) == 5,
            lambda lab: f"{_in_time(lab)} of 5 orders were there in time",
            "CHL-16",
        ),
    ),
    hints=(
        "A message for elsewhere needs a name that leads away, a place to wait, and somebody who carries it; and at "
        "the other end somebody who takes it.",
        "Four definitions: at SHOP a remote queue, a transmission queue and a sender; at DEPOT a receiver. One of "
        "these must be able to wake another.",
        "The two ends of a channel have one name. For the wake-up, see TRIGGER, TRIGDATA and INITQ of the transmission "
        "queue; the channel initiator reads SYSTEM.CHANNEL.INITQ.",
    ),
)


def _state_at(lab, time_us: int) -> str:
    rows = [row for row in channel_states(lab, "SHOP", "SHOP.DEPOT") if row.time_us <= time_us]
    return rows[-1].detail.split('"')[3] if rows else "INACTIVE"


# ---------------------------------------------------------------- C02
def _retry_set_up(lab) -> None:
    shop_and_depot(lab, "SHORTRTY(10) SHORTTMR(60) LONGRTY(2) LONGTMR(1200)")


def _retry_load(lab) -> None:
    """The line is down from ten until four in the afternoon; an order comes at half past ten."""
    lab.advance(1)
    order(lab, 1)
    lab.advance(3600)
    lab.cut("SHOP", "DEPOT")
    lab.advance(1800)
    order(lab, 2)
    lab.advance(5.5 * 3600)
    lab.restore("SHOP", "DEPOT")
    order(lab, 3)
    lab.advance(3600)


def _restored_us(lab) -> int:
    return lab.events.where(kind="fault", object_type="LINK")[-1].time_us


def _tries(lab) -> int:
    """How often the channel tried to reach DEPOT while the line was down."""
    return len([r for r in channel_states(lab, "SHOP", "TO.DEPOT", "BINDING") if HOUR < r.time_us <= _restored_us(lab)])


def _late(lab) -> int:
    """Minutes from when the line was back until order 2 was there, an hour where it never was."""
    times = [row.time_us for row in _arrivals(lab)[1:2]] or [_restored_us(lab) + HOUR]
    return (times[0] - _restored_us(lab)) // MINUTE


_RETRY_ANSWER = """%%mqsc SHOP
ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) +
   SHORTRTY(10) SHORTTMR(60) LONGRTY(999999999) LONGTMR(600)"""

RETRY = Exercise(
    id="C02",
    title="How long a channel tries",
    situation="The line between SHOP and DEPOT is down from ten until four. An order comes at half past ten. TO.DEPOT "
    "tries ten times, a minute apart, then twice, twenty minutes apart. At four the line is back, and nothing moves.",
    task="What waits is at DEPOT ten minutes after the line is back, however long it was down, and nobody types a "
    "command. Each try is a call that costs money: not more than 60 in those hours.",
    questions=(16,),
    rules=("CHL-08", "CHL-09", "NET-01"),
    minutes=10,
    set_up=_retry_set_up,
    load=_retry_load,
    work="%%mqsc SHOP\n* your commands",
    # thorough, and dear
    defect=lambda lab: lab["SHOP"].mqsc("ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) SHORTRTY(999999999) SHORTTMR(60)"),
    answer=_RETRY_ANSWER,
    solution=typed(_RETRY_ANSWER),
    predictions=(
        Prediction(
            "state",
            'As it is: in which state is TO.DEPOT at four? One word, such as "RUNNING".',
            lambda lab: state(lab, "SHOP", "TO.DEPOT"),
            lambda lab: channel_states(lab, "SHOP", "TO.DEPOT")[-1],
        ),
        Prediction(
            "tries",
            "As it is: how often did it try to reach DEPOT until then?",
            _tries,
            lambda lab: channel_states(lab, "SHOP", "TO.DEPOT", "RETRYING")[-1],
        ),
    ),
    checks=(
        Check(
            "the three orders are at DEPOT",
            lambda lab: bodies(lab, "DEPOT", "ORDERS") == _orders((1, 2, 3)),
            lambda lab: (
                f"{len(bodies(lab, 'DEPOT', 'ORDERS'))} of 3 orders are at DEPOT; TO.DEPOT is "
                f"{state(lab, 'SHOP', 'TO.DEPOT')}"
            ),
            "CHL-09",
        ),
        Check(
            "what waited is there ten minutes after the line is back",
            lambda lab: _late(lab) <= 10,
            lambda lab: (
                f"order 2 was there {_late(lab)} minutes after the line was back"
                if len(_arrivals(lab)) > 1
                else "order 2 is not there an hour after the line was back"
            ),
        ),
        Check(
            "not more than 60 tries",
            lambda lab: _tries(lab) <= 60,
            lambda lab: f"DEPOT was called {_tries(lab)} times while the line was down",
        ),
        Check(
            "it would still be trying after a week",
            lambda lab: _patience_s(lab) >= 7 * 86_400,
            lambda lab: f"it gives up {_patience_s(lab) / 3600:.1f} hours after the line went down",
            "CHL-09",
        ),
    ),
    hints=(
        "It stopped trying. How many tries did it have, and how long do they last altogether?",
        "There are short retries and, when these are used up, long ones; each has a count and an interval in seconds.",
        "The long interval decides how late it notices; the long count decides whether it ever gives up.",
    ),
)


def _patience_s(lab) -> int:
    """For how many seconds the channel as it is defined goes on trying."""
    found = lab["SHOP"].objects.get("CHANNEL", "TO.DEPOT")
    if found is None or found.attributes["CHLTYPE"] != "SDR":
        return 0
    about = found.attributes
    return about["SHORTRTY"] * about["SHORTTMR"] + about["LONGRTY"] * about["LONGTMR"]


# ---------------------------------------------------------------- C03
def _evening(app, trigger) -> None:
    """What the shop does at half past five, to save the line."""
    app.qmgr.mqsc("STOP CHANNEL(TO.DEPOT)")


def _idle_set_up(lab) -> None:
    shop_and_depot(lab, "DISCINT(0)")
    lab["SHOP"].program("EVENING", _evening)


def _idle_load(lab) -> None:
    """Orders until five; at half past five EVENING runs; an order comes at seven, and one at eight the next morning."""
    lab.advance(1)
    for number in range(1, 9):
        order(lab, number)
        lab.advance(3600)
    lab.advance(1800)
    if "EVENING" in lab["SHOP"].programs:  # to take it away is an answer too
        lab["SHOP"].run_program("EVENING", lab["SHOP"].programs["EVENING"], None)
    lab.advance(5400)
    order(lab, 9)
    lab.advance(13 * 3600)
    order(lab, 10)
    lab.advance(600)


def _busy_minutes(lab) -> int:
    """For how many minutes the line was held from six in the evening until eight in the morning."""
    total, since = 0, None
    for row in channel_states(lab, "SHOP", "TO.DEPOT"):
        running = '"state":"RUNNING"' in row.detail
        at = min(max(row.time_us, 9 * HOUR), 23 * HOUR)
        if since is not None:
            total += at - since
        since = at if running else None
    return (total + (0 if since is None else 23 * HOUR - since)) // MINUTE


_IDLE_WORK = """# at half past five EVENING runs; this is what it does now
def evening(app, trigger):
    app.qmgr.mqsc("STOP CHANNEL(TO.DEPOT)")

lab["SHOP"].program("EVENING", evening)

%%mqsc SHOP
* and what could be altered
DISPLAY CHANNEL(TO.DEPOT) DISCINT"""
_IDLE_ANSWER = """# %%
def evening(app, trigger):
    pass

lab["SHOP"].program("EVENING", evening)

%%mqsc SHOP
ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) DISCINT(600)"""
_IDLE_DEFECT = "%%mqsc SHOP\nALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) DISCINT(600)"

IDLE = Exercise(
    id="C03",
    title="Gone home, or locked out",
    situation="The line to DEPOT is paid by the minute, and TO.DEPOT holds it for ever. So the shop runs EVENING at "
    "half past five, which stops the channel. The orders of the evening and of the next morning then wait until "
    "somebody starts it.",
    task="Orders go to DEPOT at any hour, by themselves, and from six in the evening until eight the line is held for "
    "half an hour at the most. You may change EVENING and the channel.",
    questions=(17,),
    rules=("CHL-08", "CHL-15", "CHL-16"),
    minutes=10,
    set_up=_idle_set_up,
    load=_idle_load,
    work=_IDLE_WORK,
    defect=typed(_IDLE_DEFECT),
    answer=_IDLE_ANSWER,
    solution=typed(_IDLE_ANSWER),
    predictions=(
        Prediction(
            "state",
            'As it is: in which state is TO.DEPOT when the order of the evening comes? One word, such as "RUNNING".',
            lambda lab: state(lab, "SHOP", "TO.DEPOT"),
            lambda lab: channel_states(lab, "SHOP", "TO.DEPOT")[-1],
        ),
        Prediction(
            "arrived",
            "As it is: how many of the ten orders are at DEPOT the next morning?",
            lambda lab: len(bodies(lab, "DEPOT", "ORDERS")),
            lambda lab: fired(lab, "DEPOT", fires=False)[-1],
        ),
    ),
    checks=(
        Check(
            "the ten orders are at DEPOT, each within a minute",
            lambda lab: len(_arrivals(lab)) == 10 == _in_time(lab),
            lambda lab: (
                f"{_in_time(lab)} of 10 orders were at DEPOT in time; TO.DEPOT is {state(lab, 'SHOP', 'TO.DEPOT')}"
            ),
            "CHL-16",
        ),
        Check(
            "from six until eight the line is held for half an hour at the most",
            lambda lab: _busy_minutes(lab) <= 30,
            lambda lab: f"the line was held for {_busy_minutes(lab)} minutes of the night",
            "CHL-15",
        ),
    ),
    hints=(
        "Two states look alike, no line is held in either. In one of them the channel may be woken by a message, in "
        "the other only by an operator.",
        "A channel can end by itself when it has had nothing to do for a while. For how long may it be idle here?",
        "DISCINT is in seconds, and 0 is for ever. What EVENING does is then not needed, or must not leave the channel "
        "STOPPED.",
    ),
)

EXERCISES = (TWO, RETRY, IDLE)
