"""The games on a page from disk, with no network and a policy that allows one script: by keyboard alone."""

import nbformat
import pytest

from mqlab import course
from mqlab.tools import tour

pytestmark = pytest.mark.browser


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
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
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
