"""Labs with queue manager clusters, made from short descriptions, and what tests ask of them."""

from helpers import outcome
from mqlab import Lab
from mqlab.engine.words.headers import MQDLH

CLUSTER = "DEMO"
THREE = ("HUB1", "HUB2", "DEPOT")
ORDERS = dict.fromkeys(THREE, "ORDERS")
FREE = dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED)")
"""Queues for a `Demo`: three instances of ORDERS, which bind at the open, or never."""


class Demo:
    """Queue managers of a lab: `full` are full repositories of the cluster DEMO, and `partial` join at the first of
    them. Each has the CLUSRCVR TO.NAME, and the local queues that `queues` gives it: "ORDERS" or "ORDERS DEFBIND(...)".
    """

    def __init__(self, full=("HUB1", "HUB2"), partial=("DEPOT", "SHOP"), queues=None, ready=5, lab=None, **settings):
        self.lab = Lab() if lab is None else lab
        self.full, self.names = tuple(full), (*full, *partial)
        each = settings.pop("each", {})
        for name in self.names:
            self.lab.queue_manager(name, **(settings | each.get(name, {})))
            for other in self.names[: self.names.index(name)]:
                self.lab.link(name, other, latency=0.01)
        for name in self.names:
            self.join(name, next((one for one in full if one != name), None), name in full)
        for other in full[2:]:
            for one in full:
                self.sender(one, other) if one != other else None
        for name, words in (queues or {}).items():
            for queue in words if isinstance(words, (list, tuple)) else [words]:
                self.queue(name, queue)
        self.lab.advance(ready)

    def __getitem__(self, name):
        return self.lab[name]

    def __call__(self, name, text):
        """Run commands, which must work; the last reply's rows are in `rows`."""
        return self.lab[name].mqsc(text).require()

    def change(self, name, text, seconds=5):
        """Run commands, which must work, and let all members hear of it."""
        reply = self(name, text)
        self.settle(seconds)
        return reply

    def join(self, name, at, full=False, cluster=CLUSTER, channel=None, words=""):
        """Let a queue manager join: its CLUSRCVR, and a CLUSSDR to `at`."""
        channel = channel or f"TO.{name}"
        if full:
            self(name, f"ALTER QMGR REPOS({cluster})")
        self(
            name,
            f"DEFINE CHANNEL({channel}) CHLTYPE(CLUSRCVR) CONNAME('{name.lower()}(1414)') CLUSTER({cluster}) {words}",
        )
        if at is not None:
            self.sender(name, at, cluster)

    def sender(self, name, at, cluster=CLUSTER):
        """Define a CLUSSDR by hand."""
        self(name, f"DEFINE CHANNEL(TO.{at}) CHLTYPE(CLUSSDR) CONNAME('{at.lower()}(1414)') CLUSTER({cluster}) REPLACE")

    def queue(self, name, words):
        """Define a local cluster queue."""
        queue, _, rest = words.partition(" ")
        rest = rest if "CLUSTER(" in rest else f"CLUSTER({CLUSTER}) {rest}"
        self(name, f"DEFINE QLOCAL({queue}) {rest}")

    def outside(self, one, other, remote):
        """A sender between two queue managers, one of them outside the cluster, and a QREMOTE that uses it."""
        self.lab.link(one, other, latency=0.01)
        self.lab.address(f"{other.lower()}(1500)", other)
        self(other, f"DEFINE CHANNEL({one}.{other}) CHLTYPE(RCVR)")
        self(
            one,
            f"DEFINE QLOCAL({other}) USAGE(XMITQ) TRIGGER TRIGDATA({one}.{other}) INITQ(SYSTEM.CHANNEL.INITQ)\n"
            f"DEFINE CHANNEL({one}.{other}) CHLTYPE(SDR) CONNAME('{other.lower()}(1500)') XMITQ({other})\n"
            f"DEFINE QREMOTE{remote} RQMNAME({other})",
        )

    def settle(self, seconds=5):
        """Let time pass."""
        self.lab.advance(seconds)

    def send(self, name="SHOP", queue="ORDERS", body=b"x", seconds=5, **options):
        """Put one message, and let it arrive."""
        self[name].put(queue, body, **options)
        self.settle(seconds)

    def one_by_one(self, number, name="SHOP", queue="ORDERS"):
        """Put so many messages by MQPUT1, and let them arrive; the depths after it."""
        for count in range(number):
            self[name].put(queue, f"{count}", persistent=True)
        self.settle()
        return self.depths(queue)

    def puts(self, number, name="SHOP", queue="ORDERS", **options):
        """Put so many messages over one handle, and let them arrive; the depths after it."""
        with self[name].open(queue, output=True, **options) as handle:
            for count in range(number):
                handle.put(f"{count}", persistent=True)
        self.settle()
        return self.depths(queue)

    def gained(self, act, *args, **keywords):
        """How many messages each instance of ORDERS has after an act, and did not have before."""
        before = self.depths()
        act(*args, **keywords)
        return {name: depth - before[name] for name, depth in self.depths().items()}

    def depths(self, queue="ORDERS", *names):
        """How many messages each queue manager has on a queue, by name."""
        names = names or [name for name in self.names if self.lab[name].objects.get("QLOCAL", queue) is not None]
        return {name: self.lab[name].depth(queue) for name in names}

    def members(self, name, *columns):
        """DISPLAY CLUSQMGR of one queue manager: its rows."""
        return self(name, f"DISPLAY CLUSQMGR(*) {' '.join(columns)} ALL").rows

    def knows(self, name):
        """The queue managers that one knows, by name."""
        return sorted(row["CLUSQMGR"] for row in self.members(name))

    def instances(self, name, queue="ORDERS"):
        """The queue managers that have a cluster queue, as one of them knows."""
        reply = self.lab[name].mqsc(f"DISPLAY QCLUSTER({queue}) CLUSQMGR")
        return sorted(row["CLUSQMGR"] for row in reply.rows) if reply.ok else []

    def state(self, name, channel):
        """The state of a cluster-sender channel, as DISPLAY CHSTATUS has it; INACTIVE if it has none."""
        reply = self.lab[name].mqsc(f"DISPLAY CHSTATUS({channel}) STATUS CHLTYPE")
        rows = [row for row in reply.rows if row["CHLTYPE"] == "CLUSSDR"] if reply.ok else []
        return rows[0]["STATUS"] if rows else "INACTIVE"

    def said(self, did, name=None):
        """The rows of the log with which repository managers did something."""
        return [
            row
            for row in self.lab.events
            if row.kind == "cluster" and row.facts["did"] == did and name in (None, row.qmgr)
        ]


reason = outcome  # the reason code that a call fails with; None if it works


def dead(demo, name, queue="DLQ"):
    """Get the messages of a dead-letter queue: their reasons, and the queue managers that their headers name."""
    letters = [MQDLH.unpack(demo[name].get(queue).body) for _ in range(demo[name].depth(queue))]
    return [letter.reason for letter in letters]
