"""A saved duel in a browser without a network."""

import re

import pytest

from helpers import north_and_hub
from mqlab import Lab

pytestmark = pytest.mark.browser


def orders(lab):
    """Orders for a hub that reads them late"""
    north, hub = north_and_hub(lab)
    lab.advance(1)
    for _ in range(6):
        north.connect("TILL").put("ORDERS", b"an order", expiry=300)
        lab.advance(2)
    lab.advance(10)
    hub.connect("CLERK").drain("ORDERS.IN")
    lab.advance(40)


def test_a_duel_asks_first_and_plays_both_on_one_clock(visit, tmp_path, serious):
    names = ("fine", "link cut")
    duel = Lab().duel(orders, None, lambda lab: lab.cut("NORTH", "HUB"), at=6_000_000, names=names)
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(duel.save(tmp_path / "duel.html").as_uri())
    page.wait_for_function("() => window.player?.players")
    cells = page.locator(".mq-scores tbody tr:not(.mq-ask) td")
    assert set(cells.all_inner_texts()) == {"?"}
    assert page.locator(".differs-word").count() == 0
    assert page.get_by_role("slider").is_disabled()
    page.keyboard.press("End")
    assert set(cells.all_inner_texts()) == {"?"}
    page.get_by_label("Your prediction: delivered").select_option("fewer")
    page.get_by_label("Your prediction: lost").select_option("more")
    assert serious(page) == []
    page.get_by_role("button", name="Show it").click()
    page.wait_for_function("() => player.playing")
    page.keyboard.press("Space")
    last = page.evaluate("() => player.last")
    for moment in range(page.evaluate("() => player.position"), last + 1, max(1, last // 25)):
        page.evaluate("moment => { player.pause(); player.go(moment); }", moment)
        steps, shown, times = page.evaluate(
            "() => [player.steps(player.position), player.players.map((each) => each.drawn),"
            " player.players.map((each) => each.value('time_us'))]"
        )
        assert steps == shown, "pictures, words, and score are those of one moment"
        assert max(times) == page.evaluate("() => player.time(player.position)")
    page.evaluate("() => player.move(player.last)")
    page.wait_for_function("() => player.players.every((each) => !each.flight)")
    said = [text.split()[0] for text in cells.all_inner_texts()]
    assert said[:12] == [str(number) for score in duel.scores for number in score]
    assert duel.scores[1].late
    verdicts = page.locator(".mq-ask td").evaluate_all("all => all.map((cell) => cell.dataset.verdict)")
    assert verdicts == ["✓", "", "✗", "", "", ""]
    badges = [page.locator(".mq-side").nth(side).locator(".differs-word").all_text_contents() for side in (0, 1)]
    assert any("−" in word for word in badges[0])
    assert any("+" in word for word in badges[1])
    boxes = [page.locator(".mq-side .mq-picture").nth(side).bounding_box() for side in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["height"] == boxes[1]["height"] > 250
    cameras = page.evaluate("() => player.players.map((each) => each.canvas.camera)")
    assert cameras[0] == cameras[1]
    sizes = page.locator(".mq-picture svg text").evaluate_all(
        "all => all.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
    )
    assert min(sizes) >= 10.9
    assert serious(page, dark=True) == []
    page.emulate_media(color_scheme="dark")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (visit.outside, visit.errors) == ([], [])
