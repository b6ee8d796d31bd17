"""Demonstrations about refusals: who may come in, and what a program may open."""

from __future__ import annotations

from typing import Any

from ...engine.words.errors import MQError
from .telling import Tell, story

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


@story
def four_gates(lab: Any, shot: Tell) -> None:
    shop = lab.queue_manager("SHOP", users={"till": "secret"}, groups={"tills": ["till"]})
    shop.mqsc(_RECORDS + _PASSWORDS).require()
    shot("A till and its queue manager")
    _tries(shop, "sunday")
    shot("The password", said=_said(lab), logged=_logged(shop))
    lab.advance(60)
    _tries(shop, "secret")
    shot("The channel authentication record", said=_said(lab), logged=_logged(shop))
    lab.advance(60)
    shop.mqsc(lab.why_refused("TILL").opens).require()
    _tries(shop, "secret")
    shot("The authority to connect", said=_said(lab), logged=_logged(shop))
    lab.advance(60)
    shop.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHADD(CONNECT)").require()
    _tries(shop, "secret")
    shot("The authority to open", said=_said(lab))
    lab.advance(60)
    shop.mqsc("SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills') AUTHADD(PUT)").require()
    _tries(shop, "secret")
    shot("In")


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
