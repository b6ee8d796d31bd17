"""Eight labs as architects write them for their own meetings, and three dumps: each a function that returns a lab whose
story has run."""

from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from mqlab import Lab, MQError, estates

DATASETS = Path(__file__).parents[2] / "datasets"

SENDER = """
    DEFINE QLOCAL({far}) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA({near}.{far}) INITQ(SYSTEM.CHANNEL.INITQ)
    DEFINE CHANNEL({near}.{far}) CHLTYPE(SDR) CONNAME({far}) XMITQ({far}) DISCINT(0) SHORTTMR(10)
"""


def joined(lab, *ways, latency=0.05):
    """Define a triggered sender and its receiver for each way, as "HUB ROME", and the queue managers that are not there
    yet."""
    there = {qmgr.name for qmgr in lab.queue_managers}
    for name in dict.fromkeys(" ".join(ways).split()):
        if name not in there:
            lab.queue_manager(name)
    for near, far in map(str.split, ways):
        if lab.network.path(near, far) is None:
            lab.link(near, far, latency=latency)
        lab[near].mqsc(SENDER.format(near=near, far=far)).require()
        lab[far].mqsc(f"DEFINE CHANNEL({near}.{far}) CHLTYPE(RCVR)").require()
    lab.advance(1)


def hub_and_spoke():
    """Five branches ask for prices at the hub, and the link to one of them is cut."""
    lab, spokes = Lab(), ("WIEN", "GRAZ", "LINZ", "PARIS", "ROME")
    hub = lab.queue_manager("HUB")
    hub.mqsc("DEFINE QLOCAL(PRICES)").require()
    for spoke in spokes:
        lab.queue_manager(spoke).mqsc(
            "DEFINE QLOCAL(ANSWERS)\nDEFINE QREMOTE(ASK) RNAME(PRICES) RQMNAME(HUB)"
        ).require()
    joined(lab, *(f"{spoke} HUB" for spoke in spokes), *(f"HUB {spoke}" for spoke in spokes))

    def answer(app):
        with app.open("PRICES", input="shared") as prices:
            for question in prices.get_each(wait=120):
                app.reply(question, "9.90")

    hub.run_program("PRICING", answer)
    for spoke in spokes:
        lab[spoke].connect("TILL").put("ASK", "price of a rose?", reply_to_q="ANSWERS", persistent=True)
        lab.advance(3)
    lab.cut("HUB", "ROME")
    for spoke in ("ROME", "WIEN"):
        lab[spoke].connect("TILL").put("ASK", "price of a lily?", reply_to_q="ANSWERS", persistent=True)
        lab.advance(5)
    lab.restore("HUB", "ROME")
    lab.advance(30)
    return lab


def batch_in_doubt():
    """The link between two sites is cut when a batch was sent and not yet confirmed."""
    lab = Lab()
    main, backup = lab.queue_manager("MAIN"), lab.queue_manager("BACKUP")
    backup.mqsc("DEFINE QLOCAL(JOURNAL) DEFPSIST(YES)").require()
    main.mqsc("DEFINE QREMOTE(COPY) RNAME(JOURNAL) RQMNAME(BACKUP)").require()
    joined(lab, "MAIN BACKUP", latency=1.0)
    bank = main.connect("BANK")
    bank.put("COPY", "booking 1", persistent=True)
    lab.advance(20)
    for number in (2, 3, 4):
        bank.put("COPY", f"booking {number}", persistent=True)
    asked = len(lab.events.where(kind="prepare"))
    while len(lab.events.where(kind="prepare")) == asked:
        lab.advance(0.1)
    lab.advance(1.5)  # BACKUP commits, and its answer is on the way
    lab.cut("MAIN", "BACKUP")
    lab.advance(15)
    bank.put("COPY", "booking 5", persistent=True)
    lab.advance(15)
    lab.restore("MAIN", "BACKUP")
    lab.advance(30)
    return lab


def cluster_of_four():
    """Two hosts share the orders of a cluster until one of them is suspended."""
    lab, full = Lab(), ("REPO1", "REPO2")
    members = [lab.queue_manager(name) for name in (*full, "HOST", "SHOP")]
    for number, member in enumerate(members):
        for other in members[:number]:
            lab.link(other.name, member.name, latency=0.02)
    for member in members:
        partner = "REPO1" if member.name != "REPO1" else "REPO2"
        if member.name in full:
            member.mqsc("ALTER QMGR REPOS(SALES)").require()
        for name, kind in ((member.name, "CLUSRCVR"), (partner, "CLUSSDR")):
            member.mqsc(f"DEFINE CHANNEL(TO.{name}) CHLTYPE({kind}) CONNAME('{name.lower()}(1414)') CLUSTER(SALES)")
    for host in ("REPO2", "HOST"):
        lab[host].mqsc("DEFINE QLOCAL(ORDERS) CLUSTER(SALES) DEFBIND(NOTFIXED)").require()
    lab.advance(60)
    with lab["SHOP"].open("ORDERS", output=True) as orders:
        for number in range(1, 5):
            orders.put(f"order {number}", persistent=True)
            lab.advance(5)
        lab["HOST"].mqsc("SUSPEND QMGR CLUSTER(SALES)").require()
        lab.advance(30)
        for number in range(5, 8):
            orders.put(f"order {number}", persistent=True)
            lab.advance(5)
    return lab


def refused_clients():
    """Four people try one client channel: two channel authentication records refuse three of them."""
    lab = Lab()
    shop = lab.queue_manager("SHOP")
    shop.mqsc("""
        DEFINE QLOCAL(ORDERS)
        DEFINE CHANNEL(SHOP.SVRCONN) CHLTYPE(SVRCONN)
        SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
        SET CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) CLNTUSER('anna') USERSRC(MAP) MCAUSER('app')
        SET CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) CLNTUSER('mqm') USERSRC(NOACCESS)
        SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)
        SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)
        """).require()
    for user in ("tom", "mqm", "eve", "anna"):
        try:
            client = shop.connect("TILL", user=user, channel="SHOP.SVRCONN", address="10.0.0.7")
            client.put("ORDERS", f"an order of {user}")
        except MQError as refused:
            assert refused.reason == 2035
        lab.advance(10)
    return lab


def slow_consumer():
    """A consumer is 20 percent slower than its producer, until the queue is full."""
    lab = Lab()
    qm = lab.queue_manager("SHOP")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MAXDEPTH(10)").require()

    def pick(app):
        with app.open("ORDERS", input="shared") as orders:
            for _ in orders.get_each(wait=5):
                app.qmgr.lab.advance(1.25)

    qm.run_program("PICKER", pick)
    qm.traffic("ORDERS", rate=1, seconds=60, program="WEBSHOP")
    lab.advance(90)
    return lab


def failing_member():
    """A member of a queue sharing group fails with a payment that it got and did not commit."""
    lab = Lab()
    lab.queue_sharing_group("BANK", ["MVSA", "MVSB"])
    first, second = lab["MVSA"], lab["MVSB"]
    first.mqsc("""
        DEFINE CFSTRUCT(PAY) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED) DEFPSIST(YES)
        DEFINE QLOCAL(BOOKED) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED) DEFPSIST(YES)
        """).require()

    def book(app):
        with app.open("PAYMENTS", input="shared") as payments:
            while True:
                with app.unit_of_work() as unit:
                    payment = payments.get(wait=60, unit=unit)
                    app.qmgr.lab.advance(4)
                    app.put("BOOKED", payment.body, unit=unit)

    first.run_program("BOOKER", book)
    second.connect("TELLER").put("PAYMENTS", "100 to Anna")
    lab.advance(2)
    first.fail()
    lab.advance(5)
    second.run_program("BOOKER", book)
    lab.advance(10)
    first.start()
    lab.advance(5)
    return lab


def fifty_subscribers():
    """Three prices are published to fifty subscribers."""
    lab = Lab()
    qm = lab.queue_manager("PRICES")
    for number in range(50):
        qm.mqsc(
            f"DEFINE QLOCAL(SUB.{number:02})\nDEFINE SUB(S{number:02}) TOPICSTR('price/rose') DEST(SUB.{number:02})"
        )
    news = qm.connect("NEWS")
    for price in ("9.90", "8.90", "7.90"):
        news.publish("price/rose", price)
        lab.advance(10)
    return lab


def four_hops():
    """An order passes three queue managers on its way, and the third link is cut for a while."""
    lab, way = Lab(), ("SHOP", "CITY", "LAND", "PORT", "SHIP")
    for name in way:
        lab.queue_manager(name)
    joined(lab, *(f"{near} {far}" for near, far in pairwise(way)))
    for near, far in pairwise(way[:-1]):
        lab[near].mqsc(f"DEFINE QREMOTE(SHIP) RNAME('') RQMNAME(SHIP) XMITQ({far})").require()
    lab["SHIP"].mqsc("DEFINE QLOCAL(LOAD) DEFPSIST(YES)").require()
    lab["SHOP"].mqsc("DEFINE QREMOTE(ORDERS) RNAME(LOAD) RQMNAME(SHIP) XMITQ(CITY)").require()
    till = lab["SHOP"].connect("TILL")
    till.put("ORDERS", "crate 1", persistent=True)
    lab.advance(10)
    lab.cut("LAND", "PORT")
    till.put("ORDERS", "crate 2", persistent=True)
    lab.advance(20)
    lab.restore("LAND", "PORT")
    lab.advance(30)
    return lab


def thirty():
    """An estate of thirty queue managers, three hubs and their spokes; the link between two of them is cut."""
    lab, names = Lab(), [f"QM{number:02}" for number in range(1, 31)]
    for name in names:
        lab.queue_manager(name).mqsc("DEFINE QLOCAL(ORDERS)").require()
    joined(lab, "QM01 QM02", "QM02 QM03", "QM03 QM01")
    for number, name in enumerate(names[3:]):
        hub = names[number % 3]
        joined(lab, f"{hub} {name}", f"{name} {hub}")
    shop = lab["QM02"].connect("SHOP")
    for far in ("QM05", "QM11"):
        shop.put(f"ORDERS@{far}", "order", persistent=True)
    lab.advance(10)
    lab.cut("QM02", "QM11")
    shop.put("ORDERS@QM11", "late order", persistent=True)
    lab.advance(20)
    return lab


def given(qmgr, program, *queues):
    """Let a program put two messages on each of some queues; what it is refused is in the log."""
    app = qmgr.connect(program, user="mqm")
    for queue in queues:
        for number in (1, 2):
            with suppress(MQError):
                app.put(queue, f"{queue.lower()} {number}", persistent=True)
        qmgr.lab.advance(10)


def clinics():
    """The dumps of three queue managers, with traffic of a ward and of a laboratory."""
    lab = estates.load(DATASETS / "clinic-estate" / "estate.json")
    given(lab["WARD1"], "WARD", "LAB.ORDERS", "ALARM.OUT", "BILLING.OUT")
    given(lab["LABS"], "ANALYZER", "LAB.RESULTS.OUT", "BILLING.OUT")
    lab.advance(60)
    return lab


def retail():
    """The script of one queue manager of a retailer, with orders."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc((DATASETS / "retail-estate.mqsc").read_text(encoding="utf-8"))
    given(qm, "WEBSHOP", "WEB.ORDERS.OUT", "WEB.QUOTES.OUT", "WAREHOUSE.PICK.OUT.V1")
    lab.advance(60)
    return lab


MEETINGS = {
    each.__name__.replace("_", "-"): each
    for each in (
        hub_and_spoke,
        batch_in_doubt,
        cluster_of_four,
        refused_clients,
        slow_consumer,
        failing_member,
        fifty_subscribers,
        four_hops,
    )
}

DUMPS = {each.__name__: each for each in (thirty, clinics, retail)}
