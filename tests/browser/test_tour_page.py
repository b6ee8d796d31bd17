"""build/tour.html as a person opens it: from disk, with no network."""

import pytest
from browser.conftest import demand

pytestmark = pytest.mark.browser
PICTURES = """() => [...document.images].map(i => ({words: i.alt, width: i.naturalWidth, done: i.complete}))"""


def test_the_page_is_whole_without_a_network_and_can_be_read(visit, checkout, serious):
    path = checkout / "build" / "tour.html"
    demand(path.is_file(), "build/tour.html is not there: run `make tour` first")
    page = visit.page
    page.context.set_offline(True)
    page.goto(path.as_uri(), wait_until="load", timeout=90_000)
    pictures = page.evaluate(PICTURES)
    assert pictures, "no chart is in the page"
    for picture in pictures:
        assert picture["done"], picture
        assert picture["width"] > 20, picture
        assert picture["words"].strip(), picture
    topology = page.locator("svg.mqlab-topology:visible")  # those of explanations wait for an answer
    assert topology.count() > 0
    assert topology.first.bounding_box()["height"] > 20
    assert page.locator(".mqlab-card").count() > 0
    assert "2033" in page.inner_text("main")
    assert "Traceback (most recent call last)" not in page.inner_text("main")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert page.title()
    assert page.get_attribute("html", "lang") == "en"
    assert serious(page) == []
    assert (visit.outside, visit.errors) == ([], [])
