"""What the tests of triggering share: queues set up for it, a monitor, and what the log tells of trigger messages."""

import struct

import pytest

from mqlab.engine.queues.triggering import Trigger


@pytest.fixture
def mqsc():
    """Run commands that must all work."""
    return lambda qm, *commands: qm.mqsc("\n".join(commands)).require()


@pytest.fixture
def define(mqsc):
    """Define a queue set up for triggering with these attributes, an initiation queue INIT and a process P."""

    def define(qm, attributes, name="WORK"):
        switch = "" if "NOTRIGGER" in attributes else "TRIGGER"
        mqsc(
            qm,
            "DEFINE QLOCAL(INIT) REPLACE",
            "DEFINE PROCESS(P) REPLACE APPLTYPE(UNIX) APPLICID('server') ENVRDATA('env &') USERDATA('user data')",
            f"DEFINE QLOCAL({name}) {switch} PROCESS(P) INITQ(INIT) {attributes}",
        )

    return define


@pytest.fixture
def watch():
    """Open the initiation queue for input as a trigger monitor does: the handle."""
    return lambda qm, initq="INIT": qm.connect("MONITOR").open(initq, input="shared")


def rules(lab, fired):
    """The rules behind the trigger messages that were (or were not) written, in order."""
    return [row.rule for row in lab.events.where(kind="trigger") if row.facts["fired"] is fired]


@pytest.fixture
def written():
    """The rules behind the trigger messages written, in order."""
    return lambda lab: rules(lab, True)


@pytest.fixture
def declined():
    """The rules behind the trigger messages not written, in order."""
    return lambda lab: rules(lab, False)


@pytest.fixture
def fields():
    """The 684 bytes of an MQTM by field, read by its published layout and by nothing of the package."""

    def fields(body):
        assert len(body) == 684
        texts = ("QName", "ProcessName", "TriggerData"), ("ApplId", "EnvData", "UserData")
        names = ("StrucId", "Version", *texts[0], "ApplType", *texts[1])
        return dict(zip(names, struct.unpack("<4si48s48s64si256s128s128s", body), strict=True))

    return fields


@pytest.fixture(autouse=True)
def _what_is_kept_agrees(lab):
    """Whatever a test did: the log replayed is the state, and the qualifying messages counted are those there."""
    yield
    state = lab.state()
    for qmgr in lab.queue_managers:
        for queue in qmgr.queues:
            assert state.queue(qmgr.name, queue.name).depth == queue.depth, f"replayed depth of {queue.name}"
            if queue.trigger is not None:
                assert queue.trigger.qualifying == Trigger(queue).qualifying, f"qualifying on {queue.name}"
