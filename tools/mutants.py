"""Switch off each condition of triggering, and each gate, in turn and see that a test notices: `make mutants`.

Each mutant is a copy of the package with one expression or statement of one function replaced, found in the syntax
tree and not in the text, and the tests of triggering, or of the gates, run against the copy. Prints a table; the exit
code is 1 if a mutant survives or the tests fail without one, and 2, before any test has run, if a function does not
have once what a mutant replaces.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, TESTS = ROOT / "mqlab", ROOT / "tests"
LONG = ("test_again",)  # its servers run until the guard stops them
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["hypothesis", "hypothesis.strategies", "networkx", "pytest", "simpy"])
SECONDS = 25  # of processor time, of which the tests take a fifth: a mutant that loops is noticed
PATIENCE = 10 * SECONDS  # seconds for a mutant that waits
MEMORY = 4 << 30


class Mutant(NamedTuple):
    """A name, the module of mqlab/engine/queues, or of mqlab with a slash, and the function ("" for the module itself),
    an expression or a statement of it, and what is put in its place."""

    name: str
    module: str
    function: str
    old: str
    new: str

    @property
    def path(self) -> Path:
        """Where its module is in the package."""
        return Path("" if "/" in self.module else "engine/queues", f"{self.module}.py")


NONE = Mutant("no mutant", "triggering", "", "", "")
NO_GATE = Mutant("no mutant of a gate", "gates/admitting", "", "", "")
NEEDED = "self.qualifying < self._needed()"
EXPIRED = """sum(
    m.expires_us is None or m.expires_us > self.queue.clock.time_us
    for m in self.queue.store.in_order() if m is not message and m.filed >= self.threshold
)"""
CHANGED = 'queue.trigger.changed(cause, "TRG-13", {})'
AGAIN = 'triggering.initiation_queue_changed(queue, cause, "TRG-13a", {})'
RELEVANT = ("administration", "_reconsider", '("TRIGTYPE", "TRIGMPRI")')
OPENED = ("handle", "__init__", "self.input and queue is not None and queue.inputs == 1")
CHANGES = (
    Mutant("TRG-01 a report is no arrival", "put", "put", "queue.trigger is not None",
           "queue.trigger is not None and request.kind != 'report'"),
    Mutant("TRG-02 any priority qualifies", "triggering", "recount", 'self.attributes["TRIGMPRI"]', "0"),
    Mutant("TRG-02 more than the threshold", "triggering", "arrived", "message.filed >= self.threshold",
           "message.filed > self.threshold"),
    Mutant("TRG-03 any number is enough", "triggering", "_count_fires", "before - with_it <= wanted <= before", "True"),
    Mutant("TRG-03 one too many", "triggering", "_count_fires", 'self.attributes["TRIGDPTH"] - 1',
           'self.attributes["TRIGDPTH"]'),
    Mutant("TRG-03 EVERY counts too", "triggering", "_count_fires", 'kind in ("EVERY", "NONE")', 'kind == "NONE"'),
    Mutant("TRG-03 DEPTH stays on", "triggering", "_fire", 'self.attributes["TRIGGER"] = False', "pass"),
    Mutant("TRG-03a only committed ones count", "triggering", "recount", "unit.uncommitted", "()"),
    Mutant("TRG-04 EVERY asks too", "triggering", "_nobody_reads", 'trigger.type == "EVERY"', "False"),
    Mutant("TRG-05 asked everywhere", "triggering", "_gets_allowed", 'queue.qmgr.platform != "zos"', "False"),
    Mutant("TRG-06 a blank process will do", "triggering", "_process_known", 'usage == "XMITQ"', "True"),
    Mutant("TRG-06 any process will do", "triggering", "_process_known",
           'queue.qmgr.objects.get("PROCESS", name) is not None', "True"),
    Mutant("TRG-07 gets inhibited", "triggering", "_initiation_queue", "initq.get_inhibited", "False"),
    Mutant("TRG-07 puts inhibited", "triggering", "_initiation_queue", "initq.put_inhibited", "False"),
    Mutant("TRG-07 a transmission queue", "triggering", "_initiation_queue",
           'initq.definition.attributes["USAGE"] != "NORMAL"', "False"),
    Mutant("TRG-10a nothing is held", "triggering", "_fire", 'unit.hold(self.type != "EVERY")', "None"),
    Mutant("TRG-10a kept at every backout", "triggering", "_fire", 'self.type != "EVERY"', "True"),
    Mutant("TRG-10a lost at every backout", "triggering", "_fire", 'self.type != "EVERY"', "False"),
    Mutant("TRG-11 no interval", "triggering", "_count_fires", "passed >= interval * 1000", "True"),
    Mutant("TRG-11 never again", "triggering", "_count_fires", "passed >= interval * 1000", "False"),
    Mutant("TRG-11 DEPTH not again", "triggering", "_count_fires", 'Decision(True, "TRG-11", whys.Qualifying(before))',
           'Decision(False, "TRG-11", whys.Qualifying(before))'),
    Mutant("TRG-11a the interval goes on", "queue_manager", "_disconnect_all", "queue.trigger = None", "pass"),
    Mutant("TRG-12 the close asks nothing", "triggering", "closed", 'self.type not in ("FIRST", "DEPTH")', "True"),
    Mutant("TRG-12 EVERY too", "triggering", "closed", 'self.type not in ("FIRST", "DEPTH")', "False"),
    Mutant("TRG-12 any number left", "triggering", "closed", NEEDED, "self.qualifying < 1"),
    Mutant("TRG-12 5 is not excluded", "triggering", "closed", '("TRG-04", "TRG-05")', '("TRG-04",)'),
    Mutant("TRG-12a no guard", "triggering", "_guard", "self._fruitless > RUNAWAY", "self._fruitless > 3 * RUNAWAY"),
    Mutant("TRG-12a the guard counts all", "triggering", "_guard", "self._fruitless + 1 if idle else 1",
           "self._fruitless + 1"),
    Mutant("TRG-12b a restored message is lost count of", "triggering", "returned",
           "self.qualifying += message.filed >= self.threshold", "pass"),
    Mutant("TRG-12c no BackoutCount", "get", "restore", "message.backout_count += 1", "pass"),
    Mutant("TRG-13 a monitor is needed", "administration", "_reconsider", CHANGED.format('("TRG-08",)'),
           CHANGED.format("()")),
    Mutant("TRG-13 a reader does not matter", "administration", "_reconsider", CHANGED.format('("TRG-08",)'),
           CHANGED.format('("TRG-08", "TRG-04")')),
    Mutant("TRG-13 gets inhibited on z/OS", "administration", "_reconsider", CHANGED.format('("TRG-08",)'),
           CHANGED.format('("TRG-08", "TRG-05")')),
    Mutant("TRG-13 not for the switch", "administration", "_reconsider", 'not before["TRIGGER"]', "False"),
    Mutant("TRG-13 not for the type", *RELEVANT, '("TRIGMPRI",)'),
    Mutant("TRG-13 not for the priority", *RELEVANT, '("TRIGTYPE",)'),
    Mutant("TRG-13 not for the depth", "administration", "_reconsider", '("TRIGDPTH",)', "()"),
    Mutant("TRG-13 the depth of FIRST", "administration", "_reconsider", 'now["TRIGTYPE"] == "DEPTH"', "True"),
    Mutant("TRG-13 any number will do", "triggering", "changed", NEEDED, "False"),
    Mutant("TRG-13a off", "administration", "_reconsider", AGAIN.format("()"), "None"),
    Mutant("TRG-13a without a monitor", "administration", "_reconsider", AGAIN.format("()"),
           AGAIN.format('("TRG-08",)')),
    Mutant("TRG-13b off", "administration", "_reconsider", 'queue.trigger.changed(cause, "TRG-13b", ("TRG-05",))',
           "None"),
    Mutant("TRG-13b without a monitor", "administration", "_reconsider", '("TRG-05",)', '("TRG-05", "TRG-08")'),
    Mutant("TRG-13c off", *OPENED, "False"),
    Mutant("TRG-13c at every open", *OPENED, "self.input"),
    Mutant("TRG-14 FIFO files by priority", "put", "put", "queue.fifo", "False"),
    Mutant("TRG-15 one for each message", "triggering", "changed",
           'self._fire("TRG-15" if several else rule, whys.QualifyingWait(self.qualifying), cause, None)',
           '[self._fire(rule, whys.QualifyingWait(1), cause, None) for _ in range(self.qualifying)]'),
    Mutant("TRG-16 each segment by itself", "triggering", "arrived", "with_it < number - 1", "False"),
    Mutant("EXP-17 expired ones do not count", "triggering", "arrived",
           "before, self.qualifying = self.qualifying, self.qualifying + qualifies",
           f"before, self.qualifying = {EXPIRED}, self.qualifying + qualifies"),
    Mutant("EXP-24 it ages", "triggering", "_fire", "MQEI_UNLIMITED", "50"),
    Mutant("no dead letter", "triggering", "_fire",
           'dead_letter(message.but(unit=None, rule=None), refused.reason, self.attributes["INITQ"], use=elsewhere)',
           "None"),
)  # fmt: skip


AUTHORITY, RECONNECT, INSTANCES = "gates/authority", "gates/reconnect", "gates/instances"
GATES = (
    Mutant("OAM-01 nobody is asked", AUTHORITY, "_require",
           "{*opening.needs} <= has", "True"),
    Mutant("OAM-03 the queue behind the name", AUTHORITY, "_queue",
           'qmgr_name not in ("", qmgr.name) and target is not None', "False"),
    Mutant("OAM-06 every profile counts", AUTHORITY, "deciding",
           'sorted(own, key=lambda row: generic_last(row["PROFILE"]))[:1]', "own"),
    Mutant("OAM-07 groups do not count", AUTHORITY, "entities", '[("GROUP", group) for group in groups]', "[]"),
    Mutant("OAM-11 PUTAUT is not read", AUTHORITY, "arrived", 'channel.attributes["PUTAUT"] == "CTX"', "False"),
    Mutant("GAT-05 any number of conversations", INSTANCES, "shares", "len(instance.conversations) < max(1, most)",
           "True"),
    Mutant("GAT-07 every stop is a FORCE", INSTANCES, "stop", 'options.get("MODE", "QUIESCE") != "QUIESCE"', "True"),
    Mutant("SEC-01 FAILDLAY delays nothing", "gates/admitting", "_delay",
           "clock.wait(clock.event(), clock.time_us + seconds * SECOND)", "None"),
    Mutant("REC-01 DISABLED connects again", RECONNECT, "mode_of", 'never or default == "DISABLED"', "False"),
    Mutant("REC-04 the lost unit is committed", RECONNECT, "require_inside", 'lost and call in ("begin", "commit")',
           "False"),
    Mutant("REC-05 every end lets clients connect again", RECONNECT, "_broken",
           "grounds.reason == mq.MQRC_CONNECTION_BROKEN if wanted is None else wanted", "True"),
)  # fmt: skip


def gates() -> list[Mutant]:
    """Each gate of a connect, and each row of the handshake, replaced by one that asks nothing."""
    found = []
    for module, name in (("gates/admitting", "Condition"), ("gates/tls", "Row")):
        for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
                texts = [ast.unparse(each) for each in node.args]
                asks = 2 if name == "Condition" else 1
                never = [*texts[:asks], "lambda _: None", *texts[asks + 1 :]]
                title = " ".join(text.strip("'") for text in texts[: asks + 1])
                found.append(
                    Mutant(f"never asked: {title}", module, "", ast.unparse(node), f"{name}({', '.join(never)})")
                )
    return found


def conditions() -> list[Mutant]:
    """Each row of CONDITIONS replaced by one that always holds, read from the source itself."""
    found = []
    for node in ast.walk(ast.parse((PACKAGE / NONE.path).read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Condition":
            rule, title, test = map(ast.unparse, node.args)
            always = f"Condition({rule}, {title}, lambda _: (True, whys.NoInitq()))"
            name = f"{ast.literal_eval(rule)} always: {ast.literal_eval(title)}"
            found.append(Mutant(name, NONE.module, "", f"Condition({rule}, {title}, {test})", always))
    return found


def node_of(text: str) -> ast.AST:
    """An expression, or else a statement."""
    (node,) = ast.parse(text).body
    return node.value if isinstance(node, ast.Expr) else node


class _Exchange(ast.NodeTransformer):
    """Replaces each node that equals the old one, and counts the replacements."""

    def __init__(self, mutant: Mutant):
        self.old, self.new, self.count = node_of(mutant.old), node_of(mutant.new), 0
        self.dump = ast.dump(self.old)

    def visit(self, node: ast.AST) -> ast.AST:
        """The other node in the place of one that is like the first."""
        if type(node) is type(self.old) and ast.dump(node) == self.dump:
            self.count += 1
            return self.new
        return self.generic_visit(node)


def mutated(mutant: Mutant) -> tuple[str, int]:
    """The text of its module with the change, and how many times it was made."""
    tree = ast.parse((PACKAGE / mutant.path).read_text("utf-8"))
    exchange = _Exchange(mutant)
    for node in ast.walk(tree):
        if node is tree if not mutant.function else isinstance(node, ast.FunctionDef) and node.name == mutant.function:
            exchange.visit(node)
    return ast.unparse(ast.fix_missing_locations(tree)), exchange.count


def stale(mutants: list[Mutant]) -> list[str]:
    """The faults of the mutants themselves, a sentence each: the package has moved on from under them."""
    wrong = [] if any(mutant not in (*CHANGES, *GATES) for mutant in mutants) else ["no row of CONDITIONS was found"]
    for mutant in mutants:
        _, count = mutated(mutant)
        if count != 1:
            wrong.append(
                f"{mutant.name}: {mutant.function} of {mutant.module}.py has {count} times {mutant.old}, not once"
            )
    names = [mutant.name for mutant in mutants]
    return wrong + [f"two mutants are called {name}" for name in sorted({n for n in names if names.count(n) > 1})]


def run(mutant: Mutant) -> list[str]:
    """The first test that fails with this mutant, in a list of its own, or none; the long tests come last."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(PACKAGE, root / "mqlab", copy_function=_linked)  # only the mutant is compiled again
        shutil.copy(ROOT / "pyproject.toml", root)
        (root / "docs").mkdir()
        shutil.copy(ROOT / "docs" / "architecture.md", root / "docs")  # conftest.py reads its table of rooms
        folder_of_tests = "gates" if "/" in mutant.module else "engine/queues/triggering"
        shutil.copytree(TESTS / folder_of_tests, root / "tests" / Path(folder_of_tests).name)
        for shared in ("conftest.py", "helpers.py"):
            shutil.copy(TESTS / shared, root / "tests")
        if "/" not in mutant.module:
            shutil.copy(TESTS / "engine" / "queues" / "test_segments.py", root / "tests")
        if mutant.old:
            changed = root / "mqlab" / mutant.path
            changed.unlink()  # or the package itself would be changed
            changed.write_text(mutated(mutant)[0], encoding="utf-8")
        tests = sorted((root / "tests").rglob("test_*.py"), key=lambda test: test.stem in LONG)
        process = FORKS.Process(target=_tests, args=(root, [*map(str, tests)]))
        process.start()
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
            process.join()
            return [f"no end within {PATIENCE} s"]
        if process.exitcode == -signal.SIGXCPU:
            return [f"no end within {SECONDS} s of processor time"]
        said = (root / "said").read_text("utf-8")
        failed = re.findall(r"^(?:FAILED|ERROR) tests/[\w/]+\.py::(\w+)", said, re.MULTILINE)
        if process.exitcode not in (0, 1) or (process.exitcode == 1 and not failed):
            raise SystemExit(f"{mutant.name}: the tests did not run\n{said}")
        return list(dict.fromkeys(failed))


def _linked(file: str, copy: str) -> None:
    """Make a copy that is the file itself, which takes a tenth of the time, where one file system has both."""
    try:
        os.link(file, copy)
    except OSError:
        shutil.copy2(file, copy)


def _tests(root: Path, tests: list[str]) -> None:
    """Run tests of the package below a folder, in a process in which none of it is imported yet."""
    import pytest

    assert "mqlab" not in sys.modules, "the tests would not test the mutant"
    # A mutant that loops must end even if nobody is left to end it, and must leave the machine its memory.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with open(root / "said", "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.chdir(root)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # no plugin serves these tests: faster to start
    code = pytest.main(["-q", "--tb=no", "-x", "-p", "no:cacheprovider", *tests])
    sys.stdout.flush()
    os._exit(code)


def main() -> int:
    """Run them all, print the table, tell whether one survived."""
    mutants = [*CHANGES, *conditions(), *GATES, *gates()]
    wrong = stale(mutants)
    if wrong:
        print("\n".join(wrong))
        return 2
    failed = run(NONE) or run(NO_GATE)
    if failed:
        print(f"the tests fail without a mutant: {', '.join(failed)}")
        return 1
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, mutants))
    print(f"{'mutant':66} the first test that failed")
    for mutant, failed in zip(mutants, results, strict=True):
        print(f"{mutant.name:66} {', '.join(failed) or 'none'}")
    survivors = [mutant.name for mutant, failed in zip(mutants, results, strict=True) if not failed]
    print("\n".join(f"survived: {name}" for name in survivors) or f"all {len(mutants)} noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
