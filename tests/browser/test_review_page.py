"""The page of `mqlab diff --html` as a member of a change board opens it: from disk, without a network."""

import pytest

from mqlab import estates
from mqlab.estates.review import review

pytestmark = pytest.mark.browser
SENDS = "DEF QL(QM2) USAGE(XMITQ) {} INITQ(SYSTEM.CHANNEL.INITQ)\nDEF QR(TO.SHOP) RNAME(SHOP) RQMNAME(QM2)\n"
CHANNEL = "DEF CHL(QM1.QM2) CHLTYPE({}) {}\n"


def test_the_proof_of_a_route_is_played_on_both_sides(visit, tmp_path, serious):
    for side, trigger in (("old", "TRIGGER"), ("new", "NOTRIGGER")):
        tmp_path.joinpath(side).mkdir()
        sends = SENDS.format(trigger) + CHANNEL.format("SDR", "XMITQ(QM2) CONNAME(QM2)")
        tmp_path.joinpath(side, "QM1.mqsc").write_text(sends, encoding="utf-8")
        tmp_path.joinpath(side, "QM2.mqsc").write_text("DEF QL(SHOP)\n" + CHANNEL.format("RCVR", ""), encoding="utf-8")
    path = tmp_path / "review.html"
    path.write_text(review(estates.diff(tmp_path / "old", tmp_path / "new")), encoding="utf-8")
    page = visit.page
    page.context.set_offline(True)
    page.goto(path.as_uri())
    item = page.locator(".review-item", has_text="a put to TO.SHOP")
    assert item.locator(".mqlab-topology").count() == 2
    assert "SHOP at QM2" in item.inner_text()
    for side in ("before", "after"):
        item.get_by_role("button", name=f"Play {side}").click()
    item.locator('.check-play [data-part="QM2/SHOP"]').first.wait_for()
    item.locator(".check-play").nth(1).wait_for()
    assert item.locator(".check-play").count() == 2
    assert serious(page, dark=True) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert (visit.outside, visit.errors) == ([], [])
