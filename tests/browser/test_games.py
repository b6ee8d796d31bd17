"""The games on a page from disk, with no network and a policy that allows one script: by keyboard alone."""

import nbformat
import pytest

from mqlab import course
from mqlab.cli import tour
from mqlab.course.games import game
from mqlab.course.games.playing import page as playing_page
from mqlab.course.memory.drills import question

pytestmark = pytest.mark.browser
STILL = '<div class="mqlab-still" data-game="game"><p>Review</p></div>'


@pytest.fixture
def playing(visit, tmp_path):
    """The function playing(still): a page of the site with a game, open from disk; the visit that sees it."""

    def opened(still):
        output = nbformat.v4.new_output("display_data", data=still._repr_mimebundle_())
        cell = nbformat.v4.new_code_cell("", outputs=[output], metadata={"jupyter": {"source_hidden": True}})
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Play"), cell])
        nbformat.write(book, tmp_path / "book.ipynb")
        (tmp_path / "book.html").write_text(tour.page(tmp_path / "book.ipynb"), encoding="utf-8")
        visit.page.context.set_offline(True)
        visit.page.emulate_media(reduced_motion="reduce")
        visit.page.goto((tmp_path / "book.html").as_uri())
        return visit

    return opened


def press(page, name, key="Enter"):
    """Press a button by the keyboard."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press(key)


def test_the_three_things_of_the_opening_are_found_by_keyboard(playing, serious):
    visit = playing(course.opening(interactive=False))
    page = visit.page
    assert page.locator(".mqlab-still").is_hidden()
    done = page.locator(".goals .done")
    press(page, "Get")
    assert page.get_by_role("status").inner_text().startswith("2033")
    assert done.count() == 1
    get = page.get_by_role("button", name="Get", exact=True)
    place = get.bounding_box()
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    assert get.bounding_box() == place, "a button stays where it is while the slider moves"
    for _ in range(4):
        press(page, "Put", "Space")
    assert page.get_by_role("status").inner_text().startswith("2053")
    assert page.locator(".depth b").inner_text() == "3"
    assert page.locator(".lesson").is_hidden()
    press(page, "+5 s")
    assert page.locator(".card.expired").count() == 3
    press(page, "Get")
    page.locator(".lesson").wait_for()
    assert "CURDEPTH was 3" in page.get_by_role("status").inner_text()
    assert done.count() == 3
    assert serious(page) == []
    assert visit.errors == visit.outside == []


def test_a_level_is_played_by_keyboard_alone(playing, serious):
    visit = playing(course.play(3, interactive=False))
    page = visit.page
    press(page, "Level 3: Expired, and still there")
    first = page.locator(".card input:checked").first
    first.focus()
    for _ in range(5):  # one tab stop for each card
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('fieldset').dataset.name") == "Reason code"
    page.keyboard.press("Enter")  # as far as it is: the reason code is missing
    assert page.get_by_role("alert").inner_text() == "Choose an answer for Reason code."
    page.keyboard.press("Space")
    for _ in range(4):
        page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.closest('fieldset').dataset.name") == "croissant"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # from the last to the first: returned
    said = {card: page.locator(f".card[data-name={card}]").get_attribute("data-said") for card in ("tart", "croissant")}
    assert said == {"tart": "returned", "croissant": "discarded"}
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "As the queue manager does it."
    assert page.locator(".mark").all_inner_texts() == ["✓ right"] * 6
    assert serious(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Level 4 of 12: Only looking"
    assert "✓3" in page.locator(".levels").inner_text()
    assert visit.errors == visit.outside == []


def test_a_wrong_answer_is_explained(playing):
    page = playing(course.play(1, interactive=False)).page
    page.locator(".card[data-name=tart]").get_by_label("returned").check()
    page.get_by_label("0, the call completes").check()
    press(page, "Serve the call")
    assert page.locator(".verdict").inner_text() == "3 of 5 as the queue manager does it."
    assert page.locator(".card[data-name=tart] .mark").inner_text() == "✗ yours: returned; the queue manager: stays"
    tart = page.locator(".card[data-name=tart]").evaluate("(card) => getComputedStyle(card).boxShadow")
    assert tart == "none", "a wrong card has no green border"
    [rule] = [each for each in page.locator(".why li").all() if "MQI-02" in each.inner_text()]
    assert rule.locator("p b").count() == 5, "a rule is shown once, for all that it decides"
    press(page, "Endless rounds")
    for _ in range(2):
        for group in page.locator("form fieldset").all():
            group.locator("input").last.check()
        page.locator("form .go").click()
        press(page, "Next round")
    assert page.locator(".sub").inner_text() == "Round 3"
    press(page, "Level 10: Does it fire? FIRST")
    for fate in page.locator(".card").all():
        fate.get_by_label("does not fire").check()
    press(page, "Give my answer")
    assert "TRG-04 was not met: No program reads the queue" in page.locator(".why").inner_text()


def test_a_review_is_answered_by_the_same_script(visit, tmp_path, serious):
    """Questions with and without cards, and a prediction again: the last one ends the review."""
    told = [game.told(question(rule, 1)) for rule in ("MQI-16", "MQI-09")]
    told.append({**told[0], "key": "01/restart", "shown": "", "call": "", "judges": ["MQI-16"], "reason": ["Because."]})
    found = {"kind": "game", "title": "Review", "unit": "Question", "level": 1, "seed": 1, "solved": [], "rounds": []}
    html = f"<html lang='en'><head><title>Review</title></head><body><main>{STILL}</main></body></html>"
    (tmp_path / "review.html").write_text(playing_page(html, {"game": lambda: {**found, "levels": told}}), "utf-8")
    visit.page.goto((tmp_path / "review.html").as_uri())
    page = visit.page
    for number, each in enumerate(told, 1):
        assert page.locator(".sub").inner_text().startswith(f"Question {number} of 3")
        for card in each["cards"]:
            page.locator(f".card[data-name='{card['name']}'] input[value='{card['answer']}']").check()
        for asked in each["questions"]:
            page.locator(f"fieldset[data-name='{asked['label']}'] input[value='{asked['answer']}']").check()
        page.locator("form .go").click()
        assert page.locator(".verdict").inner_text() == "As the queue manager does it."
        if number < 3:
            press(page, "Next question")
    assert "Because." in page.locator(".why").inner_text()
    assert "That was the last question." in page.locator(".out").inner_text()
    assert page.get_by_role("button", name="Endless rounds").count() == 0
    assert serious(page) == []
    assert visit.errors == visit.outside == []
