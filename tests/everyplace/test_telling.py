"""What the lab tells of an edge: explanations, the state replayed, the graph and pictures."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import refusal, says, tries
from mqlab import RULES, Lab, views
from mqlab.engine.words.because import because
from mqlab.everyplace import MQeError
from mqlab.formats.old_log import upgraded
from mqlab.views.frames.lifecycle_rows import lifecycle_frame


def broken_between_the_stages(lab, pda, hq):
    """One message, halfway handed over when the link failed."""
    message = pda.connect("SALES").put("ORDERS@HQ", b"x", expire_ms=300_000)
    pda.trigger_transmission()
    lab.advance(1.5)
    lab.network.cut("PDA1", "HQ")
    lab.advance(8.5)
    return message


def test_the_explanation_tells_one_life_on_two_queue_managers(lab, pda, hq):
    message = broken_between_the_stages(lab, pda, hq)
    now = [line.partition("  ")[2] for line in lab.explain(message).splitlines()[-2:]]
    assert now == ["it is on ORDERS@HQ of PDA1 now", "it is on ORDERS of HQ now, locked"]
    lab.advance(600)
    pda.size("ORDERS@HQ")
    hq.size("ORDERS")
    told = [line.partition("  ")[2].partition("  [")[0] for line in lab.explain(message).splitlines()]
    assert told == [
        "SALES put message 1 on ORDERS@HQ of PDA1, priority 4, expires in 300 s",
        "PDA1 sent the put for it to HQ",
        "PDA1 put message 1 on ORDERS of HQ, priority 4, expires in 299 s, locked until it is confirmed",
        "PDA1 could not continue to send it: the link PDA1 - HQ is down; the answer was lost",
        "PDA1 discarded it from ORDERS@HQ of PDA1 when the queue's size was inquired, 310 s after it expired",
        "the rule of ORDERS@HQ of PDA1 was notified that it expired",
        "HQ discarded it from ORDERS of HQ when the queue's size was inquired, 310 s after it expired",
        "the rule of ORDERS of HQ was notified that it expired",
    ]


def test_the_explanation_has_words_for_everything_that_happens_to_a_message(lab, pda, hq, transmit):
    pda.define("synchronous", "NEWS@HQ")
    hq.define("local", "NEWS")
    message = pda.put("INBOX", b"x", confirm_id=1)
    pda.confirm_put("INBOX", message.uid)
    pda.put("INBOX", message.copy(resend=True))
    pda.browse("INBOX")
    pda.get("INBOX", confirm_id=2)
    pda.undo("INBOX", 2)
    pda.get("INBOX")
    pda.put("NEWS@HQ", message.copy(resend=True), confirm_id=3)
    pda.undo("NEWS@HQ", 3)
    pda.put("ORDERS@HQ", message.copy(resend=True))
    transmit()
    told = lab.explain(message)
    says(
        told,
        "a program put message 1 on INBOX of PDA1, priority 4, locked until it is confirmed  [MQE-10 ",
        "a program confirmed its put: it is available on INBOX of PDA1",
        "a program sent it again to INBOX of PDA1, which has it already  [MQE-15 ",
        "a program browsed it on INBOX of PDA1",
        "a program got it from INBOX of PDA1, locked until the get is confirmed",
        "a program unlocked it on INBOX of PDA1",
        "a program got it from INBOX of PDA1  [MQE-09 ",
        "its put on NEWS of HQ was backed out",
        "PDA1 sent the confirm for it to HQ",
        "HQ has it, so ORDERS@HQ of PDA1 removed it",
        "it is on ORDERS of HQ now",
    )


def test_every_event_names_a_rule_and_has_plain_details(lab, pda, hq):
    broken_between_the_stages(lab, pda, hq)
    for event in lab.events:
        assert event.rule in RULES
        assert event.detail is None or isinstance(json.loads(event.detail), dict)
    assert {e.qmgr for e in lab.events if e.object_type == "LINK"} == {"HQ"}


def test_lifetimes_in_the_log_are_tenths_rounded_up_and_milliseconds_in_the_detail(lab, pda):
    pda.put("INBOX", b"x", expire_ms=1234)
    (event,) = lab.events.where(kind="put")
    assert (event.expiry_left, json.loads(event.detail)["left_ms"]) == (13, 1234)
    lab.advance(1.233)
    assert lab.state().expired("PDA1", "INBOX") == 0
    lab.advance(0.001)
    assert lab.state().expired("PDA1", "INBOX") == 1


def test_the_graph_shows_queue_managers_queues_and_who_sends_to_whom(lab, pda, hq):
    pda.define("home-server", "FORWARD@HQ")
    pda.connect("SALES").put("ORDERS@HQ", b"x")
    graph = lab.topology()
    assert graph.nodes["PDA1"] == {"kind": "qmgr", "name": "PDA1", "platform": "everyplace", "running": True}
    assert {n: d["type"] for n, d in graph.nodes(data=True) if d["kind"] == "queue"} == {
        "HQ/ORDERS": "MQE.LOCAL",
        "HQ/FORWARD": "MQE.FORWARD",
        "PDA1/INBOX": "MQE.LOCAL",
        "PDA1/ORDERS@HQ": "MQE.ASYNC",
        "PDA1/FORWARD@HQ": "MQE.HOME",
    }
    edges = {(a, b, d["kind"]) for a, b, d in graph.edges(data=True) if d["kind"] != "holds"}
    assert edges == {
        ("PDA1/ORDERS@HQ", "HQ", "transmits"),
        ("HQ", "PDA1", "link"),
        ("HQ/FORWARD", "PDA1", "transmits"),
        ("HQ", "PDA1/FORWARD@HQ", "pulls"),
        ("PDA1/app:SALES", "PDA1/ORDERS@HQ", "puts"),
    }


def test_pictures_of_an_edge_can_be_drawn_at_any_moment(lab, pda, hq):
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(BACK)")
    message = broken_between_the_stages(lab, pda, hq)
    pda.stop()
    pictures = [views.lab_picture(lab, at=at).words for at in (0, 5, None)]
    assert all(words.startswith("QM1, HQ, PDA1 at 09:00:") for words in pictures)
    assert pictures[-1].endswith("2 messages on 2 queues: PDA1 stopped, the link HQ - PDA1 is cut.")
    frame = lifecycle_frame(lab.events, [message], end_us=lab.now_us)
    assert (frame.messages, bool(frame.segments)) == ((message.number,), True)
    assert lab.events.to_arrow().num_rows == len(lab.events)


NAMES = """put|assured put|confirm|undo|send|get|assured get|size|cut|restore|advance|long|fetch|server put|stop
hq size|hq activate"""
STEPS = st.lists(st.sampled_from(NAMES.replace("\n", "|").split("|")), max_size=40)


@settings(max_examples=tries(60), deadline=None)
@given(STEPS, st.data())
def test_the_replayed_state_is_the_real_one_and_nothing_is_delivered_twice(steps, data):
    lab = Lab()
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA1")
    told, got, locked = [], [], []
    for qmgr, kind, name in ((hq, "local", "ORDERS"), (pda, "local", "INBOX"), (pda, "asynchronous", "ORDERS@HQ")):
        qmgr.define(kind, name, rule=lambda queue, message: told.append((queue.qmgr.name, queue.label, message.number)))
    hq.define("store-and-forward", "FORWARD", targets=["PDA1"])
    pda.define("home-server", "FORWARD@HQ")
    lab.network.link("PDA1", "HQ", latency=1)
    put = []
    for step in steps:
        life = data.draw(st.sampled_from([None, 500, 2500, 60_000])) if "put" in step else None
        try:
            if step == "put":
                put.append(pda.put("ORDERS@HQ", b"x", expire_ms=life))
            elif step == "assured put":
                put.append(pda.put("ORDERS@HQ", b"x", expire_ms=life, confirm_id=5))
            elif step == "confirm" and put:
                pda.confirm_put("ORDERS@HQ", data.draw(st.sampled_from(put)).uid)
            elif step == "undo":
                hq.undo("ORDERS", 7)
                pda.undo("ORDERS@HQ", 5)
            elif step in ("send", "fetch"):
                pda.trigger_transmission()
            elif step == "get":
                got.extend([hq.get("ORDERS").number, pda.get("INBOX").number])
            elif step == "assured get":
                locked.append(hq.get("ORDERS", confirm_id=7))
            elif step == "size":
                pda.size("ORDERS@HQ")
            elif step == "hq size":
                hq.size("ORDERS")
            elif step == "hq activate":
                hq.stop()
                lab.advance(0.5)
                hq.start()
                hq.activate()
            elif step == "stop":
                pda.stop()
                pda.start()
            elif step == "server put":
                hq.put("INBOX@PDA1", b"y", expire_ms=life)
            elif step in ("cut", "restore"):
                if lab.network.path("PDA1", "HQ").up == (step == "cut"):
                    getattr(lab.network, step)("PDA1", "HQ")
            else:
                lab.advance(0.7 if step == "advance" else 20)
        except MQeError:
            pass
        state = lab.state()
        for queue in (queue for qmgr in (hq, pda) for queue in qmgr.queues):
            known = state.queue(queue.qmgr.name, queue.label)
            assert known.depth == queue.depth
            assert known.locked == {e.message.number for e in queue.entries() if e.lock is not None}
            assert {m.number: m.expires_us for m in known.messages.values()} == {
                e.message.number: e.expires_us for e in queue.entries()
            }
    assert set(Counter(told).values()) <= {1}
    application_gets = Counter(e.message for e in lab.events.where(kind="get", program=None, qmgr=("HQ", "PDA1")))
    assert set(application_gets.values()) <= {1}
    assert set(got) <= set(application_gets)


def test_half_handed_over_it_says_how_its_sender_goes_on(lab):
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA9")
    lab.link("PDA9", "HQ", latency=0.5)
    hq.define("local", "IN")
    pda.define("asynchronous", "IN@HQ")
    message = pda.put("IN@HQ", b"x")
    pda.trigger_transmission()
    lab.advance(0.7)
    lab.cut("PDA9", "HQ")
    lab.advance(1)
    told = lab.why_not_delivered(message.number)
    assert told.moves == ['lab.restore("PDA9", "HQ")', 'lab["PDA9"].trigger_transmission()']
    lab.restore("PDA9", "HQ")
    pda.trigger_transmission()
    lab.advance(5)
    assert lab.why_not_delivered(message.number).verdict == "delivered"


def test_kept_for_a_client_it_says_that_the_client_must_ask(lab):
    hq, pda, other = lab.everyplace("HQ"), lab.everyplace("PDA9"), lab.everyplace("PDA8")
    hq.define("store-and-forward", "FORWARD", targets=["PDA8", "PDA9"])
    pda.define("local", "IN")
    message = hq.put("IN@PDA9", b"x")
    moves = []
    for _ in range(4):
        told = lab.why_not_delivered(message.number)
        assert "MQE-13" not in told.missing
        assert not any(other.name in step.said for step in told.rows)
        if told.verdict == "delivered":
            break
        moves += told.moves
        for move in told.moves:
            eval(move, {"lab": lab})  # noqa: S307  the advice is a call on the lab
        lab.advance(5)
    assert told.verdict == "delivered", str(told)
    assert moves == [
        'lab["PDA9"].define("home-server", "FORWARD@HQ", poll_ms=1000)',
        'lab.link("PDA9", "HQ")',
        'lab["PDA9"].trigger_transmission()',
    ]


def test_refusals_are_facts_in_the_log_and_sentences_of_version_1_give_them_back(lab, pda, hq, transmit):
    hq.define("local", "SMALL", max_depth=1)
    pda.define("asynchronous", "SMALL@HQ")
    for _ in range(2):
        pda.put("SMALL@HQ", b"x")
    transmit()
    refused = refusal(MQeError, "", pda.get, "NO.SUCH")
    assert str(refused) == (
        "unknown queue: NO.SUCH on PDA1: its queues are: INBOX, ORDERS@HQ, SMALL@HQ. Try: define(kind, 'NO.SUCH')"
    )
    full = {"case": "queue-full", "depth": 1, "max_depth": 1}
    there = {"case": "refused-there", "refused": "queue full", "queue": "SMALL", "qmgr": "HQ", "grounds": full}
    unknown = {"case": "no-such-queue", "queue": "NO.SUCH", "queues": ["INBOX", "ORDERS@HQ", "SMALL@HQ"]}
    rows = [row for row in lab.events if "why" in row.facts]
    assert [row.facts["why"] for row in rows] == [full, there, unknown]
    sentences = [
        "it holds 1 messages, and max_depth is 1",
        "queue full: SMALL on HQ: it holds 1 messages, and max_depth is 1. Try: get some, or purge it: size()",
        "its queues are: INBOX, ORDERS@HQ, SMALL@HQ",
    ]
    assert [because(row.facts) for row in rows] == sentences
    old = [
        row._replace(detail=json.dumps({("failed" if row.kind == "transmit" else "why"): words}))
        for row, words in zip(rows, sentences, strict=True)
    ]
    assert [upgraded(row).facts["why"] for row in old] == [full, there, unknown]
