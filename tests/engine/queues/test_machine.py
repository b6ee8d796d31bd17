"""What must always hold, whatever is called in whatever order: a state machine over one queue manager.

The reference is a dict of plain records kept by the test. After every step: each message is on exactly one queue, in
exactly one unit of work, or has exactly one closing event; CURDEPTH is what is there; what is returned is the first in
order and has not expired; and the state replayed from the log is the state of the queue manager.
One of the queues is a temporary dynamic queue, which comes and goes under one name while units of work use it.
"""

from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from helpers import tries
from mqlab import Lab, MQError

QUEUES = ("PRI", "FIFO", "TINY")
DYNAMIC = "REPLY"
ALL = (*QUEUES, DYNAMIC)
SCAN_US = 300_000_000
TRIGGERS = """TRIGTYPE(FIRST) TRIGTYPE(EVERY) TRIGTYPE(DEPTH) TRIGTYPE(NONE) TRIGMPRI(0) TRIGMPRI(5) TRIGDPTH(1)
    TRIGDPTH(3) NOTRIGGER TRIGGER"""
CORREL_IDS = (None, b"A".ljust(24, b"\0"), b"B".ljust(24, b"\0"))


@dataclass
class Known:
    """What the test knows of one message."""

    number: int
    queue: str
    filed: int
    expires_us: int | None
    correl_id: bytes | None
    persistent: bool
    backouts: int = 0
    unit: int | None = None  # index of the open unit of work that put it
    got_by: int | None = None  # index of the open unit of work that got it
    gone: bool = False


def attempt(call, *args, **kwargs):
    """What a call returned and None, or None and the MQRC it failed with."""
    try:
        return call(*args, **kwargs), None
    except MQError as error:
        return None, error.reason


class Machine(RuleBasedStateMachine):
    """Two applications' worth of units of work on three queues, and on one that is dynamic."""

    @initialize()
    def begin(self):
        self.lab = Lab(seed=1)
        self.qm = self.lab.queue_manager("QM1")
        assert self.qm.mqsc(
            "DEFINE QLOCAL(PRI)\nDEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO) DEFPRTY(3)\nDEFINE QLOCAL(TINY) MAXDEPTH(3)\n"
            "DEFINE QLOCAL(INITQ)\nDEFINE PROCESS(P) APPLICID('SERVER')\n"
            "DEFINE QMODEL(MODEL) DEFTYPE(TEMPDYN) SHARE DEFSOPT(SHARED)\n"
            "DEFINE QLOCAL(WORK) DEFPSIST(YES) TRIGGER TRIGTYPE(FIRST) INITQ(INITQ) PROCESS(P)"
        ).ok
        # the attributes as the test knows them
        self.queues = {name: SimpleNamespace(fifo=False, default=0, cap=-1, maxdepth=5000) for name in ALL}
        self.queues["FIFO"].fifo, self.queues["FIFO"].default = True, 3
        self.queues["TINY"].maxdepth = 3
        self.scans_since = 0
        self.known: dict[int, Known] = {}
        self.units: dict[int, object] = {}
        self.units_begun = 0
        self.creator, self.others = None, []  # the open handles of the dynamic queue
        self.shut: set[tuple[str, str]] = set()  # (queue, "GET" or "PUT") that is inhibited
        self.asked = self.served = 0
        self.qm.program("SERVER", self._serve)
        self.qm.trigger_monitor("INITQ")
        for number in range(12):
            queue = ("PRI", "FIFO")[number % 2]
            self.put(queue, number % 3, number % 2 == 0, (-1, 5, 100)[number % 3], CORREL_IDS[number % 3], 0)
        self.open_dynamic()
        for unit in (0, 1, 2):
            self.put(DYNAMIC, None, False, -1, None, unit)
        self.get(DYNAMIC, None, 2)

    # ------------------------------------------------------------------ what can happen
    units_drawn = st.integers(0, 2)

    def _unit(self, choice):
        """None for no unit of work, else one of up to two open ones."""
        if choice == 0:
            return None
        open_units = sorted(self.units)
        if len(open_units) >= choice:
            return open_units[choice - 1]
        self.units_begun += 1
        self.units[self.units_begun] = self.qm.unit_of_work()
        return self.units_begun

    @rule(
        queue=st.sampled_from(ALL),
        priority=st.sampled_from([None, 0, 1, 2]),
        persistent=st.booleans(),
        expiry=st.sampled_from([-1, 1, 5, 20, 100, 10_000]),
        correl_id=st.sampled_from(CORREL_IDS),
        unit=units_drawn,
    )
    def put(self, queue, priority, persistent, expiry, correl_id, unit):
        about = self.queues[queue]
        full = self._depth(queue) >= about.maxdepth
        index = self._unit(unit)
        caller = self.qm if index is None else self.units[index]
        put = {"priority": priority, "expiry": expiry, "correl_id": correl_id, "persistent": persistent}
        message, reason = attempt(caller.put, queue, b"x", **put)
        wanted = 2051 if (queue, "PUT") in self.shut else 2053 if full else None
        assert reason == (self._absent(queue) or (2048 if queue == DYNAMIC and persistent else wanted))
        if reason:
            return
        if about.cap >= 0 and not 0 <= expiry <= about.cap:
            expiry = about.cap
        assert message.expiry == expiry
        self.known[message.number] = Known(
            message.number,
            queue,
            about.default if about.fifo or priority is None else priority,
            None if expiry < 0 else self.lab.now_us + expiry * 100_000,
            correl_id,
            persistent,
            unit=index,
        )

    @rule(queue=st.sampled_from(ALL), correl_id=st.sampled_from(CORREL_IDS), unit=units_drawn)
    def get(self, queue, correl_id, unit):
        index = self._unit(unit)
        found, expired = self._expected(queue, correl_id)
        caller = self.qm if index is None else self.units[index]
        message = self._call(caller.get, found, queue, correl_id=correl_id)
        if message is not None:
            known = self.known[message.number]
            known.gone, known.got_by = index is None, index
            assert (message.backout_count, message.persistent) == (known.backouts, known.persistent)
        self._discarded(expired)

    @rule(queue=st.sampled_from(ALL), correl_id=st.sampled_from(CORREL_IDS))
    def browse(self, queue, correl_id):
        found, expired = self._expected(queue, correl_id)
        self._call(self.qm.browse, found, queue, correl_id=correl_id)
        self._discarded(expired)

    @precondition(lambda self: self.units)
    @rule(data=st.data())
    def commit(self, data):
        index = data.draw(st.sampled_from(sorted(self.units)))
        self.units.pop(index).commit()
        for known in self.known.values():
            if known.unit == index:
                known.unit = None
            if known.got_by == index:
                known.got_by, known.gone = None, True

    @precondition(lambda self: self.units)
    @rule(data=st.data())
    def back_out(self, data):
        index = data.draw(st.sampled_from(sorted(self.units)))
        self.units.pop(index).backout()
        for known in self.known.values():
            if known.unit == index:
                known.unit, known.gone = None, True
            if known.got_by == index:
                known.got_by = None
                known.backouts += 1
                known.gone = known.queue not in ALL  # it goes with its queue

    @rule()
    def open_dynamic(self):
        absent = self._absent(DYNAMIC)
        if absent != 2085:
            assert attempt(self.qm.open, "MODEL", input="shared", dynamic_name=DYNAMIC)[1] == 2100
        name = "MODEL" if absent == 2085 else DYNAMIC
        handle, reason = attempt(self.qm.open, name, input="shared", dynamic_name=DYNAMIC)
        assert reason == (2052 if absent == 2052 else None)
        if absent == 2085:
            self.creator = handle
        elif handle:
            self.others.append(handle)

    @precondition(lambda self: self.creator or self.others)
    @rule(data=st.data())
    def close_dynamic(self, data):
        at = data.draw(st.integers(0, len(self.others) - (not self.creator)))
        if at < len(self.others):
            self.others.pop(at).close()
        else:
            self.creator.close()
            self._dynamic_goes()

    def _dynamic_goes(self):
        """The dynamic queue is deleted with all that is on it; a message that was got can come back, and goes then."""
        self.creator = None
        for known in self.known.values():
            if known.queue == DYNAMIC and not known.gone:
                known.queue, known.unit, known.gone = "deleted", None, known.got_by is None

    @rule(seconds=st.sampled_from([0, 0.1, 0.3, 1, 5, 5, 299.9, 600, 86_400, 400 * 86_400]))
    def advance(self, seconds):
        before = self.lab.now_us
        self.lab.advance(seconds)
        last_scan = self.lab.now_us - (self.lab.now_us - self.scans_since) % SCAN_US
        if last_scan > before:
            there = [known for name in ALL for known in self._here(name) if known.unit is None]
            self._discarded([k for k in there if k.expires_us is not None and k.expires_us <= last_scan])
        self._what_asked_for_a_server_has_one()

    def _what_asked_for_a_server_has_one(self):
        queue = self.qm.targets["WORK"]
        now = queue.definition.attributes
        waiting = sum(message.filed >= now["TRIGMPRI"] for message in queue.store.in_order())
        enough = now["TRIGDPTH"] if now["TRIGTYPE"] == "DEPTH" else 1
        if now["TRIGGER"] and now["TRIGTYPE"] != "NONE":
            assert waiting < enough, "whatever is asked of a triggered server is done when time is let pass"

    @rule(
        queue=st.sampled_from(QUEUES),
        what=st.sampled_from(
            [
                *(("maxdepth", most, f"MAXDEPTH({most})") for most in (0, 3, 5000)),
                *(("fifo", order == "FIFO", f"MSGDLVSQ({order})") for order in ("FIFO", "PRIORITY")),
                *(("default", priority, f"DEFPRTY({priority})") for priority in (0, 2, 9)),
                *(("cap", most, f"CAPEXPRY({most})") for most in (3, 50)),
                ("cap", -1, "CAPEXPRY(NOLIMIT)"),
            ]
        ),
    )
    def alter(self, queue, what):
        name, value, words = what
        assert self.qm.mqsc(f"ALTER QLOCAL({queue}) {words}").ok
        setattr(self.queues[queue], name, value)

    @rule(words=st.sampled_from([*TRIGGERS.split(), "TRIGGER TRIGTYPE(FIRST) TRIGMPRI(0)"]))
    def alter_triggering(self, words):
        assert self.qm.mqsc(f"ALTER QLOCAL(WORK) {words}").ok

    @rule(queue=st.sampled_from(QUEUES), what=st.sampled_from(["GET", "PUT"]))
    def inhibit_or_allow(self, queue, what):
        self.shut ^= {(queue, what)}
        word = "DISABLED" if (queue, what) in self.shut else "ENABLED"
        assert self.qm.mqsc(f"ALTER QLOCAL({queue}) {what}({word})").ok

    @rule(number=st.integers(1, 3), in_unit=st.booleans(), priority=st.sampled_from([0, 5]))
    def ask(self, number, in_unit, priority):
        if in_unit:
            with self.qm.unit_of_work() as unit:
                for _ in range(number):
                    unit.put("WORK", b"x", priority=priority)
        else:
            for _ in range(number):
                self.qm.put("WORK", b"x", priority=priority)
        self.asked += number

    def _serve(self, app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            while attempt(handle.get)[1] is None:
                self.served += 1

    @rule(roll=st.integers(0, 9))
    def restart(self, roll):
        if roll:
            return  # a restart empties so much that it must be rare
        self.qm.stop()
        self.units.clear()
        self._dynamic_goes()
        self.others.clear()
        for known in self.known.values():
            if known.unit is not None:
                known.unit, known.gone = None, True
            if known.got_by is not None:
                known.got_by = None
                known.backouts += 1
            known.gone = known.gone or not known.persistent
        self.qm.start()
        self.scans_since = self.lab.now_us
        self.qm.trigger_monitor("INITQ")

    # ------------------------------------------------------------------ what the reference expects
    def _here(self, queue):
        """The messages that count on a queue."""
        return [k for k in self.known.values() if k.queue == queue and not k.gone and k.got_by is None]

    def _in_order(self, queue):
        """The same, the first to be got first."""
        return sorted(self._here(queue), key=lambda known: (-known.filed, known.number))

    def _absent(self, queue):
        """The MQRC of a call that names the dynamic queue while it is not there, or deleted and still open."""
        return None if queue != DYNAMIC or self.creator else 2052 if self.others else 2085

    def _depth(self, queue):
        return len(self._here(queue))

    def _expected(self, queue, correl_id):
        """The message a get must return (None for 2033) and those it must discard."""
        expired = []
        if (queue, "GET") in self.shut:
            return None, expired
        for known in self._in_order(queue):
            if known.unit is not None or correl_id not in (None, known.correl_id):
                continue
            if known.expires_us is None or known.expires_us > self.lab.now_us:
                return known, expired
            expired.append(known)
        return None, expired

    def _call(self, call, expected, queue, **options):
        message, reason = attempt(call, queue, **options)
        wanted = 2016 if (queue, "GET") in self.shut else 2033 if expected is None else None
        assert reason == (self._absent(queue) or wanted)
        if reason:
            return None
        assert message.number == expected.number, "not the first in order"
        assert message.expiry == -1 or message.expiry > 0
        if expected.expires_us is not None:
            assert message.expiry == -((self.lab.now_us - expected.expires_us) // 100_000)
        return message

    def _discarded(self, expired):
        for known in expired:
            known.gone = True

    # ------------------------------------------------------------------ what must hold
    @invariant()
    def depth_is_what_is_there(self):
        for name in ALL if self.creator else QUEUES:
            queue = self.qm.targets[name]
            queue.store.check()
            assert self.qm.depth(name) == self._depth(name)
            visible = [message.number for message in queue.store.in_order()]
            assert len(visible) + queue.uncommitted == queue.depth
            assert visible == [known.number for known in self._in_order(name) if known.unit is None]

    @invariant()
    def nothing_asked_is_lost_or_done_twice(self):
        assert self.asked == self.served + self.qm.depth("WORK")

    @invariant()
    def every_message_is_in_one_place(self):
        closing = Counter()
        for event in self.lab.events:
            if event.object in ALL and event.message is not None:
                closing[event.message] += event.kind in ("get", "discard", "undo", "lost", "clear")
                closing[event.message] -= event.kind == "restore"
        for known in self.known.values():
            assert closing[known.number] == (known.gone or known.got_by is not None), f"message {known.number}"
        assert set(closing) <= set(self.known)

    @invariant()
    def the_log_replayed_is_the_state(self):
        state = self.lab.state()
        assert (("QM1", DYNAMIC) in state.queues) == bool(self.creator or self.others)
        for name in ALL:
            replayed = state.queue("QM1", name)
            assert [
                (m.number, m.filed, m.persistent, m.expires_us, m.uow is not None, m.backout_count)
                for m in replayed.in_order()
            ] == [
                (k.number, k.filed, k.persistent, k.expires_us, k.unit is not None, k.backouts)
                for k in self._in_order(name)
            ]
            depths = [event.depth for event in self.lab.events.where(object=name) if event.depth is not None]
            assert replayed.depth == (depths[-1] if depths else 0)

    @invariant()
    def answers_about_messages_agree(self):
        for known in list(self.known.values())[-3:]:
            there, on = not known.gone and known.got_by is None, f"it is on {known.queue}"
            assert (f"{on} now" in self.lab.explain(known.number)) == there
            place = f"{on} of QM1{', not committed' if known.unit is not None else ''}"
            assert (self.lab.why_not_delivered(known.number).place == place) == there

    @invariant()
    def causes_come_before_effects(self):
        for event in self.lab.events[-20:]:
            assert event.cause is None or event.cause < event.seq
            assert event.rule is not None


Machine.TestCase.settings = settings(max_examples=tries(60), stateful_step_count=40, deadline=None)
TestMachine = Machine.TestCase
