"""build/site as a person opens it: from disk, with no network, in light and in dark."""

import pytest
from browser.conftest import demand

pytestmark = pytest.mark.browser
GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}
NAMED = (
    "index.html",
    "rules.html",
    "trust.html",
    "players.html",
    "check.html",
    "players/poison.html",
    "notebooks/03-triggering.html",
)


@pytest.mark.parametrize("name", NAMED)
def test_a_page_follows_the_readers_setting_and_can_be_read(visit, checkout, serious, name):
    path = checkout / "build" / "site" / name
    demand(path.is_file(), f"build/site/{name} is not there: run `make site` first")
    page = visit.page
    page.context.set_offline(True)
    page.goto(path.as_uri(), wait_until="load")
    for scheme, ground in GROUND.items():
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
    assert serious(page, dark=True) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert (visit.outside, visit.errors) == ([], [])


def test_the_contents_lead_to_a_notebook_and_back(visit, checkout):
    path = checkout / "build" / "site" / "index.html"
    demand(path.is_file(), "build/site/index.html is not there: run `make site` first")
    page = visit.page
    page.goto(path.as_uri())
    page.get_by_role("link", name="Message expiry").first.click()
    assert page.url.endswith("notebooks/02-message-expiry.html")
    page.get_by_role("link", name="Contents").click()
    assert page.url == path.as_uri()
