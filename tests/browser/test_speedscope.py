"""A log as a Chrome trace in speedscope, a static page that opens such files without a network."""

import os
from pathlib import Path

import pytest
from browser.conftest import on_loopback

from mqlab import Lab

pytestmark = pytest.mark.browser
ROOT = Path(os.environ.get("MQLAB_SPEEDSCOPE", Path(__file__).parents[2] / "build/speedscope/package/dist/release"))


@pytest.fixture
def speedscope():
    """The address of speedscope's page on this machine."""
    if not (ROOT / "index.html").is_file():
        pytest.skip(f"speedscope is not in {ROOT}: npm pack speedscope, and unpack it there (.ci/run does)")
    with on_loopback(ROOT) as address:
        yield address


def test_speedscope_shows_a_program_for_each_thread(speedscope, visit, tmp_path):
    lab = Lab()
    lab.scenario("poison")
    lab.events.export(tmp_path / "poison.json", "chrome-trace")
    page, programs = visit.page, sorted({row.program for row in lab.events if row.program})
    page.goto(speedscope)
    page.locator("input[type=file]").set_input_files(tmp_path / "poison.json")
    page.get_by_text(f"SHOP (pid 1), {programs[0]} (tid 1) (1/").wait_for()
    for number, program in enumerate(programs, 1):
        assert page.get_by_text(f"SHOP (pid 1), {program} (tid {number})").count()
    page.get_by_text("Sandwich").click()  # the table of slices, by name
    for words in (programs[0], "restore ORDERS"):
        page.get_by_text(words, exact=True).first.wait_for()
    assert (visit.outside, visit.errors) == ([], [])
