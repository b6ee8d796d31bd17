"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.exercise import typed


def _mqsc(text, qmgr="QM1"):
    return lambda lab: lab[qmgr].mqsc(text)


def _administrator(user):
    """The user becomes a member of mqm."""

    def act(lab):
        lab["QM1"].groups["mqm"] = [user]
        lab["QM1"].mqsc("REFRESH SECURITY TYPE(AUTHSERV)")

    return act


NO_RECORDS, NO_PASSWORDS = "ALTER QMGR CHLAUTH(DISABLED)", "ALTER QMGR CONNAUTH(' ')\nREFRESH SECURITY"
TILLS, REPORTS = "SET CHLAUTH('TILLS') TYPE(USERMAP) ", "ALTER CHANNEL(REPORTS) CHLTYPE(SVRCONN) MCAUSER('reports')\n"
ADOPT = "ALTER AUTHINFO(SHOP.USERS) AUTHTYPE(IDPWOS) ADOPTCTX(YES)"
TO_REPORT = "SET AUTHREC OBJTYPE(QMGR) GROUP('report') AUTHADD(CONNECT)\nSET AUTHREC OBJTYPE(QUEUE) GROUP('report') "
TO_TILLS = "SET AUTHREC OBJTYPE(QUEUE) GROUP('tills') "
SELL = """
def sell(qm, order, connections):
    {}

lab["QM1"].program("SELL", sell)
"""
CONNECT = 'app = qm.connect("TILL", user="till", channel="TILLS", address="10.0.0.7")'

WRONG = {
    "G01": [
        ("no records at all", _mqsc(NO_RECORDS), "CLERK gets in through TILLS; TILL gets in through OFFICE"),
        (
            "no back-stop",
            _mqsc("SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)"),
            "TILL gets in through OFFICE",
        ),
        (
            "the address alone",
            _mqsc("SET CHLAUTH('TILLS') TYPE(ADDRESSMAP) ADDRESS('10.0.0.7') USERSRC(CHANNEL)"),
            "CLERK gets in through TILLS",
        ),
        (
            "on every channel",
            _mqsc("SET CHLAUTH('*') TYPE(USERMAP) CLNTUSER('till') USERSRC(CHANNEL)"),
            "TILL gets in through OFFICE",
        ),
        ("mapped to mqm", _mqsc(TILLS + "CLNTUSER('till') MCAUSER('mqm')"), "BLOCKUSER"),
        ("a user in capitals", _mqsc(TILLS + "CLNTUSER('TILL') USERSRC(CHANNEL)"), "at the gate CHLAUTH"),
    ],
    "G02": [
        ("no passwords", _mqsc(NO_PASSWORDS), "REPORTS can read PAYROLL"),
        (
            "none demanded",
            _mqsc("ALTER AUTHINFO(SHOP.USERS) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)\nREFRESH SECURITY"),
            "REPORTS can read PAYROLL",
        ),
        ("a user and no authority", _mqsc(REPORTS), "at the gate connect"),
        ("everything", _mqsc(REPORTS + TO_REPORT + "PROFILE('**') AUTHADD(BROWSE)"), "REPORTS can read PAYROLL"),
        ("all of it", _mqsc(REPORTS + TO_REPORT + "PROFILE('SALES') AUTHADD(ALL)"), "remove messages from SALES"),
    ],
    "G03": [
        ("altered, not refreshed", _mqsc(ADOPT), "TILL gets 2035 at the gate connect: pc4711"),
        (
            "authority for the computer",
            _mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('pc4711') AUTHADD(CONNECT)\n"
                  "SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) PRINCIPAL('pc4711') AUTHADD(PUT)"),
            "CLERK puts orders too",
        ),
        ("everyone is till", _mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) MCAUSER('till')"), "CLERK puts orders too"),
        ("no passwords", _mqsc(NO_PASSWORDS), "TILL gets 2035"),
        ("an administrator", _administrator("pc4711"), "at the gate BLOCKUSER"),
    ],
    "G04": [
        ("GET alone", _mqsc(TO_TILLS + "PROFILE('REPLY.MODEL') AUTHADD(GET)"), "lacks DSP"),
        ("the queue that is created", _mqsc(TO_TILLS + "PROFILE('REPLIES.*') AUTHADD(ALL)"), "lacks GET and DSP"),
        ("every queue", _mqsc(TO_TILLS + "PROFILE('**') AUTHADD(GET,PUT,DSP,BROWSE)"), "TILL can read PAYROLL"),
        ("an administrator", _administrator("till"), "at the gate BLOCKUSER"),
    ],
    "G05": [
        ("wider still", _mqsc(TO_TILLS + "PROFILE('**') AUTHADD(ALL)"), "lacks PUT"),
        ("the wide one", _mqsc(TO_TILLS + "PROFILE('SHOP.**') AUTHADD(PUT,BROWSE)"), "lacks PUT"),
        (
            "as it was",
            _mqsc("DELETE AUTHREC PROFILE('SHOP.ORDERS') OBJTYPE(QUEUE) GROUP('tills')"),
            "lacks BROWSE",
        ),
        ("all of it", _mqsc(TO_TILLS + "PROFILE('SHOP.ORDERS') AUTHADD(ALL)"), "remove messages from SHOP.ORDERS"),
    ],
    "G06": [
        ("the wrong refresh", _mqsc("REFRESH SECURITY TYPE(AUTHSERV)"), "TILL gets 2393 at the gate TLS"),
        (
            "renewed once more",
            lambda lab: lab["QM1"].certificate("CN=QM1,O=Bakery", issuer="CN=Bakery CA,O=Bakery"),
            "TILL gets 2393 at the gate TLS",
        ),
        (
            "no TLS",
            _mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH(' ')"),
            "TILL gets 2393 at the gate TLS a client without TLS gets in",
        ),
        (
            "no certificate of the client",
            _mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCAUTH(OPTIONAL)\nREFRESH SECURITY TYPE(SSL)"),
            "a client without a certificate gets in",
        ),
    ],
    "G07": [
        (
            "no limit",
            _mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) MAXINSTC(999999999)"),
            "4 instances of TILLS are left",
        ),
        ("conversations that share", _mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SHARECNV(10)"), "is left"),
        (
            "no disconnect at all",
            typed(SELL.format(f'{CONNECT}\n    connections.append(app)\n    app.put("ORDERS", order)')),
            "2 of 8 orders are on ORDERS; connects fail from order 4 on",
        ),
        ("no orders", typed(SELL.format("return")), "0 of 8 orders"),
    ],
    "G08": [
        (
            "one of the two",
            _mqsc("SET AUTHREC PROFILE('SALES') OBJTYPE(QUEUE) PRINCIPAL('anna') AUTHADD(PUT)", "HQ"),
            "2 of 4 sales arrived; 3 messages with reason 2035",
        ),
        ("the channel's user", _mqsc("ALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) PUTAUT(DEF)", "HQ"), "arrived on PAYROLL"),
        (
            "every queue",
            _mqsc("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('anna') AUTHADD(PUT)\n"
                  "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('ben') AUTHADD(PUT)", "HQ"),
            "1 message from SHOP arrived on PAYROLL",
        ),
        (
            "an MCAUSER alone",
            _mqsc("ALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) PUTAUT(DEF) MCAUSER('sales')", "HQ"),
            "0 of 4 sales arrived",
        ),
    ],
}  # fmt: skip
