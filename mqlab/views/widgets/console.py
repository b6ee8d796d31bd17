"""The MQSC console: commands for one queue manager, answered as runmqsc answers."""

from __future__ import annotations

from pathlib import Path

import anywidget
import ipywidgets as widgets
import traitlets

from ...mq.errors import LabError
from .calls import on_qmgr

__all__ = ["Console", "Prompt"]

KEPT = 50  # earlier commands to go back to


class Prompt(anywidget.AnyWidget):
    """A text area that runs its `value` by Ctrl+Enter or Shift+Enter; Alt+Up brings back earlier commands."""

    _esm = Path(__file__).with_name("prompt.js")
    value = traitlets.Unicode("").tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)
    history = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Console(widgets.VBox):
    """A queue manager to choose, a prompt, and the reply; `act(call)` makes the call and returns what it gave.

    `run()` runs what the prompt holds.
    """

    def __init__(self, lab, act):
        self.lab, self.act = lab, act
        self.qmgr = widgets.Dropdown(
            options=[],
            description="queue manager",
            style={"description_width": "initial"},
            layout=widgets.Layout(width="auto", min_width="210px"),
        )
        self.qmgr.tooltip = "The queue manager that answers"
        self.prompt = Prompt(placeholder="DISPLAY QLOCAL(*) CURDEPTH")
        self.button = widgets.Button(description="run", layout=widgets.Layout(width="auto"))
        self.earlier = widgets.Button(description="earlier", layout=widgets.Layout(width="auto"))
        self.earlier.tooltip = "Bring back the command before (Alt+Up in the prompt)"
        self.reply = widgets.HTML(layout=widgets.Layout(margin="0", max_height="260px", overflow="auto"))
        self.button.on_click(lambda _: self.run())
        self.earlier.on_click(lambda _: self._back())
        self.prompt.on_msg(lambda _, content, __: self._told(content))
        self.prompt.observe(lambda _: self._name_call(), "value")
        self.qmgr.observe(lambda _: self._name_call(), "value")
        hint = widgets.HTML('<div class="mqlab-words hint">Ctrl+Enter runs</div>', layout=widgets.Layout(margin="0"))
        row = widgets.HBox(
            [self.qmgr, self.button, self.earlier, hint], layout=widgets.Layout(align_items="center", flex_flow="wrap")
        )
        super().__init__([self.prompt, row, self.reply])
        self.add_class("mqlab-console")
        self._place = 0
        self.refresh()

    @property
    def call(self):
        """The Call that the button makes, None without a queue manager or a command."""
        text = self.prompt.value.strip()
        return on_qmgr(self.qmgr.value, "mqsc", text) if text and self.qmgr.value else None

    def refresh(self) -> None:
        """List the queue managers that there are now."""
        names = [qmgr.name for qmgr in self.lab.queue_managers]
        if names != list(self.qmgr.options):
            before = self.qmgr.value
            self.qmgr.options = names
            self.qmgr.value = before if before in names else next(iter(names), None)
        self._name_call()

    def run(self, text: str | None = None) -> None:
        """Run commands, those in the prompt if none are given, and show the reply; LabError for text that is none."""
        if text is not None and not isinstance(text, str):
            raise LabError(f"text wanted: MQSC commands; got {text!r}")
        self.prompt.value = self.prompt.value if text is None else text
        call = self.call
        if call is None:
            self.show('<div class="mqlab-words">Write a command above, such as DISPLAY QLOCAL(*) CURDEPTH.</div>')
            return
        self.prompt.history = [*self.prompt.history, call.arguments[0]][-KEPT:]
        self._place = 0
        reply = self.act(call)
        if reply is not None:
            self.show(reply._repr_mimebundle_()["text/html"])

    def _told(self, content: dict) -> None:
        """What the page says: all of what stands in the prompt, and with "run" that it is to be run."""
        if "run" in content:
            self.run(content["run"])
        elif "text" in content:
            self.prompt.value = content["text"]

    def show(self, html: str) -> None:
        """Show an answer in the place of the last one."""
        self.reply.value = f'<div class="mqlab-answer" role="status">{html}</div>'

    def _back(self) -> None:
        history = self.prompt.history
        if history:
            self._place = min(self._place + 1, len(history))
            self.prompt.value = history[-self._place]

    def _name_call(self) -> None:
        self.button.tooltip = str(self.call or "lab[...].mqsc(...)")
