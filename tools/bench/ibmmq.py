"""Speed of a program of IBM's library on a lab, as ratios against the lab's own calls in the same process.

Run with ``make bench`` (or ``python -m tools.bench.ibmmq [--quick] [--strict]``). A pair is a put and a get
over an open handle. The bar is against the lab's own pair with MQ's structures, as the library makes it; against the
pair with keywords there is none, because the library alone, on functions that do nothing, takes 30 times as long.
"""

from __future__ import annotations

import sys
from functools import partial

from mqlab import GMO, MD, PMO, Lab
from tools.bench.measuring import options, report, seconds

PAIRS, QUICK = 3000, 500


def repeated(pair, pairs: int) -> float:
    """The seconds of so many pairs."""

    def all_of_them() -> None:
        for _ in range(pairs):
            pair()

    return seconds(all_of_them)


def measure(pairs: int, against: str) -> float:
    """The ratio of the library's pair to another: the lab's own with structures or with keywords, or the library's on
    functions that do nothing."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q)")
    with lab.ibmmq():
        import ibmmq

        c = ibmmq.CMQC
        queue = ibmmq.Queue(ibmmq.connect("QM1"), "Q", c.MQOO_OUTPUT | c.MQOO_INPUT_SHARED)
        own = qm.open("Q", input="shared", output=True)
        length = 4096

        def through() -> None:
            queue.put(b"body")
            queue.get()

        def structures() -> None:
            own.put(b"body", md=MD(), pmo=PMO())
            own.get(md=MD(), gmo=GMO(), buffer_length=length)

        def keywords() -> None:
            own.put(b"body")
            own.get()

        repeated(through, 50)
        taken = repeated(through, pairs)
        if against != "nothing":
            return taken / repeated({"structures": structures, "keywords": keywords}[against], pairs)
        put, get = ibmmq.ibmmqc.MQPUT, ibmmq.ibmmqc.MQGET
        ibmmq.ibmmqc.MQPUT = lambda conn, handle, md, pmo, body: (md, pmo, 0, 0)
        ibmmq.ibmmqc.MQGET = lambda conn, handle, md, gmo, longest: (b"body", md, gmo, 4, 0, 0)
        try:
            return taken / repeated(through, pairs)
        finally:
            ibmmq.ibmmqc.MQPUT, ibmmq.ibmmqc.MQGET = put, get


FIGURES = (
    ("a pair through ibmmq / with structures", "structures", 25),
    ("a pair through ibmmq / on functions doing nothing", "nothing", None),
    ("a pair through ibmmq / with keywords", "keywords", None),
)


def main(arguments: list[str] | None = None) -> int:
    """Measure every figure and print it beside its bar; 1 if one is missed and that counts."""
    given = options(__doc__, f"{QUICK} pairs instead of {PAIRS}", arguments)
    pairs, rounds = (QUICK, 3) if given.quick else (PAIRS, 5)
    rows = ((what, partial(measure, pairs, against), bar, rounds, 2 * rounds) for what, against, bar in FIGURES)
    return report(rows, given.strict)


if __name__ == "__main__":
    sys.exit(main())
