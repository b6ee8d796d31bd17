"""Speed of the panel in Python, in milliseconds, at 60 objects and 2,000 messages.

Run with ``make bench`` (or ``python -m tools.bench.panel [--quick] [--strict]``). What the page takes to
redraw comes on top; the browser tests print that.
"""

from __future__ import annotations

import statistics
import sys
from itertools import cycle, pairwise
from time import perf_counter

from mqlab import Lab
from tools.bench.measuring import options, report

STEPS = 100


def story(lab, messages: int = 2_000) -> None:
    """Six queue managers with ten queues each; messages with and without a lifetime, a third of them never read."""
    managers = [lab.queue_manager(f"QM{i}") for i in range(6)]
    names = [f"APP.QUEUE.{i}" for i in range(9)]
    for here, there in pairwise(managers):
        lab.link(here.name, there.name)
    for qmgr in managers:
        qmgr.mqsc("\n".join(f"DEFINE QLOCAL({name})" for name in names))
    programs = [(qmgr.connect("WRITER"), qmgr.connect("READER")) for qmgr in managers]
    for number, (writer, reader), name in zip(range(messages), cycle(programs), cycle(names), strict=False):
        writer.put(name, b"", expiry=600 if number % 2 else -1)
        lab.advance(0.05)
        if number % 3:
            reader.get(name)


def lab_of_messages(messages: int) -> Lab:
    """A lab in which the story was played."""
    lab = Lab()
    lab.play(lambda one: story(one, messages))
    return lab


def milliseconds(work) -> float:
    begin = perf_counter()
    work()
    return 1000 * (perf_counter() - begin)


def main(arguments: list[str] | None = None) -> int:
    """Measure every figure and print it beside its bar; 1 if one is missed and that counts."""
    given = options(__doc__, "200 messages instead of 2,000", arguments)
    lab = lab_of_messages(200 if given.quick else 2_000)
    panel = lab.panel()
    print(f"{len(lab.topology())} objects, {sum(r.kind == 'put' for r in lab.events)} messages, {len(lab.events)} rows")
    link = panel.faults.rows["Links", "QM0 - QM1"]

    def steps(walk) -> float:
        return statistics.median(milliseconds(walk) for _ in range(STEPS))

    def forward() -> float:
        panel.seek(1)
        return steps(panel.step)

    def backward() -> float:
        panel.last()
        return steps(panel.back)

    def stepping_while_what_if() -> float:
        panel.seek(lab.now_us / 2e6)
        panel.what_if.value = True
        return steps(panel.step)

    def switch() -> float:
        panel.last()
        return milliseconds(link.buttons[0].click)

    def branch() -> float:
        return milliseconds(lambda: panel.branch(1, lambda one: one.cut("QM0", "QM1")))

    figures = (
        ("panel.step(), ms", forward, 100, 3, 3),
        ("panel.back(), ms", backward, 100, 3, 3),
        ("panel.step() with the switches of the moment, ms", stepping_while_what_if, 100, 3, 3),
        ("a fault switch and all that it refreshes, ms", switch, None, 3, 0),
        ("a branch, and the two futures, ms", branch, None, 1, 0),
        ("lab.panel(), ms", lambda: milliseconds(lab.panel), None, 1, 0),
    )
    return report(figures, given.strict)


if __name__ == "__main__":
    sys.exit(main())
