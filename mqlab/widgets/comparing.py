"""Two futures side by side: one time slider moves both pictures, and the card says what differs at the end."""

from __future__ import annotations

import ipywidgets as widgets
from IPython.display import display

from ..views.compare import compare
from ..views.moments import written
from ..views.scene import Scene
from ..views.text import escape
from .look import heading, sheet

__all__ = ["Comparing"]


class Comparing(widgets.VBox):
    """A lab and another beside each other; `time_us` says where both stand, `futures` is what is told without a kernel.

    `words` say what is different in the other. `seek(time_us)` moves both, to their common end at the latest.
    """

    def __init__(self, lab, other, words: str = "what if"):
        self.futures = compare(lab, other, words)
        self.scenes = Scene(lab), Scene(other)
        start, self.end_us = self.scenes[0].start, min(lab.now_us, other.now_us)
        self.ticks = sorted({t for scene in self.scenes for t in scene.moments().ticks if t <= self.end_us})
        self.slider = widgets.SelectionSlider(
            options=[(written(start, t), t) for t in self.ticks],
            value=self.ticks[-1],
            description="time of both",
            style={"description_width": "initial"},
            layout=widgets.Layout(flex="1 1 auto", min_width="260px"),
        )
        self.back = widgets.Button(description="previous moment", icon="step-backward", tooltip="Both, a moment back")
        self.forward = widgets.Button(description="next moment", icon="step-forward", tooltip="Both, a moment on")
        self.back.on_click(lambda _: self._go(-1))
        self.forward.on_click(lambda _: self._go(1))
        self.slider.observe(lambda change: self._draw(), "value")
        self.pictures = tuple(widgets.HTML(layout=widgets.Layout(margin="0")) for _ in self.scenes)
        half = widgets.Layout(flex="1 1 420px", min_width="0")
        sides = [
            widgets.VBox([heading(name), picture], layout=half)
            for name, picture in zip(("as it was", words), self.pictures, strict=True)
        ]
        self.close_button = widgets.Button(description="close", icon="times", layout=widgets.Layout(width="auto"))
        self.close_button.tooltip = "Put the comparison away"
        row = widgets.HBox(
            [self.back, self.slider, self.forward, self.close_button],
            layout=widgets.Layout(align_items="center", flex_flow="row wrap"),
        )
        both = widgets.HBox(sides, layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
        card = widgets.HTML(self.futures.card, layout=widgets.Layout(margin="0"))
        super().__init__([sheet(), heading(self.futures.frame.title), row, both, card])
        self.add_class("mqlab-panel")
        self.add_class("mqlab-comparing")
        frame = self.futures.frame
        self.seek(frame.end_us if frame.first_us is None else frame.first_us)

    @property
    def time_us(self) -> int:
        """Where both stand, microseconds since the start."""
        return self.slider.value

    def seek(self, time_us: int) -> None:
        """Stand at the last moment of the slider that is not after `time_us`."""
        self.slider.value = next((t for t in reversed(self.ticks) if t <= time_us), self.ticks[0])
        self._draw()

    def _go(self, by: int) -> None:
        place = self.ticks.index(self.slider.value) + by
        self.slider.value = self.ticks[max(0, min(len(self.ticks) - 1, place))]

    def _draw(self) -> None:
        for scene, picture in zip(self.scenes, self.pictures, strict=True):
            drawn = scene.draw(scene.frame(self.time_us))
            picture.value = f'<div role="group" aria-label="{escape(drawn.words)}">{drawn.svg}</div>'

    def _repr_mimebundle_(self, **kwargs):
        """The live pictures, and for readers without a kernel the futures at their end in their place."""
        data, metadata = super()._repr_mimebundle_(**kwargs), {}
        if isinstance(data, tuple):
            data, metadata = data
        return {**data, **self.futures._repr_mimebundle_()}, metadata

    def _ipython_display_(self):
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
