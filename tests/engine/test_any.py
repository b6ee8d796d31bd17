"""The engine's functions say what they take and return: `Any` alone is rare in their signatures, and gets rarer."""

import ast
from pathlib import Path

import mqlab

PACKAGE = Path(mqlab.__file__).parent
ENGINE = ("engine",)
BOUND = 58  # lower it when there are fewer


def bare(path):
    """How many parameters and results of the functions in a file are `Any` and no more."""
    functions = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if hasattr(node, "returns"))
    given = [
        note
        for node in functions
        for note in (node.returns, *(each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)))
    ]
    return sum(isinstance(note, ast.Name) and note.id == "Any" for note in given)


def test_any_is_rare_in_the_signatures_of_the_engine():
    counts = {path: bare(path) for room in ENGINE for path in (PACKAGE / room).rglob("*.py")}
    most = {path.name: many for path, many in sorted(counts.items(), key=lambda pair: -pair[1])[:8]}
    assert sum(counts.values()) <= BOUND, f"more of them are Any than before; most are in {most}"
