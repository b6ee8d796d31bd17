"""One of everything a notebook can show, from the worked estates and a lab of hostile names, by name."""

from mqlab import MD, Lab, LabError, MQError, ProgramDied, RunawayTrigger, estates, rule
from mqlab.everyplace import MQeError

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


def refusal(kind, call, *arguments, **options):
    """What a call was refused with."""
    try:
        call(*arguments, **options)
    except kind as refused:
        return refused
    raise AssertionError("not refused")


def queue_of(qmgr, name):
    """A local queue as a user holds it."""
    return next(queue for queue in qmgr.queues if queue.name == name)


def everything() -> dict:
    """Name -> thing."""
    return {"empty lab": Lab(), "empty log": Lab().events, **shop(), **sites(), **group(), **edge()}


def shop() -> dict:
    """A queue manager with expired, locked and uncommitted messages, and text that must be escaped wherever there is
    some."""
    lab = Lab()
    qm = lab.queue_manager("QM1", expiry_interval=0)
    quoted = EVIL.replace("'", "''")
    reply = qm.mqsc(f"""
        DEFINE QLOCAL(ORDERS) MAXDEPTH(20) DESCR('{quoted[:60]}') TRIGGER TRIGTYPE(EVERY) INITQ(INITQ) PROCESS(P) +
               BOQNAME(DLQ) BOTHRESH(3) TRIGDATA('<i>')
        DEFINE QLOCAL(INITQ)
        DEFINE QLOCAL(DLQ) ACCTQ(ON)
        DEFINE QALIAS(FRONT) TARGET(ORDERS)
        DEFINE TOPIC(NEWS) TOPICSTR('news/<b>')
        DEFINE QALIAS(PRESS) TARGET(NEWS) TARGTYPE(TOPIC)
        DEFINE PROCESS(P) APPLICID('<script>')
        ALTER QMGR DEADQ(DLQ)
        DISPLAY QUEUE(*) MAXDEPTH DESCR
        DISPLAY QLOCAL(ORDERS)
        {EVIL}
        """)
    server = qm.open("INITQ", input="shared")
    shop = qm.connect("SHOP")
    for i in range(6):
        body = EVIL.encode() if i % 2 else bytes(range(i, i + 40))
        put = shop.put(
            "ORDERS",
            body,
            expiry=30 if i < 3 else -1,
            priority=i % 3,
            report=0x00E00000,
            reply_to_q="DLQ",
            correl_id=EVIL[:24],
            format="MQSTR",
            feedback=260,
        )
        lab.advance(1)
    unit = shop.unit_of_work()
    unit.put("ORDERS", EVIL)
    browse = qm.open("ORDERS", browse=True)
    browsed = browse.browse_first(lock=True)
    lab.advance(2)
    triggered = next(e for e in lab.events if e.object == "INITQ" and e.kind == "put")
    trigger = server.get()
    closed = qm.open("DLQ", output=True)
    closed.close()
    died = qm.run_program("READER", lambda app: 1 / 0)
    death = refusal(ProgramDied, lab.advance, 1)
    return {
        "lab": lab,
        "qmgr": qm,
        "reply": reply,
        "command": reply.replies[-1],
        "queue": queue_of(qm, "ORDERS"),
        "empty queue": queue_of(qm, "INITQ") if not queue_of(qm, "INITQ").depth else queue_of(qm, "DLQ"),
        "alias": qm.targets["FRONT"],
        "topic alias": qm.other_aliases["PRESS"],
        "handle": browse,
        "closed": closed,
        "unit": unit,
        "application": shop,
        "message": put,
        "browsed": browsed,
        "trigger message": trigger,
        "log": lab.events,
        "event": triggered,
        "state": lab.state(),
        "first state": lab.state(seq=0),
        "definition": queue_of(qm, "ORDERS").definition,
        "md": MD(CorrelId=b"<b>"),
        "plain md": MD(),
        "rule": rule("EXP-02"),
        "shot": lab.shot(EVIL, EVIL),
        "died": died,
        "death": death,
        "refusal": refusal(MQError, qm.get, EVIL),
        "nothing there": refusal(MQError, shop.get, "ORDERS", msg_id=b"1"),
        "lab error": refusal(LabError, lab.advance, EVIL),
        "runaway": RunawayTrigger(f"{EVIL} (TRG-12a)"),
        "why not triggered": qm.why_not_triggered("ORDERS"),
        "why no message": qm.why_no_message("ORDERS"),
        "delivery": lab.why_not_delivered(put),
    }


def sites() -> dict:
    """The two sites: one message delivered, others waiting behind a path that is cut."""
    lab = estates.load("two-sites")
    north = lab["NORTH"]
    north.put("ORDERS", b"delivered", expiry=900)
    lab.advance(5)
    lab.cut("NORTH", "HUB")
    north.put("ORDERS", EVIL, expiry=900)
    north.put("ORDERS", b"\xff\xfe")
    lab.advance(30)
    south = lab["SOUTH"]
    south.put("SOUTH.DLQ", b"no header", format="MQDEAD")
    found = {
        "two sites": lab,
        "north": north,
        "transmission queue": queue_of(north, "HUB"),
        "remote": north.routes["ORDERS"],
        "in flight": north.browse("HUB"),
        "no header": south.browse("SOUTH.DLQ"),
        "path": lab.network.paths[0],
    }
    return found | {f"channel {c.name}": c for c in north.channels.values()}


def group() -> dict:
    """The queue sharing group, one structure failed."""
    lab = estates.load("sharing-group")
    qma = lab["QMA"]
    qma.put("PAYMENTS", EVIL, persistent=True)
    return {
        "sharing group": lab,
        "group": lab.queue_sharing_groups[0],
        "shared queue": queue_of(qma, "PAYMENTS"),
        "member": qma,
    }


def edge() -> dict:
    """The vans with jobs that wait or expire."""
    lab = estates.load("mobile-edge")
    van, hq = lab["VAN1"], lab["HQ"]
    van.put("REPORTS@HQ", EVIL)
    hq.put("JOBS@VAN1", b"late", expire_ms=500)
    lab.advance(1)
    return {
        "edge": lab,
        "van": van,
        "asynchronous": next(q for q in van.queues if q.depth),
        "forward": next(q for q in hq.queues if q.depth),
        "mqe message": van.message(EVIL, expire_ms=1),
        "mqe application": van.connect("DRIVER"),
        "mqe refusal": refusal(MQeError, van.get, "NO.SUCH"),
    }
