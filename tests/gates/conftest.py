"""A queue manager with passwords, groups, and one channel, and clients that try to come in."""

import pytest

from mqlab import Lab, MQError

SHOP = """
DEFINE CHANNEL(SHOP) CHLTYPE(SVRCONN)
DEFINE QLOCAL(ORDERS)
SET CHLAUTH('SHOP') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills') AUTHADD(PUT)
"""


class Gates:
    """A queue manager QM1, and clients at 10.0.0.1 who try."""

    def __init__(self, text="", **settings):
        self.lab = Lab()
        settings = {
            "users": {"till": "secret", "boss": "word"},
            "groups": {"tills": ["till"], "mqm": ["boss"]},
        } | settings
        self.qm = self.lab.queue_manager("QM1", **settings)
        zos = settings.get("platform") == "zos"  # which has no authority records
        self.mqsc("\n".join(line for line in SHOP.splitlines() if not (zos and "AUTHREC" in line)) + "\n" + text)

    def mqsc(self, text):
        return self.qm.mqsc(text).require()

    def tries(self, program="TILL", **facts):
        """The connection of a client, or the reason of the refusal."""
        given = {"user": "till", "password": "secret", "channel": "SHOP", "address": "10.0.0.1"} | facts
        try:
            return self.qm.connect(program, **given)
        except MQError as refused:
            return refused.reason

    def why(self, program="TILL", **facts):
        """The answer after an attempt."""
        self.tries(program, **facts)
        return self.lab.why_refused(program)

    def logs(self):
        """The identifiers in the error log since the last question."""
        entries = self.qm.error_log()
        new = [each.id for each in entries[getattr(self, "_read", 0) :]]
        self._read = len(entries)
        return new


@pytest.fixture
def gates():
    return Gates()


@pytest.fixture
def make(lab):
    """A function that makes a queue manager with the persistent queue Q and the channel APP.SVRCONN."""

    def made(name, more=""):
        qmgr = lab.queue_manager(name)
        qmgr.mqsc("DEFINE QLOCAL(Q) DEFPSIST(YES)\nDEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN)\n" + more).require()
        return qmgr

    return made


@pytest.fixture
def qm1(make):
    """Such a queue manager, QM1."""
    return make("QM1")


@pytest.fixture
def shop(qm1):
    """A function that connects the client SHOP to QM1."""
    return lambda **given: qm1.connect("SHOP", channel="APP.SVRCONN", **given)


@pytest.fixture
def after(lab):
    """A function that does something so many seconds later, as a program of a queue manager of its own."""
    ops = lab.queue_manager("OPS")
    return lambda seconds, action: ops.run_program("OPS", lambda app: (lab.advance(seconds), action()))
