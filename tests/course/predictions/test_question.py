"""The text of a prediction: parts, ranges, blocks, and what is refused."""

from helpers import for_each, lab_error
from mqlab.course.predictions.pages import read

CELL = """Seven orders come.

How many?

number FIRST: 0 to 7 = fired["FIRST"]
number total: = 1_000
choose first: bread | cake = b"cake"
several | = ()
---
x = 1
---
%%mqsc QM1
DISPLAY QLOCAL(*)
"""


def part(line, value=None):
    return read("01/x", f"How many?\n{line}\n---\n").parts[0].right({"value": value})


def test_a_cell_is_read_and_the_engine_gives_an_answer_that_is_among_its_options():
    asked = read("03/types", CELL.replace("several | = ()\n", ""))
    assert (asked.text, asked.names) == ("Seven orders come.\n\nHow many?", ["FIRST", "total", "first"])
    assert [each.offered for each in asked.parts] == [list(range(8)), [], ["bread", "cake"]]
    assert (asked.experiment, asked.parts[2].right({})) == (["x = 1", "%%mqsc QM1\nDISPLAY QLOCAL(*)"], "cake")
    assert "cake" not in str(asked.values()["plain"])
    assert read("01/x", "How many?\nnumber 0 to 40 = 1\n---\n").parts[0].offered == []
    assert (part("number 0 to 4 = value", 3), part("order a | b | c = value", (b"c", "a", "b"))) == (3, ["c", "a", "b"])
    assert part("several a | b = value", []) == []
    for line, value in (("number 0 to 4", 5), ("choose a | b", "c"), ("order a | b", ["a"]), ("several a | b", ["c"])):
        lab_error("must be among", part, f"{line} = value", value)


@for_each(
    "said, right, line",
    (["b", "a"], ["a", "b"], "several a | b | c = value"),
    ("running ", "RUNNING", "text = value"),
    (3, 3, "number = value"),
)
def test_an_answer_is_right_however_it_is_typed(said, right, line):
    found = read("01/x", f"How?\n{line}\n---\n").parts[0]
    assert found.agrees(said, right)
    assert not found.agrees(["c"], right)


@for_each(
    "id, cell, words",
    ("", "How?\nnumber = 1\n---\n", "must have an id"),
    ("tart", "How?\nnumber = 1\n---\n", "must have an id"),
    ("01/x", "How?\n---\nx = 1", "must have a line such as"),
    ("01/x", "How?\nnumber = 1\n", "must have an experiment"),
    ("01/x", "How?\nnumber a few = 1\n---\n", "range of a number"),
    ("01/x", "How?\nchoose = 1\n---\n", "must have options"),
)
def test_a_faulty_prediction_is_refused_in_words(id, cell, words):
    lab_error(words, read, id, cell)
