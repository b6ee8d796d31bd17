"""How a channel finds its partner and what the two ends agree on."""

from __future__ import annotations

from .flows import Hello

__all__ = ["ANSWERS", "Failed", "Quiesced", "batch_size", "call", "hello", "partners"]

ANSWERS = {"SDR": ("RCVR", "RQSTR"), "SVR": ("RCVR", "RQSTR"), "RQSTR": ("SVR", "SDR")}
"""Type of the channel that calls -> types that can answer, under the same name."""


class Failed(Exception):
    """The channel cannot go on: `code` an AMQ number, `said` why."""

    def __init__(self, code: str, said: str):
        super().__init__(code, said)
        self.code, self.said = code, said


class Quiesced(Exception):
    """Raised in an agent that waits for work when its channel is to stop."""


def call(channel):
    """Begin a session with the partner of a channel; the End here. Failed when there is none to be reached."""
    qmgr = channel.qmgr
    lab, network, tried = qmgr.lab, qmgr.lab.network, []
    conname = channel.attributes["CONNAME"]
    if not conname:
        raise Failed("AMQ9202E", f"{channel.name} has no CONNAME: its requester starts it")
    for name in partners(channel):
        path = network.path(qmgr.name, name)
        if path is None:
            tried.append(f"there is no path from {qmgr.name} to {name}: lab.link({qmgr.name!r}, {name!r})")
        elif not path.up:
            tried.append(f"the path from {qmgr.name} to {name} is cut")
        elif not lab[name].running:
            tried.append(f"{name} is not running")
        else:
            end = path.connect(qmgr.clock, qmgr.name, name)
            lab[name].listen(channel.name, end.other)
            return end
    said = "; ".join(tried) or f"nothing is known by CONNAME({conname}): lab.address({conname!r}, queue_manager)"
    raise Failed("AMQ9202E", f"remote host not available: {said}")


def partners(channel) -> list[str]:
    """The queue managers that a channel's CONNAME may mean, in the order in which they are tried.

    Each address of CONNAME is one that `Lab.address` told of, or a host called like a queue manager; where none of
    these is known, the queue managers with a channel of this name that can answer (our reading: a lab has no DNS).
    """
    qmgr, lab = channel.qmgr, channel.qmgr.lab
    names = {each.name.upper(): each.name for each in lab.queue_managers if each is not qmgr}
    found = []
    for address in filter(None, (part.strip() for part in channel.attributes["CONNAME"].split(","))):
        host = address.partition("(")[0]
        for known in (lab.network.addresses.get(address), lab.network.addresses.get(host), names.get(host.upper())):
            if known is not None and known not in found:
                found.append(known)
                break
    return found or [each for each in names.values() if _answers(lab[each], channel)]


def _answers(qmgr, channel) -> bool:
    definition = qmgr.objects.get("CHANNEL", channel.name)
    return definition is not None and definition.attributes["CHLTYPE"] in ANSWERS.get(channel.chltype, ())


def batch_size(channel) -> int:
    """How many messages this end lets a batch have: BATCHSZ, and three less than MAXUMSGS, for its records."""
    return max(1, min(channel.attributes["BATCHSZ"], channel.qmgr.attributes["MAXUMSGS"] - 3))


def hello(channel) -> Hello:
    """The first flow of a channel."""
    attributes = channel.attributes
    return Hello(
        channel.name,
        channel.qmgr.name,
        channel.chltype,
        batch_size(channel),
        attributes["MAXMSGL"] or channel.qmgr.attributes["MAXMSGL"],
        attributes["SEQWRAP"],
        attributes["NPMSPEED"] == "FAST",
        attributes["HBINT"],
        channel.sequence,
        channel.reset_pending,
    )
