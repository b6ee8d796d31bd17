"""What must always hold of a cluster, whatever its members, links, and programs do.

Each choice of an instance equals that of a sieve that this file writes from the rules, and from what DISPLAY shows at
the queue manager that chooses. When all is well again, each persistent message is on exactly one queue; after the
records of the old time have died, all repositories agree.
"""

import re
from collections import Counter

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from clustered import Demo
from helpers import tries
from mqlab import MQError
from mqlab.engine.words import constants as mq

FULL, PARTIAL = ("HUB1", "HUB2"), ("DEPOT", "SHOP", "NEW")
ALL = FULL + PARTIAL
HOSTS = ("HUB1", "HUB2", "DEPOT", "NEW")
CLASSES = (
    {"INACTIVE", "RUNNING"},
    {"BINDING", "INITIALIZING", "STARTING", "STOPPING"},
    {"RETRYING"},
    {"REQUESTING", "PAUSED", "STOPPED", "SWITCHING"},
)
REFUSED = {mq.MQRC_UNKNOWN_OBJECT_NAME, mq.MQRC_CLUSTER_RESOLUTION_ERROR, mq.MQRC_CLUSTER_PUT_INHIBITED}
REFUSED |= {mq.MQRC_NO_DESTINATIONS_AVAILABLE, mq.MQRC_PUT_INHIBITED, mq.MQRC_Q_MGR_NOT_AVAILABLE}
SETS_COUNTERS_BACK = ("learned", "changed", "withdrawn", "forgotten", "published", "withdrew")
ALTERED = [
    *("PUT(DISABLED)", "PUT(ENABLED)", "CLWLRANK(1)", "CLWLRANK(0)"),
    *("CLWLPRTY(1)", "CLWLPRTY(0)", "CLWLUSEQ(ANY)", "CLWLUSEQ(LOCAL)"),
]
names, hosts = st.sampled_from(ALL), st.sampled_from(HOSTS)
DAY = 24 * 3600


def best(rows, value):
    """The rows with the highest value."""
    return [row for row in rows if value(row) == max(map(value, rows))]


def sieve(demo, name):
    """The instances of ORDERS among which a queue manager may choose, by the rules: CLU-35, 37, 36, 43, 44, 46."""
    qmgr = demo[name]
    shown = lambda text: reply.rows if (reply := qmgr.mqsc(text)).ok else []  # noqa: E731
    members = {row["QMID"]: row for row in shown("DISPLAY CLUSQMGR(*) ALL")}
    instances = shown("DISPLAY QCLUSTER(ORDERS) ALL")
    rows = [row | {"member": members[row["QMID"]]} for row in instances if row["QMID"] in members]
    local = shown("DISPLAY QLOCAL(ORDERS) CLUSTER PUT CLWLRANK CLWLPRTY CLWLUSEQ")
    rows = [row for row in rows if row["CLUSQMGR"] != name]
    if local and local[0]["CLUSTER"] and name in [row["CLUSQMGR"] for row in members.values()]:
        mine = next(row for row in members.values() if row["CLUSQMGR"] == name)
        rows.append(local[0] | {"CLUSQMGR": name, "member": mine | {"STATUS": "RUNNING"}})
    elif local:
        return [name]
    if not rows:
        return []
    rows = best(rows, lambda row: row["member"]["CLWLRANK"])
    rows = best(rows, lambda row: row["CLWLRANK"])
    rows = [row for row in rows if row["PUT"] == "ENABLED"] or rows
    here = [row for row in rows if row["CLUSQMGR"] == name and row["PUT"] == "ENABLED"]
    use = local[0]["CLWLUSEQ"] if local else ""
    use = qmgr.attributes["CLWLUSEQ"] if use == "QMGR" else use
    if here and use == "LOCAL":
        return [name]
    rows = [row for row in rows if row["member"]["SUSPEND"] == "NO"] or rows
    rows = best(rows, lambda row: -next(i for i, states in enumerate(CLASSES) if row["member"]["STATUS"] in states))
    rows = best(rows, lambda row: row["member"]["CLWLPRTY"])
    rows = best(rows, lambda row: row["CLWLPRTY"])
    return sorted(row["CLUSQMGR"] for row in rows)


class Machine(RuleBasedStateMachine):
    """Two full repositories, and three partial ones; NEW comes and goes."""

    @initialize()
    def begin(self):
        self.demo = Demo(FULL, PARTIAL, queues=dict.fromkeys(HOSTS, "ORDERS DEFBIND(NOTFIXED)"), ready=10)
        self.lab = self.demo.lab
        for name in ALL:
            self.demo(name, "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
        self.sent, self.number, self.cuts = set(), 0, set()
        self.counts = {name: Counter() for name in ALL}
        self.turns = {name: {} for name in ALL}
        self.read = dict.fromkeys(ALL, 0)

    def _known(self, name):
        """Whether the counters of a queue manager can be told: set back with every change, unknown after a choice of a
        program of MQ's own."""
        rows = [row for row in self.lab.events[self.read[name] :] if row.qmgr == name]
        self.read[name] = len(self.lab.events)
        for row in rows:
            if row.kind == "cluster" and row.facts["did"] in SETS_COUNTERS_BACK:
                self.counts[name], self.turns[name] = Counter(), {}
            elif row.kind == "put" and row.program and row.facts.get("to", "").startswith("ORDERS@"):
                self.counts[name] = None
        return self.counts[name] is not None

    def _went(self, name, at):
        """The host that the last put went to."""
        rows = [row for row in self.lab.events[at:] if row.kind == "put" and row.program is None and row.qmgr == name]
        return rows[-1].facts.get("channel", f"TO.{name}").removeprefix("TO.") if rows else None

    def _count(self, name, host):
        if self.counts[name] is not None:
            self.counts[name][host] += 1
            self.turns[name][host] = self.number

    @rule(name=names, bound=st.booleans(), many=st.integers(1, 4), persistent=st.booleans())
    def put(self, name, bound, many, persistent):
        """Put over one handle, and hold each choice against the sieve."""
        qmgr, option = self.demo[name], mq.MQOO_BIND_ON_OPEN if bound else mq.MQOO_BIND_NOT_FIXED
        try:
            qmgr.open("ORDERS", output=True, options=mq.MQOO_BIND_NOT_FIXED).close()  # it may wait for an answer
            left, known = sieve(self.demo, name), self._known(name)
            with qmgr.open("ORDERS", output=True, options=option) as handle:
                chosen = None
                for _ in range(many):
                    body, at = f"<{self.number}>".encode(), len(self.lab.events)
                    handle.put(body, persistent=persistent)
                    self.number += 1
                    if persistent:
                        self.sent.add(body)
                    host = self._went(name, at)
                    if bound and chosen is not None:
                        assert host == chosen
                        continue
                    chosen = host
                    assert host in left, f"{name} chose {host}, and the sieve {left}"
                    if known:
                        order = [(self.counts[name][each], self.turns[name].get(each, -1), each) for each in left]
                        assert host == min(order)[2], f"{name} chose {host} among {order}"
                    if self.demo.instances(name) != [name]:
                        self._count(name, host)
        except MQError as error:
            assert error.reason in REFUSED, error

    @rule(name=names, host=hosts)
    def put_to(self, name, host):
        """Put to a queue manager that is named."""
        try:
            body = f"<{self.number}>".encode()
            self.number += 1
            self.demo[name].put(f"ORDERS@{host}", body, persistent=True)
            self.sent.add(body)
        except MQError as error:
            assert error.reason in REFUSED | {mq.MQRC_UNKNOWN_REMOTE_Q_MGR}, error

    @rule(one=names, other=names)
    def cut_or_restore(self, one, other):
        pair = tuple(sorted((one, other)))
        if one != other:
            (self.lab.restore if pair in self.cuts else self.lab.cut)(*pair)
            self.cuts ^= {pair}

    @rule(name=names, fails=st.booleans())
    def end_or_start(self, name, fails):
        qmgr = self.demo[name]
        (qmgr.fail if fails else qmgr.stop)() if qmgr.running else qmgr.start()

    @rule(name=hosts, words=st.sampled_from(ALTERED))
    def alter(self, name, words):
        self.demo[name].mqsc(f"ALTER QLOCAL(ORDERS) {words}")

    @rule(name=hosts)
    def define_or_delete(self, name):
        there = self.demo[name].objects.get("QLOCAL", "ORDERS") is not None
        self.demo[name].mqsc(
            "DELETE QLOCAL(ORDERS)" if there else "DEFINE QLOCAL(ORDERS) CLUSTER(DEMO) DEFBIND(NOTFIXED)"
        )

    @rule(name=names, verb=st.sampled_from(("SUSPEND", "RESUME")), force=st.booleans())
    def suspend_or_resume(self, name, verb, force):
        self.demo[name].mqsc(f"{verb} QMGR CLUSTER(DEMO) {'MODE(FORCE)' if force and verb == 'SUSPEND' else ''}")

    @rule(name=names, commits=st.booleans(), cuts=st.booleans())
    def put_in_a_unit(self, name, commits, cuts):
        """Put in a unit of work; the links may be cut before it ends, so that messages wait, and are chosen again."""
        qmgr = self.demo[name]
        if not qmgr.running:
            return
        unit, bodies = qmgr.unit_of_work(), set()
        for _ in range(3):
            try:
                body = f"<{self.number}>".encode()
                self.number += 1
                qmgr.put("ORDERS", body, persistent=True, unit=unit)
                bodies.add(body)
            except MQError as error:
                assert error.reason in REFUSED, error
        for other in ALL if cuts else ():
            pair = tuple(sorted((name, other)))
            if other != name and pair not in self.cuts:
                self.lab.cut(*pair)
                self.cuts.add(pair)
        (unit.commit if commits else unit.backout)()
        self.sent |= bodies if commits else set()
        self._known(name)
        self.counts[name] = None  # it chose for these messages too

    @rule(name=names, host=names, verb=st.sampled_from(("START", "STOP")), way=st.sampled_from(("CHANNEL", "SCTQ", "")))
    def operate_channels(self, name, host, verb, way):
        """Start or stop a channel, or let channels have other transmission queues when they next start."""
        self.demo[name].mqsc(f"ALTER QMGR DEFCLXQ({way})" if way else f"{verb} CHANNEL(TO.{host})")

    @rule(joins=st.booleans())
    def join_or_leave(self, joins):
        cluster = "DEMO" if joins else " "
        self.demo["NEW"].mqsc(f"ALTER CHANNEL(TO.NEW) CHLTYPE(CLUSRCVR) CLUSTER('{cluster}')")

    @rule(name=names)
    def refresh(self, name):
        self.demo[name].mqsc("REFRESH CLUSTER(DEMO)")

    @rule(seconds=st.sampled_from((0.005, 1, 15, 90, 2000)))
    def time_passes(self, seconds):
        self.demo.settle(seconds)

    def teardown(self):
        """All is well again: nothing is lost or doubled, and all repositories agree."""
        if not hasattr(self, "demo"):
            return
        for pair in self.cuts:
            self.lab.restore(*pair)
        for name in ALL:
            if not self.demo[name].running:
                self.demo[name].start()
            self.demo[name].mqsc("RESUME QMGR CLUSTER(DEMO)\nALTER QLOCAL(ORDERS) PUT(ENABLED)")
            for other in ALL:
                self.demo[name].mqsc(f"START CHANNEL(TO.{other})")
        self.demo.settle(2 * 3600)
        found = Counter()
        for name in ALL:
            for queue in self.demo[name].queues:
                if not queue.name.startswith("SYSTEM.") or queue.name.startswith("SYSTEM.CLUSTER.TRANSMIT"):
                    for message in queue.store.in_order():
                        found.update(re.findall(rb"<\d+>", message.body))
        lost = self.sent - found.keys()
        assert not lost, f"lost: {sorted(lost)}"
        assert {body: many for body, many in found.items() if many > 1} == {}
        for _ in range(15):  # a record renewed on day 54 dies on day 144
            self.demo.settle(10 * DAY)
        member = {"NEW"} if self.demo["NEW"].objects.get("CHANNEL", "TO.NEW").attributes["CLUSTER"] == "DEMO" else set()
        everybody = sorted({*FULL, "DEPOT", "SHOP"} | member)
        instances = [name for name in everybody if self.demo[name].objects.get("QLOCAL", "ORDERS") is not None]
        for name in FULL:
            assert self.demo.knows(name) == everybody, name
            assert self.demo.instances(name) == sorted(instances), name
        for name in set(everybody) - set(FULL):
            assert {*FULL, name} <= set(self.demo.knows(name)) <= set(everybody), name
            assert self.demo.instances(name) in ([], [name] if name in instances else [], sorted(instances)), name


Machine.TestCase.settings = settings(max_examples=tries(15), stateful_step_count=25, deadline=None)
TestMachine = Machine.TestCase
