"""Questions about an estate: what uses an object, and what a command would change."""

import json

import pytest
from estates.cases import estate_of

from helpers import for_each, lab_error

SHOP = """
DEFINE QREMOTE(ORDERS) RNAME(IN) RQMNAME(DEPOT)
DEFINE QALIAS(SALES) TARGET(ORDERS)
DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(DEPOT)
DEFINE QLOCAL(DEPOT) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(SHOP.DEPOT)
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(DEPOT)
"""
DEPOT = """
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR)
DEFINE QLOCAL(IN) BOTHRESH(3) BOQNAME(POISON) PROCESS(P) +
  INITQ(STARTS)
DEFINE QLOCAL(POISON)
DEFINE QLOCAL(STARTS)
DEFINE PROCESS(P) APPLICID(P)
DEFINE NAMELIST(ALL) NAMES(IN,POISON)
DEFINE TOPIC(T) TOPICSTR(t)
DEFINE SUB(S) TOPICOBJ(T) DEST(IN)
ALTER QMGR DEADQ(POISON)
SET AUTHREC PROFILE('P*') OBJTYPE(QUEUE) GROUP('ops') AUTHADD(GET)
"""


@pytest.fixture(scope="module")
def estate():
    return estate_of({"SHOP": SHOP, "DEPOT": DEPOT})


@for_each(
    "name, at, uses",
    ("IN", "DEPOT", "ORDERS RNAME, ALL NAMES, S DEST, SALES TARGET"),
    ("POISON", "DEPOT", " DEADQ, ALL NAMES, IN BOQNAME, P* PROFILE"),
    ("P", "DEPOT", "IN PROCESS"),
    ("T", "DEPOT", "S TOPICOBJ"),
    ("STARTS", "DEPOT", "IN INITQ"),
    ("DEPOT", "SHOP", "SHOP.DEPOT XMITQ, HQ RQMNAME, ORDERS RQMNAME, SALES TARGET"),
    ("SHOP.DEPOT", "SHOP", "DEPOT TRIGDATA"),
    ("SHOP.DEPOT", "DEPOT", "SHOP.DEPOT CONNAME"),
)
def test_what_names_an_object_or_leads_to_it(estate, name, at, uses):
    found = estate.who_uses(name, at).uses
    assert ", ".join(f"{use.name} {use.attribute}" for use in found) == uses
    if name == "STARTS":
        assert [str(use.place) for use in found] == ["DEPOT.mqsc:4"], "the place of the attribute"


def test_a_shared_queue_is_used_on_every_member():
    shared = "DEFINE CFSTRUCT(CF) CFLEVEL(5) RECOVER(YES)\nDEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(CF) PROCESS(P)\n"
    own = "DEFINE PROCESS(P) APPLICID(P)\nDEFINE QLOCAL(J.{0}) TRIGGER INITQ(S) PROCESS(P)\nALTER QMGR IGQ(ENABLED)\n"
    out = "DEFINE QALIAS(A) TARGET(S)\nDEFINE QREMOTE(R) RNAME(S) RQMNAME(QMA)\nDEFINE QLOCAL(QMA) USAGE(XMITQ)\n"
    estate = estate_of({"QMA": shared + own.format("A"), "QMB": own.format("B") + out}, "zos")
    for at in ("QMA", "QMB"):
        uses = estate.who_uses("S", at)
        assert {(use.qmgr, use.name, use.of) for use in uses.uses} == {
            (*use, "S of QSG1") for use in (("QMA", "J.A"), ("QMB", "J.B"), ("QMB", "A"), ("QMB", "R"))
        }
        assert {"QSG1/S", "QMB/A"} <= set(uses.objects)
        assert {(use.qmgr, use.name) for use in estate.who_uses("P", at).uses} == {("QMA", "S"), (at, f"J.{at[2]}")}
    changed = estate.what_if("DELETE QLOCAL(S) QSGDISP(SHARED)", "QMB").changes
    made = {(one.qmgr, one.name) for one in changed if (one.what, one.how) == ("finding", "made")}
    assert {("QMA", "J.A"), ("QMB", "J.B"), ("QMB", "A")} <= made
    assert ("route", "ended", "QMA", "S") in [one[:4] for one in changed]


def test_uses_are_text_a_frame_json_and_a_picture(estate):
    uses = estate.who_uses("IN", "DEPOT")
    assert str(uses).startswith("4 objects use IN of DEPOT\nSHOP  QREMOTE  ORDERS  RNAME  IN of DEPOT  SHOP.mqsc:2\n")
    assert list(uses.to_frame().columns) == ["qmgr", "kind", "name", "attribute", "of", "place"]
    assert json.loads(uses.to_json())["rows"][0]["attribute"] == "RNAME"
    assert "SALES" in uses.picture().svg
    assert estate.who_uses("NOPE", "DEPOT").title == "no objects use NOPE of DEPOT, which is not defined"


def test_what_a_command_would_change(estate):
    asked = estate.what_if("DELETE QLOCAL(IN)", "DEPOT")
    routes = [(one.how, one.name) for one in asked.changes if one.what == "route"]
    assert routes == [("changed", "ORDERS"), ("changed", "SALES"), ("ended", "IN")]
    changed = next(one for one in asked.changes if (one.what, one.name) == ("route", "ORDERS"))
    assert ("finding", "made", "ORDERS") in [(one.what, one.how, one.name) for one in asked.changes]
    assert (changed.was, changed.is_now[:14]) == ("delivers: on IN of DEPOT", "dead-lettered:")
    assert estate.route("ORDERS", "SHOP").verdict == "delivers"
    assert asked.after.route("ORDERS", "SHOP").verdict == "dead-lettered"
    assert json.loads(asked.to_json())["command"] == "DELETE QLOCAL(IN)"
    assert "SALES" in asked.picture().svg


def test_a_command_that_makes_a_finding_changes_nothing_or_is_refused(estate):
    (finding, route) = estate.what_if("DEFINE QALIAS(OLD) TARGET(NOPE)", "SHOP").changes
    assert (finding.what, finding.how, route.what, route.how) == ("finding", "made", "route", "made")
    assert "no finding and no route changes" in estate.what_if("ALTER QLOCAL(IN) DESCR('orders')", "DEPOT").title
    (refused,) = estate.what_if("DELETE QLOCAL(NOPE)", "DEPOT").changes
    assert (refused.how, refused.is_now[:9]) == ("refused", "AMQ8147E:")
    lab_error(r"^command must be MQSC, such as DELETE QLOCAL\(ORDERS\); got ''", estate.what_if, "", "DEPOT")
    lab_error(r"^at must be one of SHOP, DEPOT; got 'NOPE'", estate.who_uses, "IN", "NOPE")


def test_a_question_without_a_place_is_about_the_only_queue_manager_that_has_the_object():
    estate = estate_of({"QM1": "DEFINE QLOCAL(HERE)\nDEFINE QLOCAL(BOTH)", "QM2": "DEFINE QLOCAL(BOTH)"})
    assert (estate.route("HERE").at, estate.what_if("DELETE QL(here)").at) == ("QM1", "QM1")
    assert estate.who_uses("HERE").at == "QM1"
    for ask in (estate.route, lambda name: estate.what_if(f"DELETE QLOCAL({name})")):
        lab_error("BOTH is defined at QM1, QM2", ask, "BOTH")
    lab_error(r"^at must be one of QM1, QM2; got ''$", estate.what_if, "DEFINE QLOCAL(NEW)")
