"""Two futures side by side: one time slider moves both pictures, and the card says what differs at the end."""

from __future__ import annotations

from bisect import bisect_right

import ipywidgets as widgets
from IPython.display import display

from ..frames.moments import written
from ..player.compare import compare
from .look import heading, sheet, words
from .stage import Stage

__all__ = ["Comparing"]


class Comparing(widgets.VBox):
    """A lab and another beside each other; `time_us` says where both stand, `futures` is what is told without a kernel.

    `saying` is what is different in the other. `seek(time_us)` moves both `stages`; the slider stops at every moment at
    which something happens in either.
    """

    def __init__(self, lab, other, saying: str = "what if"):
        self.futures = compare(lab, other, saying)
        self.stages = Stage(lab, bare=True), Stage(other, bare=True)
        self.ticks = sorted({step.time_us for stage in self.stages for step in stage.source.steps})
        self.slider = widgets.IntSlider(
            0,
            max=len(self.ticks) - 1,
            description="time of both",
            readout=False,
            style={"description_width": "initial"},
            layout=widgets.Layout(flex="1 1 auto", min_width="260px"),
        )
        self.clock = widgets.HTML(layout=widgets.Layout(margin="0", width="150px"))
        self.back, self.forward, self.close_button = (
            widgets.Button(description=label, tooltip=tip, layout=widgets.Layout(width="auto"))
            for label, tip in (
                ("previous moment", "Both a moment back"),
                ("next moment", "Both a moment on"),
                ("close", "Put the comparison away"),
            )
        )
        self.back.on_click(lambda _: self._go(-1))
        self.forward.on_click(lambda _: self._go(1))
        self.slider.observe(lambda _: self._show(), "value")
        row = widgets.HBox(
            [self.back, self.slider, self.forward, self.clock, self.close_button],
            layout=widgets.Layout(align_items="center", flex_flow="row wrap"),
        )
        sides = [self._side(*side) for side in zip(("as it was", saying), self.stages, strict=True)]
        both = widgets.HBox(sides, layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))
        card = widgets.HTML(self.futures.card, layout=widgets.Layout(margin="0"))
        super().__init__([sheet(), heading(self.futures.frame.title), row, both, card])
        self.add_class("mqlab-panel")
        self.add_class("mqlab-comparing")
        first = self.futures.frame.first_us
        self.seek(self.ticks[-1] if first is None else first)

    def _side(self, name: str, stage: Stage) -> widgets.VBox:
        return widgets.VBox([heading(name), stage], layout=widgets.Layout(flex="1 1 420px", min_width="0"))

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

    def _repr_mimebundle_(self, **kwargs):
        """The live pictures, and for readers without a kernel the futures at their end in their place."""
        data, metadata = super()._repr_mimebundle_(**kwargs), {}
        if isinstance(data, tuple):
            data, metadata = data
        return {**data, **self.futures._repr_mimebundle_()}, metadata

    def _ipython_display_(self):
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
