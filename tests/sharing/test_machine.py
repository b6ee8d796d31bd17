"""What must always hold of shared queues, whatever members, units of work and coupling facilities do.

After every step: each message is on exactly one queue, in one unit of work, or has exactly one closing event; no
persistent message of a recoverable structure is lost; CURDEPTH is what the replayed log says, on every member; a
structure that has failed answers 2373; and what is returned has not expired.
"""

from collections import Counter

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from helpers import tries
from mqlab import Lab, MQError

QUEUES = ("SAFE", "LOOSE")
MEMBERS = ("QMA", "QMB", "QMC")
members = st.sampled_from(MEMBERS)
queues = st.sampled_from(QUEUES)
CLOSING = ("get", "discard", "undo", "lost", "clear")


class Machine(RuleBasedStateMachine):
    """Three members, a recoverable and an unrecoverable structure, one unit of work on each member."""

    @initialize()
    def begin(self):
        self.lab = Lab(seed=1)
        self.group = self.lab.queue_sharing_group("QSG1", MEMBERS)
        self.group.members[0].mqsc("""
            DEFINE CFSTRUCT(APP1) CFLEVEL(3) RECOVER(YES)
            DEFINE CFSTRUCT(APP2) RECOVER(NO)
            DEFINE QLOCAL(SAFE) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED)
            DEFINE QLOCAL(LOOSE) QSGDISP(SHARED) CFSTRUCT(APP2) SHARE DEFSOPT(SHARED)
            ALTER QMGR EXPRYINT(7)""").require()
        self.units = {}
        self.persistent = set()
        self.failed = False
        for number in range(6):
            self.put(MEMBERS[number % 3], QUEUES[number % 2], number % 2 == 0 or None, -1, number > 3)
        self.get("QMC", "SAFE", True)

    def _caller(self, member, in_unit):
        qmgr = self.lab[member]
        if not in_unit or not qmgr.running:
            return qmgr
        if member not in self.units or not self.units[member].open:
            self.units[member] = qmgr.unit_of_work()
        return self.units[member]

    def _call(self, member, queue, call, *args, **kwargs):
        """What a call gave, and the MQRC it failed with, which is what the state of things asks for."""
        qmgr = self.lab[member]
        wanted = 2059 if not qmgr.running else 2373 if self.failed and queue == "SAFE" else None
        try:
            given, reason = call(*args, **kwargs), None
        except MQError as error:
            given, reason = None, error.reason
        assert wanted is None or reason == wanted
        return given, reason

    @rule(
        member=members, queue=queues, persistent=st.booleans(), expiry=st.sampled_from([-1, 5, 50]), unit=st.booleans()
    )
    def put(self, member, queue, persistent, expiry, unit):
        caller = self._caller(member, unit)
        message, reason = self._call(member, queue, caller.put, queue, b"x", persistent=persistent, expiry=expiry)
        if message is not None and persistent:
            self.persistent.add(message.number)
        assert reason in (None, 2059, 2373) or (reason == 2048 and persistent and queue == "LOOSE")

    @rule(member=members, queue=queues, unit=st.booleans())
    def get(self, member, queue, unit):
        message, reason = self._call(member, queue, self._caller(member, unit).get, queue)
        assert reason in (None, 2033, 2059, 2373)
        if message is not None:
            assert message.expiry == -1 or message.expiry > 0

    @precondition(lambda self: self.units)
    @rule(member=members, commit=st.booleans())
    def end_unit(self, member, commit):
        unit = self.units.pop(member, None)
        if unit is not None and unit.open:
            unit.commit() if commit else unit.backout()

    @rule(member=members, how=st.sampled_from(["stop", "fail"]))
    def end_member(self, member, how):
        if self.lab[member].running:
            getattr(self.lab[member], how)()

    @rule(member=members)
    def start(self, member):
        if not self.lab[member].running:
            self.lab[member].start()

    @rule()
    def fail_coupling_facility(self):
        self.group.fail_coupling_facility()
        self.failed = True
        left = {key: queue.messages.values() for key, queue in self.lab.state().queues.items() if key[0] == "QSG1"}
        assert not left.get(("QSG1", "LOOSE"))
        assert all(message.persistent and message.uow is None for message in left[("QSG1", "SAFE")])

    @rule()
    def recover(self):
        if self.group.running:
            self.group.recover()
            self.failed = False

    @rule(tenths=st.sampled_from([0, 3, 60]))
    def advance(self, tenths):
        self.lab.advance(tenths / 10)

    # ------------------------------------------------------------------ what must hold
    @invariant()
    def every_message_is_somewhere_once(self):
        state = self.lab.state()
        there = Counter(n for queue in state.queues.values() for n in queue.messages)
        rows = self.lab.events
        returned = {e.uow for e in rows if e.kind in ("backout", "recover") and e.uow is not None}
        gone = Counter(
            e.message
            for e in rows
            if e.message is not None and e.kind in CLOSING and not (e.kind == "get" and e.uow in returned)
        )
        put = {e.message for e in rows if e.kind == "put" and e.message is not None}
        assert {n: there[n] + gone[n] for n in put} == dict.fromkeys(put, 1)
        lost = [e for e in rows if e.kind == "lost"]
        assert not {e.message for e in lost} & self.persistent
        assert {e.rule for e in lost} <= {"QSG-08", "QSG-10"}, "never with a queue manager"

    @invariant()
    def the_log_tells_the_depth(self):
        state = self.lab.state()
        for queue in QUEUES:
            wanted = state.queue("QSG1", queue).depth
            for member in self.lab.queue_managers:
                shared = member.targets[queue]
                assert shared.depth == wanted
                assert shared.store.at_least(0) == sum(1 for _ in shared.store.in_order())
                assert shared.inputs == 0


TestSharedQueues = Machine.TestCase
TestSharedQueues.settings = settings(max_examples=tries(100), stateful_step_count=25, deadline=None)
