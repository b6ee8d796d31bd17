"""No code reads text that was made for people: `make lint` counts the readers, and here it is shown to find them."""

import re
from functools import cache
from pathlib import Path

import pytest

from helpers import THOROUGH
from tools.prose_protocol import Program

pytestmark = pytest.mark.tools

PACKAGE = Path(__file__).parents[2] / "mqlab"
PLANTS, SCRIPT, FINE = (
    Path(__file__).with_name(name).read_text("utf-8") for name in ("plants.txt", "plants.js", "fine.txt")
)
"""Two programs of Python that are read as such here, and a script: with readers of text, and without."""


@cache
def read(root, *more):
    """The package at a place with some files more and the script as one program, and what is found in it: this takes
    long."""
    program = Program(root, more)
    program.scripts["plants.js"] = SCRIPT
    return program, list(program.findings())


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    (folder / "plants.py").write_text(PLANTS)
    (folder / "fine.py").write_text(FINE)
    return folder / "plants.py", folder / "fine.py"


def test_a_reader_of_each_kind_is_found_each_excuse_is_needed_and_what_does_not_depend_on_words_is_none(planted):
    program, findings = read(PACKAGE, *planted)
    for path, text in (("plants.py", PLANTS), ("plants.js", SCRIPT)):
        found = {each.line for each in findings if each.path == path}
        lines = text.splitlines()
        meant = {number for number, line in enumerate(lines, 1) if re.search(r"(#|//) [a-zA-Z]", line)}
        assert [lines[number - 1] for number in sorted(meant - found)] == []
        assert [lines[number - 1] for number in sorted(found - meant)] == []
    assert [each for each in findings if each.path == "fine.py"] == []
    needed = sum(each.excused for each in findings)
    lines = (line for module in program.modules.values() for line in module.lines)
    assert sum(1 for line in lines if re.search(r"# text: \S", line)) <= needed


@pytest.mark.skipif(not THOROUGH, reason="reads the whole package once more: make thorough")
def test_neither_a_rename_nor_a_move_changes_the_readers(planted, tmp_path):
    names = {"said": "uttered", "why": "wherefore", "detail": "more_of_it", "shows": "displays", "hint": "tip"}
    pattern = re.compile(r"\b(" + "|".join(names) + r")\b")
    for path in (*PACKAGE.rglob("*.py"), *planted):
        room, _, rest = str(path.relative_to(PACKAGE) if path not in planted else path.name).partition("/")
        other = tmp_path / room / rest
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(pattern.sub(lambda name: names[name[0]], path.read_text("utf-8")))
    before, moved = (
        {(each.path, each.line) for each in found if each.path.endswith(".py")}
        for _, found in (read(PACKAGE, *planted), read(tmp_path))
    )
    assert moved == before
