"""Wrong answers to each exercise about a van: what someone might do, and words of the symptom that refuses it."""

from mqlab.everyplace import copy_to_dead_letter


def again(name, kind, queue, **settings):
    """Delete a queue and define it again, as an answer."""

    def act(lab):
        lab[name].delete(queue)
        lab[name].define(kind, queue, **settings)

    return act


def both_without(lab):
    """Neither queue has a rule."""
    again("HQ", "local", "ORDERS")(lab)
    again("VAN1", "asynchronous", "ORDERS@HQ")(lab)


WRONG = {
    "M01": [
        ("kept for ten minutes", again("VAN1", "asynchronous", "REPORTS@HQ", expiry_ms=600_000), "HQ has no report"),
        ("room for one", again("VAN1", "asynchronous", "REPORTS@HQ", max_depth=1), "calls of DRIVER that failed: 1"),
        ("no queue at all", lambda lab: lab["VAN1"].delete("REPORTS@HQ"), "calls of DRIVER that failed: 3"),
        ("a link that is quicker", lambda lab: lab.link("VAN1", "HQ", latency=0.1), "HQ has report 1, report 3"),
    ],
    "M02": [
        ("the office reports", again("VAN1", "asynchronous", "ORDERS@HQ"), "order 3 was called 0 times"),
        ("nobody tells", both_without, "order 2 was called 0 times"),
        ("no queue at the office", lambda lab: lab["HQ"].delete("ORDERS"), "unknown queue"),
        (
            "a lifetime of the queue",
            again("VAN1", "asynchronous", "ORDERS@HQ", expiry_ms=60_000, rule=copy_to_dead_letter),
            "order 2 was called 2 times",
        ),
    ],
}
