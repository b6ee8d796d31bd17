"""The predictions of all notebooks: each has an explanation and sound Python, and guards fit their notebooks."""

import json
import re
import subprocess
import sys

from helpers import ROOT, for_each, lab_error
from mqlab.course import path as path_of_the_course
from mqlab.course.predictions.pages import explanations, read, rules_of
from mqlab.course.texts import misconceptions, sentences
from mqlab.engine.words.rulebook import RULES
from tools import beliefs
from tools.guards import guarded, guards_of, number

NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))


def sources(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [("".join(cell["source"]), cell) for cell in cells if cell["cell_type"] == "code"]


def asked(path):
    """The questions of a notebook, with their cells."""
    for source, cell in sources(path):
        if source.startswith("%%predict"):
            line, _, text = source.partition("\n")
            yield read(line.removeprefix("%%predict"), text), cell


def python(path):
    """All Python of a notebook, that of predictions too, as one file."""
    lines = []
    for source, _ in sources(path):
        blocks = [source]
        if source.startswith("%%predict"):
            question = read(source.partition("\n")[0].removeprefix("%%predict"), source.partition("\n")[2])
            blocks = [*question.experiment, *(f"_ = {part.truth}" for part in question.parts)]
        for block in blocks:
            magic, _, rest = block.partition("\n")
            if not magic.startswith("%%"):
                lines.append(re.sub(r"^%.*$", "", block, flags=re.MULTILINE))
            elif magic.startswith("%%expect"):
                lines.append(rest)
            elif kept := re.search(r"--to (\w+)", magic):
                lines.append(f"{kept[1]} = None")
    return "\n".join(lines) + "\n"


@for_each("path", NOTEBOOKS)
def test_each_prediction_has_an_explanation_of_rules_that_exist_and_each_explanation_a_prediction(path):
    found = [(question.id, cell) for question, cell in asked(path)]
    texts = explanations(number(path))
    assert sorted(f"{number(path)}/{key}" for key in texts) == sorted(id for id, _ in found)
    assert all(cell["metadata"].get("jupyter", {}).get("source_hidden") for _, cell in found), "fold the cells"
    for text in texts.values():
        assert set(re.findall(r"\b[A-Z]{3}-\d\d[a-z]?\b", text)) <= set(RULES)
        assert rules_of(text) or not re.search("[A-Z]{3}-[0-9]", text)


def test_each_likely_wrong_answer_in_the_core_has_a_sentence_that_names_the_belief():
    parts = {}
    core = [question for path in NOTEBOOKS if path.stem in path_of_the_course.NOTEBOOKS for question, _ in asked(path)]
    for question in core:
        parts |= {f"{question.id}: {part.label}" if part.label else question.id: part for part in question.parts}
    few = {}
    for key, part in parts.items():
        known = sentences(key)
        wanted = len(part.options) - 1 if part.kind == "choose" else 1
        if part.kind == "number":
            wanted = min(2, len(part.offered) - 1) if part.offered else 2
            offered = [int(said) for said in known]
            assert all(part.low is None or part.low <= said <= part.high for said in offered), key
        elif part.kind == "choose":
            assert set(known) <= set(part.options), key
        elif part.kind in ("several", "order"):
            for said in known:
                chosen = said.split(", ") if said != "none of them" else []
                assert (set(chosen) <= set(part.options), part.named(chosen)) == (True, said), key
        if len(known) < wanted or (part.kind == "choose" and len(known) != wanted):
            few[key] = f"{len(known)} of {wanted}"
        assert all(sentence.startswith("You said ") for sentence in known.values()), key
    assert few == {}
    everywhere = {question.id for path in NOTEBOOKS for question, _ in asked(path)}
    believed = {key.partition(":")[0] for each in misconceptions().values() for key in each.get("answers", {})}
    assert believed <= everywhere


def test_teaching_lists_the_misconceptions():
    assert beliefs.page(ROOT) == (ROOT / beliefs.FILE).read_text("utf-8"), "make it again with: make course"


def test_ruff_finds_no_fault_in_the_python_of_notebooks(tmp_path):
    for path in NOTEBOOKS:
        (tmp_path / f"{path.stem}.py").write_text(python(path), encoding="utf-8")
    options = ["--no-cache", "--isolated", "--output-format", "concise", "--config", "builtins=['display']"]
    options += ["--select", "F,E9,B006,B023", "--target-version", "py311", str(tmp_path)]
    command = [sys.executable, "-m", "ruff", "check", *options]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@for_each("path", [path for path in NOTEBOOKS if guards_of(path).exists()])
def test_guards_name_cells_and_sentences_that_exist(path):
    book = guarded(path)
    guards = [cell for cell in book.cells if "guard" in cell.metadata.get("tags", ())]
    assert len(guards) == guards_of(path).read_text(encoding="utf-8").count("# %% after ")
    compile("\n".join(cell.source for cell in guards), path.name, "exec")


def test_a_guard_that_fits_nothing_is_refused(tmp_path):
    more = {"cell_type": "code", "metadata": {}, "source": "x = 1", "outputs": [], "execution_count": None}
    book = {"cells": [{"id": f"cell-0{n}", **more} for n in range(2)], "metadata": {}}
    for folder in ("notebooks", "tools/guards"):
        (tmp_path / folder).mkdir(parents=True)
    path = tmp_path / "notebooks" / "77-new.ipynb"
    path.write_text(json.dumps({**book, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    assert len(guarded(path).cells) == 2
    for guard, words in (
        ('# %% after cell-01\n# says "no such words"\nassert x\n', "quoted sentence must be in"),
        ("# %% after nowhere\nassert x\n", "the place must be"),
    ):
        guards_of(path).write_text(guard, encoding="utf-8")
        lab_error(words, guarded, path)
