"""Two queue managers and a channel between them; and what no test may leave behind."""

import json

import pytest

from mqlab.engine.programs.channels.channel import ACTIVE
from mqlab.engine.words.because import because

RETRIES = "SHORTTMR(5)"


class Pair:
    """QM1 with transmission queue QM2 and sender TO.QM2, QM2 with ORDERS and the receiver; QM2 answers by TO.QM1.

    `sdr` and `rcvr` are attributes of the two ends of TO.QM2; without `sdr` it is tried again every 5 seconds.
    With `level` None they are of the current level, and there too expired messages wait for a call.
    """

    def __init__(self, lab, sdr="", rcvr="", latency=0.0, trigger=False, platform="distributed", level=530, **link):
        self.lab = lab
        lazy = {"expiry_interval": 0} if level is None else {"level": level}
        self.one, self.two = lab.queue_manager("QM1", **lazy), lab.queue_manager("QM2", platform, **lazy)
        lab.link("QM1", "QM2", latency=latency, **link)
        triggered = "TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)" if trigger else ""
        self.one.mqsc(f"""
            DEFINE QLOCAL(QM2) USAGE(XMITQ) {triggered}
            DEFINE QLOCAL(REPLIES)
            DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) {sdr or RETRIES}
            DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR)
            """).require()
        self.two.mqsc(f"""
            DEFINE QLOCAL(ORDERS)
            DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) {rcvr}
            DEFINE QLOCAL(QM1) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)
            DEFINE CHANNEL(TO.QM1) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1) {RETRIES}
            """).require()

    def at(self, name, commands):
        """Run commands that must succeed; the reply."""
        return self.lab[name].mqsc(commands).require()

    def start(self, seconds=None):
        """START CHANNEL(TO.QM2), and let it work; without `seconds` not even its agent has begun."""
        self._operate("START CHANNEL(TO.QM2)", seconds)

    def stop(self, more="", seconds=None):
        """STOP CHANNEL(TO.QM2), and let it end."""
        self._operate(f"STOP CHANNEL(TO.QM2) {more}", seconds)

    def _operate(self, command, seconds):
        self.at("QM1", command)
        if seconds is not None:
            self.lab.advance(seconds)

    def put(self, *bodies, persistent=True, queue="ORDERS", **options):
        """Put messages for QM2; the last one as put."""
        for body in bodies:
            message = self.one.put(f"{queue}@QM2", body, persistent=persistent, **options)
        return message

    def got(self, queue="ORDERS", name="QM2"):
        """What stands on a queue, in order, left there."""
        return [message.body.decode() for message in self.lab[name].targets[queue].store.in_order()]

    def channel(self, name="QM1", called="TO.QM2"):
        """The one channel of this name that is not INACTIVE, or else any of them."""
        found = [channel for (known, _), channel in self.lab[name].channels.items() if known == called]
        return next((channel for channel in found if channel.state != "INACTIVE"), found[0])

    def states(self, name="QM1", called="TO.QM2"):
        """The states that the channels of this name went through, in order."""
        return [told["state"] for _, told in self.rows(kind="channel", object=called, qmgr=name) if "was" in told]

    def because(self, name="QM1"):
        """Why TO.QM2 came to its state."""
        rows = self.rows(kind="channel", object="TO.QM2", qmgr=name)
        return [because(told) for _, told in rows if "why" in told][-1]

    def rows(self, **which):
        """Rows of the log, each with its detail as a dictionary."""
        return [(row, json.loads(row.detail or "{}")) for row in self.lab.events.where(**which)]


def leaked(lab):
    """What agents that are gone have left behind, as text; empty if nothing."""
    found = []
    for qmgr in lab.queue_managers:
        alive = {program.application for program in qmgr.programs_running}
        gone = [h for h in qmgr.handles if h.application.program is not None and h.application not in alive]
        found += [f"{qmgr.name}: {handle!r} of a program that is gone" for handle in gone]
        doubt = {channel.indoubt for channel in qmgr.channels.values()}
        for unit in qmgr.units.values():
            program = unit.application.program
            if unit.in_doubt != (unit in doubt) or (unit not in doubt and program and unit.application not in alive):
                found.append(f"{qmgr.name}: {unit!r} is nobody's")
        found += [
            f"{qmgr.name}: {channel!r} without a program"
            for channel in qmgr.channels.values()
            if channel.state in ACTIVE and channel.program not in qmgr.programs_running
        ]
        waits = sum(one is not qmgr.kept.get("pcf") for queue in qmgr.queues for _, one in queue.waiters)
        if waits > len(alive):
            found.append(f"{qmgr.name}: {waits} waits of {len(alive)} programs")
    agents = sum(channel.state in ACTIVE for qmgr in lab.queue_managers for channel in qmgr.channels.values())
    sessions = sum(len(path._sessions) for path in lab.network.paths)
    if sessions > agents:
        found.append(f"{sessions} sessions of {agents} agents")
    return "\n".join(found)


@pytest.fixture
def pair(lab):
    """`pair(sdr="BATCHSZ(2)", latency=0.1)` makes the Pair of this test, in its lab or `of` another; at its end nothing
    may be left of agents that are gone."""
    labs = [lab]

    def make(of=None, **how):
        labs.append(of or lab)
        return Pair(labs[-1], **how)

    yield make
    for each in labs:
        each.advance(1)
        assert not leaked(each)
