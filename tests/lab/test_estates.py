"""The worked estates of datasets/: each is loaded by name and does what its data sheet says."""

import json
import re
import runpy
from contextlib import suppress

import pytest

from helpers import ROOT, for_each, lab_error
from mqlab import Lab, MQError, estates
from mqlab.dead_letters import read_table

DATASETS = ROOT / "datasets"
TITLES = {
    "two-sites": "# Two sites and a hub",
    "sharing-group": "# A queue sharing group",
    "mobile-edge": "# A mobile MQe edge",
    "clinic-estate": "# A group of clinics",
}
ALL = sorted(TITLES)


def sheet(name):
    """The section of the data sheet about an estate."""
    text = (DATASETS / "README.md").read_text(encoding="utf-8")
    return re.split(r"^# ", text.partition(TITLES[name])[2], flags=re.MULTILINE)[0]


@pytest.fixture
def sites():
    """The two sites, with a server on SOUTH that answers orders."""
    lab = estates.load("two-sites")
    south = lab["SOUTH"]

    def serve(app, trigger):
        request = app.get(trigger.queue, wait=1)
        app.reply(request, b"picked: " + request.body)

    south.program("ORDER.SERVER", serve)
    south.trigger_monitor("SOUTH.INITQ")
    return lab


def status(qmgr):
    """The channels that are current: name -> STATUS."""
    return {row["CHANNEL"]: row["STATUS"] for row in qmgr.mqsc("DISPLAY CHSTATUS(*)").rows}


# ---------------------------------------------------------------- the loader
def test_there_are_four_and_the_data_sheet_tells_of_each(tmp_path):
    assert estates.names() == sorted(TITLES)
    for name in TITLES:
        assert f'estates.load("{name}")' in sheet(name)
    lab = estates.load("two-sites", seed=3, start="2026-02-03T04:05:06Z")
    assert (lab.seed, lab.start.year) == (3, 2026)
    known = "one of clinic-estate, mobile-edge, sharing-group, two-sites; got 'two-cities'"
    lab_error(known, estates.load, "two-cities")
    lab_error("the path of a JSON file", estates.load, tmp_path / "none.json")


@for_each("name", ALL)
def test_an_estate_is_at_rest_when_it_is_loaded_and_two_are_alike(name):
    one, two = estates.load(name), estates.load(name)
    assert (list(one.events), one.now_us) == (list(two.events), 0)
    for qmgr in one.queue_managers:
        assert ({queue.name for queue in qmgr.queues if queue.depth}, qmgr.channels) == (set(), {})
        assert {program.name for program in qmgr.programs_running} <= {"CHANNEL.INITIATOR", "IGQ.AGENT"}
    rows = len(one.events)
    one.run()
    assert len(one.events) == rows


@pytest.mark.parametrize("name", ALL)
def test_the_example_of_the_data_sheet_works(name, tmp_path, monkeypatch):
    monkeypatch.chdir(DATASETS.parent)
    examples = re.findall(r"```python\n(.*?)```", sheet(name), re.DOTALL)
    assert examples
    for example in examples:
        (tmp_path / "example.py").write_text(example, encoding="utf-8")
        runpy.run_path(str(tmp_path / "example.py"))


def test_what_an_export_gives_is_the_same_estate():
    for qmgr in estates.load("two-sites").queue_managers:
        again = Lab().queue_manager(qmgr.name, qmgr.platform)
        assert again.mqsc(qmgr.export_mqsc()).ok
        assert again.export_mqsc() == qmgr.export_mqsc()


@for_each(
    "text, mqsc, says",
    ("{", "", "must be JSON"),
    ("[]", "", "queue_managers and links"),
    ({"queue_managers": {}}, "", "queue_managers and links"),
    ({"queue_managers": {}, "links": [], "colour": "red"}, "", "queue_managers and links"),
    ({"queue_managers": {"QM1": {}}, "links": []}, "", "QM1 of .* must be an object with mqsc"),
    ({"queue_managers": {"QM1": {"mqsc": "no.mqsc"}}, "links": []}, "", "must be readable"),
    ({"queue_managers": {"QM1": {"mqsc": "x.mqsc"}}, "links": []}, "* one\nDEFINE QLOCAL(A\n", "line 2: AMQ8405I"),
    ({"queue_managers": {"QM1": {"mqsc": "x.mqsc", "platform": "os2"}}, "links": []}, "", "platform must be"),
)
def test_an_estate_that_says_something_else_is_refused(tmp_path, text, mqsc, says):
    path = tmp_path / "estate.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    (tmp_path / "x.mqsc").write_text(mqsc, encoding="utf-8")
    lab_error(says, estates.load, path)


# ---------------------------------------------------------------- two sites and a hub
@pytest.mark.parametrize("order", ["ORDERS", "SALES", "ORDERS.IN@SOUTH", "ORDERS.IN@DEPOT"])
def test_an_order_is_answered_over_the_fast_lane(sites, order):
    north, hub, south = (sites[name] for name in ("NORTH", "HUB", "SOUTH"))
    sent = north.put(order, b"two boxes", expiry=600, persistent=True, reply_to_q="ANSWERS", msg_type=1)
    assert (sent.reply_to_q, sent.reply_to_qmgr) == ("ORDERS.REPLY", "NORTH.FAST")
    assert (north.depth("HUB"), status(north)) == (1, {})
    sites.advance(3)
    answer = north.get("ORDERS.REPLY", correl_id=sent.msg_id)
    assert (answer.body, answer.persistent) == (b"picked: two boxes", True)
    assert 0 < answer.expiry < 600
    left = [queue.name for qmgr in (north, hub, south) for queue in qmgr.queues if queue.depth]
    assert left == ["SYSTEM.CHANNEL.SYNCQ"] * 3
    moved = {row.program for row in sites.events.where(kind="put", message=answer.number)}
    assert moved == {"ORDER.SERVER", "SOUTH.HUB", "HUB.NORTH.FAST"}
    moved = {row.program for row in sites.events.where(kind="put", message=sent.number)}
    assert moved == {None, "NORTH.HUB", "HUB.SOUTH"}


def test_channels_are_started_by_their_transmission_queues_and_end_when_it_is_quiet(sites):
    north, hub = sites["NORTH"], sites["HUB"]
    north.put("ORDERS", b"x", reply_to_q="ANSWERS", msg_type=1)
    sites.advance(5)
    assert status(north)["NORTH.HUB"] == status(hub)["HUB.SOUTH"] == "RUNNING"
    assert "HUB.NORTH" not in status(hub)
    sites.advance(400)
    assert "NORTH.HUB" not in status(north)
    assert "HUB.SOUTH" not in status(hub)
    north.put("ORDERS", b"y", reply_to_q="ANSWERS", msg_type=1)
    sites.advance(5)
    assert north.depth("ORDERS.REPLY") == 2


def test_orders_wait_while_the_warehouse_cannot_be_reached(sites):
    north, hub = sites["NORTH"], sites["HUB"]
    sites.cut("SOUTH", "HUB")
    for number in range(5):
        north.put("ORDERS", b"%d" % number, reply_to_q="ANSWERS", msg_type=1)
    sites.advance(20)
    assert (north.depth("HUB"), hub.depth("SOUTH"), status(hub)["HUB.SOUTH"]) == (0, 5, "RETRYING")
    sites.restore("SOUTH", "HUB")
    sites.advance(90)
    assert hub.depth("SOUTH") == 0
    assert [north.get("ORDERS.REPLY").body for _ in range(5)] == [b"picked: %d" % number for number in range(5)]


@pytest.mark.rule("CHL-10", "DLQ-02")
def test_a_full_archive_holds_the_channel_up_and_then_the_dead_letter_queue_takes_the_rest(sites):
    north, south = sites["NORTH"], sites["SOUTH"]
    for number in range(5):
        north.put("AUDIT", b"%d" % number, persistent=True)
    sites.advance(0.6)
    seen = set()
    for _ in range(40):
        sites.advance(0.1)
        seen.add(status(south).get("HUB.SOUTH"))
    assert {"PAUSED", "RUNNING"} <= seen
    assert (south.depth("AUDIT.IN"), south.depth("SOUTH.DLQ")) == (3, 2)
    south.dead_letter_handler((DATASETS / "two-sites" / "SOUTH.rules").read_text(encoding="utf-8"))
    sites.advance(5)
    assert (south.depth("SOUTH.DLQ"), [south.get("AUDIT.IN").body for _ in range(3)]) == (2, [b"0", b"1", b"2"])
    sites.advance(120)
    assert ([south.get("AUDIT.IN").body for _ in range(2)], south.depth("SOUTH.DLQ")) == ([b"3", b"4"], 0)


@pytest.mark.rule("DLQ-03", "DLQ-04")
def test_what_the_hub_cannot_pass_on_is_dealt_with_by_its_rules(sites):
    north, hub = sites["NORTH"], sites["HUB"]
    for name in ("CHAT@WEST", "ADVERT.SPRING@WEST", "ORDERS.IN@WEST"):
        north.put(name, b"x", persistent=True)
    sites.advance(5)
    assert (north.depth("HUB"), hub.depth("HUB.DLQ")) == (0, 3)
    rules = (DATASETS / "two-sites" / "HUB.rules").read_text(encoding="utf-8")
    assert len(read_table(rules).rules) == 5
    hub.dead_letter_handler(rules)
    sites.advance(1)
    assert (hub.depth("HUB.DLQ"), hub.depth("HUB.MANUAL")) == (0, 2)
    assert [row.rule for row in sites.events.where(kind="handler")] == ["DLQ-03", "DLQ-04", "DLQ-03"]


def test_a_message_for_nowhere_does_not_go_round(sites):
    """The hub has no DEFXMITQ: otherwise what it does not know would come back to a site and leave again forever."""
    sites["NORTH"].put("ANYTHING@ATLANTIS", b"x")
    sites.advance(60)
    assert sites["HUB"].depth("HUB.DLQ") == 1
    assert sites.events.where(kind="put", reason=2087)


# ---------------------------------------------------------------- a queue sharing group
def test_every_member_serves_the_shared_queues_and_payments_outlive_the_coupling_facility():
    lab = estates.load("sharing-group")
    members = [lab[name] for name in ("QMA", "QMB", "QMC")]
    members[0].put("PAY", b"ten pounds")
    assert ([each.depth("PAYMENTS") for each in members], members[2].get("PAYMENTS").body) == ([1, 1, 1], b"ten pounds")
    assert members[1].put("BALANCE.QUERY", b"?").expiry == 50
    members[0].put("PAY", b"ten pounds")
    (group,) = lab.queue_sharing_groups
    group.fail_coupling_facility()
    group.recover()
    assert (members[1].depth("PAYMENTS"), members[1].depth("BALANCE.QUERY")) == (1, 0), "questions do not outlive it"
    message = members[0].put("LEDGER@QMB", b"an entry", persistent=True)
    lab.run()
    sent = members[1].get("LEDGER").number, members[0].depth("SYSTEM.QSG.TRANSMIT.QUEUE")
    assert sent == (message.number, 0)
    assert lab.events.where(kind="put", object="SYSTEM.QSG.TRANSMIT.QUEUE")[0].rule.startswith("IGQ")
    assert not lab.events.where(kind="channel")


def test_a_payment_starts_servers_and_is_booked_once():
    lab = estates.load("sharing-group")
    served = []
    for name in ("QMA", "QMB", "QMC"):

        def serve(app, trigger, name=name):
            served.append(name)
            with suppress(MQError):  # 2033: another member's server was quicker
                app.put("LEDGER", app.get(trigger.queue).body)

        lab[name].program("PAYMENT.SERVER", serve)
        lab[name].trigger_monitor("GROUP.INITQ")
    lab.run()
    lab["QMB"].put("PAY", b"ten pounds")
    lab.advance(1)
    assert sorted(served) == ["QMA", "QMB", "QMC"]
    assert sum(lab[name].depth("LEDGER") for name in ("QMA", "QMB", "QMC")) == 1
