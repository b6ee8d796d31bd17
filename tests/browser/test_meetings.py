"""Stories on the screen, measured press by press: all scenarios, eight labs of architects, and three dumps.

`PYTHONPATH=.:tests python -m browser.test_meetings [NAME ...]` prints a table of the measures and what misses a bar.
"""

import sys
import tempfile
from pathlib import Path

import pytest
from browser.conftest import CHROMIUM_OPTIONS
from in_page import script
from views.meetings import DUMPS, MEETINGS

from helpers import some
from mqlab import Lab
from mqlab.lab.scenarios import names
from tools.chromium import chromium_program

pytestmark = pytest.mark.browser
ROOMS = ((1920, 1080), (1280, 720))
NOTEBOOK = (900, 700)
PLAYERS = (*names(), *MEETINGS, *DUMPS)
SMALL = 8  # objects: the drawing of such a lab must use the screen
MOST = 200  # presses

# Of every stop of a player: what is short, folded, small, unchanged, or over something else, and the drawing's room.
BARS = script("bars.js")


def told(name):
    """The lab of a scenario, a meeting, or a dump, after its story."""
    if name in MEETINGS or name in DUMPS:
        return (MEETINGS | DUMPS)[name]()
    lab = Lab()
    lab.scenario(name)
    return lab


def measured(browser, folder, name):
    """The bytes of a player, and the measures of each press by the size of the window: {(width, height): {...}}."""
    path = told(name).save_player(folder / f"{name}.html", title=name)
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 1920, "height": 1080})
    page, found = context.new_page(), {"bytes": path.stat().st_size}
    page.goto(path.as_uri())
    page.wait_for_function("() => window.player")
    for size in (*ROOMS, NOTEBOOK):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        found[size] = page.evaluate(BARS, {"notebook": size == NOTEBOOK, "most": MOST})
    context.close()
    return found


def missed(all_found, size, offender):
    """Lines of the presses that miss a bar, "lab, press 3: offender"; `offender(stop, found)` is "" for none."""
    return [
        f"{name} {size[0]}x{size[1]}, press {press} (step {stop['at']}): {words}"
        for name, found in all_found.items()
        for press, stop in enumerate(found[size]["stops"])
        if (words := offender(stop, found[size]))
    ]


def short_states(stop, _):
    """States and badges that are cut short."""
    return ", ".join(dict.fromkeys(stop["states"]))


def short_names(stop, _):
    """Names of objects that are cut short."""
    return ", ".join(dict.fromkeys(stop["names"]))


def cut_at_the_edge(stop, _):
    """Words of the drawing that the edge of the picture cuts."""
    return ", ".join(dict.fromkeys(stop["cut"]))


def folded(stop, _):
    """Alarms that the drawing does not name."""
    return ", ".join(stop["folded"])


def unchanged(stop, _):
    """Presses after which the drawing is as it was before, but for shots with words of their own: a question is an idea
    too."""
    return repr(stop["said"]) if stop["same"] and not (stop["shot"] and stop["told"]) else ""


def wordy(stop, _):
    """Narrations of more than two lines."""
    lines = stop["lines"]["text"] + stop["lines"]["said"]
    return f"{lines} lines, {stop['said'][:60]!r}" if lines > 2 else ""


def small_text(least):
    """Texts of fewer than `least` pixels."""
    return lambda stop, _: f"{stop['least']:.1f} px, {stop['smallest']!r}" if stop["least"] < least - 0.05 else ""


def overlapping(stop, _):
    """Words and boxes over each other."""
    return ", ".join(stop["overlaps"][:4])


def empty_screen(stop, found):
    """Drawings of a small lab, at its end, that leave most of the picture empty."""
    small = found["objects"] <= SMALL and stop is found["stops"][-1]
    return f"{stop['share']:.0%} of the picture" if small and stop["share"] < 0.45 else ""


def without_second_line(stop, found):
    """Queues and channels of a small lab that say only their names."""
    return ", ".join(stop["bare"]) if found["objects"] <= SMALL else ""


BAR = {
    "short states": (short_states, (*ROOMS, NOTEBOOK)),
    "short names": (short_names, ROOMS[:1]),
    "no second line": (without_second_line, ROOMS),
    "cut at the edge": (cut_at_the_edge, ROOMS),
    "folded alarms": (folded, ROOMS),
    "unchanged": (unchanged, ROOMS[:1]),
    "more than two lines": (wordy, ROOMS),
    "small text": (small_text(12), ROOMS),
    "small text in a notebook": (small_text(11), (NOTEBOOK,)),
    "overlaps": (overlapping, (*ROOMS, NOTEBOOK)),
    "empty screen": (empty_screen, ROOMS),
}


@pytest.fixture(scope="module")
def all_found(chromium, tmp_path_factory):
    """The measures of players, by name: of all of them if MQLAB_THOROUGH is set."""
    folder = tmp_path_factory.mktemp("meetings")
    return {name: measured(chromium, folder, name) for name in some(PLAYERS, 8)}


@pytest.mark.parametrize("bar", BAR)
def test_no_press_misses_a_bar(all_found, bar):
    offender, sizes = BAR[bar]
    found = [line for size in sizes for line in missed(all_found, size, offender)]
    assert not found, f"{len(found)} presses miss the bar {bar!r}:\n" + "\n".join(found)


def test_players_stay_below_two_megabytes(all_found):
    assert {name: found["bytes"] for name, found in all_found.items() if found["bytes"] > 2_000_000} == {}


def table(all_found):
    """The measures as rows of text, a lab each, and below them what misses a bar."""
    heads = ("lab", "kB", "objects", "presses", "shots", *BAR, "1920", "1280", "screen", "cut px")
    rows = []
    for name, found in all_found.items():
        stops, last = found[ROOMS[0]]["stops"], [found[size]["stops"][-1] for size in ROOMS]
        misses = [sum(len(missed({name: found}, size, of)) for size in sizes) for of, sizes in BAR.values()]
        far = max((px for stop in stops for px in stop["far"].values()), default="")
        shares = [f"{stop['share']:.0%}" for stop in last]
        counts = (found["bytes"] // 1000, found[ROOMS[0]]["objects"], len(stops), sum(s["shot"] for s in stops))
        rows.append((name, *counts, *misses, *shares, f"{last[0]['screen']:.0%}", far))
    wide = [max(len(str(row[i])) for row in (heads, *rows)) for i in range(len(heads))]
    lines = ["  ".join(str(each).rjust(w) for each, w in zip(row, wide, strict=True)) for row in (heads, *rows)]
    for bar, (offender, sizes) in BAR.items():
        found = [line for size in sizes for line in missed(all_found, size, offender)]
        lines += ["", f"{bar}: {len(found)}", *(f"  {line}" for line in found)]
    return "\n".join(lines)


def main(wanted):
    """Print the table of the labs with these names, or of all."""
    from playwright.sync_api import sync_playwright

    program = chromium_program()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=program, args=[*CHROMIUM_OPTIONS, "--no-sandbox"])
        chosen = wanted or PLAYERS
        print(table({name: measured(browser, Path(folder), name) for name in chosen}))


if __name__ == "__main__":
    main(sys.argv[1:])
