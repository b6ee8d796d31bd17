"""Calls whose work must not grow faster than what they work on: counted in calls of functions, not in time."""

import pytest

from helpers import calls_of, channel, made
from mqlab import GMO, MD, Lab, estates
from mqlab.engine.words import constants as mq

MOST = 2.6
"""How much more work twice as many objects may take."""


def queue(messages=0, **put):
    """A queue manager with a queue on which so many messages are."""
    qm = made("ALTER QMGR MAXHANDS(999999)\nDEFINE QLOCAL(Q) MAXDEPTH(999999) SHARE DEFSOPT(SHARED)")
    for number in range(messages):
        qm.put("Q", b"x", **{key: value(number) for key, value in put.items()})
    return qm


def member(number, flags=mq.MQMF_MSG_IN_GROUP):
    return MD(Version=2, GroupId=b"%024d" % number, MsgFlags=flags)


def incomplete_groups(n):
    qm = queue(n, md=member)
    for _ in range(n):
        qm.put("Q", b"y")
    handle, whole = qm.open("Q", input="shared"), mq.MQGMO_ALL_MSGS_AVAILABLE | mq.MQGMO_NO_SYNCPOINT
    return lambda: [handle.get(md=MD(Version=2), gmo=GMO(Version=2, Options=whole)) for _ in range(n)]


def by_group(n):
    qm = queue(n, md=lambda number: member(number, mq.MQMF_LAST_MSG_IN_GROUP))
    handle, match = qm.open("Q", input="shared"), mq.MQMO_MATCH_GROUP_ID
    gmo = GMO(Version=2, MatchOptions=match, Options=mq.MQGMO_NO_SYNCPOINT)
    return lambda: [handle.get(md=member(number), gmo=gmo) for number in reversed(range(n))]


def by_selector(n):
    handle = queue(n, properties=lambda number: {"a": number}).open("Q", input="shared", selector=f"a >= {n // 2}")
    return lambda: [handle.get() for _ in range(n // 2)]


def past_locked(n):
    qm = queue(n)
    for _ in range(n):
        qm.open("Q", browse=True, input="shared").browse_first(lock=True)
    return lambda: [(qm.put("Q", b"x"), qm.get("Q")) for _ in range(n)]


def beside_cursors(n):
    qm = queue(n)
    for _ in range(n):
        qm.open("Q", browse=True).browse_next()
    return lambda: [qm.get("Q") for _ in range(n)]


def publications(n):
    qm = queue()
    subscriptions = [qm.subscribe(f"a/{number}") for number in range(n)]
    return lambda: [qm.publish(f"a/{number}", b"x") for number in range(len(subscriptions))]


def retained(n):
    qm = queue()
    for number in range(n):
        qm.publish(f"a/{number}", b"x", retain=True)
    return lambda: [qm.subscribe(f"a/{number}") for number in range(n)]


def properties(n):
    qm = queue()
    return lambda: qm.put("Q", b"x", properties={f"p{number}": number for number in range(n)})


def dynamic_queues(n):
    qm = queue()

    def make_and_close():
        for handle in [qm.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="shared") for _ in range(n)]:
            handle.close()

    return make_and_close


def displayed(command):
    def prepared(n):
        qm = queue()
        opened = [(qm.subscribe(f"a/{number}"), qm.connect(f"P{number}").open("Q", browse=True)) for number in range(n)]
        return lambda: (qm.mqsc(command).require(), opened)

    return prepared


def channels(n):
    qm = queue()
    return lambda: qm.mqsc("\n".join(f"DEFINE CHANNEL(C{number}) CHLTYPE(RCVR)" for number in range(n)))


def chain(n, folder):
    for number in range(n):
        (folder / f"QM{number}.mqsc").write_text(
            f"DEFINE QLOCAL(QM{number + 1}) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(R) RQMNAME(QM{number + 1})\n"
            f"DEFINE CHANNEL(C{number + 1}) CHLTYPE(SDR) XMITQ(QM{number + 1}) CONNAME('QM{number + 1}')\n"
            f"DEFINE CHANNEL(C{number}) CHLTYPE(RCVR)"
        )
    return lambda: estates.read(folder).findings()


CALLS = {
    "gets among incomplete groups": incomplete_groups,
    "gets by GroupId, the last first": by_group,
    "gets with a selector that passes half of the messages": by_selector,
    "gets past locked messages": past_locked,
    "gets beside browse cursors": beside_cursors,
    "publications to as many subscriptions": publications,
    "subscriptions to retained publications": retained,
    "properties of one message": properties,
    "dynamic queues": dynamic_queues,
    "DISPLAY SBSTATUS": displayed("DISPLAY SBSTATUS(*) ALL"),
    "DISPLAY CONN": displayed("DISPLAY CONN(*) ALL TYPE(ALL)"),
    "DEFINE CHANNEL": channels,
}


@pytest.mark.parametrize("prepared", CALLS.values(), ids=CALLS)
def test_twice_as_many_take_little_more_than_twice_the_calls_of(prepared):
    calls_of(prepared(4))  # what is loaded and built once
    assert calls_of(prepared(200)) < MOST * calls_of(prepared(100))


def test_a_check_of_a_chain_of_twice_as_many_queue_managers(tmp_path):
    counts = []
    for n in (4, 20, 40):
        folder = tmp_path / str(n)
        folder.mkdir()
        counts.append(calls_of(chain(n, folder)))
    assert counts[2] < MOST * counts[1]


def pairs(n):
    handle = queue().open("Q", input="shared", output=True)
    return lambda: [(handle.put(b"x"), handle.get()) for _ in range(n)]


def moves(n):
    lab = Lab()
    qm, _ = channel(lab.queue_manager("QM1"), lab.queue_manager("QM2"), far="\nDEFINE QLOCAL(Q)")
    for _ in range(n):
        qm.put("Q@QM2", b"x", persistent=True)
    qm.mqsc("START CHANNEL(C)").require()
    return lab.run


def discards(n):
    qm = queue(n, expiry=lambda number: 10)
    qm.put("Q", b"live")
    qm.lab.advance(2)
    handle = qm.open("Q", input="shared")
    return handle.get


@pytest.mark.parametrize(("prepared", "most"), [(moves, 3.8), (discards, 0.6)], ids=["over a channel", "discarded"])
def test_a_message_more_takes_few_calls_beside_those_of_a_put_and_a_get(prepared, most):
    def each(prepared):
        calls_of(prepared(4))
        return calls_of(prepared(400)) - calls_of(prepared(200))

    assert each(prepared) < most * each(pairs)


def test_a_topic_string_of_many_levels_asks_for_the_topics_that_there_are():
    def publishes(levels):
        qm = queue()
        qm.mqsc("DEFINE SUB(S) TOPICSTR('#') DEST(Q)").require()
        qm.publish("a", b"x")
        return calls_of(lambda: qm.publish("/".join("a" * levels), b"x"))

    assert publishes(2_000) < 1.5 * publishes(20)
