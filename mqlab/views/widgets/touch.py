"""A clicked object of the picture: its attributes, and its calls as buttons."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from ..frames.moments import Lab
from ..player.calls import Call, calls_on, described, html_of
from .controls import Press, button, heading, html, row, words

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
        self.rate = widgets.FloatLogSlider(
            1.0,
            min=-1,
            max=2,
            step=0.1,
            description="a second",
            layout=widgets.Layout(width="100%"),
            readout_format=".1f",
        )
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
        made = []
        for label, call in calls:
            press = Press(self._do)
            press.show(label, call)
            made.append(press)
        self.buttons.children = tuple(made)

    def _do(self, call: Call) -> None:
        result = self.act(call)
        self.answer.value = html_of(result)
        self.show(self.id)
