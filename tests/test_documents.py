"""What the documents name is there: paths, modules, and targets of make."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "README.md", "TEACHING.md", "mqlab/ARCHITECTURE.md")
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
PLACES = ("mqlab", "tests", "notebooks", "exercises", "datasets")


def text(page):
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page):
    named = set(re.findall(rf"(?<![\w./-])(?:{'|'.join(PLACES)})/[\w./-]*[\w/]", text(page)))
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_target_of_make_that_a_page_names_is_one(page):
    named = {
        name for names in re.findall(r"`make ((?:[a-z]+ ?)+)(?:ARGS=[^`]*)?`", text(page)) for name in names.split()
    }
    assert named <= TARGETS
