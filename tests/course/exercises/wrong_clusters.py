"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.exercise import typed

HOSTS = ("HUB1", "HUB2", "DEPOT")


def _mqsc(text, *members):
    def act(lab):
        for member in members:
            lab[member].mqsc(text).require()

    return act


def _later(text, *members):
    return typed("".join(f"%%mqsc {member}\n{text}\n\n" for member in members) + "# %%\nlab.advance(1800)\n")


def to(member):
    return f"DEFINE CHANNEL(TO.{member}) CHLTYPE(CLUSSDR) CONNAME('{member.lower()}.example(1414)') CLUSTER(BAKERY)"


WRONG = {
    "K01": [
        ("one host alone", _mqsc("ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)", "HUB2"), "got 12"),
        ("the first host alone", _mqsc("ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)", "DEPOT"), "without DEPOT"),
        ("any instance", _mqsc("ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)", *HOSTS), "got 12"),
        ("puts disabled at the busy host", _mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)", "DEPOT"), "DEPOT got 0"),
        (
            "a weight",
            _mqsc("ALTER CHANNEL(TO.HUB1) CHLTYPE(CLUSRCVR) CLWLWGHT(99)", "HUB1"),
            "got 12",
        ),
    ],
    "K02": [
        ("SHOP calls DEPOT", _mqsc(to("DEPOT"), "SHOP"), "puts fail with 2085"),
        ("one more full repository", _mqsc("ALTER QMGR REPOS(BAKERY)", "SHOP"), "are HUB1, HUB2, SHOP"),
        ("DEPOT is its own repository", _mqsc("ALTER QMGR REPOS(BAKERY)", "DEPOT"), "are DEPOT, HUB1, HUB2"),
    ],
    "K03": [
        ("at the sender", _later(to("DEPOT"), "SHOP"), "0 of 3 parcels of HUB1"),
        ("time", typed("lab.advance(1800)"), "0 of 3 parcels of SHOP are at DEPOT; TO.DEPOT: HUB1 RETRYING"),
        ("another way out", _later(to("HUB2"), "DEPOT"), "0 of 3 parcels of SHOP"),
    ],
    "K04": [
        ("one more channel of DEPOT", _mqsc(to("HUB2"), "DEPOT"), "0 of 1 price of HUB1"),
        ("a queue of the same name", _mqsc("DEFINE QLOCAL(PRICES)", "DEPOT", "HUB1"), "0 of 1 price of DEPOT"),
        ("a channel to DEPOT", _mqsc(to("DEPOT"), "HUB2"), "0 of 1 price of HUB1"),
    ],
    "K05": [
        ("priority beside rank", _mqsc("ALTER QLOCAL(ORDERS) CLWLPRTY(9)", "DEPOT"), "the slowest order took"),
        ("neither", _mqsc("ALTER QLOCAL(ORDERS) CLWLRANK(0)", "DEPOT"), "1 of 3 early orders"),
        ("everyone has the rank", _mqsc("ALTER QLOCAL(ORDERS) CLWLRANK(9)", *HOSTS), "1 of 3 early orders"),
        (
            "priority of the spares",
            _mqsc("ALTER QLOCAL(ORDERS) CLWLRANK(0) CLWLPRTY(9)", "HUB1", "HUB2"),
            "the slowest order took",
        ),
    ],
    "K06": [
        ("the target is not bound", _mqsc("ALTER QLOCAL(AUDIT.LOG) DEFBIND(NOTFIXED)", "HUB1"), "0 of 4 notes"),
        ("a queue at SHOP", _mqsc("DEFINE QLOCAL(AUDIT.LOG)", "SHOP"), "4 notes on that of DEPOT"),
        ("a target that is here", _mqsc("DEFINE QLOCAL(AUDIT.COPY)\nALTER QALIAS(AUDIT) TARGET(AUDIT.COPY)", "DEPOT"),
         "0 of 4 notes"),
    ],
}  # fmt: skip
