"""What a player in a browser gives away: the picture as files, and the speaker's window."""

from xml.etree import ElementTree

import pytest

from mqlab import Lab
from mqlab.views import lab_picture
from mqlab.views.theme import LIGHT

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab():
    """A lab in which a story with shots was played."""
    lab = Lab()
    lab.scenario("dead-letters")
    return lab


@pytest.fixture
def player(lab, visit, tmp_path):
    """A saved player of it, opened from disk at its end."""
    visit.page.goto(lab.save_player(tmp_path / "demo.html").as_uri())
    visit.page.wait_for_function("window.player")
    visit.page.keyboard.press("End")
    yield visit.page
    assert (visit.outside, visit.errors) == ([], [])


def saved(page, words):
    """The path of what the menu of formats gives for one."""
    page.click(".mq-save summary")
    with page.expect_download() as coming:
        page.click(f'.mq-save button:text-is("{words}")')
    assert not page.locator(".mq-save").get_attribute("open")
    return coming.value.suggested_filename, coming.value.path()


def test_the_menu_gives_the_picture_as_python_gives_it(player, lab, tmp_path):
    name, path = saved(player, "Mermaid")
    picture = lab_picture(lab)
    assert name == "the-dead-letter-queue-and-its-handler-09-00-43.mmd"
    picture.save(tmp_path / "python.mmd")
    body = [file.read_text("utf-8").partition("flowchart")[2] for file in (path, tmp_path / "python.mmd")]
    assert body[0] == body[1]
    picture.save(tmp_path / "python.drawio")
    files = (saved(player, "draw.io")[1], tmp_path / "python.drawio")
    roots = [ElementTree.fromstring(file.read_text("utf-8").lower()) for file in files]  # #0072B2 is #0072b2
    cells = [[ElementTree.tostring(cell) for cell in root.iter("mxcell")] for root in roots]
    assert cells[0] == cells[1]
    assert len(cells[0]) > 20
    picture.save(tmp_path / "python.graphml")
    assert saved(player, "GraphML")[1].read_text("utf-8") == (tmp_path / "python.graphml").read_text("utf-8")


def test_the_speaker_s_window_is_in_step_with_the_player(player, serious):
    player.keyboard.press("Home")
    with player.expect_popup() as coming:
        player.keyboard.press("s")
    speaker = coming.value
    wrong = []
    speaker.on("pageerror", lambda error: wrong.append(str(error)))
    assert speaker.locator(".clock").inner_text() in ("0:00", "0:01")
    speaker.click('button:text-is("Next")')
    stop = "() => player.recording.stops(player.position) && !player.playing && !player.flight"
    player.wait_for_function(stop)
    first = player.evaluate("player.position")
    assert speaker.locator("h1").inner_text() == player.locator(".mq-shot").inner_text()
    assert speaker.locator(".text").inner_text() == player.locator(".mq-text").inner_text()
    coming_next = speaker.locator(".next").inner_text()
    room = speaker.locator(".preview svg .room").first
    ground = room.evaluate("each => getComputedStyle(each).fill")
    assert ground == f"rgb{tuple(bytes.fromhex(LIGHT.panel[1:]))}"
    speaker.keyboard.press("ArrowRight")
    player.wait_for_function(f"() => player.position > {first} && ({stop})()")
    now = speaker.locator(".said").inner_text() or f"{speaker.locator('h1').inner_text()}. " + (
        speaker.locator(".text").inner_text()
    )
    assert now == coming_next
    player.keyboard.press("End")
    speaker.wait_for_function("() => document.querySelector('.next').textContent === 'This is the end.'")
    assert serious(speaker) == []
    player.keyboard.press("s")  # the same window again
    assert len(player.context.pages) == 2
    player.reload()
    player.wait_for_function("window.player")
    assert speaker.is_closed()
    assert wrong == []
