"""Demonstrations about refusals: who may come in, and what a program may open."""

from __future__ import annotations

from typing import Any

from ...engine.words.errors import MQError
from .telling import story

_RECORDS = """
DEFINE CHANNEL(SHOP.CLIENTS) CHLTYPE(SVRCONN)
DEFINE QLOCAL(ORDERS)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
SET AUTHREC OBJTYPE(QMGR) GROUP('office') AUTHADD(CONNECT)
"""
_PASSWORDS = """
DEFINE AUTHINFO(SHOP.USERS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED) ADOPTCTX(YES)
ALTER QMGR CONNAUTH(SHOP.USERS)
REFRESH SECURITY TYPE(CONNAUTH)
"""


@story(
    "One 2035, four gates",
    "A till connects as a client to queue manager SHOP, and puts an order. It gets 2035 four times in a row.",
    "The till sees 2035 and nothing more. Which four gates refuse it, and what opens each of them and no more?",
    """2035 is one number for many gates: password, channel authentication record, connect, open.
    The program sees only the number. The error log of the queue manager has the gate, the record, and the user.
    Open one gate at a time, for one user on one channel: what a wide repair opens stays open for everybody.""",
    "SEC-01 SEC-02 OAM-02",
)
def four_gates(lab: Any) -> None:
    shop = lab.queue_manager("SHOP", users={"till": "secret"}, groups={"tills": ["till"]})
    shop.mqsc(_RECORDS + _PASSWORDS).require()
    lab.shot("""A till and its queue manager
        TILL runs as user till at address 10.0.0.7. It calls channel SHOP.CLIENTS of queue manager SHOP, and wants to
        put an order on queue ORDERS. It gives user till and a password. Which gate could refuse it first?""")
    _tries(shop, "sunday")
    lab.shot(f"""The password
        {_said(lab)} The error log has {_logged(shop)}. Somebody typed the password wrong. With the right one, is the
        till in?""")
    lab.advance(60)
    _tries(shop, "secret")
    lab.shot(f"""The channel authentication record
        No. {_said(lab)} The same 2035, and another message: {_logged(shop)}. A TYPE(USERMAP) record for this
        user, on this channel, from this address, opens the gate. And now?""")
    lab.advance(60)
    shop.mqsc(lab.why_refused("TILL").opens).require()
    _tries(shop, "secret")
    lab.shot(f"""The authority to connect
        {_said(lab)} The error log has {_logged(shop)}. The till is in group tills, and the records name group
        office alone. With CONNECT for tills, can it put its order?""")
    lab.advance(60)
    shop.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHADD(CONNECT)").require()
    _tries(shop, "secret")
    lab.shot(f"""The authority to open
        {_said(lab)} That is the fourth gate, and the fourth 2035. Authority is asked at the open of each object, so
        TILL needs PUT on ORDERS, and nothing else.""")
    lab.advance(60)
    shop.mqsc("SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills') AUTHADD(PUT)").require()
    _tries(shop, "secret")
    lab.shot(f"""In
        ORDERS holds {shop.depth("ORDERS")}. Four gates are open, for the tills and for nobody else. No command was
        CHLAUTH(DISABLED), had a profile **, or put anybody into the group mqm.""")


def _tries(shop: Any, password: str) -> None:
    """The till connects and puts an order, or is refused."""
    try:
        till = shop.connect("TILL", user="till", password=password, channel="SHOP.CLIENTS", address="10.0.0.7")
        till.put("ORDERS", "order")
        till.disconnect()
    except MQError:
        return


def _said(lab: Any) -> str:
    """What the gate that refused the till says, as a sentence."""
    answer = lab.why_refused("TILL")
    return f"TILL gets {answer.reason} at the gate {answer.refused.gate}: {answer.refused.said}."


def _logged(shop: Any) -> str:
    """The identifiers of the messages of the last refusal."""
    log = shop.error_log()
    return " and ".join(each.id for each in log if each.seq == log[-1].seq)
