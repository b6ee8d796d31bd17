"""The README tells the truth: its Python runs as shown, and what it points to is there."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_first_ten_lines_give_the_output_shown():
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted >= 10
    assert found.failed == 0


def test_every_file_and_target_it_names_is_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", text)) <= targets
    for path in re.findall(r"\]\(([^)]+)\)", text):
        assert (ROOT / path).exists(), path
