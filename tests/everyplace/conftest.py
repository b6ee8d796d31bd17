"""A device, PDA1, and the server it is seldom connected to, HQ, with rules that note what they are told."""

import pytest


class Told(list):
    """A queue rule that notes (queue manager, queue, body, message number) of what it is told."""

    __name__ = "told"

    def __call__(self, queue, message):
        self.append((queue.qmgr.name, queue.label, message.body, message.number))
        return "ignored"


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def hq(lab, told):
    """The server: local queue ORDERS, and FORWARD, which keeps messages for PDA1."""
    hq = lab.everyplace("HQ")
    hq.define("local", "ORDERS", rule=told)
    hq.define("store-and-forward", "FORWARD", targets=["PDA1"], rule=told)
    return hq


@pytest.fixture
def pda(lab, hq, told):
    """The device: local queue INBOX and asynchronous queue ORDERS@HQ, over a link of one second each way."""
    pda = lab.everyplace("PDA1")
    pda.define("local", "INBOX", rule=told)
    pda.define("asynchronous", "ORDERS@HQ", rule=told)
    lab.network.link("PDA1", "HQ", latency=1)
    return pda


@pytest.fixture
def transmit(lab, pda):
    """A function: the device triggers transmission; all that follows happens, or so many seconds of it."""

    def transmitted(seconds=None):
        pda.trigger_transmission()
        lab.run() if seconds is None else lab.advance(seconds)

    return transmitted
