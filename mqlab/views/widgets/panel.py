"""The panel: a lab through time, with a console and fault switches, and the branches that these lead to.

Its controls hold no logic: each makes one public call of the lab, and the panel says which.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets
from IPython.display import display

from ...everyplace import MQeError
from ...mq.errors import LabError, MQError, ProgramDied, RunawayTrigger
from ..cards.cards import card, error_card, lab_error_card
from ..drawing.scene import Picture
from ..frames.lifecycle_rows import lifecycle_frame
from ..frames.moments import At, Lab, clock, moment_us, written
from ..player.compare import Futures
from ..player.player import lifecycles, static_pictures
from ..text import escape
from .controls import Call, Console, Faults, Press, button, heading, html, labeled, row, sheet, words
from .stage import Live, Stage
from .touch import Touch, traffic_call


class Comparing(Live, widgets.VBox):
    """A lab and another beside each other; `time_us` says where both stand, `futures` is what is told without a kernel.

    `saying` is what is different in the other. `seek(time_us)` moves both `stages`; the slider stops at every moment at
    which something happens in either.
    """

    def __init__(self, lab: Lab, other: Lab, saying: str = "what if") -> None:
        self.futures = Futures(lab, other, saying)
        self.stages = Stage(lab, bare=True), Stage(other, bare=True)
        self.ticks = sorted({step.time_us for stage in self.stages for step in stage.source.steps})
        shape = labeled("time of both", flex="1 1 auto", min_width="260px")
        self.slider = widgets.IntSlider(0, max=len(self.ticks) - 1, readout=False, **shape)
        self.clock = html(width="150px")
        self.back = button("previous moment", "Both a moment back")
        self.forward = button("next moment", "Both a moment on")
        self.close_button = button("close", "Put the comparison away")
        self.back.on_click(lambda _: self._go(-1))
        self.forward.on_click(lambda _: self._go(1))
        self.slider.observe(lambda _: self._show(), "value")
        controls = row(self.back, self.slider, self.forward, self.clock, self.close_button)
        names = heading("as it was"), heading(saying)
        half = widgets.Layout(flex="1 1 420px", min_width="0")
        sides = [widgets.VBox(side, layout=half) for side in zip(names, self.stages, strict=True)]
        both = widgets.HBox(sides, layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
        super().__init__([sheet(), heading(self.futures.frame.title), controls, both, html(self.futures.card)])
        self.add_class("mqlab-panel").add_class("mqlab-comparing")
        first = self.futures.frame.first_us
        self.seek(self.ticks[-1] if first is None else first)

    @property
    def time_us(self) -> int:
        """Where both stand, microseconds since the start."""
        return self.ticks[self.slider.value]

    def seek(self, time_us: int) -> None:
        """Stand at the last moment that is not after `time_us`."""
        self.slider.value = max(0, bisect_right(self.ticks, time_us) - 1)
        self._show()

    def _go(self, by: int) -> None:
        self.slider.value += by

    def _show(self) -> None:
        for stage in self.stages:
            stage.seek(self.time_us / 1_000_000)
        self.clock.value = words(written(self.futures.frame.start, self.time_us), "clock")

    def without_kernel(self) -> Any:
        """The futures at their end."""
        return self.futures


REFUSALS = (MQError, MQeError, LabError, ProgramDied, RunawayTrigger)


def panel(lab: Lab, interactive: bool = True) -> Panel | Picture:
    """See `mqlab.Lab.panel`."""
    return Panel(lab) if interactive else static_pictures(lab)


class Said(anywidget.AnyWidget):
    """The line that says which Python call a control makes; `text` is the last one made."""

    _esm = Path(__file__).with_name("said.js")
    text = traitlets.Unicode("").tag(sync=True)


def _of_stage(name: str) -> Callable:
    """The method of the panel that does what the stage's of this name does."""
    method = getattr(Stage, name)

    @wraps(method)
    def call(self: Panel, *arguments: Any) -> None:
        method(self.stage, *arguments)

    return call


class Panel(Live, widgets.VBox):
    """The dashboard of a lab.

    `stage` is the picture with its time controls, `console` and `faults` change the lab through `do`, `done` lists what
    was done as lines of Python. While the stage stands in the past and `what_if` is ticked, a change is made in a
    branch of the lab's story at that moment, and `comparison` shows the two futures.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab, self.changed = lab, False
        self.done: list[str] = []
        self.comparison: Comparing | None = None
        self.stage = Stage(lab)
        self.stage.last()
        self.said = Said(text="panel = lab.panel()")
        self.console, self.faults = Console(lab, self.do), Faults(lab, self._switch)
        self.touch = Touch(lab, self.do, self.send)
        self.news, self.past, self.diary = html(), html(), html()
        self.what_if = widgets.Checkbox(value=False, indent=False, layout=widgets.Layout(width="auto", display="none"))
        self.below = widgets.VBox([])
        super().__init__([sheet(), self._body(), self.below])
        self.add_class("mqlab-panel")
        self.stage.observe(lambda _: self._moved(), "position")
        self.stage.observe(lambda change: self.touch.show(change["new"]), "selected")
        self.what_if.observe(lambda change: self._chosen(change["new"]), "value")
        self._moved()
        self._tell()
        self._draw_lives()

    def _body(self) -> widgets.HBox:
        self.seconds = widgets.BoundedFloatText(value=10, min=0, max=1e9, **labeled("seconds", width="150px"))
        self.seconds.tooltip = "Seconds of simulated time"
        self.advance, self.settle = Press(self.do), Press(self.do)
        self.seconds.observe(lambda _: self._name_time(), "value")
        self._name_time()
        time = row(self.seconds, self.advance, self.settle)
        faults = widgets.VBox([self.faults], layout=widgets.Layout(max_height="340px", overflow="auto"))
        side = [self.said, self.past, self.what_if, self.news, heading("In the picture"), self.touch]
        side += [heading("Time"), time]
        side += [heading("Console"), self.console, heading("Faults"), faults]
        side += [heading("What was done here"), self.diary]
        left = widgets.VBox([self.stage], layout=widgets.Layout(flex="3 1 580px", min_width="0"))
        right = widgets.VBox(side, layout=widgets.Layout(flex="1 1 340px", min_width="300px", max_width="430px"))
        right.add_class("mqlab-side")
        return widgets.HBox([left, right], layout=widgets.Layout(flex_flow="row wrap", align_items="flex-start"))

    @property
    def in_the_past(self) -> bool:
        """Whether the stage stands before the last step."""
        return self.stage.position < len(self.stage.source.steps) - 1

    @property
    def speed(self) -> float:
        """How many times as fast it plays."""
        return self.stage.speed

    @speed.setter
    def speed(self, times: float) -> None:
        self.stage.speed = times

    step, back, first, last = map(_of_stage, ("step", "back", "first", "last"))
    play, pause, seek, seek_row = map(_of_stage, ("play", "pause", "seek", "seek_row"))
    next_interesting, previous_interesting = map(_of_stage, ("next_interesting", "previous_interesting"))
    next_chapter, previous_chapter, follow = map(_of_stage, ("next_chapter", "previous_chapter", "follow"))

    def _name_time(self) -> None:
        seconds = (self.seconds.value,)
        self.advance.show("let them pass", Call("advance", seconds))
        self.settle.show("run to rest", Call("run", seconds))

    def _moved(self) -> None:
        """The stage stands elsewhere: say what a change would do there, and how the switches stood."""
        past = self.in_the_past
        at = clock(self.lab.start, self.stage.time_us)
        self.past.value = words(f"You look at {escape(at)}, in the past.", "past") if past else ""
        self.what_if.description = f"what if at {at}: change it in a branch, compare the two futures"
        self.what_if.layout.display = "" if past else "none"
        if past and not self._was_past:
            self.what_if.value = self.lab.story is not None
        self._was_past = past
        then = self.stage.time_us if past and self.what_if.value else None
        if then is not None or self._switches_then:
            self.faults.refresh(None if then is None else self.lab.state(at=then))
        self._switches_then = then is not None

    _was_past = _switches_then = False
    _lives = None

    def _chosen(self, what_if: bool) -> None:
        if what_if and self.lab.story is None:
            self._refuse(LabError(NO_STORY))
            self.what_if.value = False
            return
        self._moved()

    def do(self, call: Call) -> Any:
        """Make a Call, and show what came of it: in the lab, or in a branch while `what_if` holds; what it returned,
        None where it was refused."""
        self.news.value = ""
        if self.in_the_past and self.what_if.value and call.method not in ("advance", "run"):
            return self._try(call)
        result, before = None, (len(self.lab.events), self.lab.now_us)
        try:
            result = call(self.lab)
        except REFUSALS as refused:
            self._refuse(refused)
        else:
            self._note(str(call))
        if (len(self.lab.events), self.lab.now_us) != before:
            self.changed = True
            self.refresh()
        self.said.text = str(call)
        return result

    def send(self, id: str, rate: float) -> None:
        """Send steady traffic to a queue of the picture for the seconds of the time control, and play what comes of it:
        depths, the oldest messages, what waits and what flows."""
        before, seconds = self.stage.position, self.seconds.value
        try:
            call = traffic_call(id, rate, seconds)
        except LabError as refused:
            self._refuse(refused)
            return
        if self.do(call) is not None:
            self.do(Call("advance", (seconds,)))
            self.stage.position = before
            self.stage.play()

    def _try(self, call: Call) -> Any:
        """Make a Call in a branch at the moment shown."""
        answers, at_us = [], self.stage.time_us

        def change(lab):
            try:
                answers.append(call(lab))
            except REFUSALS as refused:
                self._refuse(refused)

        try:
            self.branch(at_us / 1_000_000, change, words=str(call))
        except REFUSALS as refused:
            self._refuse(refused)
            return None
        if answers:
            self._note(f"lab.compare(lab.branch({at_us}, lambda lab: {call}), words={str(call)!r})")
        return answers[0] if answers else None

    def branch(self, at: At, change: Callable, words: str = "what if") -> Comparing:
        """Tell the lab's story again with `change(lab)` at a moment, written as for `mqlab.views.lab_picture`, and show
        the two futures; the Comparing.

        What was done in this panel after the story is in neither of them. LabError for a lab without a story, and for a
        moment before its start or after now.
        """
        at_us = moment_us(self.lab.start, at)
        other = self.lab.branch(at_us, change)
        before = self.lab.branch(at_us, lambda lab: None) if self.changed else self.lab
        self.comparison = shown = Comparing(before, other, words)
        shown.close_button.on_click(lambda _: self._put_away())
        self.below.children = (shown,)
        return shown

    def _put_away(self) -> None:
        self.comparison, self.below.children = None, ()

    def refresh(self) -> None:
        """Show the lab as it is now, whoever changed it."""
        self.stage.refresh()
        self.stage.last()
        self.console.refresh()
        self.faults.refresh()
        self.touch.show(self.stage.selected)
        self._moved()
        self._draw_lives()

    def _draw_lives(self) -> None:
        """Draw the lifecycle chart where it is not the same: last of all, as it takes longest."""
        events = self.lab.events
        lives = lifecycle_frame(events, end_us=self.lab.now_us) if len(events) else None
        if lives is not None and lives[:3] != self._lives:
            self._lives = lives[:3]
            self.stage.lifecycle = lifecycles(self.lab)

    def _switch(self, call: Call) -> None:
        """Do what a fault switch does, and show what MQSC refused of it, as the console shows its own."""
        result = self.do(call)
        if not getattr(result, "ok", True):
            said = "; ".join(reply.text for reply in result.replies if not reply.ok)
            self._alert(card("Refused", lead=said, failed=True))

    def _alert(self, markup: str) -> None:
        self.news.value = f'<div role="alert">{markup}</div>'

    def _refuse(self, error: Any) -> None:
        """Show a refusal as a card."""
        if isinstance(error, MQeError):
            self._alert(card(type(error).__name__, lead=str(error), failed=True))
        else:
            self._alert((error_card if isinstance(error, MQError) else lab_error_card)(error)[1])

    def _note(self, line: str) -> None:
        self.done.append(line)
        self._tell()

    def _tell(self) -> None:
        lines = "\n".join(self.done) or "# nothing yet"
        self.diary.value = f'<pre class="mqlab-done" tabindex="0" aria-label="What was done here">{escape(lines)}</pre>'

    def without_kernel(self) -> Picture:
        """The pictures of `static_pictures`."""
        return static_pictures(self.lab)

    def _ipython_display_(self):
        pictures = static_pictures(self.lab)
        display(Picture(f'<div class="mqlab-first">{HIDING}{pictures.svg}</div>', pictures.words))
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)


NO_STORY = (
    "a lab with a story wanted, to be told again: write what you did as a function, def story(lab): ..., and play it: "
    "lab = Lab(); lab.play(story)"
)
# The pictures come first for whoever has no kernel; where the live panel follows them they would only say it twice.
HIDING = (
    "<style>.jp-OutputArea-child:has(.mqlab-first):has(+ .jp-OutputArea-child .jupyter-widgets.mqlab-panel)"
    "{display:none}</style>"
)
