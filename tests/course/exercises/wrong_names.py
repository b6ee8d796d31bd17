"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import names


def _mqsc(qmgr, text):
    return lambda lab: lab[qmgr].mqsc(text)


def _start_and_wait(lab):
    lab["HQ"].start()
    lab.advance(900)


def _no_time(lab):
    lab["HQ"].start()
    lab.restore("SHOP2", "HQ")
    lab["SHOP3"].mqsc("ALTER CHANNEL(SHOP3.HQ) CHLTYPE(SDR) CONNAME('hq.example(1414)')")


def _by_hand(lab):
    lab["HQ"].start()
    for shop in names.SHOPS:
        lab["HQ"].put("TAKINGS", f"takings of {shop}")


def _shop(text):
    return _mqsc("SHOP", text)


def _hq_too(lab):
    lab["SHOP"].mqsc("ALTER QMGR DEFXMITQ(TO.HQ)")
    lab["HQ"].mqsc("DEFINE QREMOTE(DEPOT) RQMNAME(HQ)")


CHECK = "ALTER QMGR CONNAUTH(CHECK)\nALTER AUTHINFO(CHECK) AUTHTYPE(IDPWOS) "

WRONG = {
    "N01": [
        ("a queue of its own", _shop("DEFINE QLOCAL(INVOICES)"), "they stay on INVOICES at SHOP"),
        ("no way named", _shop("DEFINE QREMOTE(INVOICES) RNAME(INVOICES) RQMNAME(HQ)"), "refused with 2087"),
        (
            "another name there",
            _shop("DEFINE QREMOTE(INVOICES) RNAME(BILLS) RQMNAME(HQ) XMITQ(TO.HQ)"),
            "SYSTEM.DEAD.LETTER.QUEUE",
        ),
        ("an alias", _shop("DEFINE QALIAS(INVOICES) TARGET(TO.HQ)"), "they stay on TO.HQ at SHOP"),
        ("an alias of nothing here", _shop("DEFINE QALIAS(INVOICES) TARGET(HQ)"), "2082"),
    ],
    "N02": [
        ("a transmission queue and no channel", _shop("DEFINE QLOCAL(DEPOT) USAGE(XMITQ)"), "they stay on DEPOT"),
        ("its own name", _shop("DEFINE QREMOTE(DEPOT) RNAME(' ') RQMNAME(DEPOT) XMITQ(TO.HQ)"), "at HQ"),
        ("a queue too many", _shop("DEFINE QREMOTE(DEPOT) RNAME(STOCK) RQMNAME(HQ) XMITQ(TO.HQ)"), "refused with 2087"),
        ("the default way", _shop("ALTER QMGR DEFXMITQ(TO.HQ)"), "at HQ"),
        ("at HQ, which was to be left alone", _hq_too, "HQ has other definitions than before"),
    ],
    "N03": [
        ("a second queue", _mqsc("QM1", "DEFINE QLOCAL('Shop.Orders')"), "BILLING got 0"),
        ("an alias without quotes", _mqsc("QM1", "DEFINE QALIAS(Shop.Orders) TARGET(SHOP.ORDERS)"), "2085"),
        ("an alias of another name", _mqsc("QM1", "DEFINE QALIAS('Shop.Orders') TARGET('Shop.orders')"), "2082"),
    ],
    "N04": [
        ("only what is stopped", _start_and_wait, "takings of SHOP3 have not come"),
        ("only what is cut", lambda lab: lab.restore("SHOP2", "HQ"), "its channel is RETRYING"),
        ("no time", _no_time, "takings of SHOP1 have not come"),
        ("copies by hand", _by_hand, "takings of SHOP1 have not come"),
    ],
    "N05": [
        ("only named", _mqsc("QM1", "ALTER QMGR CONNAUTH(CHECK)"), "without a password gets in and acts as mqm"),
        ("asked, not adopted", _mqsc("QM1", CHECK + "CHCKCLNT(REQUIRED)"), "with till's password acts as mqm"),
        ("asked everywhere", _mqsc("QM1", CHECK + "CHCKCLNT(REQUIRED) CHCKLOCL(REQUIRED) ADOPTCTX(YES)"), "BATCH"),
        ("a name that is none", _mqsc("QM1", "ALTER QMGR CONNAUTH(CHECKS)"), "acts as nobody"),
        ("only the channel", _mqsc("QM1", "ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) MCAUSER('till')"), "gets in"),
    ],
    "N06": [
        ("one alias", _mqsc("QM1", "ALTER QALIAS(ORDERS.IN) TARGET(ORDERS)"), "WEB's puts fail with 2001"),
        ("the queue that was planned", _mqsc("QM1", "DEFINE QLOCAL(ORDERS.NEW)"), "0 of 4 orders are on ORDERS"),
        (
            "the planned queue for both",
            _mqsc("QM1", "DEFINE QLOCAL(ORDERS.NEW)\nALTER QALIAS(WEB.IN) TARGET(ORDERS.NEW)"),
            "0 of 4 orders are on ORDERS",
        ),
    ],
}
