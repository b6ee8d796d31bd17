"""What the tests of commands as messages share: a queue manager, and a program that asks its command server."""

import pytest

from mqlab.engine.words import constants as mq
from mqlab.pcf import format as pcf


class Asker:
    """A program that puts commands and reads replies, each as (completion code, reason, parameters by number)."""

    def __init__(self, qm):
        self.app, self.queue = qm.connect("explorer", user="mqm"), "SYSTEM.ADMIN.COMMAND.QUEUE"
        qm.mqsc("DEFINE QLOCAL(REPLIES)").require()

    def put(self, command, *parameters, header=None, **more):
        body = more.pop("body", None)
        if body is None:
            body = pcf.pack(header or pcf.Header(mq.MQCFT_COMMAND, command), parameters, more.pop("encoding", 546))
        options = {"msg_type": mq.MQMT_REQUEST, "reply_to_q": "REPLIES", "format": "MQADMIN"} | more
        return self.app.put(self.queue, body, **options)

    def messages(self, command, *parameters, **more):
        asked = self.put(command, *parameters, **more)
        found = [self.app.get("REPLIES", wait=1, correl_id=asked.msg_id)]
        while not pcf.unpack(found[-1].body).header.control:
            found.append(self.app.get("REPLIES", wait=1, correl_id=asked.msg_id))
        return found

    def __call__(self, command, *parameters, **more):
        found = [pcf.unpack(one.body) for one in self.messages(command, *parameters, **more)]
        assert [one.header.sequence for one in found] == [*range(1, len(found) + 1)]
        return [(one.header.comp, one.header.reason, {p.id: p.value for p in one.parameters}) for one in found]

    def refused(self, command, *parameters, **more):
        """The reason of the first error, and the parameter it names."""
        (comp, reason, about), *rest = self(command, *parameters, **more)
        assert comp == 2
        assert [each[1] for each in rest] in ([], [3008])
        return reason, about.get(1012)


@pytest.fixture
def ask(qm):
    return Asker(qm)


@pytest.fixture
def qm(lab):
    qmgr = lab.queue_manager("QM1")
    qmgr.mqsc(
        "DEFINE QLOCAL(ORDERS) DESCR('orders of today') MAXDEPTH(10)\nDEFINE QALIAS(OUT) TARGET(ORDERS)"
    ).require()
    return qmgr


@pytest.fixture
def asker():
    return Asker
