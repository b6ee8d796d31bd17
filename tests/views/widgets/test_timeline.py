"""The time slider: it shows what the call beside it gives, and something without a kernel."""

import ast
import html
import re
import sys
from functools import partial
from types import SimpleNamespace

import pytest

pytest.importorskip("ipywidgets")

from helpers import calls_of, lab_error, says
from mqlab import Lab
from mqlab.engine.explain.replay import STRIDE
from mqlab.views import lab_picture
from mqlab.views.widgets import Timeline, timeline


@pytest.fixture
def busy(lab, qm):
    """A lab in which something happens once a second for ten seconds, two puts in the first."""
    qm.put("ORDERS", b"1")
    qm.put("ORDERS", b"2", expiry=30)
    for _ in range(4):
        lab.advance(1)
        qm.put("FIFO", b"x")
        lab.advance(1)
        qm.get("FIFO")
    lab.advance(1)
    return lab


def called(panel, lab):
    """What the call shown on the panel gives."""
    line = html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "", panel.call.value))
    assert line.startswith("lab_picture(lab, ")
    call = ast.parse(line, mode="eval").body
    options = {option.arg: ast.literal_eval(option.value) for option in call.keywords}
    return lab_picture(lab, **options).svg


def test_moving_the_slider_called_time_changes_the_picture_to_that_of_the_call_shown(busy):
    panel = timeline(busy)
    assert panel.slider.description == "time"
    assert [label for label, _ in panel.slider.options][:3] == ["09:00:00", "09:00:01", "09:00:02"]
    assert panel.slider.index == 0, "it opens at its start"
    seen = set()
    for index in range(len(panel.slider.options)):
        panel.slider.index = index
        assert panel.picture.value == called(panel, busy)
        seen.add(panel.picture.value)
    assert len(seen) == len(panel.slider.options)


def test_the_buttons_step_from_change_to_change_also_within_a_moment(busy):
    panel = timeline(busy)
    panel.slider.index = 0
    steps = []
    for _ in range(3):
        panel.forward.click()
        steps.append((busy.events[panel.seq].kind, busy.events[panel.seq].object, panel.slider.label))
    assert steps == [("put", "FIFO", "09:00:01"), ("get", "FIFO", "09:00:02"), ("put", "FIFO", "09:00:03")]
    for _ in range(3):
        panel.back.click()
    assert busy.events[panel.seq].message == 2, "the second of two puts at the same time"
    panel.back.click()
    assert (busy.events[panel.seq].message, panel.slider.label) == (1, "09:00:00")
    at = panel.seq
    panel.back.click()
    assert panel.seq == at, "there is nothing before the first change"


def test_a_step_says_what_happened_and_why_and_the_slider_leaves_it_behind(busy):
    panel = timeline(busy)
    panel.slider.index = len(panel.slider.options) - 1
    panel.back.click()
    assert panel.picture.value == called(panel, busy)
    says(panel.told.value, "got it from FIFO", "MQI-02 A get returns the first message in order")
    assert f"lab_picture(lab, seq={panel.seq})" in panel.call.value
    panel.slider.index = 2
    assert panel.seq is None
    assert (panel.time_us, panel.picture.value) == (2_000_000, called(panel, busy))


def test_a_reader_without_a_kernel_sees_pictures_and_the_call_names_the_lab_as_the_notebook_does(busy, monkeypatch):
    data, _ = timeline(busy)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert 'class="mqlab-topology"' in data["text/html"]
    assert "messages" in data["text/plain"]
    picture = timeline(busy, interactive=False)
    assert not isinstance(picture, Timeline)
    assert set(picture._repr_mimebundle_()) == {"text/plain", "text/html"}
    assert picture.svg == lab_picture(busy).svg
    shell = SimpleNamespace(user_ns={"_": busy, "retail": busy})
    monkeypatch.setattr(sys.modules[Timeline.__module__], "get_ipython", lambda: shell)
    assert "lab_picture(retail, at=" in timeline(busy).call.value


def test_a_stretch_and_a_queue_manager_can_be_chosen(busy):
    busy.queue_manager("QM2").mqsc("DEFINE QLOCAL(FAR)")
    panel = timeline(busy, qmgr="QM1", start="09:00:02", end="09:00:05")
    assert [label for label, _ in panel.slider.options] == [f"09:00:0{i}" for i in range(2, 6)]
    assert 'qmgr="QM1"' in html.unescape(panel.call.value)
    assert panel.picture.value == called(panel, busy)
    assert "FAR" not in panel.picture.value
    for wrong in ({"qmgr": "QM9"}, {"start": "soon"}, {"end": "23:00:00"}):
        lab_error("must be", timeline, busy, **wrong)


def test_a_lab_in_which_nothing_happened_has_a_panel_and_one_of_several_days_keeps_them_apart(lab, qm):
    panel = timeline(Lab())
    panel.forward.click()
    panel.back.click()
    assert panel.seq is None
    qm.put("ORDERS", b"")
    lab.advance(3 * 86_400)
    qm.put("ORDERS", b"")
    panel = timeline(lab)
    assert [label for label, _ in panel.slider.options] == ["09:00:00", "2025-01-09T09:00:00"]
    assert panel.picture.value == called(panel, lab)


def moves_over(puts):
    """How many rows the log of a busy lab has, and the most calls of Python that a move of its slider takes."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    names = [f"APP{i // 6}.QUEUE.{i}" for i in range(60)]
    qm.mqsc("\n".join(f"DEFINE QLOCAL({name})" for name in names))
    applications = [qm.connect(f"APP{i}") for i in range(10)]
    for i in range(puts):
        applications[i // 6 % 10].put(names[i % 60], b"", expiry=50 if i % 3 else -1)
        lab.advance(0.01)
        if i % 5:
            applications[i % 10].get(names[i % 60])
    panel = timeline(lab)
    moves = range(0, len(panel.slider.options), max(1, len(panel.slider.options) // 15))
    return len(lab.events), max(calls_of(partial(setattr, panel.slider, "index", index)) for index in moves)


def test_a_move_of_the_slider_over_a_long_log_takes_no_more_work_than_over_a_short_one():
    rows, short = moves_over(2500)
    many_rows, long = moves_over(6_250)
    assert rows > STRIDE, "a move goes on from a checkpoint in both"
    assert many_rows > 2.4 * rows
    assert long < 1.5 * short
