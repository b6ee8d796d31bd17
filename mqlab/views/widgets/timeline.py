"""A time slider over a lab's event log; it only calls what `mqlab.views` offers and says which call that was."""

from __future__ import annotations

import ipywidgets as widgets
from IPython import get_ipython

from ...engine.explain.words import rule_title, sentence
from ...engine.words.arguments import checked
from ..drawing.scene import Picture, Scene
from ..frames.moments import At, Lab, clock, written
from ..text import escape
from ..theme import style_sheet
from .controls import button, html, row
from .stage import Live


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
        self.stops = scene.moments(start, end)
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
        told = told or "the slider stops at moments; the buttons stop at every change of a depth"
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
