"""Count names that say nothing: `python tools/names_count.py [FILE OR FOLDER...]`; exit 1 if they exceed BOUNDS.

Counted are the parameters, and the names of a function that live over more than three lines, that are one of EMPTY; and
the fields of classes so named.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

EMPTY = frozenset(["said", "told", "found", "given", "one", "each", "held", "at", "by", "of", "about", "place"])
ENGINE = frozenset(("engine",))
MODEL = frozenset(("sharing", "pubsub", "properties", "admin", "gates", "pcf", "everyplace", "bridges"))
"""The extras that model more of MQ."""
BOUNDS = {"engine": 0, "front": 0, "model": 0, "all": 657}
"""In the rooms of the engine, in the front, in the model extras, and in all; lower a number with each name that gets a
better one."""
FIELDS = 33
"""How many fields may have such a name, in all rooms."""
ALLOWED = {
    ("engine/lab.py", "at"): "the keyword of Lab.state, which people write",
    ("gates/answer.py", "said"): "a column of the answer of why_refused",
    ("lab/lab.py", "at"): "the keyword of Lab.branch and Lab.duel, which people write",
    ("engine/explain/replay.py", "held"): "a column of the state of a queue, which people read",
    ("engine/explain/why_not_delivered.py", "said"): "a column of the answer of why_not_delivered",
    ("engine/explain/why_not_delivered.py", "place"): "an attribute of the answer of why_not_delivered",
    ("lab/scenarios/telling.py", "about"): "an attribute of a scenario, which people read",
    ("engine/words/refusals.py", "said"): "the key in the files of refusals, and the attribute of MQError",
    ("engine/words/whys.py", "at"): "a key in the details of rows: old logs have it",
}
"""The names of parameters and fields that people or files use, by the path of their module, and why they stay."""


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and name of each parameter and of each name that lives over three lines."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        own = function.args
        parameters = {each.arg for each in (*own.posonlyargs, *own.args, *own.kwonlyargs)} & EMPTY
        lines: dict[str, list[int]] = {name: [function.lineno] for name in parameters}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in EMPTY:
                lines.setdefault(node.id, []).append(node.lineno)
        for name, used in lines.items():
            if name in parameters or max(used) - min(used) > 2:
                yield min(used), name


def fields(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and name of each field so named."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            for node in owner.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id in EMPTY:
                    yield node.lineno, node.target.id


def counted(root: Path) -> tuple[dict[str, int], int]:
    """How many names there are, as BOUNDS groups the rooms, and how many fields in all."""
    rooms: Counter[str] = Counter()
    of_classes = 0
    for path in sorted(root.rglob("*.py")):
        tree, module = ast.parse(path.read_text("utf-8")), path.relative_to(root)
        rooms[module.parts[0]] += sum((module.as_posix(), name) not in ALLOWED for _, name in named(tree))
        of_classes += sum((module.as_posix(), name) not in ALLOWED for _, name in fields(tree))
    engine, model = (sum(rooms[room] for room in group) for group in (ENGINE, MODEL))
    return {"engine": engine, "front": rooms["lab"], "model": model, "all": sum(rooms.values())}, of_classes


def main(arguments: list[str]) -> int:
    """Print the numbers, or each name of a file or folder; 1 if there are more than the bounds allow."""
    for path in [path for each in arguments for path in (sorted(Path(each).rglob("*.py")) or [Path(each)])]:
        tree = ast.parse(path.read_text("utf-8"))
        print("\n".join(f"{path}:{line}: {name}" for line, name in [*named(tree), *fields(tree)]))
    numbers, of_classes = counted(Path(__file__).parents[1] / "mqlab")
    over = [name for name, bound in BOUNDS.items() if numbers[name] > bound]
    counts = ", ".join(f"{numbers[name]} {name} (at most {BOUNDS[name]})" for name in numbers)
    print(f"names that say nothing: {counts}, {of_classes} fields (at most {FIELDS})")
    return bool(over or of_classes > FIELDS)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
