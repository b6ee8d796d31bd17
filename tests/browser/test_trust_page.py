"""The trust page as a person opens it: from disk, with no network, on a desk and on a telephone."""

import pytest

from tools import trust
from tools.trust import html

pytestmark = pytest.mark.browser


@pytest.fixture
def page(visit, tmp_path):
    """The page, open from disk in a browser that is offline."""
    path = tmp_path / "trust.html"
    path.write_text(html(), encoding="utf-8")
    visit.page.context.set_offline(True)
    visit.page.goto(path.as_uri(), wait_until="load")
    return visit


def test_it_shows_every_rule_and_fetches_nothing(page):
    rules = [row for row in trust.rows() if "-" in row.what]
    assert page.page.locator("table.rules tbody tr").count() == len(rules)
    assert page.page.locator(".status:visible").count() >= len(rules)
    folded = page.page.locator("details").first
    folded.locator("summary").click()
    assert folded.locator("li").first.is_visible()
    assert (page.outside, page.errors) == ([], [])


def test_a_search_leaves_what_has_the_words(page):
    rows = page.page.locator("table.rules tbody tr:visible")
    page.page.get_by_label("Search").fill("EXP-02")
    told = page.page.locator(".search output").inner_text()
    assert 0 < rows.count() < 30
    assert "EXP-02" in rows.first.inner_text()
    assert told == f"{page.page.locator('main tbody tr:visible, main > ul > li:visible').count()} found"
    page.page.get_by_label("Search").fill("no such words")
    assert rows.count() == page.page.locator("main h2:visible").count() == 0
    page.page.get_by_label("Search").fill("")
    assert rows.count() == sum("-" in row.what for row in trust.rows())


@pytest.mark.parametrize("width", [1400, 900, 420])
def test_nothing_is_wider_than_the_window(page, width):
    page.page.set_viewport_size({"width": width, "height": 900})
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    page.page.locator("#outside-mqlab").scroll_into_view_if_needed()
    assert page.page.locator("#outside-mqlab").is_visible()
