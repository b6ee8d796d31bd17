"""The page of `mqlab class` as a teacher opens it: from disk and offline, with names that fold away by keyboard."""

import json

import pytest

from mqlab.cli import cli

pytestmark = pytest.mark.browser


def test_the_page_of_a_class_is_whole_accessible_and_hides_names_by_keyboard(visit, serious, tmp_path):
    asked = {"plain": "What is `CURDEPTH` of *CALLS*?", "parts": [{"label": "", "options": [2, 3]}]}
    about = {"lesson": "02", "what": "predicted", "key": "02/deadline", "rules": ["EXP-02"], "skipped": False}
    about |= {"schema": 1, "again": False, "day": "2025-01-06", "asked": asked, "answers": [3]}
    failed = {"schema": 1, "exercise": "E03", "what": "check", "done": False, "missed": ["FLASH's message lives 6 s"]}
    for name in ("anna", "bob"):
        lines = [{**about, "said": [2], "right": [False]}, failed, failed]
        text = "".join(json.dumps({**line, "learner": name}) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text + "half a li\n")
    assert cli.main(["class", str(tmp_path)]) == 0
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 900})
    page.context.set_offline(True)
    page.goto((tmp_path / "class.html").as_uri())
    assert page.get_by_text("FLASH's message lives 6 s").first.is_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert serious(page) == []
    page.keyboard.press("Tab")
    while page.evaluate("() => document.activeElement.tagName") != "SUMMARY":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert not page.get_by_text("FLASH's message lives 6 s").first.is_visible()
    assert (visit.outside, visit.errors) == ([], [])
