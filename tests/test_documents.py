"""What documents and notebooks name is there: links, paths, commands, names; and what they show is true."""

import doctest
import importlib
import json
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from functools import cache

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import ROOT, for_each
from mqlab import Lab
from mqlab.cli import cli
from mqlab.course.exercises.bank import EXERCISES
from mqlab.engine.words.rulebook import RULES
from mqlab.lab.scenarios import scenarios
from tools.links import books

PAGES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.glob("docs/*.md")}
PAGES |= {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "datasets/README.md")}
WRITTEN = [name for name in PAGES if name != "docs/changelog.md"]  # it names what there was
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def cells(path, *kinds):
    """The text of a notebook's cells of these kinds."""
    book = json.loads(path.read_text(encoding="utf-8"))
    return "\n".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] in kinds)


def anchors(text):
    """The addresses of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@for_each("page", [*PAGES, "notebooks"])
def test_every_link_leads_somewhere(page):
    texts = {ROOT / page: PAGES.get(page)}
    if page == "notebooks":
        texts = {path: cells(path, "markdown") for path in (ROOT / page).rglob("*.ipynb")}
    for path, text in texts.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, part = target.partition("#")
            there = path.parent / file if file else path
            assert target.startswith("https://") or there.exists(), f"{path.name} links to {target}"
            if part and there.suffix == ".md":
                assert part in anchors(there.read_text(encoding="utf-8")), f"{path.name} links to {target}"


AT_THE_TOP = {
    *("datasets", "docs", "exercises", "mqlab", "notebooks", "tests", "tools"),
    *("environment.yml", "Makefile", "pyproject.toml", "README.md", "requirements.lock"),
}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only git knows which files belong to a checkout")
def test_the_top_of_a_checkout_has_these_files_only_and_those_that_begin_with_a_dot():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tops = {file.partition("/")[0] for file in listed.split("\0") if file}
    assert {top for top in tops if not top.startswith(".")} == AT_THE_TOP


def test_one_page_leads_to_all_others():
    assert {f"docs/{name}" for name in re.findall(r"\((\w+\.md)\)", PAGES["docs/README.md"])} | {
        "README.md",
        "datasets/README.md",
        "docs/README.md",
    } == set(PAGES)


@for_each("page", WRITTEN)
def test_every_path_rule_and_exercise_that_a_page_names_is_there(page):
    places = "mqlab|tests|tools|docs|notebooks|exercises|datasets"
    named = set(re.findall(rf"(?<![\w./:-])(?:{places})/[\w./-]*[\w/]", PAGES[page]))
    assert sorted(path for path in named if not ((ROOT / path).exists() or (ROOT / "mqlab" / path).exists())) == []
    assert set(re.findall(r"\b[A-Z]{3}-\d\d[a-z]?\b", PAGES[page])) <= set(RULES)
    assert set(re.findall(r"(?<![\w-])[A-Z]\d\d\b", PAGES[page])) <= set(EXERCISES)


def code(text):
    """The code of a page, line by line: its blocks, and what stands between backticks."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"(?<!`)`([^`\n]+)`", text)])


@cache
def options(*command):
    """The options of a command of mqlab, as its help lists them."""
    with capture_output() as shown, suppress(SystemExit):
        cli.main([*command, "--help"])
    return set(re.findall(r"--[a-z][a-z-]*", shown.stdout))


def test_help_lists_few_targets_and_a_document_the_others():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    shown = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert "help" in shown
    assert len(shown) <= 14
    named = re.findall(r"^\| `make ([a-z -]+)` \|", PAGES["docs/contributing.md"], re.MULTILINE)
    assert shown | {name for names in named for name in names.split()} == TARGETS


@for_each("page", WRITTEN)
def test_every_command_that_a_page_names_is_there(page):
    lines = code(PAGES[page])
    makes = re.findall(r"^make (?!it again)((?:[a-z-]+ ?)+)", lines, re.MULTILINE)
    assert {name for names in makes for name in names.split()} <= TARGETS
    for command, rest in re.findall(r"(?m)(?:^|bin/|Scripts\\|[|:&] )mqlab ([a-z]+)\b(?! Python)(.*)", lines):
        assert command in cli.COMMANDS
        under = re.findall(r"^ ([a-z]+)", rest) if command in ("cluster", "datasets") else []
        named = set(re.findall(r"(?<=\s)--[a-z][a-z-]*", rest.split("  ")[0]))
        assert named <= options(command, *under), f"mqlab {command}"


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
    texts = {name: PAGES[name] for name in WRITTEN}
    texts |= {f"{path}": path.read_text(encoding="utf-8") for path in (ROOT / "mqlab").rglob("*.py")}
    for folder in ("notebooks", "exercises"):
        texts |= {path.name: cells(path, "markdown", "code") for path in (ROOT / folder).rglob("*.ipynb")}
    gone = set()
    for place, text in texts.items():
        names = set(re.findall(r"(?<![\w./@-])mqlab(?:\.[A-Za-z_]\w*)+", text))
        for module, several in re.findall(r"from (mqlab[\w.]*) import ([\w, ]+)", text):
            names |= {f"{module}.{one.split(' as ')[0].strip()}" for one in several.split(",") if one.strip()}
        gone |= {f"{place}: {name}" for name in names if not there(name)}
    assert sorted(gone) == []


@for_each("page", [page for page, text in PAGES.items() if ">>> " in text])
def test_a_page_shows_what_python_prints(page):
    # Long lines of output are folded on a page, as they are in a terminal.
    found = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted >= 10
    assert found.failed == 0


def test_the_readme_is_one_page():
    lines = PAGES["README.md"].splitlines()
    assert len(lines) <= 130
    assert max(map(len, lines)) <= 120


def test_the_cells_of_a_notebook_do_what_the_course_says():
    found = re.findall(r"^```\n(%.*?)^```", PAGES["docs/learning.md"], re.MULTILINE | re.DOTALL)
    assert [cell.split()[0] for cell in found] == ["%%mqsc", "%%expect", "%mqlab"]
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "mqlab")
    shell.run_cell("import mqlab\nlab = mqlab.Lab()\nqm = lab.queue_manager('QM1')").raise_error()
    with capture_output() as captured:
        for cell in found:
            shell.run_cell(cell).raise_error()
    InteractiveShell.clear_instance()
    said = [output.data["text/plain"] for output in captured.outputs]
    assert any("2085 MQRC_UNKNOWN_OBJECT_NAME" in words for words in said)
    assert not any("expected" in words for words in said)


def test_the_course_lists_the_notebooks_in_order():
    listed = re.findall(r"^\|[ \d]*\| \[[^]]+\]\(\.\./notebooks/([^)]+)\)", PAGES["docs/learning.md"], re.MULTILINE)
    assert listed == [book.relative_to(ROOT / "notebooks").as_posix() for book in books(ROOT)]


def test_the_notebooks_that_use_spark_are_those_that_do():
    text = " ".join(PAGES["docs/install.md"].split())
    said = re.findall(r"(?:all but|Only notebooks)((?: \d+,| and \d+| \d+)+)", text)
    using = {
        int(path.name.split("-")[0])
        for path in (ROOT / "notebooks").rglob("[0-9]*.ipynb")
        if re.search(r"\bsession\(|pipeline import [\w, ]*\bsession\b", path.read_text(encoding="utf-8"))
    }
    assert [set(map(int, re.findall(r"\d+", words))) for words in said] == [using, using]


def test_every_scenario_has_a_row_and_a_script_whose_figures_it_shows():
    text = PAGES["docs/scenarios.md"]
    scripts = re.split(r"^### (\S+)$", text, flags=re.MULTILINE)[1:]
    assert scripts[::2] == [each.name for each in scenarios()]
    for each, script in zip(scenarios(), scripts[1::2], strict=True):
        assert f"| [`{each.name}`](#{each.name}) | {each.title} | {each.question} |" in text
        lab = Lab()
        lab.scenario(each.name)
        told = " ".join([each.title, each.question, *(f"{part.title} {part.say}" for part in lab.shots)])
        figures = re.findall(r"(?<![A-Z(`\w])\b\d+\b(?![)`])", re.sub(r"(?m)^\| \d+ |^They ask.*", "", script))
        assert set(figures) <= set(re.findall(r"\b\d+\b", told)), each.name


def test_a_common_wrong_answer_is_one_that_is_tried_and_refused():
    wrong = tomllib.loads((ROOT / "tests/course/exercises/wrong.toml").read_text("utf-8"))
    told = re.findall(r"^\| ([A-Z]\d\d) \| (.+?) \| (.+?) \| .+ \|$", PAGES["docs/teaching.md"], re.MULTILINE)
    assert {id for id, _, _ in told} == set(EXERCISES)
    assert [row for row in told if wrong[row[0]].get(row[1], [None])[0] != row[2]] == []


def test_the_finding_that_the_readme_shows_is_found(tmp_path):
    text = PAGES["README.md"]
    (command,) = re.findall(r"With `(DEFINE .+)` in `QM1.mqsc`", text)
    (shown,) = re.findall(r"```\n(QM1\.mqsc:1: .+?)```", text, re.DOTALL)
    (tmp_path / "QM1.mqsc").write_text(command, encoding="utf-8")
    line = [sys.executable, "-m", "mqlab", "check", "QM1.mqsc"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    told = [row.strip() for row in done.stdout.splitlines()]
    assert [row.strip() for row in shown.splitlines() if row.strip() not in told] == []
