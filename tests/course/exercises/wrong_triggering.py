"""Wrong answers to each exercise about triggering: what someone might do, and words of the symptom that refuses it."""

from mqlab import MQError
from mqlab.course.exercises.bank.shops import serve_up_to
from mqlab.lab.sample_server import sample_server


def at(commands, name="QM1"):
    """MQSC as an answer."""
    return lambda lab: lab[name].mqsc(commands)


def program(name, function):
    """A program as an answer."""
    return lambda lab: lab["QM1"].program(name, function)


def both(*acts):
    """Several steps as an answer."""
    return lambda lab: [act(lab) for act in acts]


def taking(number, wait=0, rearm=None, backwards=False):
    """A server that takes so many messages, and turns triggering on: after its gets, or before them."""

    def serve(app, trigger):
        with app.open(trigger.queue, input="shared", set=True) as queue:
            if backwards:
                queue.set(**rearm)
            for _ in range(number):
                try:
                    queue.get(wait)
                except MQError as refused:
                    if refused.reason != 2033:
                        raise
                    break
            if rearm and not backwards:
                queue.set(**rearm)

    return serve


def idle(app, trigger):
    """Ends at once."""


BENCH = """
    ALTER QLOCAL(WASHERS) TRIGGER
    ALTER QLOCAL(FRIDGES) PROCESS(BENCH)
    ALTER QLOCAL(RADIOS) INITQ(SHOP.INITQ)
    ALTER QLOCAL(PHONES) TRIGTYPE(FIRST)
    """

WRONG = {
    "T01": [
        ("four of the five", at(BENCH), "ever written for OVENS"),
        ("the priority of the messages", at(BENCH + "ALTER QLOCAL(OVENS) TRIGMPRI(4)"), "3 jobs wait on OVENS"),
        (
            "a depth for phones",
            at(BENCH.replace("FIRST", "DEPTH) TRIGDPTH(2") + "ALTER QLOCAL(OVENS) TRIGMPRI(0)"),
            "BENCH was started 16 times",
        ),
    ],
    "T02": [
        ("for every print", at("ALTER QLOCAL(PRINTS) TRIGTYPE(EVERY)"), "PRINTER was started 144 times"),
        ("no interval at all", at("ALTER QMGR TRIGINT(0)"), "PRINTER was started 60 times, 48 of them"),
        ("seconds for milliseconds", at("ALTER QMGR TRIGINT(900)"), "48 of them in the hour without power"),
        (
            "seconds for milliseconds, and too long",
            at("ALTER QMGR TRIGINT(7200000)"),
            "minutes after the power was back",
        ),
        ("a depth", at("ALTER QLOCAL(PRINTS) TRIGTYPE(DEPTH) TRIGDPTH(8)"), "prints wait at noon"),
    ],
    "T03": [
        (
            "one type for all",
            at("ALTER QLOCAL(CALLS) TRIGTYPE(EVERY)\nALTER QLOCAL(LOAVES) TRIGTYPE(EVERY)"),
            "POSTMAN was started 20 times",
        ),
        ("letters only", at("ALTER QLOCAL(LETTERS) TRIGTYPE(FIRST)"), "a caller waited 240 seconds"),
        (
            "a tray of ten",
            at(
                "ALTER QLOCAL(CALLS) TRIGTYPE(EVERY)\nALTER QLOCAL(LETTERS) TRIGTYPE(FIRST)\n"
                "ALTER QLOCAL(LOAVES) TRIGTYPE(DEPTH) TRIGDPTH(10)"
            ),
            "with at most 10 loaves",
        ),
    ],
    "T04": [
        ("turned on by hand", at("ALTER QLOCAL(CRATES) TRIGGER"), "CRUSHER was started 1 time"),
        ("FIRST instead", at("ALTER QLOCAL(CRATES) TRIGTYPE(FIRST)"), "took 1, 1"),
        ("every crate there is", program("CRUSHER", taking(99)), "24 crates are left"),
        (
            "a type is named again",
            program("CRUSHER", taking(10, rearm={"TRIGTYPE": 3})),
            "still off after the last start",
        ),
    ],
    "T05": [
        ("the threshold alone", at("ALTER QLOCAL(DELIVERIES) TRIGMPRI(7)"), "DRIVER was started 0 times"),
        ("the order alone", at("ALTER QLOCAL(DELIVERIES) MSGDLVSQ(PRIORITY)"), "DRIVER was started 10 times"),
        (
            "another default",
            at("ALTER QLOCAL(DELIVERIES) TRIGMPRI(7) DEFPRTY(7)"),
            "the first order of each drive has priority 0",
        ),
        ("too high", at("ALTER QLOCAL(DELIVERIES) MSGDLVSQ(PRIORITY) TRIGMPRI(8)"), "DRIVER was started 1 time"),
    ],
    "T06": [
        ("too little patience", program("PACKER", taking(3, 5, {"TRIGGER": True})), "the parcels have 2"),
        (
            "milliseconds",
            program("PACKER", taking(3, 60000, {"TRIGGER": True})),
            "PACKER still waits after 600 seconds",
        ),
        ("patience, once", program("PACKER", taking(3, 60)), "parcels packed: 1,"),
        ("FIRST", at("ALTER QLOCAL(PARTS) TRIGTYPE(FIRST)"), "PARTS held 1"),
        ("a greater depth", at("ALTER QLOCAL(PARTS) TRIGDPTH(4)"), "parts left over"),
        ("as it is", program("PACKER", serve_up_to(3)), "the parcels have 2, 3, 3, 3 parts"),
    ],
    "T07": [
        (
            "attributes alone",
            at("ALTER QLOCAL(PRESCRIPTIONS) BOTHRESH(3) BOQNAME(ASK.THE.DOCTOR)"),
            "its server got nothing done",
        ),
        (
            "a server without advice",
            program("DISPENSER", sample_server(lambda app, message, unit: b"?" not in message.body)),
            "its server got nothing done",
        ),
        ("everything is good", program("DISPENSER", sample_server(lambda *_: True)), "dispensed: 9"),
        ("no triggering", at("ALTER QLOCAL(PRESCRIPTIONS) NOTRIGGER"), "dispensed: 0, waiting: 9"),
        (
            "at once",
            both(
                at("ALTER QLOCAL(PRESCRIPTIONS) BOTHRESH(1) BOQNAME(ASK.THE.DOCTOR)"),
                program("DISPENSER", sample_server(lambda app, message, unit: b"?" not in message.body)),
            ),
            "it was backed out 1 time",
        ),
    ],
    "T08": [
        (
            "the queue alone",
            both(at("ALTER QLOCAL(DEPOT) GET(ENABLED) TRIGGER", "SHOP"), lambda lab: lab.advance(60)),
            "TO.DEPOT is STOPPED",
        ),
        (
            "another state",
            both(at("STOP CHANNEL(TO.DEPOT) STATUS(INACTIVE)", "SHOP"), lambda lab: lab.advance(60)),
            "3 wait at SHOP",
        ),
        (
            "emptied, then started",
            both(
                at("ALTER QLOCAL(DEPOT) GET(ENABLED)\nCLEAR QLOCAL(DEPOT)\nSTART CHANNEL(TO.DEPOT)", "SHOP"),
                lambda lab: lab.advance(60),
            ),
            "2 orders are at DEPOT, 0 wait",
        ),
        ("started, and no time given", at("START CHANNEL(TO.DEPOT)", "SHOP"), "3 wait at SHOP"),
    ],
}
