"""Batches: where they end, their numbers, being in doubt, resynchronisation, RESET and RESOLVE, and fast messages."""

import pytest

from helpers import cases, for_each, mq_error
from mqlab import Lab

BATCH_OF_3 = "BATCHSZ(3) SHORTTMR(5)"


def batches(net):
    """The commits of the receiving agent: (microseconds, how many messages came to ORDERS with it)."""
    rows = net.lab.events.where(qmgr="QM2", program="TO.QM2")
    found, puts = [], {}
    for row in rows:
        if row.kind == "put" and row.object == "ORDERS":
            puts[row.uow] = puts.get(row.uow, 0) + 1
        elif row.kind == "commit" and row.uow in puts:
            found.append((row.time_us, puts[row.uow]))
    return found


def in_doubt(net, *bodies, confirmed):
    """Bring TO.QM2 in doubt about these messages; `confirmed` says whether the receiver did commit them. Latency 0.1 s:
    the batch is asked for at 0.2 s and arrives at 0.3 s."""
    net.put(*bodies)
    net.start(seconds=0.35 if confirmed else 0.25)
    net.lab.cut("QM1", "QM2")
    net.lab.advance(0)
    assert net.channel().indoubt is not None
    assert net.got() == (list(bodies) if confirmed else [])


# ---------------------------------------------------------------- where a batch ends
@pytest.mark.rule("CHL-04", "CHL-05")
@cases(
    "sdr, rcvr, sizes",
    ("BATCHSZ(3)", "", [3, 3, 2]),
    ("BATCHSZ(3)", "BATCHSZ(2)", [2, 2, 2, 2]),
    ("BATCHSZ(50)", "BATCHSZ(5)", [5, 3]),
    ("BATCHSZ(50)", "", [8]),
    ("BATCHLIM(2)", "", [3, 3, 2]),  # 1024 bytes each with their headers: the third crosses the limit
    ("BATCHLIM(0)", "", [8]),
)
def test_a_batch_ends_at_its_size_or_its_kilobytes(pair, sdr, rcvr, sizes):
    net = pair(sdr=sdr, rcvr=rcvr, latency=0.01, level=None)
    net.put(*["x" * (1023 - 428 if sdr == "BATCHLIM(2)" else 1)] * 8)
    net.start(seconds=1)
    assert [size for _, size in batches(net)] == sizes
    assert net.channel().batches == net.channel("QM2").batches == len(sizes)


def test_a_batch_is_no_larger_than_a_unit_is_waited_for_and_of_one_in_light_traffic(pair, lab):
    net = pair()
    net.at("QM2", "ALTER QMGR MAXUMSGS(6)")
    net.put(*"abcdefg")
    net.start(seconds=1)
    assert (net.channel().batch_size, net.got()) == (3, list("abcdefg"))
    net = pair(Lab(), sdr="BATCHINT(3000)")
    net.put("a")
    net.start()
    net.lab.run()
    assert (net.got(), net.lab.now_us) == (["a"], 3_000_000)
    net = pair(Lab())
    net.start(seconds=1)
    for body in "abc":
        net.put(body)
        net.lab.advance(1)
    assert [size for _, size in batches(net)] == [1, 1, 1]


@pytest.mark.rule("CHL-04")
def test_the_batch_interval_counts_waiting_only(lab, pair):
    net = pair(sdr="BATCHINT(1000) BATCHSZ(50)", rcvr="MRRTY(1) MRTMR(5000)")
    net.put("a")
    net.start(seconds=0.4)
    net.put("b")
    lab.advance(0.4)
    net.put("c")
    lab.advance(0.19)
    assert net.got() == []
    lab.advance(0.02)
    assert batches(net) == [(1_000_000, 3)]


# ---------------------------------------------------------------- numbers
@pytest.mark.rule("CHL-07", "CHL-04", "CHL-14")
def test_sequence_numbers_are_those_of_units_wrap_and_are_reset_at_one_end(pair):
    net = pair()
    net.put("a")
    net.put("b", "c", persistent=False)
    net.put("d")
    net.start(seconds=1)
    assert net.channel().sequence == net.channel("QM2").sequence == 2
    assert sorted(net.got()) == list("abcd")
    net = pair(Lab(), sdr="SEQWRAP(100) BATCHSZ(100)", rcvr="SEQWRAP(100) BATCHSZ(100)")
    net.put(*map(str, range(50)))
    net.start(seconds=1)
    net.put(*map(str, range(100)))
    net.lab.advance(1)
    assert [size for _, size in batches(net)] == [50, 100]
    assert net.channel().sequence == net.channel("QM2").sequence == 50
    net = pair(Lab())
    net.put("a")
    net.start(seconds=1)
    net.stop(seconds=1)
    net.at("QM2", "RESET CHANNEL(TO.QM2) SEQNUM(7)")
    net.start(seconds=1)
    assert "1 here and 6 at QM2" in net.because()


@pytest.mark.rule("CHL-04")
@pytest.mark.parametrize("size", [7, 50, 100, 120])
def test_numbers_begin_again_at_seqwrap(pair, size):
    net = pair(sdr=f"SEQWRAP(100) BATCHSZ({size})", rcvr=f"SEQWRAP(100) BATCHSZ({size})")
    net.put(*map(str, range(100)))
    net.start(seconds=1)
    assert net.channel().sequence == net.channel("QM2").sequence == 100
    net.put("last")
    net.lab.advance(1)
    assert net.channel().sequence == net.channel("QM2").sequence == 1
    assert len(net.got()) == 101
    net.stop(seconds=1)
    net.start(seconds=1)
    assert net.channel().state == "RUNNING"


@pytest.mark.rule("CHL-12", "CHL-14")
def test_ends_whose_numbers_disagree_do_not_start_until_they_are_reset(lab, pair):
    net = pair()
    net.put("a")
    net.start(seconds=1)
    net.stop(seconds=1)
    assert net.two.clear("SYSTEM.CHANNEL.SYNCQ") == 1
    net.put("b")
    net.start(seconds=1)
    assert net.channel().state == "RETRYING"
    assert "AMQ9526E" in net.because()
    net.stop(seconds=1)
    net.at("QM1", "RESET CHANNEL(TO.QM2) SEQNUM(41)")
    net.start(seconds=1)
    assert (net.got(), net.channel().sequence, net.channel("QM2").sequence) == (["a", "b"], 41, 41)


@pytest.mark.parametrize("command", ["PUT(DISABLED)", "GET(DISABLED)"])
def test_a_reset_that_cannot_be_recorded_changes_nothing(pair, command):
    net = pair()
    net.put("a")
    net.start(seconds=1)
    net.stop(seconds=1)
    net.at("QM1", f"ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) {command}")
    assert not net.one.mqsc("RESET CHANNEL(TO.QM2) SEQNUM(7)").ok
    assert (net.one.depth("SYSTEM.CHANNEL.SYNCQ"), net.channel().sequence) == (1, 1)
    net.at("QM1", "ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) PUT(ENABLED) GET(ENABLED)")
    net.put("b")
    net.start(seconds=1)
    assert net.got() == ["a", "b"]


# ---------------------------------------------------------------- in doubt
@pytest.mark.rule("CHL-05", "CHL-06")
@for_each("confirmed", [True, False])
@for_each("restart", ["neither", "QM1", "QM2", "both"])
def test_in_doubt_and_resynchronised(pair, confirmed, restart):
    net = pair(lab := Lab(), latency=0.1)
    in_doubt(net, "a", "b", confirmed=confirmed)
    assert net.one.depth("QM2") == 0, "held by the unit of work in doubt"
    for name in {"neither": (), "both": ("QM1", "QM2")}.get(restart, (restart,)):
        lab[name].stop()
        lab.advance(1)
        lab[name].start()
    lab.restore("QM1", "QM2")
    if net.channel().state == "INACTIVE":
        net.start()
    lab.advance(10)
    assert (net.got(), net.channel().indoubt) == (["a", "b"], None)
    outcomes = [told["outcome"] for row, told in net.rows(rule="CHL-06")]
    assert outcomes == ["committed" if confirmed else "backed out"]
    assert net.channel().sequence == net.channel("QM2").sequence == 2


@pytest.mark.rule("CHL-13")
@cases(
    "confirmed, action, arrived, then",
    (True, "COMMIT", ["a", "b"], "RUNNING"),
    (False, "BACKOUT", ["a", "b"], "RUNNING"),
    (False, "COMMIT", [], "RETRYING"),  # both are lost, and the ends disagree
    (True, "BACKOUT", ["a", "b"], "RETRYING"),  # both are there, and still to be sent
)
def test_resolve_by_hand_and_the_damage_of_the_wrong_word(lab, pair, confirmed, action, arrived, then):
    net = pair(latency=0.1)
    in_doubt(net, "a", "b", confirmed=confirmed)
    net.stop()
    net.at("QM1", f"RESOLVE CHANNEL(TO.QM2) ACTION({action})")
    assert (net.channel().indoubt, net.one.depth("QM2")) == (None, 0 if action == "COMMIT" else 2)
    assert net.one.mqsc(f"RESOLVE CHANNEL(TO.QM2) ACTION({action})").replies[0].code == "AMQ8000E"
    lab.restore("QM1", "QM2")
    net.start(seconds=2)
    assert (net.got(), net.channel().state) == (arrived, then)
    if then == "RETRYING":
        assert "AMQ9526E" in net.because()
        net.stop()
        net.at("QM1", "RESET CHANNEL(TO.QM2)")
        net.start(seconds=2)
        assert net.got() == {"COMMIT": [], "BACKOUT": ["a", "b", "a", "b"]}[action], "lost, or there twice"


@pytest.mark.rule("CHL-06")
def test_a_channel_in_doubt_is_not_deleted_and_resolves_unless_it_cannot_record_that(pair, lab):
    net = pair(latency=0.1)
    in_doubt(net, "a", confirmed=True)
    net.stop()
    assert net.one.mqsc("RESET CHANNEL(TO.QM2)").replies[0].code == "AMQ9507E"
    assert not net.one.mqsc("CLEAR QLOCAL(QM2)").ok
    assert not net.one.mqsc("DELETE QLOCAL(QM2)").ok
    assert net.one.mqsc("DELETE CHANNEL(TO.QM2)").replies[0].code == "AMQ9514E"
    net.at("QM1", "ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) BATCHSZ(7)")
    net.lab.restore("QM1", "QM2")
    net.start(seconds=2)
    assert (net.got(), net.channel().indoubt, net.channel().batch_size) == (["a"], None, 7)
    net = pair(Lab(), latency=0.1)
    in_doubt(net, "a", confirmed=True)
    net.stop()
    net.at("QM1", "ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) PUT(DISABLED)")
    assert not net.one.mqsc("RESOLVE CHANNEL(TO.QM2) ACTION(COMMIT)").ok
    assert net.channel().indoubt is not None
    net.at("QM1", "ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) PUT(ENABLED)\nRESOLVE CHANNEL(TO.QM2) ACTION(COMMIT)")
    assert net.channel().indoubt is None


@pytest.mark.rule("CHL-05", "CHL-06")
@pytest.mark.parametrize("attribute", ["PUT(DISABLED)", "GET(DISABLED)", "MAXDEPTH(0)"])
def test_a_batch_that_the_sender_cannot_record_stays_in_doubt_and_is_not_sent_twice(lab, pair, attribute):
    net = pair(latency=0.1)
    net.put("a")
    net.start(seconds=0.8)
    net.put("b")
    lab.advance(0.05)
    net.at("QM1", f"ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) {attribute}")
    lab.advance(1)
    assert (net.channel().indoubt is not None, net.channel().state) == (True, "RETRYING")
    lab.advance(20)
    net.at("QM1", "ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) PUT(ENABLED) GET(ENABLED) MAXDEPTH(9)")
    lab.advance(10)
    assert (net.got(), net.channel().indoubt, net.channel().state) == (["a", "b"], None, "RUNNING")
    assert net.one.depth("SYSTEM.CHANNEL.SYNCQ") == 1


@pytest.mark.rule("CHL-05")
@pytest.mark.parametrize("mode", ["QUIESCE", "FORCE"])
def test_stopped_in_doubt(lab, pair, mode):
    net = pair(latency=0.1)
    net.put("a")
    net.start(seconds=0.25)
    net.stop(f"MODE({mode})")
    assert net.channel().indoubt is not None
    lab.advance(1)
    assert (net.channel().state, net.got()) == ("STOPPED", ["a"])
    assert (net.channel().indoubt is None) == (mode == "QUIESCE"), "QUIESCE waits for the answer"
    net.start(seconds=1)
    assert (net.channel().indoubt, net.got()) == (None, ["a"])


@pytest.mark.rule("CHL-16", "CHL-06")
def test_a_restart_in_doubt_starts_a_triggered_channel_and_counts_what_was_delivered(lab, pair):
    net = pair(latency=0.1, trigger=True)
    net.put("a")
    lab.advance(0.25)
    net.one.stop()
    assert net.channel().indoubt is not None
    net.one.start()
    lab.advance(2)
    assert (net.channel().indoubt, net.got()) == (None, ["a"])
    net = pair(Lab(), latency=0.1)
    in_doubt(net, "a", confirmed=False)
    net.stop()
    net.at("QM1", "RESOLVE CHANNEL(TO.QM2) ACTION(BACKOUT)")
    assert net.one.browse("QM2").backout_count == 1
    net.lab.restore("QM1", "QM2")
    net.start(seconds=2)
    assert net.two.browse("ORDERS").backout_count == 0


@for_each("which", ["QM1", "QM2"])
@for_each("tenths", range(1, 12))
def test_a_queue_manager_that_ends_in_the_middle_of_a_batch(pair, which, tenths):
    """Every tenth of a second of a transfer, latency 0.1: whatever was done, each message arrives once."""
    net = pair(Lab(), sdr=BATCH_OF_3, latency=0.1)
    net.put(*"abcdefg")
    net.start(seconds=tenths / 10 - 0.05)
    net.lab[which].stop()
    net.lab.advance(1)
    net.lab[which].start()
    if net.channel().state != "RETRYING":
        net.start()
    net.lab.advance(20)
    assert net.got() == list("abcdefg")


# ---------------------------------------------------------------- fast messages
@pytest.mark.rule("CHL-07")
def test_fast_messages_overtake_and_are_lost_behind_a_receiver_that_gives_up(lab, pair):
    net = pair(sdr="BATCHINT(5000)", latency=0.01)
    net.start(seconds=1)
    for body, persistent in [("P1", True), ("f1", False), ("P2", True), ("f2", False)]:
        net.put(body, persistent=persistent)
    lab.advance(1)
    assert [net.two.get("ORDERS").body for _ in range(2)] == [b"f1", b"f2"]
    mq_error(net.two.get, "ORDERS")
    lab.advance(5)
    assert net.got() == ["P1", "P2"]
    net = pair(Lab(), rcvr="MRRTY(0)")
    net.put("stuck", queue="NOWHERE")
    lost = [net.put(body, persistent=False).number for body in "fgh"]
    net.start(seconds=1)
    told = [row.message for row in net.lab.events.where(kind="lost")]
    there = net.got()
    assert (len(there) + len(told), net.one.depth("QM2")) == (3, 1)
    assert set(told) <= set(lost)


@pytest.mark.rule("CHL-04")
@pytest.mark.parametrize(("sdr", "rcvr"), [("NORMAL", "NORMAL"), ("FAST", "NORMAL"), ("NORMAL", "FAST")])
def test_where_the_ends_differ_nothing_is_fast(lab, pair, sdr, rcvr):
    net = pair(sdr=f"NPMSPEED({sdr}) BATCHINT(5000)", rcvr=f"NPMSPEED({rcvr})", latency=0.01)
    net.put("a", persistent=False)
    net.start(seconds=1)
    assert (net.channel().fast, net.channel("QM2").fast, net.got()) == (False, False, [])
    lab.advance(5)
    assert (net.got(), net.channel().sequence) == (["a"], 1)


@pytest.mark.rule("CHL-07", "NET-01")
@pytest.mark.parametrize("speed", ["FAST", "NORMAL"])
def test_a_fast_message_on_a_wire_that_is_cut_is_lost(lab, pair, speed):
    net = pair(sdr=f"NPMSPEED({speed}) SHORTTMR(5)", latency=0.1)
    net.start(seconds=1)
    message = net.put("f", persistent=False)
    lab.advance(0.05)
    lab.cut("QM1", "QM2")
    lab.restore("QM1", "QM2")
    lab.advance(10)
    lost = [row.message for row in lab.events.where(kind="lost", rule="CHL-07")]
    assert (net.got(), lost) == (([], [message.number]) if speed == "FAST" else (["f"], []))
    if speed == "NORMAL":
        net.at("QM1", "STOP CHANNEL(TO.QM2)\nALTER CHANNEL(TO.QM2) CHLTYPE(SDR) NPMSPEED(FAST)")
        net.start(seconds=1)
        net.put("g", persistent=False)
        lab.advance(1)
        assert net.got() == ["f", "g"]


def test_a_high_class_queue_keeps_non_persistent_messages_in_doubt_over_a_restart(lab, pair):
    net = pair(sdr="NPMSPEED(NORMAL) SHORTTMR(5)", latency=0.1, level=None)
    net.at("QM1", "ALTER QLOCAL(QM2) NPMCLASS(HIGH)")
    net.put("a", persistent=False)
    net.start(seconds=0.25)
    net.two.stop()
    net.one.stop()
    net.one.start()
    net.two.start()
    net.start(seconds=10)
    assert net.got() == ["a"]


# ---------------------------------------------------------------- many messages at one moment
def test_many_batches_at_one_moment_are_no_runaway(pair):
    net = pair(Lab(moment_limit=1_000, record=False), sdr="BATCHSZ(1)")
    net.put(*["x"] * 1_000)
    net.start()
    net.lab.run()
    assert net.two.depth("ORDERS") == 1_000
