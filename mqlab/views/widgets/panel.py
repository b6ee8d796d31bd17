"""The panel: a lab through time, with a console and fault switches, and the branches that they create.

Its controls hold no logic: each makes one public call of the lab, and the panel shows that call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from ...engine.words.errors import LabError, NotInstalled

try:
    import anywidget
    import ipywidgets as widgets
    import traitlets
    from IPython.display import display
except ModuleNotFoundError as error:
    raise NotInstalled("the panel", error.name or "a package") from None

from ..cards.cards import card
from ..charts.renderer import can_draw, mimebundle
from ..drawing.scene import Picture
from ..frames.lifecycle_rows import lifecycle_frame
from ..frames.moments import At, Lab, clock, moment_us
from ..frames.score import Score
from ..player.calls import REFUSALS, Call, calls_on, described, html_of, traffic_call
from ..player.duel import Futures, Race
from ..player.player import elk_text, lifecycles, player_script, player_style, static_pictures
from ..text import escape
from .controls import Console, Faults, Press, button, heading, html, labeled, row, sheet, words
from .stage import Live, Stage

HINT = "Click an object in the picture, or a line between two queue managers, to see its attributes and its actions."


class Touch(widgets.VBox):
    """The object that was clicked: `show(id)` it, "" for none; `act(call)` makes a call and returns its result.

    `sent(queue, rate)` is called for steady traffic: `rate` messages a second.
    """

    def __init__(self, lab: Lab, act: Callable, sent: Callable) -> None:
        self.lab, self.act, self.sent, self.id = lab, act, sent, ""
        self.about, self.answer = html(max_height="220px", overflow="auto"), html(max_height="220px", overflow="auto")
        self.body = widgets.Text("a message", placeholder="the text of a message", layout=widgets.Layout(width="100%"))
        self.body.tooltip = "The text of the message that a put sends"
        scale: dict[str, Any] = {"min": -1, "max": 2, "step": 0.1, "readout_format": ".1f"}
        wide = widgets.Layout(width="100%")
        self.rate = widgets.FloatLogSlider(1.0, description="a second", layout=wide, **scale)
        self.send = button("send traffic", "Put this many messages a second, for the seconds below")
        self.send.on_click(lambda _: self.sent(self.id, round(self.rate.value, 1)))
        self.buttons = row()
        self.body.observe(lambda _: self._offer(), "value")
        super().__init__([html(words(HINT, "hint"))])
        self.add_class("mqlab-touch")

    def show(self, id: str) -> None:
        """Show an object by its id in the picture, as it is now."""
        if id != self.id:
            self.answer.value = ""
        self.id = id
        about = described(self.lab, id)
        if about is None:
            self.children = (html(words(HINT, "hint")),)
            return
        name, self.about.value, is_queue = about
        self._offer()
        traffic = (self.body, self.buttons, row(self.rate, self.send)) if is_queue else (self.buttons,)
        self.children = (heading(name, 4), self.about, *traffic, self.answer)

    def _offer(self) -> None:
        calls = calls_on(self.lab, self.id, self.lab.state(), self.body.value)
        self.buttons.children = tuple(Press(self._do).show(label, call) for label, call in calls)

    def _do(self, call: Call) -> None:
        result = self.act(call)
        self.answer.value = html_of(result)
        self.show(self.id)


class Duel(anywidget.AnyWidget):
    """A race in a notebook, with the script of a saved one; `position` is the moment shown, and `answered` whether the
    prediction has been asked for and the answer is shown."""

    _esm = player_script(duel=True).replace("export default { render }", "export default { render: renderDuel }")
    _css = player_style(duel=True)

    recording = traitlets.Bytes().tag(sync=True)
    elk = traitlets.Unicode("").tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    answered = traitlets.Bool(False).tag(sync=True)

    def __init__(self, race: Race, title: str, first: int) -> None:
        packed, elk = race.packed(title, first), elk_text(race.sources[0])
        super().__init__(recording=packed, elk=elk, position=first)


class Comparing(Live, widgets.VBox):
    """A lab and another beside each other; `time_us` is their time, `futures` the page without a kernel.

    `saying` is what is different in the other, in words. The `duel` asks for a prediction where both are still alike,
    and then plays both with one slider, which stops at every event of either; `seek` moves
    it. The differences at the end are below, folded.
    """

    def __init__(self, lab: Lab, other: Lab, saying: str = "what if") -> None:
        self.futures = Futures(lab, other, saying)
        self.race = Race(lab, other, self.futures.names)
        self.duel = Duel(self.race, self.futures.title, self.race.alike(self.futures.frame.first_seq))
        self.close_button = button("close", "Close the comparison")
        end = clock(lab.start, self.futures.frame.end_us)
        summary = f"<summary>Differences at the end, {escape(end)}</summary>"
        tables = html(f"<details>{summary}{self.futures.card}</details>")
        super().__init__([sheet(), row(self.close_button), self.duel, tables])
        self.add_class("mqlab-panel").add_class("mqlab-comparing")

    @property
    def time_us(self) -> int:
        """The time of both, microseconds since the start."""
        return self.race.time_us(self.duel.position)

    @property
    def scores(self) -> list[Score]:
        """The score of both at their time."""
        return self.race.score(self.duel.position)

    def seek(self, time_us: int) -> None:
        """Go to the last moment that is not after `time_us`."""
        self.duel.position = self.race.moment_at(time_us)

    def without_kernel(self) -> Any:
        """The futures at their end."""
        return self.futures


def panel(lab: Lab, interactive: bool = True) -> Panel | Picture:
    """See `mqlab.Lab.panel`."""
    return Panel(lab) if interactive else static_pictures(lab)


def drawn_by_the_page(lab: Lab) -> tuple[dict[str, Any], ...]:
    """The lifecycle chart as outputs, which JupyterLab draws where this process cannot; none if there is no message."""
    from ..charts.lifecycle import lifecycle_chart  # altair, which a panel with vl-convert needs in `lifecycles` only

    try:
        data, metadata = mimebundle(lifecycle_chart(lab).to_dict())
    except LabError:
        return ()
    return ({"output_type": "display_data", "data": data, "metadata": metadata},)


class Said(anywidget.AnyWidget):
    """The line that shows the Python call of a control; `text` is the last call made."""

    _esm = Path(__file__).with_name("said.js")
    text = traitlets.Unicode("").tag(sync=True)


def _of_stage(name: str) -> Callable:
    """The method of the panel that calls the stage's method of this name."""
    method = getattr(Stage, name)

    @wraps(method)
    def call(self: Panel, *arguments: Any) -> None:
        method(self.stage, *arguments)

    return call


class Panel(Live, widgets.VBox):
    """The dashboard of a lab.

    `stage` is the picture with its time controls, and has the lifecycle chart; `lives` has it, below all else, where
    only the page can draw it. `console` and `faults` change the lab through `do`, `done` lists what was done as lines
    of Python. While the stage is in the past and `what_if` is ticked, a change is made in a branch of the lab's story
    at that moment, and `comparison` shows the two futures; a command that changes nothing gets its reply, and the
    comparison stays as it is.
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
        self.lives = widgets.Output(layout=widgets.Layout(overflow="auto"))
        super().__init__([sheet(), self._body(), self.below, self.lives])
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
        side += [heading("Actions in this panel"), self.diary]
        left = widgets.VBox([self.stage], layout=widgets.Layout(flex="3 1 480px", min_width="0"))
        right = widgets.VBox(side, layout=widgets.Layout(flex="1 1 280px", min_width="280px", max_width="430px"))
        right.add_class("mqlab-side")
        return widgets.HBox([left, right], layout=widgets.Layout(flex_flow="row wrap", align_items="flex-start"))

    @property
    def in_the_past(self) -> bool:
        """Whether the stage is before the last step."""
        return self.stage.position < len(self.stage.source.steps) - 1

    @property
    def speed(self) -> float:
        """The speed of play, as a multiple of the normal speed."""
        return self.stage.speed

    @speed.setter
    def speed(self, times: float) -> None:
        self.stage.speed = times

    step, back, first, last = map(_of_stage, ("step", "back", "first", "last"))
    play, pause, seek, seek_row = map(_of_stage, ("play", "pause", "seek", "seek_row"))
    next_interesting, previous_interesting = map(_of_stage, ("next_interesting", "previous_interesting"))
    follow = _of_stage("follow")

    def _name_time(self) -> None:
        seconds = (self.seconds.value,)
        self.advance.show("Advance", Call("advance", seconds))
        self.settle.show("Run until idle", Call("run", seconds))

    def _moved(self) -> None:
        """The stage moved: show the effect of a change there, and the switches at that time."""
        past = self.in_the_past
        at = clock(self.lab.start, self.stage.time_us)
        self.past.value = words(f"This is {escape(at)}, in the past.", "past") if past else ""
        self.what_if.description = f"what if at {at}: make changes in a branch, and compare the two futures"
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
        """Make a Call, and show its result: in the lab, or in a branch while `what_if` is ticked. Return the result, or
        None if the call was refused."""
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
        """Send steady traffic to a queue of the picture for the seconds of the time control, and play the result:
        depths, the oldest messages, and the messages that wait or flow."""
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
            before, other = self._futures(at_us, change)
        except REFUSALS as refused:
            self._refuse(refused)
            return None
        if answers and list(before.events) != list(other.events):
            self._show(Comparing(before, other, call.words))
            self._note(f"lab.compare(lab.branch({at_us}, lambda lab: {call}), words={call.words!r})")
        return answers[0] if answers else None

    def branch(self, at: At, change: Callable, words: str = "what if") -> Comparing:
        """Tell the lab's story again with `change(lab)` at a moment, written as for `mqlab.views.lab_picture`, and show
        the two futures; the Comparing.

        Neither has the steps made in this panel after the story. LabError for a lab without a story, and for a
        moment before its start or after now.
        """
        return self._show(Comparing(*self._futures(moment_us(self.lab.start, at), change), words))

    def _futures(self, at_us: int, change: Callable) -> tuple[Lab, Lab]:
        """The story as it was, and as it goes with a change."""
        other = self.lab.branch(at_us, change)
        return (self.lab.branch(at_us, lambda lab: None) if self.changed else self.lab), other

    def _show(self, shown: Comparing) -> Comparing:
        self.comparison = shown
        shown.close_button.on_click(lambda _: self._put_away())
        self.below.children = (shown,)
        return shown

    def _put_away(self) -> None:
        self.comparison, self.below.children = None, ()

    def refresh(self) -> None:
        """Show the lab as it is now, also after changes from elsewhere."""
        self.stage.refresh()
        self.stage.last()
        self.console.refresh()
        self.faults.refresh()
        self.touch.show(self.stage.selected)
        self._moved()
        self._draw_lives()

    def _draw_lives(self) -> None:
        """Draw the lifecycle chart if it has changed: last, because it takes longest."""
        events = self.lab.events
        lives = lifecycle_frame(events, end_us=self.lab.now_us) if len(events) else None
        if lives is not None and lives[:3] != self._lives:
            self._lives = lives[:3]
            if can_draw():
                self.stage.lifecycle = lifecycles(self.lab)
            else:
                self.lives.outputs = drawn_by_the_page(self.lab)

    def _switch(self, call: Call) -> None:
        """Do what a fault switch does, and show MQSC commands that failed, as the console does."""
        result = self.do(call)
        if not getattr(result, "ok", True):
            said = "; ".join(reply.text for reply in result.replies if not reply.ok)
            self._alert(card("Refused", lead=said, failed=True))

    def _alert(self, markup: str) -> None:
        self.news.value = f'<div role="alert">{markup}</div>'

    def _refuse(self, error: Any) -> None:
        """Show a refusal as a card."""
        self._alert(html_of(error))

    def _note(self, line: str) -> None:
        self.done.append(line)
        self._tell()

    def _tell(self) -> None:
        lines = "\n".join(self.done) or "# nothing yet"
        self.diary.value = (
            f'<pre class="mqlab-done" tabindex="0" aria-label="Actions in this panel">{escape(lines)}</pre>'
        )

    def without_kernel(self) -> Picture:
        """The pictures of `static_pictures`."""
        return static_pictures(self.lab)

    def _ipython_display_(self):
        pictures = static_pictures(self.lab)
        display(Picture(f'<div class="mqlab-first">{HIDING}{pictures.svg}</div>', pictures.words))
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)


NO_STORY = (
    "only a lab with a story can be played again: write your steps as a function, def story(lab): ..., and play it: "
    "lab = Lab(); lab.play(story)"
)
# The pictures come first for readers without a kernel; the live panel, if it follows them, hides them.
HIDING = (
    "<style>.jp-OutputArea-child:has(.mqlab-first):has(+ .jp-OutputArea-child .jupyter-widgets.mqlab-panel)"
    "{display:none}</style>"
)
