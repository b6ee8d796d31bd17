"""No code reads text that was made for people: readers are counted, and their number may only fall."""

import re
from functools import cache
from pathlib import Path

from tools.prose_protocol import BOUNDS, Program, counted

PACKAGE = Path(__file__).parents[2] / "mqlab"
PLANTS, SCRIPT, FINE = (
    Path(__file__).with_name(name).read_text("utf-8") for name in ("plants.txt", "plants.js", "fine.txt")
)
"""Two programs of Python that are read as such here, and a script: with readers of text, and without."""


@cache
def _program() -> tuple[Program, list]:
    """The program of the package, and what is found in it: to find it takes long."""
    program = Program(PACKAGE)
    return program, list(program.findings())


def test_the_number_of_readers_only_falls_and_each_excuse_is_needed():
    program, found = _program()
    numbers = counted(found)
    assert all(numbers[name] <= bound for name, bound in BOUNDS.items()), (numbers, "\n".join(map(str, found)))
    needed = sum(each.excused for each in found)
    lines = (line for module in program.modules.values() for line in module.lines)
    assert sum(1 for line in lines if re.search(r"# text: \S", line)) <= needed


def test_a_reader_of_each_kind_is_found_and_what_does_not_depend_on_words_is_none(tmp_path):
    (tmp_path / "plants.py").write_text(PLANTS)
    (tmp_path / "fine.py").write_text(FINE)
    program = Program(PACKAGE, [tmp_path / "plants.py", tmp_path / "fine.py"])
    program.scripts["plants.js"] = SCRIPT
    findings = list(program.findings())
    for path, text in (("plants.py", PLANTS), ("plants.js", SCRIPT)):
        found = {each.line for each in findings if each.path == path}
        lines = text.splitlines()
        planted = {number for number, line in enumerate(lines, 1) if re.search(r"(#|//) [a-zA-Z]", line)}
        assert [lines[number - 1] for number in sorted(planted - found)] == []
        assert [lines[number - 1] for number in sorted(found - planted)] == []
    assert [each for each in findings if each.path == "fine.py"] == []


def test_neither_a_rename_nor_a_move_changes_the_readers(tmp_path):
    names = {"said": "uttered", "why": "wherefore", "detail": "more_of_it", "shows": "displays", "hint": "tip"}
    pattern = re.compile(r"\b(" + "|".join(names) + r")\b")
    for path in PACKAGE.rglob("*.py"):
        room, _, rest = str(path.relative_to(PACKAGE)).partition("/")
        other = tmp_path / room / rest
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(pattern.sub(lambda name: names[name[0]], path.read_text("utf-8")))
    moved = {(each.path, each.line) for each in Program(tmp_path).findings()}
    assert moved == {(each.path, each.line) for each in _program()[1] if each.path.endswith(".py")}
