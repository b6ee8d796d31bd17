"""How long an estate takes to be read, checked, and written as a page; the memory, and the size of the page.

Run with ``make bench`` (or ``python -m tools.bench.estates [--quick] [--strict]``). The dumps are made here,
in the form of dmpmqcfg, with a fault in every tenth application. Times are seconds of the processor, and memory is the
most that a process of its own ever had. Proofs are measured by the time of reading the estate: every
finding has one, and they share the lab that was read.
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

LINES, OBJECTS = 71_247, 10_000
READ, CHECKED, PAGED, MEMORY, SIZE, PROVED = 5, 20, 30, 300, 3, 5  # seconds, megabytes, and times the reading
QUICK = 10  # times as small


MISTAKES = ("TARGET('{0}.IN.GONE')", "BOQNAME('{0}.GONE')", "PROCESS('{0}.LEFT')", "XMITQ('{0}.XMITQ')")
"""An object of an application that is not there, in a template of MQSC."""


def objects(qmgr: str, others: tuple[str, ...], mistakes: int):
    """The commands of a queue manager's channels and applications, without end; every so many applications have a
    mistake: each time the next one of MISTAKES, or if all of them have one, always the first."""
    for other in others:
        starts = f"TRIGGER TRIGTYPE(FIRST) +\n   TRIGDATA('{qmgr}.{other}') +\n   INITQ('SYSTEM.CHANNEL.INITQ')"
        calls = f"TRPTYPE(TCP) +\n   CONNAME('{other}.example.com(1414)') +\n   XMITQ('{other}')"
        yield f"DEFINE QLOCAL('{other}') +\n   USAGE(XMITQ) +\n   {starts}"
        yield f"DEFINE CHANNEL('{qmgr}.{other}') +\n   CHLTYPE(SDR) {calls}"
        yield f"DEFINE CHANNEL('{other}.{qmgr}') CHLTYPE(RCVR) TRPTYPE(TCP)"
    yield "DEFINE QLOCAL('DEAD.LETTERS') MAXDEPTH(100000)"
    yield "DEFINE QLOCAL('APP.INITQ')"
    for number in range(1_000_000):
        app, other = f"APP{number:05}", others[number % len(others)]
        wrong = MISTAKES[number // mistakes % len(MISTAKES) if mistakes > 1 else 0].format(app)
        word = wrong.partition("(")[0] if number % mistakes == 0 else ""
        usual = {"TARGET": f"{app}.IN", "BOQNAME": f"{app}.BOQ", "PROCESS": f"{app}.RUN", "XMITQ": other}
        said = {each: wrong if each == word else f"{each}('{name}')" for each, name in usual.items()}
        yield (
            f"DEFINE QLOCAL('{app}.IN') +\n   DESCR('Orders of application {number}') +\n   MAXDEPTH(5000) +\n"
            f"   MAXMSGL(4194304) +\n   BOTHRESH(3) +\n   {said['BOQNAME']} +\n   TRIGGER TRIGTYPE(FIRST) +\n"
            f"   INITQ('APP.INITQ') +\n   {said['PROCESS']}"
        )
        yield f"DEFINE QLOCAL('{app}.BOQ') +\n   MAXDEPTH(5000) +\n   MAXMSGL(4194304)"
        yield f"DEFINE PROCESS('{app}.RUN') +\n   APPLTYPE(UNIX) +\n   APPLICID('/opt/{app.lower()}/run')"
        yield f"DEFINE QALIAS('{app}.ORDERS') +\n   {said['TARGET']}"
        yield f"DEFINE QREMOTE('{app}.OUT') +\n   RNAME('{app}.IN') +\n   RQMNAME('{other}') +\n   {said['XMITQ']}"


def dumps(folder: Path, many: int, qmgrs: int = 2, mistakes: int = 10) -> Path:
    """Dumps of queue managers in a folder, with so many objects in all; every so many applications have a mistake."""
    names = [f"QM{letter}" for letter in "ABCDEFGHIJKL"[:qmgrs]]
    folder.mkdir(exist_ok=True)
    for number, qmgr in enumerate(names):
        head = f"* Queue manager name: {qmgr}\n* Queue manager platform: UNIX\n"
        head += "* Queue manager command level: (940/940)\nALTER QMGR DEADQ('DEAD.LETTERS')\n"
        others = tuple(other for other in names if other != qmgr)
        share = many // qmgrs + (number < many % qmgrs)
        text = "\n".join(f"{command} +\n   REPLACE" for command in islice(objects(qmgr, others, mistakes), share))
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
    begin = _with_children()
    estates.read(folder).report()
    return _with_children() - begin


def _memory(folder: Path) -> float:
    page(estates.read(folder).report())
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


def _proving(folder: Path) -> float:
    begin = _with_children()
    estate = estates.read(folder)
    middle = _with_children()
    proofs = [one.proof for one in estate.findings() if one.proof is not None]
    later = _with_children()
    prove_all(estate, proofs)
    return (_with_children() - later) / (middle - begin)


def _with_children() -> float:
    """Seconds of the processor of this process, and of those that it forked."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _paging(folder: Path) -> float:
    begin = _with_children()
    page(estates.read(folder).report())
    return _with_children() - begin


def _page_size(folder: Path) -> float:
    return len(page(estates.read(folder).report()).encode()) / 1e6


def main(arguments: list[str] | None = None) -> int:
    """Print the figures beside their bars; 1 if one is missed and that counts."""
    given = options(__doc__, f"dumps a {QUICK}th as large", arguments)
    part = QUICK if given.quick else 1
    with tempfile.TemporaryDirectory() as made:
        folders = {}
        for name, many, mistakes in (("large", OBJECTS, 10), ("wrong", OBJECTS, 1), ("lines", 17_000, 10)):
            folders[name] = dumps(Path(made, name), many // part, 2 if name == "lines" else 6, mistakes)
        for file in folders["lines"].glob("*.mqsc"):  # exactly as many lines
            text = file.read_text(encoding="utf-8").splitlines(keepends=True)
            file.write_text("".join(text[: LINES // part // 2]) + "\n* the end\n", encoding="utf-8")
        large, wrong, lines = folders["large"], folders["wrong"], folders["lines"]
        return report(
            [
                (f"seconds to read {LINES // part:,} lines", lambda: apart(_reading, lines), READ, 3, 2),
                (f"seconds to check {OBJECTS // part:,} objects", lambda: apart(_checking, large), CHECKED, 1, 2),
                ("seconds to check them, all with mistakes", lambda: apart(_checking, wrong), CHECKED, 1, 2),
                (
                    f"times the reading of {OBJECTS // part:,} objects, every proof",
                    lambda: apart(_proving, large),
                    PROVED,
                    1,
                    1,
                ),
                (f"seconds to check {OBJECTS // part:,}, and a page", lambda: apart(_paging, large), PAGED, 1, 1),
                ("megabytes of memory for it", lambda: apart(_memory, large), MEMORY, 1, 0),
                ("megabytes of the page", lambda: apart(_page_size, large), SIZE, 1, 1),
                ("megabytes of the page, all with mistakes", lambda: apart(_page_size, wrong), SIZE, 1, 1),
            ],
            given.strict,
        )


if __name__ == "__main__":
    sys.exit(main())
