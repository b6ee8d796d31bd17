"""The page of `mqlab check --html` as a person opens it: from disk, without a network."""

import re

import pytest

from mqlab import estates
from mqlab.estates.page import page as page_of

pytestmark = pytest.mark.browser
DRAWN = "() => window.picture?.drawn"
LARGE = "".join(
    f"DEFINE QLOCAL(A{n}.IN)\nDEFINE QALIAS(A{n}.ORDERS) TARGET(A{n}.{'IN' if n % 9 else 'GONE'})\n" for n in range(720)
)


@pytest.fixture(scope="module")
def clinics(tmp_path_factory, checkout):
    """The page of the estate of three clinics, as a file."""
    path = tmp_path_factory.mktemp("pages") / "clinics.html"
    path.write_text(page_of(estates.read(checkout / "datasets" / "clinic-estate").report()), encoding="utf-8")
    return path


def opened(visit, path):
    page = visit.page
    page.context.set_offline(True)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(path.as_uri())
    page.wait_for_function(DRAWN)
    return page


def test_a_finding_shows_its_lines_its_fix_and_its_proof(visit, clinics, serious):
    page = opened(visit, clinics)
    finding = page.locator(".check-finding", has_text="alias LAB.ORDERS leads to LAB.ORDERS.OUT")
    finding.locator("summary").focus()
    page.keyboard.press("Enter")
    assert "TARGET('LAB.ORDERS.OUT')" in finding.locator(".at").inner_text()
    assert "QALIAS" in finding.locator("pre").first.inner_text()
    assert "2082 MQRC_UNKNOWN_ALIAS_BASE_Q" in finding.inner_text()
    finding.get_by_role("button", name="Copy").first.click()
    finding.locator("button", has_text=re.compile("Copied|Selected")).wait_for()
    page.wait_for_selector('.check-picture .mq-selected[data-part="WARD1/LAB.ORDERS"]')
    finding.get_by_role("button", name="Play it").click()
    finding.locator('.check-play [data-part="WARD1/LAB.ORDERS"]').wait_for()
    assert serious(page, dark=True) == []
    for width in (1280, 900):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert (visit.outside, visit.errors) == ([], [])


def test_the_filter_hides_in_the_list_and_on_the_picture_and_the_picture_leads_to_a_finding(visit, clinics):
    page = opened(visit, clinics)
    badges, findings = page.locator(".check-badge"), page.locator(".check-finding:visible")
    before, many = badges.count(), findings.count()
    page.get_by_label("warning (4)").uncheck()
    assert findings.count() == many - 4
    assert 0 < badges.count() < before
    page.locator(".check-filter select").select_option("CORE")
    assert findings.count() == 2
    assert page.get_by_role("heading", name="WARD1", level=2).is_hidden()
    page.locator('.check-picture [data-part="CORE/channel:CORE.LABS"]').click()
    assert "channel CORE.LABS calls LABS" in page.locator(".check-finding[open] summary").first.inner_text()


def test_a_press_on_a_box_shows_what_breaks_in_red_with_the_number_of_routes(visit, clinics):
    page = opened(visit, clinics)
    status, red = page.locator(".check-tools [role=status]"), page.locator(".check-picture .check-broken")
    page.locator('.check-picture [data-part="CORE/channel:CORE.WARD1"]').click()
    assert status.inner_text() == "What breaks if CORE.WARD1 is down? In red: 1 of 5 routes no longer deliver"
    assert page.locator('.check-picture .check-broken[data-part="CORE/PATIENT.UPDATES.WARD1"]').count() == 1
    few = red.count()
    page.evaluate("picture.press('CORE')")
    page.wait_for_function("document.querySelector('.check-tools [role=status]').textContent.includes('4 of 5')")
    assert red.count() > few
    assert visit.errors == []


def test_a_large_estate_is_drawn_at_once_and_a_finding_in_it_is_found(visit, tmp_path):
    tmp_path.joinpath("QM1.mqsc").write_text(LARGE, encoding="utf-8")
    path = tmp_path / "large.html"
    path.write_text(page_of(estates.read(tmp_path / "QM1.mqsc").report()), encoding="utf-8")
    page = opened(visit, path)
    assert page.locator(".check-picture [data-part]").count() < 40, "what is in a large family waits until it is opened"
    page.locator(".check-finding summary").nth(3).click()
    page.wait_for_selector(".check-picture .mq-selected")
    assert page.locator(".check-picture [data-part]").count() < 40
    page.get_by_role("button", name="Whole picture").click()
    assert visit.errors == []
