"""Exercises about gates: why a program is refused, and the command that opens this gate, for this program alone.

The checks try the programs at a copy of QM1. They also try neighbors, which a repair that is too wide lets in.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ....engine.words.errors import MQError
from ....engine.words.headers import MQDLH
from ....lab.lab import Lab
from ....views.text import plural
from ..exercise import Exercise, given, posed
from .log_queries import bodies, refused, rows, texts
from .shops import DEAD, alone, copied, delivered, let_pass, reach, shop_and_hq

Act = Callable[[Any], object]
Probe = tuple[str, str, dict[str, Any], Act]
"""An attempt that must fail: what would happen, the program, how it connects, and its calls."""

USERS: dict[str, Any] = {
    "users": {"till": "secret", "clerk": "word"},
    "groups": {"tills": ["till"], "office": ["clerk"], "report": ["reports"]},
}
TILL: dict[str, Any] = {"user": "till", "password": "secret", "channel": "TILLS", "address": "10.0.0.7"}
CLERK: dict[str, Any] = TILL | {"user": "clerk", "password": "word"}
SHOP = """
DEFINE QLOCAL(ORDERS)
DEFINE QLOCAL(PAYROLL)
DEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN)
DEFINE CHANNEL(OFFICE) CHLTYPE(SVRCONN)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
DEFINE AUTHINFO(SHOP.USERS) AUTHTYPE(IDPWOS) CHCKCLNT(REQDADM) ADOPTCTX(YES)
ALTER QMGR CONNAUTH(SHOP.USERS)
REFRESH SECURITY TYPE(CONNAUTH)
SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHADD(CONNECT)
SET AUTHREC OBJTYPE(QMGR) GROUP('office') AUTHADD(CONNECT)
SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills') AUTHADD(PUT)
"""
"""A queue manager with a back-stop record, passwords, and authority for two groups."""
LET_IN = "SET CHLAUTH('TILLS') TYPE(ADDRESSMAP) ADDRESS('10.0.0.*') USERSRC(CHANNEL)\n"


def _put(queue: str) -> Act:
    return lambda app: app.put(queue, b"order")


def _read(queue: str) -> Act:
    return lambda app: app.open(queue, browse=True)


def _get(queue: str) -> Act:
    return lambda app: app.open(queue, input="shared")


def _nothing(app: Any) -> None:
    """Make no call after the connect."""


def fate(lab: Lab, program: str, facts: dict[str, Any], act: Act = _nothing) -> str:
    """The refusal of a program at a copy of QM1, in words; "" if all its calls work."""
    qm = copied(lab)
    try:
        act(qm.connect(program, **facts))
    except MQError as error:
        gate = qm.lab.why_refused(program).refused if error.reason == 2035 else None
        return f"{program} gets {error.reason}" + (f" at the gate {gate.gate}: {gate.said}" if gate else "")
    return ""


def works(program: str, facts: dict[str, Any], act: Act = _nothing) -> Callable[[Lab], str]:
    """A question why a program is refused: see `fate`."""
    return lambda lab: fate(lab, program, facts, act)


WRONG_PASSWORD: Probe = ("a client with a wrong password gets in", "GUEST", TILL | {"password": "guess"}, _nothing)
READS_PAYROLL: Probe = ("TILL can read PAYROLL", "TILL", TILL, _read("PAYROLL"))


CLERK_BY_TILLS: Probe = ("CLERK gets in through TILLS", "CLERK", CLERK, _nothing)
TILL_BY_OFFICE: Probe = ("TILL gets in through OFFICE", "TILL", TILL | {"channel": "OFFICE"}, _nothing)


def narrow(exercise: Exercise, *probes: Probe) -> None:
    """Add the check that a repair lets in nobody else; the answer is the probes that work."""

    def let_in(lab: Lab) -> list[Probe]:
        return [each for each in probes if not fate(lab, *each[1:])]

    exercise.check(let_in, [], lambda found: "; ".join(words for words, *_ in found))


def _tries(program: str, facts: dict[str, Any], act: Act = _nothing) -> Callable[[Lab], None]:
    """An attempt in the situation, which is refused."""

    def attempt(lab: Lab) -> None:
        with suppress(MQError):
            act(lab["QM1"].connect(program, **facts))

    return attempt


def at_shop(commands: str, attempt: Callable[[Lab], None], **settings: Any) -> Callable[[Lab], None]:
    """A setup of QM1 with more commands, in which an attempt was refused."""
    define = alone(SHOP + commands, **USERS | settings)

    def set_up(lab: Lab) -> None:
        define(lab)
        lab.advance(60)
        attempt(lab)

    return set_up


def _gate(program: str) -> tuple[Callable, Callable]:
    """The gate that refuses a program in the situation, and the row of the refusal."""
    return lambda lab: lab.why_refused(program).refused.gate, refused(program).last


def _logged(lab: Lab) -> list[str]:
    """The messages in the error log about the last refusal."""
    log = lab["QM1"].error_log()
    return [each.id for each in log if each.seq == log[-1].seq]


_cashier = "SET CHLAUTH('TILLS') TYPE(USERMAP) CLNTUSER('cashier') ADDRESS('10.0.0.*') USERSRC(CHANNEL)\n"
g01 = posed("G01", at_shop(_cashier, _tries("TILL", TILL)))
g01.predict("gate", *_gate("TILL"))
g01.suppose(
    "channels",
    lambda lab: lab["QM1"].mqsc("SET CHLAUTH('*') TYPE(USERMAP) CLNTUSER('till') USERSRC(CHANNEL)"),
    lambda lab: sum(not fate(lab, "TILL", TILL | {"channel": name}) for name in ("TILLS", "OFFICE")),
)
g01.check(works("TILL", TILL, _put("ORDERS")))
narrow(g01, CLERK_BY_TILLS, TILL_BY_OFFICE, WRONG_PASSWORD, READS_PAYROLL)
g01.belief("refusing-record-is-the-fault", lambda let_in: CLERK_BY_TILLS in let_in and TILL_BY_OFFICE in let_in)
g01.belief("address-is-a-user", lambda let_in: let_in == [CLERK_BY_TILLS])


REPORTS: dict[str, Any] = {"user": "reports", "channel": "REPORTS", "address": "10.0.0.20"}
g02 = posed("G02", at_shop(given("G02"), _tries("REPORTS", REPORTS, _read("SALES"))))
g02.predict("gate", *_gate("REPORTS"))
g02.predict("log", lambda lab: len(_logged(lab)), refused("REPORTS").last)
g02.check(works("REPORTS", REPORTS, _read("SALES")))
narrow(
    g02,
    ("REPORTS can read PAYROLL", "REPORTS", REPORTS, _read("PAYROLL")),
    ("REPORTS can remove messages from SALES", "REPORTS", REPORTS, _get("SALES")),
    ("a client with a wrong password gets in", "GUEST", REPORTS | {"password": "guess"}, _nothing),
)


PC = TILL | {"asserted": "pc4711"}


def _now(lab: Lab) -> str:
    """The refusal of TILL at QM1 as it is, without a refresh, in words."""
    gate = lab.why_refused("TILL", as_if=PC).refused
    return "" if gate is None else f"TILL gets 2035 at the gate {gate.gate}: {gate.said}"


_asserted = "ALTER AUTHINFO(SHOP.USERS) AUTHTYPE(IDPWOS) ADOPTCTX(NO)\nREFRESH SECURITY TYPE(CONNAUTH)\n"
g03 = posed("G03", at_shop(LET_IN + _asserted, _tries("TILL", PC)))
g03.predict("user", lambda lab: refused("TILL").last(lab).facts["entity"], refused("TILL").last)
g03.suppose("altered", None, lambda lab: not _now(lab))
g03.check(_now)
g03.check(works("TILL", PC, _put("ORDERS")))
narrow(
    g03,
    ("CLERK puts orders too", "CLERK", CLERK | {"asserted": "pc4711"}, _put("ORDERS")),
    ("user pc4711 puts orders without a password", "PC", PC | {"user": "pc4711", "password": None}, _put("ORDERS")),
    WRONG_PASSWORD,
    READS_PAYROLL,
)


def _asks(app: Any) -> None:
    """Put a request, and get its reply from a temporary queue."""
    app.put("ORDERS", b"request")
    with app.open("REPLY.MODEL", input="exclusive", dynamic_name="REPLIES.*") as replies:
        app.qmgr.connect("SERVER", user="server").put(replies.name, b"reply")
        replies.get()


def _lacks(lab: Lab) -> str:
    """The authorities that the last refusal of TILL names, in small letters."""
    return str(refused("TILL").last(lab).facts["missing"])


def _grant(profile: str, words: str) -> Callable[[Lab], object]:
    return lambda lab: lab["QM1"].mqsc(
        f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) GROUP('tills') AUTHADD({words})"
    )


g04 = posed("G04", at_shop(LET_IN + given("G04"), _tries("TILL", TILL, _asks)))
g04.predict("missing", lambda lab: len(_lacks(lab).split("/")), refused("TILL").last)
g04.suppose("get", _grant("REPLY.MODEL", "GET"), lambda lab: _tries("TILL", TILL, _asks)(lab) or _lacks(lab))
g04.check(works("TILL", TILL, _asks))
narrow(
    g04,
    ("TILL can get the orders of others", "TILL", TILL, _get("ORDERS")),
    READS_PAYROLL,
    ("CLERK can open the model queue", "CLERK", CLERK, _get("REPLY.MODEL")),
    WRONG_PASSWORD,
)


def _put_and_browse(app: Any) -> None:
    """Put an order, and look at it."""
    app.put("SHOP.ORDERS", b"order")
    app.browse("SHOP.ORDERS")


g05 = posed("G05", at_shop(LET_IN + given("G05"), _tries("TILL", TILL, _put_and_browse)))
g05.predict("ledger", lambda lab: not fate(lab, "TILL", TILL, _put("SHOP.LEDGER")), refused("TILL").last)
g05.suppose("wider", _grant("SHOP.**", "BROWSE"), lambda lab: not fate(lab, "TILL", TILL, _put_and_browse))
g05.check(works("TILL", TILL, _put_and_browse))
narrow(
    g05,
    ("TILL can remove messages from SHOP.ORDERS", "TILL", TILL, _get("SHOP.ORDERS")),
    ("TILL can browse SHOP.LEDGER", "TILL", TILL, _read("SHOP.LEDGER")),
    READS_PAYROLL,
    WRONG_PASSWORD,
)


CA = "CN=Bakery CA,O=Bakery"
DAY_S = 86_400


def _till(lab: Lab, **facts: Any) -> dict[str, Any]:
    """How TILL connects with TLS; `facts` change it."""
    return TILL | {"cipher": "ANY_TLS12_OR_HIGHER", "keys": _keys(lab, "CN=till,O=Bakery")} | facts


def _keys(lab: Lab, subject: str, issuer: str = CA) -> Any:
    """The key repository of a client, with a certificate that is valid for years."""
    return lab.client_keys(subject, issuer=issuer, days=3650, trusts=[CA])


def _monday(lab: Lab) -> None:
    """The certificate of QM1 expires, and is renewed in time, but only on disk."""
    alone(SHOP + LET_IN + "ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)", **USERS)(lab)
    qm = lab["QM1"]
    qm.certificate("CN=QM1,O=Bakery", issuer=CA, days=30)
    qm.trust(CA)
    _tries("TILL", _till(lab), _put("ORDERS"))(lab)
    lab.advance(29 * DAY_S)
    qm.certificate("CN=QM1,O=Bakery", issuer=CA)
    lab.advance(2 * DAY_S)
    _tries("TILL", _till(lab))(lab)


def _gate_now(lab: Lab, **facts: Any) -> str:
    """The refusal of TILL at QM1 as it is, in words; `facts` change how it connects."""
    answer = lab.why_refused("TILL", as_if=_till(lab, **facts))
    return "" if answer.refused is None else f"TILL gets {answer.reason} at the gate {answer.refused.gate}"


def _without(lab: Lab) -> str:
    """The clients that get in although they lack what the channel demands, in words."""
    other: dict[str, dict[str, Any]] = {
        "a client without TLS": {"cipher": "", "keys": None},
        "a client without a certificate": {"keys": lab.client_keys(trusts=[CA])},
        "a client with a certificate of another issuer": {"keys": _keys(lab, "CN=till", "CN=Other CA")},
    }
    return "; ".join(f"{who} gets in" for who, facts in other.items() if not _gate_now(lab, **facts))


g06 = posed("G06", _monday)
g06.predict("gate", *_gate("TILL"))
g06.suppose("other", None, lambda lab: not _gate_now(lab))
g06.check(_gate_now)
g06.check(_without)


SALES = [b"order too long" if number in (3, 5, 8, 10) else b"order" for number in range(1, 13)]
"""The orders of a day: four are longer than ORDERS accepts."""


def _day(app: Any, sell: Callable) -> None:
    """Sell every order, and stay until the night; an order that is refused is only an event in the log."""
    connections: list[Any] = []
    for order in SALES:
        with suppress(MQError):
            sell(app.qmgr, order, connections)
        app.qmgr.lab.advance(60)
    app.qmgr.lab.advance(3600)


def _sell(lab: Lab) -> None:
    lab["QM1"].run_program("DAY", _day, lab["QM1"].programs["SELL"])
    let_pass(lab, 60 * len(SALES))


def _turned_away(lab: Lab) -> int:
    """The number of the first order whose connect fails with 2537, 0 if there is none."""
    row = refused("TILL", 2537).first(lab)
    return 0 if row is None else row.time_us // 60_000_000 + 1


def _four(app: Any) -> None:
    """Three more connections of the same client, which are all held."""
    [app.qmgr.connect(f"LEAK{number}", **TILL | {"password": None}) for number in range(3)]


_limits = "DEFINE QLOCAL(ORDERS) MAXMSGL(10)\nDEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) MAXINSTC(3) SHARECNV(1)"
g07 = posed("G07", alone(_limits, "G07"), _sell)
g07.predict("first", _turned_away, refused("TILL", 2537).first)
g07.suppose("more", lambda lab: lab["QM1"].mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) MAXINSTC(4)"), _turned_away)
g07.check(texts("QM1", "ORDERS").count, 8, _turned_away)
g07.check(lambda lab: len(lab["QM1"].mqsc("DISPLAY CHSTATUS(TILLS)").rows), 0)
narrow(g07, ("a fourth connection of one client is let in", "LEAK", TILL | {"password": None}, _four))


def _sales_load(lab: Lab) -> None:
    """Anna and Ben of SHOP put two sales each, and Ben puts a message to PAYROLL; then two minutes pass."""
    for user, names in {"anna": ("SALES", "SALES"), "ben": ("SALES", "SALES", "PAYROLL")}.items():
        app = lab["SHOP"].connect("CLERK", user=user)
        for name in names:
            reach(app, name, f"{user} for {name}".encode())
    let_pass(lab, 120)


def _dead(lab: Lab) -> str:
    """The reasons in the headers of the messages on HQ's dead-letter queue, in words."""
    reasons = sorted({MQDLH.unpack(body).reason for body in bodies("HQ", DEAD)(lab)})
    count = bodies("HQ", DEAD).count(lab)
    return f"{plural(count, 'message')} with reason {reasons[0]} on the dead-letter queue" if reasons else "none there"


REFUSED = rows(qmgr="HQ", reason=2035)
g08 = posed("G08", shop_and_hq(given("G08"), SALES="SALES", PAYROLL="PAYROLL"), _sales_load)
g08.predict("user", lambda lab: REFUSED.first(lab).facts["entity"], REFUSED.first)
g08.suppose(
    "anna",
    lambda lab: lab["HQ"].mqsc("SET AUTHREC PROFILE('SALES') OBJTYPE(QUEUE) PRINCIPAL('anna') AUTHADD(PUT)"),
    delivered("SALES").count,
)
g08.check(delivered("SALES").count, 4, _dead)
g08.check(delivered("PAYROLL").count, 0)
