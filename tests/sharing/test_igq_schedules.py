"""Intra-group queuing under seeded schedules of faults: every persistent message arrives exactly once.

A nonpersistent message arrives at the most once, and one that does not has exactly one row that says by which rule.
"""

import random
from collections import Counter

from helpers import for_each, some
from mqlab import Lab, MQError

MEMBERS = ("QMA", "QMB", "QMC")
QUEUE, DLQ = "SYSTEM.QSG.TRANSMIT.QUEUE", "SYSTEM.DEAD.LETTER.QUEUE"
LOSSES = {"IGQ-03", "IGQ-04", "IGQ-10", "IGQ-12", "MQI-16", "QSG-08"}
RARE = "agent agent fault stop fail start start start break_ recover recover deadq get"
STEPS = [*["put"] * 12, *["unit"] * 3, *["advance"] * 8, *RARE.split()]


class Schedule:
    """One lab and the steps a seed gives it."""

    def __init__(self, seed):
        self.random, self.lab = random.Random(seed), Lab(seed=seed)
        self.group = self.lab.queue_sharing_group("QSG1", MEMBERS, intra_group_queuing=True)
        self.sent = {}
        self.group.igq.pace = self.random.choice([0, 0.01, 0.3])
        for member in self.group.members:
            assert member.mqsc(f"DEFINE QLOCAL(WORK)\nDEFINE QLOCAL(SMALL) MAXDEPTH(3)\nALTER QMGR DEADQ({DLQ})").ok

    def step(self):
        step, member = self.random.choice(STEPS), self.random.choice(self.group.members)
        if step in ("stop", "fail", "start"):
            if member.running == (step != "start"):
                getattr(member, step)()
        elif member.running or step not in ("unit", "agent", "deadq"):
            getattr(self, step)(member)

    def put(self, member, unit=None):
        queue = self.random.choice(["WORK", "WORK", "WORK", "SMALL", "NOWHERE"])
        to = self.random.choice([name for name in MEMBERS if name != member.name])
        try:
            put = member.put(f"{queue}@{to}", b"x", persistent=self.random.random() < 0.6, unit=unit)
        except MQError as error:
            assert error.reason in (2059, 2373), error
            return None
        if unit is None:
            self.sent[put.number] = put
        return put

    def unit(self, member):
        unit = member.unit_of_work()
        puts = [put for put in (self.put(member, unit) for _ in range(3)) if put is not None]
        if self.random.random() < 0.7:
            unit.commit()
            self.sent.update({put.number: put for put in puts})

    def advance(self, _):
        self.lab.advance(self.random.choice([0, 0.005, 0.1, 1, 61]))

    def agent(self, member):
        self.group.igq.agents[member.name].fail()

    def fault(self, member):
        if member.name in self.group.igq.agents:
            self.group.igq.agents[member.name].fail_next_put(self.random.choice([2195, 2102, 2053]))

    def break_(self, _):
        self.group.fail_coupling_facility()

    def recover(self, _):
        if self.group.running:
            self.group.recover()

    def deadq(self, member):
        member.alter("QMGR", "", {"DEADQ": self.random.choice(["", DLQ])})

    def get(self, member):
        try:
            with member.open(QUEUE, browse=True) as handle:
                handle.browse_first()
        except MQError as error:
            assert error.reason in (2033, 2059, 2373), error

    def settle(self):
        """End every fault and let the retries come."""
        self.group.igq.pace = 0
        for member in self.group.members:
            if not member.running:
                member.start()
            member.alter("QMGR", "", {"DEADQ": DLQ})
        self.group.recover()
        for _ in range(20):
            self.lab.advance(1300)

    def arrived(self):
        """How often each message stands on a queue."""
        stores = [m.targets[queue].store for m in self.group.members for queue in ("WORK", "SMALL", DLQ)]
        return Counter(message.number for store in stores for message in store.in_order())


@for_each("seeds", some([range(at, at + 25) for at in range(0, 300, 25)], 5))
def test_persistent_messages_arrive_exactly_once_and_every_loss_has_its_rule(seeds):
    for seed in seeds:
        run = Schedule(seed)
        for _ in range(80):
            run.step()
        run.settle()
        assert run.group.igq.why_waiting() == [], seed
        arrived = run.arrived()
        lost = list(run.lab.events.where(kind="lost"))
        gone = Counter(row.message for row in lost)
        assert {row.rule for row in lost} <= LOSSES, seed
        assert not any(row.persistent for row in lost), seed
        for number, put in run.sent.items():
            assert arrived[number] + gone[number] == 1, (seed, number)
            assert not put.persistent or arrived[number] == 1, (seed, number)
        assert set(arrived) <= set(run.sent), seed
        assert all(not member.units or not any(u.gets for u in member.units.values()) for member in run.group.members)
