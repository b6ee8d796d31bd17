"""Wrong answers to each exercise about channels: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank.channels import TWO
from mqlab.course.exercises.exercise import typed


def shop(commands, seconds=0):
    """MQSC at SHOP as an answer, and some time."""
    return lambda lab: (lab["SHOP"].mqsc(commands), lab.advance(seconds))


def sender(attributes):
    """Attributes of the sender as an answer."""
    return shop(f"ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) {attributes}")


def evening(commands, more=""):
    """What EVENING does, as an answer."""

    def act(lab):
        lab["SHOP"].program("EVENING", lambda app, trigger: commands and app.qmgr.mqsc(commands))
        lab["SHOP"].mqsc(more)

    return act


def depot(commands, seconds=90):
    """MQSC at DEPOT as an answer, and some time."""
    return lambda lab: (lab["DEPOT"].mqsc(commands), lab.advance(seconds))


def restored(lab):
    """The links are restored, and the channels settle it themselves."""
    for name in ("DEPOT", "PLANT"):
        lab.restore("SHOP", name)
    lab.advance(120)


def limits(shop_queue, channel=100_000, queue=50_000):
    """Three limits as an answer."""

    def act(lab):
        lab["SHOP"].mqsc(f"ALTER QLOCAL(TO.HQ) MAXMSGL({shop_queue})")
        lab["HQ"].mqsc(
            f"ALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) MAXMSGL({channel})\nALTER QLOCAL(CATALOG) MAXMSGL({queue})"
        )

    return act


WRONG = {
    "C01": [
        ("nobody starts it", typed(TWO.answer.replace("TRIGGER TRIGTYPE", "NOTRIGGER TRIGTYPE")), "0 of 5 orders"),
        (
            "started by hand, once",
            lambda lab: (
                typed(TWO.answer.replace("TRIGGER TRIGTYPE", "NOTRIGGER TRIGTYPE"))(lab),
                lab["SHOP"].mqsc("START CHANNEL(SHOP.DEPOT)"),
            ),
            "0 of 5 orders",
        ),
        ("a queue of its own", shop("DEFINE QLOCAL(ORDERS)"), "0 of 5 orders are at DEPOT"),
        ("no receiver", typed(TWO.answer.split("\n\n%%mqsc DEPOT")[0]), "0 of 5 orders are at DEPOT"),
        (
            "for four at a time",
            typed(TWO.answer.replace("TRIGTYPE(FIRST)", "TRIGTYPE(DEPTH) TRIGDPTH(4)")),
            "of 5 orders were there in time",
        ),
    ],
    "C02": [
        ("every minute, forever", sender("SHORTRTY(999999999)"), "times while the link was down"),
        ("a day", sender("LONGRTY(144) LONGTMR(600)"), "the channel gives up 24.2 hours"),
        ("every hour", sender("LONGRTY(999999999) LONGTMR(5000)"), "after the link was back"),
        ("short ones in milliseconds", sender("SHORTTMR(60000) LONGRTY(999999999) LONGTMR(600)"), "after the link was"),
        ("no short ones", sender("SHORTRTY(0)"), "TO.DEPOT is STOPPED"),
    ],
    "C03": [
        ("only the interval", sender("DISCINT(600)"), "TO.DEPOT is STOPPED"),
        ("nobody stops it", evening(""), "the link was held for 840 minutes"),
        (
            "inactive, and then held again",
            evening("STOP CHANNEL(TO.DEPOT) STATUS(INACTIVE)"),
            "the link was held for 779 minutes",
        ),
        ("too long", evening("", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) DISCINT(7200)"), "minutes of the night"),
    ],
    "C04": [
        ("the number of the last", depot("RESET CHANNEL(TO.DEPOT) SEQNUM(3)"), "SHOP knows 3, DEPOT knows 2"),
        ("started again", shop("STOP CHANNEL(TO.DEPOT)\nSTART CHANNEL(TO.DEPOT)", 90), "TO.DEPOT is RETRYING"),
        (
            "the orders are cleared",
            shop("CLEAR QLOCAL(DEPOT)\nRESET CHANNEL(TO.DEPOT)", 90),
            "3 orders are at DEPOT, 0",
        ),
        ("no time", shop("RESET CHANNEL(TO.DEPOT)"), "2 wait at SHOP"),
    ],
    "C05": [
        (
            "both are there",
            shop("RESOLVE CHANNEL(TO.DEPOT) ACTION(COMMIT)\nRESOLVE CHANNEL(TO.PLANT) ACTION(COMMIT)"),
            "of the two orders for PLANT, 0 are there and 0 wait",
        ),
        (
            "both are not",
            shop("RESOLVE CHANNEL(TO.DEPOT) ACTION(BACKOUT)\nRESOLVE CHANNEL(TO.PLANT) ACTION(BACKOUT)"),
            "of the two orders for DEPOT, 2 are there and 2 wait",
        ),
        ("one of them", shop("RESOLVE CHANNEL(TO.DEPOT) ACTION(COMMIT)"), "in doubt still: TO.PLANT"),
        ("the weather changes", restored, "a link was restored"),
    ],
    "C06": [
        ("small batches", sender("BATCHSZ(1)"), "2 calls were lost"),
        ("a batch that stays open", sender("BATCHINT(5000)"), "calls were lost on the way"),
        ("persistent by default", shop("ALTER QREMOTE(ORDERS) DEFPSIST(YES)"), "10 of 12 calls are at DEPOT"),
    ],
    "C07": [
        ("five at a time", shop("ALTER QLOCAL(DEPOT) TRIGDPTH(5)"), "expired on the way"),
        ("two at a time", shop("ALTER QLOCAL(DEPOT) TRIGDPTH(2)"), "seconds left"),
        ("the channel never ends", sender("DISCINT(0)"), "17 of 24"),
        ("a cap", shop("ALTER QLOCAL(DEPOT) TRIGTYPE(FIRST) CUSTOM('CAPEXPRY(300)')"), "another lifetime"),
    ],
    "C08": [
        ("no room for the header", limits(50_000), "2 puts failed at SHOP"),
        ("room for everything", limits(100_000), "1 catalog is on a dead-letter queue"),
        ("the queue at HQ is left", limits(54_000, queue=20_000), "3 catalogs are on a dead-letter queue"),
        ("the receiving end is left", limits(54_000, channel=30_000), "2 catalogs are on a dead-letter queue"),
    ],
}
