"""The stage, which is the player of a lab as a notebook widget, and the timeline, which shows any moment of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets
from IPython import get_ipython

from ...engine.explain.life import rows_of
from ...engine.explain.words import rule_title, sentence
from ...engine.words.arguments import checked
from ...engine.words.errors import LabError
from ..drawing.engine import cannot_draw
from ..drawing.scene import Picture, Scene
from ..frames.look import Look
from ..frames.moments import At, Lab, Moments, clock, written
from ..player.player import elk_text, player_script, player_style
from ..player.player_steps import PlayerSteps
from ..player.story import Step
from ..text import escape
from ..theme import style_sheet
from .controls import button, html, row


class Live:
    """A widget that readers without a kernel see as what its `without_kernel` returns, if this process can draw."""

    without_kernel: Callable

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]  # of the widget that comes after this class
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        still = {} if cannot_draw() else self.without_kernel()._repr_mimebundle_()
        return {**data, **still}, metadata


class Stage(Live, anywidget.AnyWidget):
    """A lab that can be played, stepped and searched; `position` is the step shown, 0 the beginning.

    When the lab has gone on, `refresh` brings the stage up to date. `qmgr`, `start`, `end`, `messages` and `depth`
    choose what to show of it: see `mqlab.views.player.player_steps.PlayerSteps`.

    The traits `position`, `playing`, `speed` (times as fast), `selected` (the id of the queue that was clicked, ""),
    `lifecycle` (an SVG text whose root has data-from-us, data-to-us, data-x0 and data-x1, ""), `present` (large, for
    a room), `following` (the number of a message, 0 for none), and `title` can be set and observed; `bare`, the picture
    alone without a control or a key, is chosen at the beginning. LabError as for `PlayerSteps`.
    """

    _esm = player_script()
    _css = player_style()

    recording = traitlets.Bytes().tag(sync=True)
    more = traitlets.Bytes().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)
    lifecycle = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    present = traitlets.Bool(False).tag(sync=True)
    following = traitlets.Int(0).tag(sync=True)
    title = traitlets.Unicode("").tag(sync=True)
    bare = traitlets.Bool(False).tag(sync=True)
    elk = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        lab: Lab,
        qmgr: str | None = None,
        *,
        start: At = None,
        end: At = None,
        messages: Any = None,
        depth: Iterable[str] = (),
        **traits: Any,
    ) -> None:
        look = Look(**{name: traits.pop(name) for name in Look._fields if name in traits})
        self._chosen = {"qmgr": qmgr, "start": start, "end": end, "messages": messages, "depth": depth, "look": look}
        self.lab, self.source = lab, PlayerSteps(lab, **self._chosen)
        super().__init__(recording=self.source.packed(), elk=elk_text(self.source), **traits)
        self._sent = len(self.source.steps)

    @traitlets.validate("position")
    def _within_the_steps(self, proposal: Any) -> int:
        return min(max(0, proposal["value"]), len(self.source.steps) - 1)

    @traitlets.validate("speed")
    def _within_the_speeds(self, proposal: Any) -> float:
        return min(max(0.1, proposal["value"]), 64.0)

    @property
    def row(self) -> Step:
        """The step that is shown."""
        return self.source.steps[self.position]

    @property
    def time_us(self) -> int:
        """The moment that is shown, in microseconds since the lab's start."""
        return self.row.time_us

    @property
    def seq(self) -> int:
        """The last row of the event log that has happened by then, -1 for none."""
        return self.row.seq

    def step(self) -> None:
        """Go to the next step."""
        self.position += 1

    def back(self) -> None:
        """Go to the step before."""
        self.position -= 1

    def next_interesting(self) -> None:
        """Go to the next stop (`mqlab.views.player.story`, or of the message followed), or else to the last step."""
        self._go(1)

    def previous_interesting(self) -> None:
        """Go to the stop before, or else to the first step."""
        self._go(-1)

    def follow(self, message: Any = None) -> None:
        """Follow a message, a Message or its number, from its first step on: only its events are stops. None ends that.

        LabError for a message that this stage does not show.
        """
        if message is None:
            self.following = 0
            return
        number = rows_of(self.lab, message)[0].message or 0
        first = next((n for n, step in enumerate(self.source.steps) if step.message == number), None)
        if first is None:
            raise LabError(f"message must be one that this stage shows; got {number}. Make the stage without messages=")
        self.following, self.position = number, first

    def _go(self, by: int) -> None:
        """Go to the nearest stop in a direction, or else to the end there."""
        steps, followed = self.source.steps, self.following
        stops = {stop.step for stop in self.source.stops}
        end = len(steps) - 1 if by > 0 else 0
        on_the_way = range(self.position + by, end, by)
        told = (n for n in on_the_way if (steps[n].message == followed if followed else n in stops))
        self.position = next(told, end)

    def seek(self, at: At) -> None:
        """Go to the last step up to a moment, written as for `lab_picture`; LabError as there."""
        self.position = self.source.step_at(at)

    def seek_row(self, seq: int) -> None:
        """Go to row `seq` of the event log."""
        self.position = self.source.step_of_row(seq)

    def first(self) -> None:
        """Go to the beginning."""
        self.position = 0

    def last(self) -> None:
        """Go to the last step."""
        self.position = len(self.source.steps) - 1

    def play(self) -> None:
        """Let it run; the page plays, so nothing moves where no page shows it."""
        self.playing = True

    def pause(self) -> None:
        """Stand still."""
        self.playing = False

    def refresh(self) -> None:
        """Take in what the lab did since: only what is new, or everything where what is defined has changed."""
        fresh = type(self.source.scene)(self.lab, self._chosen["qmgr"])
        if fresh.outline != self.source.outline:
            self.source = PlayerSteps(self.lab, **self._chosen)
            self._sent = len(self.source.steps)
            self.position = self.position
            self.more, self.elk, self.recording = b"", elk_text(self.source), self.source.packed()
            return
        self.source.grow()
        if len(self.source.steps) > self._sent:
            self.more = self.source.packed(self._sent)

    def without_kernel(self) -> Any:
        """The picture of the step that is shown."""
        return self.source.picture(self.position)

    def __repr__(self):
        when = clock(self.source.scene.start, self.time_us)
        return f"Stage(step {self.position} of {len(self.source.steps) - 1}, {when}: {self.row.said})"


@checked
def timeline(
    lab: Lab, qmgr: str | None = None, start: At = None, end: At = None, interactive: bool = True
) -> Timeline | Picture:
    """The topology of a lab with a slider over its time.

    `qmgr` is one queue manager to show instead of all. The stretch to look at is from `start` to `end`, written as for
    `lab_picture`; all of it if not given. With `interactive=False`, and where no kernel answers (an exported page, a
    stored notebook), there is only a picture of the last moment.
    """
    scene = Scene(lab, qmgr)
    last = scene.draw(scene.frame(scene.time_us(end)))
    return Timeline(scene, start, end, last) if interactive else last


class Timeline(Live, widgets.VBox):
    """The panel, at first at the first moment; `time_us` (microseconds since the start) and `seq` (None, or the row
    stepped to) say where it is."""

    def __init__(self, scene: Scene, start: At, end: At, last: Picture) -> None:
        self.scene, self.last = scene, last
        first = scene.time_us(0 if start is None else start)
        self.stops = Moments(scene.lab.events, scene.start, first, scene.time_us(end), scene.qmgr)
        self.time_us = self.stops.ticks[0]
        self.seq: int | None = None
        self.slider = widgets.SelectionSlider(
            options=[(written(scene.start, t), t) for t in self.stops.ticks],
            value=self.time_us,
            description="time",
            continuous_update=True,
            layout=widgets.Layout(flex="1 1 auto", min_width="260px"),
        )
        self.back = button("previous change", "Step to the row before that changed a depth", "step-backward")
        self.forward = button("next change", "Step to the next row that changes a depth", "step-forward")
        self.told, self.picture, self.call = html(), html(), html()
        self.slider.observe(lambda change: self.show(change["new"]), "value")
        self.back.on_click(lambda _: self.step(self.stops.before(self.seq, self.time_us)))
        self.forward.on_click(lambda _: self.step(self.stops.after(self.seq, self.time_us)))
        super().__init__([row(self.back, self.slider, self.forward), self.told, self.picture, self.call])
        self.add_class("mqlab-timeline")
        self.show(self.time_us)

    def show(self, time_us: int) -> None:
        """Stand at a moment."""
        if self.seq is not None and time_us == self.stops.tick_at(self.time_us):
            return  # the slider following a step
        self.time_us, self.seq = time_us, None
        self._draw(f'at="{written(self.scene.start, time_us)}"', "")

    def step(self, seq: int | None) -> None:
        """Stand just after a row of the event log; stay where it is for None."""
        if seq is None:
            return
        event = self.scene.lab.events[seq]
        self.time_us, self.seq = event.time_us, seq
        self.slider.value = self.stops.tick_at(event.time_us)
        when = clock(self.scene.start, event.time_us)
        self._draw(f"seq={seq}", f"{when}  {sentence(event)}  {rule_title(event.rule or '')}")

    def _draw(self, moment: str, told: str) -> None:
        qmgr = f', qmgr="{self.scene.qmgr}"' if self.scene.qmgr else ""
        frame = self.scene.frame(self.time_us) if self.seq is None else self.scene.frame_after(self.seq)
        self.picture.value = self.scene.draw(frame).svg
        told = told or "The slider jumps; the buttons go one change at a time."
        self.told.value = _line("told", told)
        self.call.value = _line("call", f"lab_picture({_name(self.scene.lab)}, {moment}{qmgr})")

    def without_kernel(self) -> Picture:
        """The last picture."""
        return self.last


def _name(lab: Lab) -> str:
    """The name of a lab in the notebook, "lab" if it has none there."""
    shell = get_ipython()
    names = shell.user_ns if shell else {}
    return next((name for name, value in names.items() if value is lab and name[:1] != "_"), "lab")


def _line(kind: str, words: str) -> str:
    style = style_sheet(".mqlab-line", "line.css")
    return f'<div class="mqlab-line {kind}" role="status"><style>{style}</style>{escape(words)}</div>'
