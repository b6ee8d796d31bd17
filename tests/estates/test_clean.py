"""Estates without a fault: one of each platform, and the worked ones, of which no check says anything false."""

from pathlib import Path

from estates.cases import estate_of

from helpers import definition, for_each
from mqlab import Lab
from mqlab.engine.commands import Script, read_script
from mqlab.estates import Estate, Part, read

DATASETS = Path(__file__).parents[2] / "datasets"

TLS = "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)"

SHOP = f"""
* Queue manager name: SHOP
DEFINE QLOCAL(SHOP.DLQ) DEFPSIST(YES) MAXDEPTH(50000)
ALTER QMGR DEADQ(SHOP.DLQ) PERFMEV(ENABLED)
DEFINE QLOCAL(DEPOT) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(SHOP.DEPOT)
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) XMITQ(DEPOT) CONNAME('depot(1414)') {TLS}
DEFINE CHANNEL(DEPOT.SHOP) CHLTYPE(RCVR) {TLS}
DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(DEPOT) DEFPSIST(YES)
DEFINE QALIAS(SALES) TARGET(ORDERS) DEFPSIST(YES)
DEFINE QLOCAL(ANSWERS) CAPEXPRY(600) QDPHIEV(ENABLED) QDEPTHHI(70) QDEPTHLO(30)
DEFINE QMODEL(REPLY.MODEL) DEFTYPE(TEMPDYN)
DEFINE TOPIC(PRICES) TOPICSTR('shop/prices')
DEFINE QALIAS(PRICE.CHANGES) TARGET(PRICES) TARGTYPE(TOPIC)
DEFINE LISTENER(SHOP.TCP) TRPTYPE(TCP) PORT(1415) CONTROL(QMGR)
DEFINE CHANNEL(SHOP.APPS) CHLTYPE(SVRCONN) {TLS} SSLCAUTH(REQUIRED) SSLPEER('O=Shop')
DEFINE CHANNEL(SHOP.APPS) CHLTYPE(CLNTCONN) QMNAME(SHOP) CONNAME('shop(1415)') {TLS}
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
SET CHLAUTH(DEPOT.SHOP) TYPE(QMGRMAP) QMNAME(DEPOT) ADDRESS('192.0.2.*') USERSRC(CHANNEL)
SET CHLAUTH(SHOP.APPS) TYPE(SSLPEERMAP) SSLPEER('CN=till') MCAUSER('till')
SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE(SALES) OBJTYPE(QUEUE) GROUP('tills') AUTHADD(PUT)
SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('mqm') AUTHADD(ALL)
"""

DEPOT = f"""
* Queue manager name: DEPOT
DEFINE QLOCAL(DEPOT.DLQ) DEFPSIST(YES)
ALTER QMGR DEADQ(DEPOT.DLQ) DEFXMITQ(SHOP)
DEFINE QLOCAL(SHOP) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE CHANNEL(DEPOT.SHOP) CHLTYPE(SDR) XMITQ(SHOP) CONNAME('shop(1415)') {TLS}
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR) {TLS} MCAUSER('moves') SSLPEER('CN=SHOP')
SET AUTHREC PROFILE(ORDERS.IN) OBJTYPE(QUEUE) PRINCIPAL('moves') AUTHADD(PUT,SETALL)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('moves') AUTHADD(CONNECT)
DEFINE LISTENER(DEPOT.TCP) TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)
DEFINE SERVICE(DEPOT.TRM) CONTROL(QMGR) STARTCMD('runmqtrm') STARTARG('-m +QMNAME+ -q DEPOT.INITQ')
DEFINE QLOCAL(DEPOT.INITQ)
DEFINE PROCESS(PICKER) APPLICID('/opt/depot/pick')
DEFINE QLOCAL(ORDERS.BOQ) DEFPSIST(YES)
DEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES) BOTHRESH(3) BOQNAME(ORDERS.BOQ) TRIGGER TRIGTYPE(FIRST) +
  PROCESS(PICKER) INITQ(DEPOT.INITQ)
DEFINE QALIAS(PICK) TARGET(ORDERS.IN) PUT(DISABLED)
DEFINE NAMELIST(WATCHED) NAMES(ORDERS.IN, ORDERS.BOQ)
"""

MEMBER = f"""
* Queue manager name: {{0}}
* Queue manager platform: MVS
DEFINE CFSTRUCT(BANKING) CFLEVEL(5) RECOVER(YES)
DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(BANKING) DEFPSIST(YES) SHARE DEFSOPT(SHARED) INDXTYPE(CORRELID) +
  TRIGGER TRIGTYPE(FIRST) PROCESS(PAYER) INITQ(PAY.INITQ) BOTHRESH(3) BOQNAME(PAYMENTS.BOQ)
DEFINE QLOCAL(PAYMENTS.BOQ) QSGDISP(SHARED) CFSTRUCT(BANKING) DEFPSIST(YES)
DEFINE QLOCAL(QUOTES) QSGDISP(SHARED) CFSTRUCT(BANKING) CUSTOM('CAPEXPRY(50)')
DEFINE PROCESS(PAYER) APPLICID(PAYER)
DEFINE QLOCAL(PAY.INITQ)
DEFINE QLOCAL({{0}}.DLQ) DEFPSIST(YES)
ALTER QMGR DEADQ({{0}}.DLQ) EXPRYINT(60)
DEFINE BUFFPOOL(3) BUFFERS(20000)
DEFINE PSID(04) BUFFPOOL(3)
DEFINE STGCLASS(BOOKS) PSID(4)
DEFINE QLOCAL(LEDGER) STGCLASS(BOOKS) DEFPSIST(YES) BOTHRESH(5) BOQNAME(PAYMENTS.BOQ) HARDENBO
DEFINE QLOCAL(BRANCH) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE CHANNEL({{0}}.BRANCH) CHLTYPE(SDR) XMITQ(BRANCH) CONNAME('branch(1414)') {TLS}
DEFINE CHANNEL(BRANCH.{{0}}) CHLTYPE(RCVR) {TLS}
"""

VSE = """
* Queue manager name: VSEQ
* Queue manager platform: VSE
DEFINE QLOCAL(VSEQ.DLQ) DEFPSIST(YES)
ALTER QMGR DEADQ(VSEQ.DLQ)
DEFINE QLOCAL(STOCK.IN) DEFPSIST(YES)
DEFINE QALIAS(STOCK) TARGET(STOCK.IN)
DEFINE QLOCAL(HOST) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE CHANNEL(VSEQ.HOST) CHLTYPE(SDR) XMITQ(HOST) CONNAME('host(1414)') SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)
DEFINE CHANNEL(HOST.VSEQ) CHLTYPE(RCVR) SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)
DEFINE QREMOTE(SALES) RNAME(SALES.IN) RQMNAME(HOST)
"""

CLEAN = {
    "distributed": {"SHOP": SHOP, "DEPOT": DEPOT},
    "zos": {"QMA": MEMBER.format("QMA"), "QMB": MEMBER.format("QMB").replace("DEFINE CFSTRUCT", "ALTER CFSTRUCT")},
    "vse": {"VSEQ": VSE},
}


@for_each("platform", CLEAN)
def test_a_clean_estate_gives_no_finding(platform):
    estate = estate_of(CLEAN[platform], platform)
    assert [qmgr.platform for qmgr in estate.queue_managers] == [platform] * len(estate.names)
    assert [str(one) for one in estate.findings()] == []


def own(estate):
    """The findings, but for the summary of security: the worked estates have no TLS."""
    return [(one.check, one.name) for one in estate.findings() if one.check != "security-summary"]


def test_the_worked_estates_give_no_false_finding():
    assert own(read(DATASETS / "two-sites")) == []
    # in the retailer's, an operator starts the channel to the bank, nobody asked for the depth events, the web shop
    # leaves it to the alias whether its messages are persistent, and no record lets the group of the stores connect
    assert own(read(DATASETS / "retail-estate.mqsc")) == [
        ("events-off", ""),
        ("xmitq-not-triggered", "BANKGW.XMIT"),
        ("persistence-decided-by-alias", "WEB.STOCK.OUT"),
        ("authority-without-connect", ""),
    ]


def test_the_worked_group_gives_no_finding():
    files = [(member, "member") for member in ("QMA", "QMB", "QMC")] + [("QMA", "QSG1")]
    scripts = {name: read_script(DATASETS / "sharing-group" / f"{name}.mqsc") for name in ("member", "QSG1")}
    assert own(Estate([Part(file, scripts[file], qmgr, "zos", None, "QSG1") for qmgr, file in files])) == []


@for_each(("platform", "level"), [("distributed", 940), ("distributed", 710), ("zos", 930), ("vse", 511)])
def test_a_full_dump_of_a_new_queue_manager_gives_no_finding(platform, level):
    qmgr = Lab().queue_manager("QM1", platform, level)
    objects = [one for one in qmgr.objects.everything() if one.kind != "QMGR"]
    text = "\n".join(definition(one, platform, level) for one in objects)
    estate = Estate([Part("QM1", Script(text, "utf-8", "QM1"), "QM1", platform, level)])
    assert len(objects) > 30
    assert estate.replies[0].ok
    assert [str(one) for one in estate.findings(security=True)] == []
