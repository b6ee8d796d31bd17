"""The trust page as a person opens it: from disk, with no network, on a desk and on a telephone."""

import pytest

from tools import trust
from tools.trust import html

pytestmark = pytest.mark.browser


def test_every_rule_is_there_and_found_on_a_desk_and_on_a_telephone(visit, tmp_path):
    (tmp_path / "trust.html").write_text(html(), encoding="utf-8")
    page, many = visit.page, sum("-" in row.what for row in trust.rows())
    page.context.set_offline(True)
    page.goto((tmp_path / "trust.html").as_uri(), wait_until="load")
    assert page.locator("table.rules tbody tr").count() == many
    assert page.locator(".status:visible").count() >= many
    folded = page.locator("details").first
    folded.locator("summary").click()
    assert folded.locator("li").first.is_visible()
    for width in (1400, 900, 420):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#outside-mqlab").scroll_into_view_if_needed()
        assert page.locator("#outside-mqlab").is_visible()
    rows = page.locator("table.rules tbody tr:visible")
    page.get_by_label("Search").fill("EXP-02")
    told = page.locator(".search output").inner_text()
    assert 0 < rows.count() < 30
    assert "EXP-02" in rows.first.inner_text()
    assert told == f"{page.locator('main tbody tr:visible, main > ul > li:visible').count()} found"
    page.get_by_label("Search").fill("no such words")
    assert rows.count() == page.locator("main h2:visible").count() == 0
    page.get_by_label("Search").fill("")
    assert rows.count() == many
    assert (visit.outside, visit.errors) == ([], [])
