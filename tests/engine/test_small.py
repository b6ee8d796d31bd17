"""A plain lab is small: how much of mqlab it loads, and nothing of an extra but the page that plugs it in."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mqlab import engine
from mqlab.engine.extra import Extra, extras
from mqlab.lab.extras import ROOMS

MODULES, LINES, DATA = 113, 19_090, 7_150
"""The most that a plain lab may load, and the lines of data beside them: they fall, but for the page and the rules of a
new extra; the goal is 16,000 lines."""
ENGINE = 18_400
"""The most lines that the engine may have, with the modules that a plain lab does not load: it only falls."""
LOADED: set[str] = set()
"""What plug pages load beside themselves; this only becomes less."""


@pytest.fixture(scope="module")
def reported():
    """The modules and the files of data that the plain lab of base_lab.py loads, each with its lines."""
    script = Path(__file__).with_name("base_lab.py")
    done = subprocess.run([sys.executable, script], capture_output=True, check=True, timeout=60, text=True)
    return json.loads(done.stdout)


def test_a_plain_lab_loads_few_lines_and_the_engine_has_few(record_property, reported):
    loaded = reported["modules"]
    record_property("lines", sum(loaded.values()))
    assert len(loaded) <= MODULES
    assert sum(loaded.values()) <= LINES
    record_property("data", reported["data"])
    assert any(name.endswith("attributes.txt") for name in reported["data"])
    assert sum(reported["data"].values()) <= DATA
    folder = Path(engine.__file__).parent
    assert sum(path.read_text("utf-8").count("\n") for path in folder.rglob("*.py")) <= ENGINE


def test_a_plain_lab_loads_nothing_of_an_extra_and_every_hook_is_one_that_some_extra_has(reported):
    above = ("ibmmq", "estates", "course", "pipeline", "cli")
    rooms = {name: name.removeprefix("mqlab.").partition(".")[0] for name in reported["modules"]}
    assert not [name for name, room in rooms.items() if room in above]
    pages = {f"mqlab.{room}{page}" for room in ROOMS for page in ("", ".plug")}
    of_extras = {name for name, room in rooms.items() if room in ROOMS}
    assert of_extras - pages <= LOADED
    hooks = {name for name in vars(Extra) if not name.startswith("_")} - {"text"}
    assert hooks == {name for name in hooks for extra in extras() if name in vars(type(extra))}
