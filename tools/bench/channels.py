"""Speed of message channels, as ratios to the put+get pair over a handle, measured in turn with it in one process.

Run with ``make bench`` (or ``python -m tools.bench.channels [--quick] [--strict]``). Moving a message is
what the two agents do with it: get from the transmission queue, flows, put at the other end, and its share of the
batch. What the application did to put it there is a figure of its own. Each figure is the median of the per-round
ratios; a bar missed is measured again with more rounds, and only ``--strict`` makes a missed one an error.
"""

from __future__ import annotations

import sys
from functools import partial

from mqlab import Lab
from tools.bench.measuring import options, report, seconds

MESSAGES = 100_000
QUICK = 10_000
BODY = b"x" * 100


def pairs(messages: int) -> float:
    """The reference: put and get over an open handle, every effect and the log included."""
    qm = Lab().queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(999999999)")
    handle = qm.open("Q", input="shared", output=True)

    def work():
        put, get = handle.put, handle.get
        for _ in range(messages):
            put(BODY)
            get()

    return seconds(work)


def connected(sender: str, latency: float) -> Lab:
    """Two queue managers with a channel that is not started."""
    lab = Lab()
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.link("QM1", "QM2", latency=latency)
    one.mqsc(
        f"DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(999999999)\n"
        f"DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) {sender}"
    )
    two.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(999999999)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR)")
    return lab


def moved(messages: int, persistent: bool, sender: str = "", latency: float = 0.0, **put) -> tuple[float, float]:
    """Seconds that putting `messages` takes, and seconds that the channel then takes to move them all."""
    lab = connected(sender, latency)
    one, two = lab["QM1"], lab["QM2"]
    handle = one.open("Q@QM2", output=True)

    def work():
        for _ in range(messages):
            handle.put(BODY, persistent=persistent, **put)

    putting = seconds(work)
    one.mqsc("START CHANNEL(TO.QM2)")
    moving = seconds(lab.run)
    if two.depth("Q") != messages:
        raise RuntimeError(f"{messages} messages wanted at QM2; got {two.depth('Q')}")
    return putting, moving


def persistent_against_pair(messages: int) -> float:
    return moved(messages, True)[1] / pairs(messages)


def fast_against_pair(messages: int) -> float:
    return moved(messages, False)[1] / pairs(messages)


def limited_against_pair(messages: int) -> float:
    return moved(messages, True, expiry=1_000_000)[1] / pairs(messages)


def distant_against_pair(messages: int) -> float:
    return moved(messages, True, latency=0.01)[1] / pairs(messages)


def single_against_pair(messages: int) -> float:
    return moved(messages, True, "BATCHSZ(1)")[1] / pairs(messages)


def remote_put_against_pair(messages: int) -> float:
    return moved(messages, True)[0] / pairs(messages)


FIGURES = (
    # what, how, bar
    ("move a persistent message / put+get pair", persistent_against_pair, 4),
    ("move a fast message / put+get pair", fast_against_pair, 4),
    ("the same persistent over 10 ms of latency", distant_against_pair, 4),
    ("the same persistent with a lifetime", limited_against_pair, None),
    ("the same persistent with BATCHSZ(1)", single_against_pair, None),
    ("put to a remote queue / put+get pair", remote_put_against_pair, None),
)


def main(arguments: list[str] | None = None) -> int:
    """Measure every figure and print it beside its bar; 1 if one is missed and that counts."""
    given = options(__doc__, f"{QUICK} messages instead of {MESSAGES}, and one round", arguments)
    messages, rounds, more = (QUICK, 1, 0) if given.quick else (MESSAGES, 3, 6)
    rows = ((what, partial(measure, messages), bar, rounds, more) for what, measure, bar in FIGURES)
    return report(rows, given.strict)


if __name__ == "__main__":
    sys.exit(main())
