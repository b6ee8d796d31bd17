"""How long an estate takes to be read, checked, and written as a page; the memory, and the size of the page.

Run with ``make bench`` (or ``python -m tools.bench.estates [--quick] [--strict]``). The dumps are made here,
in the form of dmpmqcfg, with a fault in every tenth application. Times are seconds of the processor, and memory is the
most that a process of its own ever had. Proofs are measured by the time of one: every finding has one, and they share
the lab that is built for the first.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import process_time

from mqlab import estates
from mqlab.engine.commands import parse, read_script
from mqlab.estates.page import page
from mqlab.estates.proofs import prove_all
from tools.bench.measuring import options, report

LINES, OBJECTS, OF_PAGE = 71_247, 10_000, 1_441
READ, CHECKED, MEMORY, SIZE, PROVED = 5, 20, 500, 2, 5  # seconds, seconds, megabytes, megabytes, times one proof
QUICK = 10  # times as small


def objects(qmgr: str, other: str):
    """The commands of a queue manager's applications, without end: five queues, a process, and faults."""
    starts = f"TRIGGER TRIGTYPE(FIRST) +\n   TRIGDATA('{qmgr}.{other}') +\n   INITQ('SYSTEM.CHANNEL.INITQ')"
    calls = f"TRPTYPE(TCP) +\n   CONNAME('{other}.example.com(1414)') +\n   XMITQ('{other}')"
    yield f"DEFINE QLOCAL('{other}') +\n   USAGE(XMITQ) +\n   {starts}"
    yield f"DEFINE CHANNEL('{qmgr}.{other}') +\n   CHLTYPE(SDR) {calls}"
    yield f"DEFINE CHANNEL('{other}.{qmgr}') CHLTYPE(RCVR) TRPTYPE(TCP)"
    yield "DEFINE QLOCAL('DEAD.LETTERS') MAXDEPTH(100000)"
    yield "DEFINE QLOCAL('APP.INITQ')"
    for number in range(1_000_000):
        app = f"APP{number:05}"
        missing = ".GONE" if number % 10 == 0 else ""
        yield (
            f"DEFINE QLOCAL('{app}.IN') +\n   DESCR('Orders of application {number}') +\n   MAXDEPTH(5000) +\n"
            f"   MAXMSGL(4194304) +\n   BOTHRESH(3) +\n   BOQNAME('{app}.BOQ') +\n   TRIGGER TRIGTYPE(FIRST) +\n"
            f"   INITQ('APP.INITQ') +\n   PROCESS('{app}.RUN')"
        )
        yield f"DEFINE QLOCAL('{app}.BOQ') +\n   MAXDEPTH(5000) +\n   MAXMSGL(4194304)"
        yield f"DEFINE PROCESS('{app}.RUN') +\n   APPLTYPE(UNIX) +\n   APPLICID('/opt/{app.lower()}/run')"
        yield f"DEFINE QALIAS('{app}.ORDERS') +\n   TARGET('{app}.IN{missing}')"
        yield f"DEFINE QREMOTE('{app}.OUT') +\n   RNAME('{app}.IN') +\n   RQMNAME('{other}') +\n   XMITQ('{other}')"


def dumps(folder: Path, many: int) -> Path:
    """Two dumps in a folder, with so many objects in all."""
    for qmgr, other, share in (("QMA", "QMB", many - many // 2), ("QMB", "QMA", many // 2)):
        head = f"* Queue manager name: {qmgr}\n* Queue manager platform: UNIX\n"
        head += "* Queue manager command level: (940/940)\nALTER QMGR DEADQ('DEAD.LETTERS')\n"
        text = "\n".join(f"{command} +\n   REPLACE" for command in islice(objects(qmgr, other), share))
        folder.joinpath(f"{qmgr}.mqsc").write_text(f"{head}{text}\n", encoding="utf-8")
    return folder


def apart(work, *given) -> float:
    """The result of a function in a process of its own, which has no memory of the others."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *given).result()


def _reading(folder: Path) -> float:
    begin = process_time()
    for file in sorted(folder.glob("*.mqsc")):
        parse(read_script(file).text)
    return process_time() - begin


def _checking(folder: Path) -> float:
    begin = process_time()
    estates.read(folder).report()
    return process_time() - begin


def _memory(folder: Path) -> float:
    estates.read(folder).report().text()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _proving(folder: Path) -> float:
    estate = estates.read(folder)
    proofs = [one.proof for one in estate.findings() if one.proof is not None]
    begin = _with_children()
    prove_all(estate, proofs[:1])
    middle = _with_children()
    prove_all(estate, proofs)
    return (_with_children() - middle) / (middle - begin)


def _with_children() -> float:
    """Seconds of the processor of this process, and of those that it forked."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _paging(folder: Path) -> float:
    begin = process_time()
    page(estates.read(folder).report())
    return process_time() - begin


def _page_size(folder: Path) -> float:
    return len(page(estates.read(folder).report()).encode()) / 1e6


def main(arguments: list[str] | None = None) -> int:
    """Print the figures beside their bars; 1 if one is missed and that counts."""
    given = options(__doc__, f"dumps a {QUICK}th as large", arguments)
    part = QUICK if given.quick else 1
    with tempfile.TemporaryDirectory() as made:
        folders = {}
        for name, many in (("large", OBJECTS // part), ("drawn", OF_PAGE // part), ("lines", 17_000 // part)):
            folders[name] = Path(made, name)
            folders[name].mkdir()
            dumps(folders[name], many)
        for file in folders["lines"].glob("*.mqsc"):  # exactly as many lines
            text = file.read_text(encoding="utf-8").splitlines(keepends=True)
            file.write_text("".join(text[: LINES // part // 2]) + "\n* the end\n", encoding="utf-8")
        large, drawn, lines = folders["large"], folders["drawn"], folders["lines"]
        return report(
            [
                (f"seconds to read {LINES // part:,} lines", lambda: apart(_reading, lines), READ, 3, 2),
                (f"seconds to check {OBJECTS // part:,} objects", lambda: apart(_checking, large), CHECKED, 1, 2),
                (f"megabytes to check {OBJECTS // part:,} objects", lambda: apart(_memory, large), MEMORY, 1, 0),
                (
                    f"times one proof, every proof of {OBJECTS // part:,} objects",
                    lambda: apart(_proving, large),
                    PROVED,
                    1,
                    1,
                ),
                (f"seconds to write a page of {OF_PAGE // part:,} objects", lambda: apart(_paging, drawn), None, 1, 0),
                (f"megabytes of a page of {OF_PAGE // part:,} objects", lambda: apart(_page_size, drawn), SIZE, 1, 0),
            ],
            given.strict,
        )


if __name__ == "__main__":
    sys.exit(main())
