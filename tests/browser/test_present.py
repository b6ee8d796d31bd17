"""The page of `mqlab present` as a person opens it: from disk, with no network, and with nothing but the keyboard."""

import in_page
import pytest

from mqlab import Lab
from mqlab.cli.play import page as page_of
from mqlab.lab.scenarios import names, scenarios

pytestmark = pytest.mark.browser

# What the box with the keys lies on at any step: its class and the step.
OVERLAPS = in_page.script("overlaps.js")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The page with all scenarios, and the page with one."""
    folder = tmp_path_factory.mktemp("present")
    for name, chosen in (("all", scenarios()), ("one", scenarios()[:1])):
        (folder / f"{name}.html").write_text(page_of(chosen), encoding="utf-8")
    return folder


@pytest.fixture
def gallery(visit, files):
    """The gallery, open from disk in a browser that is offline; still pictures, so that a key is one step at once."""
    visit.page.context.set_offline(True)
    visit.page.emulate_media(reduced_motion="reduce")
    visit.page.goto((files / "all.html").as_uri(), wait_until="load")
    yield visit
    assert (visit.outside, visit.errors) == ([], [])


def stage(visit):
    """The player, once it is there."""
    visit.page.wait_for_selector("#player .mq-presenting")
    return visit.page.locator("#player")


def titles(name):
    """The titles of a scenario's shots."""
    lab = Lab()
    lab.scenario(name)
    return [each.title for each in lab.shots]


def test_the_gallery_shows_every_scenario_also_if_an_address_names_none(gallery):
    page = gallery.page
    assert page.locator("#gallery a").count() == len(names())
    assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    page.evaluate("location.hash = '#scenario=nothing'")
    page.wait_for_timeout(100)
    assert page.locator("#gallery").is_visible()


def test_axe_finds_no_serious_fault_and_nothing_is_wider_than_the_window(gallery, serious):
    page = gallery.page

    def is_well():
        assert serious(page, dark=True) == []
        for width in (1600, 900, 420):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width

    is_well()
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.locator("#gallery a").first.click()
    stage(gallery)
    page.keyboard.press(" ")
    is_well()


def test_the_pictures_of_the_gallery_have_the_theme_that_was_chosen(gallery):
    page, corner = (
        gallery.page,
        """async () => {
        const picture = document.images[0];
        await picture.decode();
        const canvas = new OffscreenCanvas(20, 20), pen = canvas.getContext("2d");
        pen.drawImage(picture, 0, 0);
        return pen.getImageData(2, 10, 1, 1).data[0];
    }""",
    )
    assert page.evaluate(corner) > 200, "paper is light"
    page.locator("#gallery a").first.click()
    stage(gallery)
    for theme, light in (("light", True), ("dark", False), ("auto", True)):
        page.keyboard.press("t")
        assert (page.evaluate(corner) > 128) == light, theme
    page.keyboard.press("t")
    page.keyboard.press("t")
    page.keyboard.press("Escape")
    page.wait_for_selector("#gallery:not([hidden])")


def test_each_key_goes_on_through_a_scenario_shot_by_shot(gallery):
    page, wanted = gallery.page, titles("poison")
    page.locator('a[data-name="poison"]').focus()
    page.keyboard.press("Enter")
    stage(gallery)
    seen = [page.locator("#player .mq-shot").inner_text()]
    for key in ("Space", "ArrowRight", "PageDown", *["Space"] * (len(wanted) - 4)):
        page.keyboard.press(key)
        seen.append(page.locator("#player .mq-shot").inner_text())
    assert seen == wanted
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("player.position") < page.evaluate("player.recording.length") - 1


@pytest.mark.parametrize(("name", "size"), [("poison", (1600, 900)), ("van-out-of-reach", (1400, 1000))])
def test_it_fills_the_window_in_large_type(gallery, name, size):
    page = gallery.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator(f'a[data-name="{name}"]').click()
    player = stage(gallery)
    page.keyboard.press(" ")
    box = player.locator(".mq-frame").bounding_box()
    assert (box["width"], box["height"]) == size
    assert player.locator(".mq-shot").evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 30
    assert player.locator(".mq-text").evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 20
    assert "full screen" in player.locator(".mq-hint").inner_text()
    assert page.evaluate(OVERLAPS) == [], "the keys are beside the words"


def test_escape_leads_back_to_the_gallery_and_on_to_the_next(gallery):
    page = gallery.page
    page.locator("#gallery a").first.click()
    stage(gallery)
    page.keyboard.press(" ")
    page.keyboard.press("Escape")
    page.wait_for_selector("#gallery a:focus")
    assert page.locator("#player").is_hidden()
    page.wait_for_timeout(600)
    assert page.evaluate("location.hash") == "", "the address does not follow what is closed"
    assert page.evaluate("document.activeElement.dataset.name") == names()[1]
    page.keyboard.press("Enter")
    stage(gallery)
    assert page.title() == scenarios()[1].title


def test_full_screen_and_the_details_are_one_key_away_with_a_way_back(gallery):
    page = gallery.page
    page.locator("#gallery a").first.click()
    stage(gallery)
    page.evaluate("Element.prototype.requestFullscreen = function () { window.asked = this.id; }")
    page.keyboard.press("f")
    assert page.evaluate("window.asked") == "player"
    page.keyboard.press("p")
    page.wait_for_selector("#player .mq-frame:not(.mq-presenting)")
    assert page.locator("#player .mq-rows tbody tr").count() > 5
    page.get_by_role("button", name="All scenarios").click()
    page.wait_for_selector("#gallery:not([hidden])")


def test_the_address_finds_the_same_place_again(gallery):
    page = gallery.page
    page.locator('a[data-name="poison"]').click()
    stage(gallery)
    for _ in range(4):
        page.keyboard.press(" ")
    page.wait_for_timeout(600)  # the address follows a little later
    here = page.evaluate("[player.position, location.hash]")
    assert here[1] == f"#scenario=poison&step={here[0]}&present"
    page.reload(wait_until="load")
    stage(gallery)
    assert page.evaluate("player.position") == here[0]
    page.go_back()
    page.wait_for_selector("#gallery:not([hidden])")


def test_a_page_with_one_scenario_begins_with_it(visit, files):
    visit.page.context.set_offline(True)
    visit.page.goto((files / "one.html").as_uri(), wait_until="load")
    stage(visit)
    assert visit.page.locator("#gallery").is_hidden()
    assert visit.page.title() == scenarios()[0].title
    visit.page.keyboard.press("Escape")
    visit.page.wait_for_selector("#player .mq-frame:not(.mq-presenting)")
    assert visit.page.locator("#player .mq-rows").is_visible()
    assert visit.outside == visit.errors == []


def test_a_page_among_others_leads_back_by_a_link_and_by_escape(visit, files):
    page = visit.page
    (files / "home.html").write_text(page_of(scenarios()[:1], home="all.html"), encoding="utf-8")
    for width, leave in (
        (1400, lambda: page.locator("body > a.home").click()),
        (400, lambda: page.locator("body > a.home").click()),
        (1400, lambda: page.keyboard.press("Escape")),
        (400, lambda: (page.keyboard.press("p"), page.locator("#player .mq-tools a.home").click())),
    ):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto((files / "home.html").as_uri(), wait_until="load")
        stage(visit)
        leave()
        page.wait_for_url((files / "all.html").as_uri())
    assert visit.outside == visit.errors == []
