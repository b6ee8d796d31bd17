"""The text of every notebook keeps the rules of jupyterlab-a11y-checker, which is a browser extension; by its names."""

import json

from bs4 import BeautifulSoup
from nbconvert.filters import markdown2html

from helpers import ROOT, for_each

NOTEBOOKS = sorted([*(ROOT / "notebooks").rglob("*.ipynb"), *(ROOT / "exercises").rglob("*.ipynb")])
BARE = {"here", "this", "link", "click here", "more", "read more"}
"""Words of a link that say nothing to a person who hears the links of a page one by one."""


def faults(notebook):
    """The faults in the text of a notebook, each as the id of a cell, the checker's name of the rule, and the place."""
    found, headings = [], []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        page = BeautifulSoup(markdown2html("".join(cell["source"])), "html.parser")
        headed = page.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])
        headings += [(cell["id"], int(each.name[1]), each.get_text().strip("¶ \n")) for each in headed]
        for image in page.find_all("img"):
            if not image.get("alt", "").strip():
                found.append((cell["id"], "image-missing-alt", image.get("src", "")[:60]))
        for table in page.find_all("table"):
            heads = table.find_all("th")
            if not heads or not all(head.get_text().strip() for head in heads):
                found.append((cell["id"], "table-missing-header", table.get_text(" ", strip=True)[:60]))
        for link in page.find_all("a", href=True, class_=lambda name: name != "anchor-link"):
            if link.get_text().strip().casefold() in {"", *BARE} and not link.find("img"):
                found.append((cell["id"], "link-discernible-text", link["href"]))
    return found + list(_faulty(headings))


def _faulty(headings):
    """The faults of (cell, level, words) of headings, in the order of the notebook."""
    tops = [cell for cell, level, _ in headings if level == 1]
    if not tops:
        yield "", "heading-missing-h1", ""
    if tops and headings[0][1] != 1:
        yield headings[0][0], "heading-wrong-order", headings[0][2]
    yield from ((cell, "heading-multiple-h1", "") for cell in tops[1:])
    seen, before = set(), 1
    for cell, level, words in headings:
        if not words:
            yield cell, "heading-empty", ""
        if level > before + 1:
            yield cell, "heading-wrong-order", words
        if level <= 2 and words in seen:
            yield cell, "heading-duplicate-h1-h2", words
        seen |= {words} if level <= 2 else set()
        before = level


@for_each("path", NOTEBOOKS)
def test_the_text_of_a_notebook_has_none_of_the_faults(path):
    assert faults(json.loads(path.read_text(encoding="utf-8"))) == []


@for_each(
    ("text", "rule"),
    [
        ("no heading", "heading-missing-h1"),
        ("# one\n\n# two", "heading-multiple-h1"),
        ("# one\n\n### three", "heading-wrong-order"),
        ("## two\n\n# one", "heading-wrong-order"),
        ("# one\n\n## two\n\n## two", "heading-duplicate-h1-h2"),
        ("# one\n\n## ", "heading-empty"),
        ("# one\n\n![](picture.png)", "image-missing-alt"),
        ("# one\n\n|  |  |\n|---|---|\n| a | b |", "table-missing-header"),
        ("# one\n\nSee [here](there.md).", "link-discernible-text"),
    ],
)
def test_a_fault_is_found(text, rule):
    found = faults({"cells": [{"cell_type": "markdown", "id": "cell-00", "source": [text]}]})
    assert rule in [name for _, name, _ in found]
