"""What `make lite` makes of a notebook that needs more than a page has."""

import json

import nbformat

from helpers import refusal
from tools import lite

BAR = nbformat.v4.new_output("display_data", {lite.WIDGET: {"model_id": "7"}, "text/plain": "Spark: 0%"})
ANSWER = nbformat.v4.new_output("stream", text="55,662")


def test_a_notebook_has_its_results_no_cell_of_the_run_and_a_question_that_needs_no_spark(tmp_path):
    book = nbformat.v4.new_notebook()
    book.cells = [
        nbformat.v4.new_markdown_cell("# A notebook"),
        nbformat.v4.new_code_cell("from pyspark.sql import functions as F", outputs=[BAR, ANSWER]),
        nbformat.v4.new_code_cell("if solve:\n    desk.solve()", metadata={"tags": ["remove-cell"]}),
    ]
    source, copy = (tmp_path / folder / "notebooks" / "11-a-notebook.ipynb" for folder in ("course", "executed"))
    for path in (source, copy):
        path.parent.mkdir(parents=True)
        nbformat.write(book, path)
        for tag in ("guard", "injected-parameters"):
            tags = ["remove-cell", tag] if tag == "guard" else [tag]
            book.cells.append(nbformat.v4.new_code_cell("answer = 7", metadata={"tags": tags}))
    lite.contents(tmp_path / "course", tmp_path / "page", tmp_path / "executed", run=True)
    page = tmp_path / "page" / "notebooks" / "11-a-notebook.ipynb"
    written = json.loads(page.read_text(encoding="utf-8"))["cells"]
    assert [cell["id"] for cell in written[1:3]] == ["in-a-browser", "small-questions"]
    assert "the results of a run on a computer" in written[1]["source"]
    assert len(written) == 5
    assert [each["text"] for each in written[3]["outputs"]] == [["55,662"]], "without the progress bar"
    assert "answer" not in json.dumps(written)
    *made, question = written[2]["source"].splitlines()
    names = {}
    exec("\n".join(made), names)  # noqa: S102 - as the notebook runs it
    assert eval(question, names)[0] == ("ORDERS.IN", 8)  # noqa: S307


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("chapter 1")
    refusal(lite.LiteFailed, "make lite did not write it", lite.build, tmp_path, tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "chapter 1"
