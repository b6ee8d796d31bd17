"""The calls: put, get, browse, assured ones and their undo, synchronous queues, definitions, and wrong calls."""

import pickle

import pytest

from helpers import bodies, for_each, lab_error, refusal
from mqlab import LabError, NotSimulated
from mqlab.everyplace import MQeError
from mqlab.everyplace.whys import NotRunning


def what(call, *args, **kwargs):
    """What kind of refusal a call that must fail gets, after checking that its event is there."""
    with pytest.raises(MQeError) as caught:
        call(*args, **kwargs)
    error = caught.value
    if error.seq is not None:
        lab = caught.traceback[-1].frame.f_locals["self"].lab
        assert (lab.events[error.seq].kind, lab.events[error.seq].rule) == ("refused", error.rule)
    assert str(error).startswith(error.what)
    return error.what


@pytest.fixture
def synchronous(lab, pda, hq):
    """PDA1 knows ORDERS of HQ as a synchronous queue, in the place of the asynchronous one."""
    pda.delete("ORDERS@HQ")
    return pda.define("synchronous", "ORDERS@HQ")


# ---------------------------------------------------------------- local queues
@pytest.mark.rule("MQE-09")
def test_messages_come_by_priority_and_then_by_arrival(pda):
    for body, priority in ((b"a", None), (b"b", 9), (b"c", 4), (b"d", 0), (b"e", 9)):
        pda.put("INBOX", body, priority=priority)
    assert bodies(pda.browse("INBOX")) == [b"b", b"e", b"a", b"c", b"d"]
    assert [pda.get("INBOX").body for _ in range(5)] == [b"b", b"e", b"a", b"c", b"d"]
    assert what(pda.get, "INBOX") == "no matching message"


@pytest.mark.rule("MQE-09")
def test_a_get_can_name_a_message_and_a_full_queue_refuses(lab, pda):
    pda.define("local", "SMALL", max_depth=2)
    first, second = pda.put("SMALL", b"a"), pda.put("SMALL", b"b")
    third = pda.message(b"c")
    assert (what(pda.put, "SMALL", third), third.uid, third.number, pda.depth("SMALL")) == ("queue full", None, None, 2)
    assert pda.get("SMALL", uid=second.uid) is second
    assert what(pda.get, "SMALL", uid=second.uid) == "no matching message"
    pda.put("SMALL", third)
    assert (bodies(pda.browse("SMALL")), first.uid.origin) == ([b"a", b"c"], "PDA1")


@pytest.mark.rule("MQE-15")
def test_a_message_is_put_once_unless_it_is_marked_as_sent_again(lab, pda):
    sales = pda.connect("SALES")
    message = sales.put("INBOX", b"a")
    assert (what(pda.put, "INBOX", message), pda.depth("INBOX")) == ("duplicate message", 1)
    pda.put("INBOX", message.copy(resend=True))  # it is there already
    assert pda.depth("INBOX") == 1
    assert pda.get("INBOX") is message
    pda.put("INBOX", message.copy(resend=True))
    assert pda.get("INBOX").uid == message.uid
    assert [e.program for e in lab.events.where(kind=("put", "get"))] == ["SALES", None, None, None]
    assert repr(sales) == "Application('SALES' on PDA1)"


# ---------------------------------------------------------------- assured
@pytest.mark.rule("MQE-10")
def test_an_assured_put_or_get_hides_the_message_until_it_is_confirmed_by_its_own_id(lab, pda):
    first, second = pda.put("INBOX", b"a", confirm_id=7), pda.put("INBOX", b"b", confirm_id=7)
    assert (pda.depth("INBOX"), pda.browse("INBOX"), what(pda.get, "INBOX")) == (2, [], "no matching message")
    pda.confirm_put("INBOX", second.uid)
    assert bodies(pda.browse("INBOX")) == [b"b"]
    pda.confirm_put("INBOX", first.uid)
    assert bodies(pda.browse("INBOX")) == [b"b", b"a"]  # by the time of the confirmation
    assert what(pda.confirm_put, "INBOX", first.uid) == "no matching message"
    assert pda.get("INBOX") is second
    assert pda.get("INBOX", confirm_id=7) is first
    assert (pda.depth("INBOX"), pda.browse("INBOX"), what(pda.get, "INBOX")) == (1, [], "no matching message")
    pda.confirm_get("INBOX", first.uid)
    assert (pda.depth("INBOX"), what(pda.confirm_get, "INBOX", first.uid)) == (0, "no matching message")


@pytest.mark.rule("MQE-10")
def test_undo_takes_puts_back_and_gives_gets_back(lab, pda):
    pda.put("INBOX", b"first")
    got = pda.get("INBOX", confirm_id=7)
    pda.put("INBOX", b"taken back", confirm_id=7)
    other = pda.put("INBOX", b"other", confirm_id=8)
    assert (pda.undo("INBOX", 7), bodies(pda.browse("INBOX"))) == (2, [b"first"])
    assert pda.get("INBOX") is got
    assert pda.undo("INBOX", 7) == 0
    pda.confirm_put("INBOX", other.uid)
    assert bodies(pda.browse("INBOX")) == [b"other"]
    state = lab.state().queue("PDA1", "INBOX")
    assert (state.depth, state.locked) == (1, set())


def test_a_confirmed_message_or_a_copy_that_expired_meanwhile_goes_and_its_rule_is_told(lab, pda, told):
    put = pda.put("INBOX", b"a", confirm_id=7, expire_ms=10)
    pda.put("INBOX", b"b", expire_ms=10)
    got = pda.get("INBOX", confirm_id=8)
    message = pda.put("INBOX", b"c", expire_ms=10)
    lab.advance(1)
    pda.put("INBOX", message.copy(resend=True))
    assert (len(told), pda.depth("INBOX")) == (1, 2), "the message sent again is not added"
    pda.confirm_put("INBOX", put.uid)
    pda.confirm_get("INBOX", got.uid)
    assert [e.rule for e in lab.events.where(kind="discard")][-2:] == ["MQE-01", "MQE-02"]
    assert (len(told), pda.depth("INBOX")) == (3, 0)


# ---------------------------------------------------------------- synchronous queues
@pytest.mark.rule("MQE-12")
def test_a_put_to_a_synchronous_queue_flows_at_once_and_takes_its_time(lab, pda, hq, synchronous):
    message = pda.connect("SALES").put("ORDERS@HQ", b"a")
    assert (lab.now_us, hq.depth("ORDERS"), synchronous.depth) == (2_000_000, 1, 0)
    (event,) = lab.events.where(kind="put")
    assert (event.qmgr, event.program, event.rule, event.message) == ("HQ", "SALES", "MQE-12", message.number)
    assert pda.get("ORDERS@HQ") is message
    assert hq.depth("ORDERS") == 0


@pytest.mark.rule("MQE-12", "NET-01")
def test_it_fails_and_nothing_changes_when_the_owner_cannot_be_reached(lab, pda, hq, synchronous):
    qm = [lab.queue_manager(name).name for name in ("QM1", "QM2")]
    lab.network.link("PDA1", "QM2")
    for name in qm:
        pda.define("synchronous", f"ORDERS@{name}")
    lab.network.cut("HQ", "PDA1")
    for name in ("ORDERS@HQ", "ORDERS@QM1", "ORDERS@QM2", "stopped"):  # cut, no link, not MQ Everyplace, stopped
        if name == "stopped":
            lab.network.restore("HQ", "PDA1")
            hq.stop()
            name = "ORDERS@HQ"
        message = pda.message(b"a")
        for call, argument in ((pda.put, message), (pda.confirm_put, message.uid), (pda.undo, 7)):
            assert what(call, name, argument) == "no connection"
        assert what(pda.get, name) == "no connection"
        assert (message.uid, message.number, hq.depth("ORDERS"), lab.now_us) == (None, None, 0, 0)


@pytest.mark.parametrize(("cut_at", "arrives"), [(0.5, False), (1.5, True)])
def test_a_link_that_fails_meanwhile_leaves_open_whether_it_arrived(lab, pda, hq, synchronous, cut_at, arrives):
    lab.clock.timeout(int(cut_at * 1e6)).callbacks.append(lambda _: lab.network.cut("PDA1", "HQ"))
    message = pda.message(b"a")
    assert (what(pda.put, "ORDERS@HQ", message, confirm_id=7), hq.depth("ORDERS")) == ("no connection", arrives)
    assert (message.uid is not None) == arrives
    lab.network.restore("PDA1", "HQ")
    pda.put("ORDERS@HQ", message.copy(resend=True) if arrives else message, confirm_id=7)
    uid = message.uid
    pda.confirm_put("ORDERS@HQ", uid)
    assert bodies(hq.browse("ORDERS")) == [b"a"]


def test_assured_calls_work_over_a_synchronous_queue(lab, pda, hq, synchronous):
    message = pda.put("ORDERS@HQ", b"a", confirm_id=7)
    assert hq.browse("ORDERS") == []
    pda.confirm_put("ORDERS@HQ", message.uid)
    assert pda.get("ORDERS@HQ", confirm_id=8) is message
    assert (hq.depth("ORDERS"), pda.undo("ORDERS@HQ", 8)) == (1, 1)
    assert pda.get("ORDERS@HQ", confirm_id=9) is message
    pda.confirm_get("ORDERS@HQ", message.uid)
    assert (hq.depth("ORDERS"), what(pda.get, "ORDERS@HQ")) == (0, "no matching message")


def test_programs_of_the_lab_wait_for_their_own_flows_and_a_rule_cannot(lab, pda, hq, synchronous):
    qm, done = lab.queue_manager("QM1"), []

    def salesman(_app, body):
        pda.put("ORDERS@HQ", body)
        done.append((lab.now_us, body))

    for name in ("A", "B"):
        qm.run_program(name, salesman, name)
    lab.run()
    assert done == [(2_000_000, "A"), (2_000_000, "B")]
    fresh = pda.message(b"alarm")
    pda.define("asynchronous", "OTHER@HQ", rule=lambda queue, message: queue.qmgr.put("ORDERS@HQ", fresh))
    pda.put("OTHER@HQ", b"a", expire_ms=1)
    lab.advance(1)
    pda.trigger_transmission()
    refusal(NotSimulated, "", lab.run)
    lab.run()
    assert (fresh.uid, hq.depth("ORDERS")) == (None, 2)


# ---------------------------------------------------------------- queue managers, definitions, and wrong calls
@pytest.mark.rule("MQE-08")
def test_definitions_starts_and_stops_are_events(lab, pda):
    pda.define("local", "NEW", max_depth=5, expiry_ms=10)
    pda.delete("NEW")
    pda.stop()
    kinds = [row.kind for row in lab.events.where(qmgr="PDA1", object=("NEW", None))]
    assert kinds == ["start", "define", "delete", "stop"]
    assert lab.events.where(object="NEW")[0].detail == '{"kind":"local","max_depth":5,"expiry_ms":10,"MAXDEPTH":5}'
    assert [q.label for q in pda.queues] == ["INBOX", "ORDERS@HQ"]
    assert repr(pda) == "QueueManager('PDA1', everyplace, stopped, 2 queues)"


@for_each(
    "kind, name, settings, says",
    ("remote", "A", {}, "kind of queue must be one of local, synchronous"),
    ("local", "A@HQ", {}, "name of a local queue must be NAME;"),
    ("local", "A B", {}, "name of a local queue"),
    ("asynchronous", "A", {}, "must be NAME@OWNER, the owner another queue manager"),
    ("asynchronous", "A@PDA1", {}, "must be NAME@OWNER, the owner another queue manager"),
    ("synchronous", "A@H Q", {}, "name of a synchronous queue"),
    ("local", 5, {}, "queue must be"),
    ("local", "INBOX", {}, "INBOX is on PDA1 already"),
    ("local", "A", {"rule": 5}, "rule must be a function"),
    ("local", "A", {"max_depth": 0}, "max_depth must be a whole number, 1 or more"),
    ("local", "A", {"expiry_ms": 1.5}, "expiry_ms must be"),
    ("local", "A", {"poll_ms": 5}, "settings of a local queue must be expiry_ms, max_depth, rule; got 'poll_ms'"),
    ("synchronous", "A@HQ", {"expiry_ms": 5}, "settings of a synchronous queue must be none"),
    ("home-server", "A@HQ", {"poll_ms": None}, "poll_ms must be"),
    ("store-and-forward", "A", {"targets": "PDA1"}, "targets must be"),
)
def test_a_definition_that_does_not_fit_is_refused_and_leaves_nothing(lab, pda, kind, name, settings, says):
    before = len(lab.events)
    lab_error(says, pda.define, kind, name, **settings)
    assert (len(lab.events), len(pda.queues)) == (before, 2)


def test_calls_that_a_queue_does_not_take_and_other_wrong_arguments(lab, pda, hq, synchronous):
    pda.define("asynchronous", "OTHER@HQ")
    pda.define("home-server", "FORWARD@HQ")
    for call in (pda.get, pda.browse):
        assert what(call, "OTHER@HQ") == "not supported"
    assert (what(pda.browse, "ORDERS@HQ"), what(pda.put, "FORWARD@HQ", b"x")) == ("not supported", "not supported")
    assert (what(hq.put, "FORWARD", b"x"), what(hq.get, "FORWARD")) == ("not supported", "not supported")
    for wrong in ("7", 1.5, None, True):
        for call, *arguments in ((pda.put, "INBOX", b"x"), (pda.get, "INBOX")):
            lab_error("confirm_id must be", call, *arguments, confirm_id=wrong)
        lab_error("confirm_id must be", pda.undo, "INBOX", wrong)
    lab_error("own priority and lifetime", pda.put, "INBOX", pda.message(b"x"), expire_ms=5)
    lab_error("message must be", pda.put, "INBOX", 5)
    lab_error("resend must be", pda.message(b"x").copy, resend=1)
    lab_error("ms must be", pda.transmit_every, -1)
    lab_error("refusal must be", MQeError, "bad luck", "INBOX", "PDA1", NotRunning())
    assert pda.depth("INBOX") == 0


def test_the_lab_finds_it_and_keeps_names_apart(lab, pda, hq):
    assert lab["PDA1"] is pda
    assert (lab.everyplace_queue_managers, lab.queue_managers) == ([hq, pda], [])
    assert repr(lab).startswith("Lab(HQ, PDA1;")
    for make in (lab.everyplace, lab.queue_manager):
        lab_error("PDA1 is in this lab already", make, "PDA1")
    with pytest.raises(LabError, match="one of HQ, PDA1; got 'PDA2'"):
        lab["PDA2"]
    lab_error("queue manager name must be", lab.everyplace, "a b")
    assert len(lab.everyplace_queue_managers) == 2


def test_names_that_are_not_there_and_queue_managers_that_do_not_run(lab, pda):
    caught = refusal(MQeError, "", pda.get, "NOWHERE")
    error, copy = caught, pickle.loads(pickle.dumps(caught))
    assert (vars(copy), str(copy)) == (vars(error), str(error))
    assert copy.hint == error.hint != ""
    before = pda.message(b"x")
    for call in (pda.get, pda.delete, pda.depth, pda.activate):
        assert what(call, "NONE") == "unknown queue"
    assert what(pda.put, "NONE", before) == what(pda.size, "A@B") == "unknown queue"
    pda.stop()
    calls = ((pda.put, "INBOX", before), (pda.get, "INBOX"), (pda.transmit_every, 5))
    for call, *arguments in (*calls, (pda.stop,), (pda.activate,), (pda.trigger_transmission,)):
        assert what(call, *arguments) == "not running"
    assert before.uid is None
    pda.start()
    lab_error("running already", pda.start)
