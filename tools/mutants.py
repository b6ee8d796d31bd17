"""Switch off each condition of triggering in turn and see that a test notices: `make mutants`.

Each mutant is a copy of the package with one piece of its text replaced, and the tests of triggering run against the
copy. Prints a table; the exit code is 1 if a mutant survives or the tests fail without one, and 2, before any test has
run, if the text that a mutant replaces is not there once or what it puts there is no Python.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, TESTS = ROOT / "mqlab", ROOT / "tests"
LONG = ("test_again",)  # its servers run until the guard stops them
LEAST = 25  # seconds that one mutant may take, or six times what the tests take without one: one that loops is noticed


class Mutant(NamedTuple):
    """A name, the module of the package it is in, the text that is there and what is put in its place."""

    name: str
    module: str
    old: str
    new: str


NONE = Mutant("no mutant", "engine/queues/triggering", "", "")
CHANGES = (
    Mutant(
        "TRG-01 a report is no arrival",
        "engine/queues/put",
        "if queue.trigger is not None:\n        queue.trigger.arrived",
        "if queue.trigger is not None and given.kind != 'report':\n        queue.trigger.arrived",
    ),
    Mutant(
        "TRG-02 any priority qualifies",
        "engine/queues/triggering",
        'self.threshold = self.attributes["TRIGMPRI"]',
        "self.threshold = 0",
    ),
    Mutant(
        "TRG-02 more than the threshold",
        "engine/queues/triggering",
        "qualifies = message.filed >= self.threshold",
        "qualifies = message.filed > self.threshold",
    ),
    Mutant(
        "TRG-03 any number is enough",
        "engine/queues/triggering",
        "if before - with_it <= wanted <= before:",
        "if True:",
    ),
    Mutant(
        "TRG-03 one too many",
        "engine/queues/triggering",
        'else self.attributes["TRIGDPTH"] - 1',
        'else self.attributes["TRIGDPTH"]',
    ),
    Mutant(
        "TRG-03 EVERY counts too", "engine/queues/triggering", 'if kind in ("EVERY", "NONE"):', 'if kind == "NONE":'
    ),
    Mutant("TRG-03 DEPTH stays on", "engine/queues/triggering", 'self.attributes["TRIGGER"] = False', "pass"),
    Mutant("TRG-03a only committed ones count", "engine/queues/triggering", "in unit.uncommitted", "in ()"),
    Mutant("TRG-04 EVERY asks too", "engine/queues/triggering", 'if trigger.type == "EVERY":', "if False:"),
    Mutant("TRG-05 asked everywhere", "engine/queues/triggering", 'if queue.qmgr.platform != "zos":', "if False:"),
    Mutant("TRG-06 a blank process will do", "engine/queues/triggering", 'return usage == "XMITQ",', "return True,"),
    Mutant("TRG-06 any process will do", "engine/queues/triggering", "return found,", "return True,"),
    Mutant("TRG-07 gets inhibited", "engine/queues/triggering", "(initq.get_inhibited,", "(False,"),
    Mutant("TRG-07 puts inhibited", "engine/queues/triggering", "(initq.put_inhibited,", "(False,"),
    Mutant(
        "TRG-07 a transmission queue",
        "engine/queues/triggering",
        '(initq.definition.attributes["USAGE"] != "NORMAL",',
        "(False,",
    ),
    Mutant(
        "TRG-10a nothing is held",
        "engine/queues/triggering",
        "None if unit is None else unit.hold(",
        "None and (lambda x: 0)(",
    ),
    Mutant(
        "TRG-10a kept at every backout",
        "engine/queues/triggering",
        'unit.hold(self.type != "EVERY")',
        "unit.hold(True)",
    ),
    Mutant(
        "TRG-10a lost at every backout",
        "engine/queues/triggering",
        'unit.hold(self.type != "EVERY")',
        "unit.hold(False)",
    ),
    Mutant("TRG-11 no interval", "engine/queues/triggering", "passed >= interval * 1000,", "True,"),
    Mutant("TRG-11 never again", "engine/queues/triggering", "passed >= interval * 1000,", "False,"),
    Mutant(
        "TRG-11 DEPTH not again",
        "engine/queues/triggering",
        'if kind == "DEPTH":\n            return Decision(True',
        'if kind == "DEPTH":\n            return Decision(False',
    ),
    Mutant("TRG-11a the interval goes on", "engine/queues/queue_manager", "queue.trigger = None", "pass"),
    Mutant(
        "TRG-12 the close asks nothing",
        "engine/queues/triggering",
        '        if self.type not in ("FIRST", "DEPTH") or',
        "        if True or",
    ),
    Mutant("TRG-12 EVERY too", "engine/queues/triggering", 'if self.type not in ("FIRST", "DEPTH") or', "if"),
    Mutant(
        "TRG-12 any number left",
        "engine/queues/triggering",
        "if self.qualifying < self._needed():\n            self.closes",
        "if self.qualifying < 1:\n            self.closes",
    ),
    Mutant(
        "TRG-12 5 is not excluded",
        "engine/queues/triggering",
        'self._failing(("TRG-04", "TRG-05"))',
        'self._failing(("TRG-04",))',
    ),
    Mutant(
        "TRG-12a no guard",
        "engine/queues/triggering",
        "if self._fruitless > RUNAWAY:",
        "if self._fruitless > 3 * RUNAWAY:",
    ),
    Mutant(
        "TRG-12a the guard counts all",
        "engine/queues/triggering",
        "self._fruitless + 1 if idle else 1",
        "self._fruitless + 1",
    ),
    Mutant(
        "TRG-12b a restored message is lost count of",
        "engine/queues/triggering",
        "self.qualifying += message.filed >= self.threshold\n        self._changes -= 1",
        "self._changes -= 1",
    ),
    Mutant("TRG-12c no BackoutCount", "engine/queues/get", "message.backout_count += 1", "pass"),
    Mutant(
        "TRG-13 a monitor is needed",
        "engine/queues/administration",
        'queue.trigger.changed(cause, "TRG-13", ("TRG-08",))',
        'queue.trigger.changed(cause, "TRG-13", ())',
    ),
    Mutant(
        "TRG-13 a reader does not matter",
        "engine/queues/administration",
        'queue.trigger.changed(cause, "TRG-13", ("TRG-08",))',
        'queue.trigger.changed(cause, "TRG-13", ("TRG-08", "TRG-04"))',
    ),
    Mutant(
        "TRG-13 gets inhibited on z/OS",
        "engine/queues/administration",
        'queue.trigger.changed(cause, "TRG-13", ("TRG-08",))',
        'queue.trigger.changed(cause, "TRG-13", ("TRG-08", "TRG-05"))',
    ),
    Mutant("TRG-13 not for the switch", "engine/queues/administration", 'if not before["TRIGGER"] or any(', "if any("),
    Mutant("TRG-13 not for the type", "engine/queues/administration", '("TRIGTYPE", "TRIGMPRI") +', '("TRIGMPRI",) +'),
    Mutant(
        "TRG-13 not for the priority", "engine/queues/administration", '("TRIGTYPE", "TRIGMPRI") +', '("TRIGTYPE",) +'
    ),
    Mutant("TRG-13 not for the depth", "engine/queues/administration", '(("TRIGDPTH",) if', "(() if"),
    Mutant(
        "TRG-13 the depth of FIRST",
        "engine/queues/administration",
        'if now["TRIGTYPE"] == "DEPTH" else ()',
        "if True else ()",
    ),
    Mutant(
        "TRG-13 any number will do",
        "engine/queues/triggering",
        "if self.qualifying < self._needed():\n            return",
        "if False:\n            return",
    ),
    Mutant(
        "TRG-13a off",
        "engine/queues/administration",
        'triggering.initiation_queue_changed(queue, cause, "TRG-13a", ())',
        "pass",
    ),
    Mutant("TRG-13a without a monitor", "engine/queues/administration", '"TRG-13a", ()', '"TRG-13a", ("TRG-08",)'),
    Mutant(
        "TRG-13b off", "engine/queues/administration", 'queue.trigger.changed(cause, "TRG-13b", ("TRG-05",))', "pass"
    ),
    Mutant(
        "TRG-13b without a monitor",
        "engine/queues/administration",
        '"TRG-13b", ("TRG-05",)',
        '"TRG-13b", ("TRG-05", "TRG-08")',
    ),
    Mutant(
        "TRG-13c off", "engine/queues/handle", "if self.input and queue is not None and queue.inputs == 1:", "if False:"
    ),
    Mutant(
        "TRG-13c at every open",
        "engine/queues/handle",
        "if self.input and queue is not None and queue.inputs == 1:",
        "if self.input:",
    ),
    Mutant(
        "TRG-14 FIFO files by priority",
        "engine/queues/put",
        "if queue.fifo:\n        filed = queue.defprty",
        "if False:\n        pass",
    ),
    Mutant(
        "TRG-15 one for each message",
        "engine/queues/triggering",
        'self._fire("TRG-15" if several else rule,',
        'for _ in range(self.qualifying): self._fire("TRG-15" if several else rule,',
    ),
    Mutant("TRG-16 each segment by itself", "engine/queues/triggering", "if with_it < number - 1:", "if False:"),
    Mutant(
        "EXP-17 expired ones do not count",
        "engine/queues/triggering",
        "before, self.qualifying = self.qualifying,",
        "before, self.qualifying = sum(m.expires_us is None or m.expires_us > self.queue.clock.time_us "
        "for m in self.queue.store.in_order() if m is not message and m.filed >= self.threshold),",
    ),
    Mutant(
        "EXP-24 it ages", "engine/queues/triggering", "sender, initq, data, MQEI_UNLIMITED,", "sender, initq, data, 50,"
    ),
    Mutant("no dead letter", "engine/queues/triggering", "dead_letter(message.but(", "(lambda *_: None)(message.but("),
)


def conditions() -> list[Mutant]:
    """Each row of CONDITIONS replaced by one that always holds, read from the source itself."""
    rows = re.findall(r'Condition\("(TRG-\w+)", "([^"]*)", (\w+)\)', source("engine/queues/triggering"))
    return [
        Mutant(
            f"{rule} always: {title}",
            "engine/queues/triggering",
            f'"{title}", {test})',
            f'"{title}", lambda _: (True, whys.NoInitq()))',
        )
        for rule, title, test in rows
    ]


def source(module: str) -> str:
    """The text of one module of the package."""
    return (PACKAGE / f"{module}.py").read_text(encoding="utf-8")


def stale(mutants: list[Mutant]) -> list[str]:
    """What is wrong with the mutants themselves, a sentence each: the package has moved on from under them."""
    wrong = [] if any(mutant not in CHANGES for mutant in mutants) else ["no row of CONDITIONS was found"]
    for mutant in mutants:
        text = source(mutant.module)
        if text.count(mutant.old) != 1:
            wrong.append(
                f"{mutant.name}: {mutant.module}.py has {text.count(mutant.old)} times {mutant.old!r}, not once"
            )
            continue
        try:
            ast.parse(text.replace(mutant.old, mutant.new))
        except SyntaxError as error:
            wrong.append(f"{mutant.name}: {mutant.module}.py would be no Python: {error}")
    names = [mutant.name for mutant in mutants]
    return wrong + [f"two mutants are called {name}" for name in sorted({n for n in names if names.count(n) > 1})]


def run(mutant: Mutant, seconds: float = 600) -> list[str]:
    """The first test that fails with this mutant, in a list of its own, or none; the long tests come last."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(PACKAGE, root / "mqlab")  # with what is compiled: only the mutant is compiled again
        shutil.copy(ROOT / "pyproject.toml", root)
        (root / "docs").mkdir()
        shutil.copy(ROOT / "docs" / "architecture.md", root / "docs")  # conftest.py reads its table of rooms
        shutil.copytree(TESTS / "engine" / "queues" / "triggering", root / "tests" / "triggering")
        for shared in ("conftest.py", "helpers.py"):
            shutil.copy(TESTS / shared, root / "tests")
        shutil.copy(TESTS / "engine" / "queues" / "test_segments.py", root / "tests")
        if mutant.old:
            text = source(mutant.module).replace(mutant.old, mutant.new)
            (root / "mqlab" / f"{mutant.module}.py").write_text(text, encoding="utf-8")
        tests = sorted((root / "tests").rglob("test_*.py"), key=lambda test: test.stem in LONG)
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-x", "-p", "no:cacheprovider"]
        alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # no plugin serves these tests: faster to start
        try:
            done = subprocess.run(
                [*command, *map(str, tests)],
                cwd=root,
                env=alone,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return [f"no end within {seconds:.0f} s"]
        failed = re.findall(r"^(?:FAILED|ERROR) tests/[\w/]+\.py::(\w+)", done.stdout, re.MULTILINE)
        if done.returncode not in (0, 1) or (done.returncode == 1 and not failed):
            raise SystemExit(f"{mutant.name}: the tests did not run\n{done.stdout}{done.stderr}")
        return list(dict.fromkeys(failed))


def main() -> int:
    """Run them all, print the table, tell whether one survived."""
    mutants = [*CHANGES, *conditions()]
    wrong = stale(mutants)
    if wrong:
        print("\n".join(wrong))
        return 2
    began = time.monotonic()
    failed = run(NONE)
    if failed:
        print(f"the tests fail without a mutant: {', '.join(failed)}")
        return 1
    seconds = max(LEAST, 6 * (time.monotonic() - began))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda mutant: run(mutant, seconds), mutants))
    print(f"{'mutant':66} the first test that failed")
    for mutant, failed in zip(mutants, results, strict=True):
        print(f"{mutant.name:66} {', '.join(failed) or 'none'}")
    survivors = [mutant.name for mutant, failed in zip(mutants, results, strict=True) if not failed]
    print("\n".join(f"survived: {name}" for name in survivors) or f"all {len(mutants)} noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
