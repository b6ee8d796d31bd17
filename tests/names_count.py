"""Count names that say nothing: `python tests/names_count.py [FOLDER]`; exit 1 if a room has more than its BOUND.

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
BOUNDS = {
    "course": 122,
    "engine": 8,
    "estates": 318,
    "everyplace": 20,
    "explain": 76,
    "ibmmq": 38,
    "lab": 24,
    "mq": 53,
    "mqsc": 86,
    "pcf": 11,
    "pipeline": 94,
    "programs": 29,
    "pubsub": 1,
    "qmgr": 233,
    "sharing": 18,
    "sim": 28,
    "tools": 54,
    "views": 127,
}
"""By room; lower a number with each name that gets a better one."""
FIELDS = 62
"""How many fields may be named so, in all rooms."""


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


def counted(root: Path) -> tuple[Counter[str], int]:
    """How many names there are by room, and how many fields in all."""
    rooms: Counter[str] = Counter()
    of_classes = 0
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        rooms[path.relative_to(root).parts[0] if path.parent != root else ""] += len(list(named(tree)))
        of_classes += len(list(fields(tree)))
    return +rooms, of_classes


def main(arguments: list[str]) -> int:
    """Print the numbers by room; with a folder below, each name of it; 1 if a room has more than its bound."""
    root = Path(arguments[0]) if arguments else Path(__file__).parents[1] / "mqlab"
    if arguments:
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            print("\n".join(f"{path}:{line}: {name}" for line, name in [*named(tree), *fields(tree)]))
        return 0
    rooms, of_classes = counted(root)
    over = [room for room, count in rooms.items() if count > BOUNDS.get(room, 0)]
    print("names that say nothing: " + ", ".join(f"{room} {count}" for room, count in sorted(rooms.items())), end="")
    print(f"; {sum(rooms.values())} in all, and {of_classes} fields")
    print("".join(f"too many in {room}\n" for room in over), end="")
    return bool(over or of_classes > FIELDS)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
