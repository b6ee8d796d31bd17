"""What documents and notebooks name is there: paths, targets of make, modules and what is in them."""

import importlib
import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "docs/spark.md",
    "docs/contributing.md",
    "docs/security.md",
    "README.md",
    "docs/teaching.md",
    "docs/architecture.md",
    "docs/routes.md",
)
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


def prose_and_code():
    """Every page, notebook, and module, as text by its path."""
    for folder, pattern in (
        (".", "*.md"),
        ("docs", "*.md"),
        ("datasets", "*.md"),
        ("mqlab", "**/*.md"),
        ("mqlab", "**/*.py"),
    ):
        for path in (ROOT / folder).glob(pattern):
            yield path, path.read_text(encoding="utf-8")
    for folder in ("notebooks", "exercises"):
        for path in (ROOT / folder).glob("*.ipynb"):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            yield path, "\n".join("".join(cell["source"]) for cell in cells)


@cache
def there(name):
    """Whether a dotted name is a module of the package, or a name in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return all((found := getattr(found, part, None)) is not None for part in parts[length:])
    return False


def test_every_name_of_the_package_that_is_written_somewhere_is_there():
    gone = set()
    for path, said in prose_and_code():
        names = set(re.findall(r"(?<![\w./@-])mqlab(?:\.[A-Za-z_]\w*)+", said))
        for module, several in re.findall(r"from (mqlab[\w.]*) import ([\w, ]+)", said):
            names |= {f"{module}.{one.split(' as ')[0].strip()}" for one in several.split(",") if one.strip()}
        gone |= {f"{path.relative_to(ROOT)}: {name}" for name in names if not there(name)}
    assert sorted(gone) == []
