"""Whatever is cut or stopped and whenever: persistent messages arrive exactly once, and every loss has its rule."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import some, tries
from mqlab import Lab

FAULTS = (
    *("cut", "restore", "stop QM1", "start QM1", "stop QM2", "start QM2"),
    *("stop channel", "force channel", "start channel", "inhibit", "allow"),
)


class Schedule(NamedTuple):
    """Attributes of the channel, when messages are put (microseconds, persistent), and the faults (microseconds, what).

    `dead_letter` says whether the receiving queue manager has a dead-letter queue.
    """

    batch_size: int
    batch_interval_ms: int
    fast: bool
    latency: float
    dead_letter: bool
    puts: tuple[tuple[int, bool], ...]
    faults: tuple[tuple[int, str], ...]


def random_schedule(seed: int) -> Schedule:
    """A schedule from a seed: up to 25 messages and 8 faults within two simulated seconds to two minutes."""
    random = Random(seed)
    span = random.choice((2_000_000, 20_000_000, 120_000_000))
    puts = tuple(sorted((random.randrange(span), random.random() < 0.6) for _ in range(random.randint(3, 25))))
    faults = tuple(sorted((random.randrange(span), random.choice(FAULTS)) for _ in range(random.randint(1, 8))))
    size, interval, fast = random.choice((1, 2, 5, 50)), random.choice((0, 0, 300)), random.random() < 0.7
    return Schedule(size, interval, fast, random.choice((0.0, 0.02, 0.4)), random.random() < 0.5, puts, faults)


class Outcome(NamedTuple):
    """What came of a schedule: the lab, the messages put, and how many faults were really done."""

    lab: Lab
    put: list
    done: dict[str, int]


def run(schedule: Schedule) -> Outcome:
    """Run a schedule, fix everything, and let the channel deliver what is left."""
    lab = Lab()
    for name in ("QM1", "QM2"):
        lab.queue_manager(name, level=530)
    lab.link("QM1", "QM2", latency=schedule.latency)
    speed = "FAST" if schedule.fast else "NORMAL"
    lab["QM1"].mqsc(f"""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) BATCHSZ({schedule.batch_size}) +
               BATCHINT({schedule.batch_interval_ms}) NPMSPEED({speed}) SHORTTMR(5) SHORTRTY(1000) DISCINT(3600)
        """).require()
    lab["QM2"].mqsc(f"""
        DEFINE QLOCAL(ORDERS)
        DEFINE QLOCAL(DLQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(2) MRTMR(500) NPMSPEED({speed})
        {"ALTER QMGR DEADQ(DLQ)" if schedule.dead_letter else ""}
        """).require()
    put, done = [], {}
    todo = sorted([(at, 0, each) for at, each in schedule.faults] + [(at, 1, each) for at, each in schedule.puts])
    for at, order, what in todo:
        lab.advance_to(at)
        if order == 0:
            if fault(lab, what):
                done[what] = done.get(what, 0) + 1
        elif lab["QM1"].running:
            put.append(lab["QM1"].put("ORDERS@QM2", b"m", persistent=what))
    fix(lab)
    return Outcome(lab, put, done)


def fault(lab, what: str) -> bool:
    """Do one fault, or its repair; False where there is nothing to do."""
    word, _, whom = what.partition(" ")
    path = lab.network.path("QM1", "QM2")
    if word in ("cut", "restore"):
        if path.up != (word == "cut"):
            return False
        (lab.cut if word == "cut" else lab.restore)("QM1", "QM2")
    elif whom == "channel":
        if not lab["QM1"].running:
            return False
        command = "STOP CHANNEL(TO.QM2) MODE(FORCE)" if word == "force" else f"{word} CHANNEL(TO.QM2)"
        return lab["QM1"].mqsc(command).ok
    elif word in ("inhibit", "allow"):
        if not lab["QM2"].running:
            return False
        lab["QM2"].alter("QLOCAL", "ORDERS", {"PUT": "DISABLED" if word == "inhibit" else "ENABLED"})
    else:
        if lab[whom].running != (word == "stop"):
            return False
        (lab[whom].stop if word == "stop" else lab[whom].start)()
    return True


def fix(lab) -> None:
    """Make everything work again and let what is left be delivered."""
    for what in ("restore", "start QM1", "start QM2", "allow"):
        fault(lab, what)
    lab.advance(1)
    channel = next((c for c in lab["QM1"].channels.values() if c.name == "TO.QM2"), None)
    if channel is None or not channel.active:
        fault(lab, "start channel")
    lab.advance(60)
    lab.run()


def check(outcome: Outcome) -> dict[str, int]:
    """What must hold: persistent messages are there exactly once, and each that is missing was lost by a rule.

    How many were delivered, dead-lettered and lost.
    """
    lab, place = outcome.lab, {}
    for name, queue in (("QM2", "ORDERS"), ("QM2", "DLQ"), ("QM1", "QM2")):
        for message in lab[name].targets[queue].store.in_order():
            place.setdefault(message.number, []).append(queue)
    lost = {row.message: row.rule for row in lab.events.where(kind="lost")}
    counts = {"delivered": 0, "dead-lettered": 0, "lost": 0}
    for message in outcome.put:
        where = place.get(message.number, [])
        assert len(where) <= 1, f"message {message.number} is on {where}"
        assert "QM2" not in where, f"message {message.number} is still on the transmission queue"
        if where:
            assert message.number not in lost, f"message {message.number} is on {where} and was lost"
            counts["delivered" if where == ["ORDERS"] else "dead-lettered"] += 1
        else:
            assert not message.persistent, f"persistent message {message.number} is nowhere"
            assert lost.get(message.number) in ("CHL-07", "MQI-16", "MQI-30"), f"no rule for {message.number}"
            counts["lost"] += 1
    return counts


HUNDREDS = range(20)
"""The hundreds of seeded schedules that are tried."""

MOMENT = st.integers(0, 3_000_000)


@pytest.mark.parametrize("hundred", some(HUNDREDS, 6))
def test_seeded_schedules_lose_and_double_nothing_persistent(hundred, record_property):
    faults, messages = Counter(), Counter()
    for seed in range(hundred * 100, hundred * 100 + 100):
        outcome = run(random_schedule(seed))
        try:
            messages.update(check(outcome))
        except AssertionError as error:
            raise AssertionError(f"schedule {seed}: {error}") from error
        outcome.lab.close()
        faults.update(outcome.done)
    print(
        f"\nschedules {hundred * 100} to {hundred * 100 + 99}: faults {dict(sorted(faults.items()))}; "
        f"messages {dict(sorted(messages.items()))}"
    )
    assert messages["delivered"] > 0
    assert sum(faults.values()) >= 100


@settings(max_examples=tries(150), deadline=None)
@given(
    st.builds(
        Schedule,
        st.sampled_from((1, 3, 50)),
        st.sampled_from((0, 200)),
        st.booleans(),
        st.sampled_from((0.0, 0.05, 0.5)),
        st.booleans(),
        st.lists(st.tuples(MOMENT, st.booleans()), min_size=1, max_size=8).map(lambda puts: tuple(sorted(puts))),
        st.lists(st.tuples(MOMENT, st.sampled_from(FAULTS)), max_size=6).map(lambda faults: tuple(sorted(faults))),
    )
)
def test_moments_that_hypothesis_chooses(schedule):
    check(run(schedule))
