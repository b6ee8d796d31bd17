"""Controls of the panel, handled in the main thread of the kernel: the MQSC console, and the fault switches."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets
from IPython.core.getipython import get_ipython

from ...engine.explain.replay import State
from ...engine.words.arguments import require
from ..frames.moments import Lab
from ..player.calls import Call, Switch, on_qmgr, queue_switches, switches
from ..text import escape
from ..theme import style_sheet


class Handler:
    """A handler of messages that runs in the main thread, through the loop of that thread if necessary."""

    def __init__(self, handler: Callable[..., Any], loop: Any) -> None:
        self.handler, self.loop = handler, loop

    def __call__(self, *message: Any) -> Any:
        if current_thread() is main_thread():
            return self.handler(*message)
        return self.loop.add_callback(self.handler, *message)


def use_main_thread() -> None:
    """Have this kernel handle the messages of widgets in its main thread; no effect outside a kernel."""
    # JupyterLab 4.4 and later send these messages to a subshell of the kernel, which is another thread. The programs
    # of a lab run in the thread that started them, so that a command in a widget could not let time pass.
    kernel = getattr(get_ipython(), "kernel", None)
    loop, handlers = getattr(kernel, "io_loop", None), getattr(kernel, "shell_handlers", {})
    for kind in ("comm_open", "comm_msg", "comm_close") if loop is not None else ():
        if kind in handlers and not isinstance(handlers[kind], Handler):
            handlers[kind] = Handler(handlers[kind], loop)


def sheet() -> widgets.HTML:
    """The style sheet of a panel, once for all of its parts."""
    return html(f"<style>{style_sheet('.mqlab-panel', 'panel.css')}</style>")


def html(value: str = "", **layout: str) -> widgets.HTML:
    """HTML without a margin."""
    return widgets.HTML(value, layout=widgets.Layout(margin="0", **layout))


def labeled(label: str, **layout: str) -> dict[str, Any]:
    """The arguments that give a control a label as wide as its words."""
    return {"description": label, "style": {"description_width": "initial"}, "layout": widgets.Layout(**layout)}


def words(markup: str, kind: str) -> str:
    """HTML, already escaped, on a line of its own."""
    return f'<div class="mqlab-words {kind}">{markup}</div>'


def heading(title: str, level: int = 3) -> widgets.HTML:
    """A heading of a part of the panel."""
    return html(f"<h{level}>{escape(title)}</h{level}>")


def button(label: str, tip: str = "", icon: str = "") -> widgets.Button:
    """A button as wide as its words."""
    return widgets.Button(description=label, tooltip=tip, icon=icon, layout=widgets.Layout(width="auto"))


def row(*children: widgets.Widget) -> widgets.HBox:
    """Controls beside each other, over several lines if need be."""
    return widgets.HBox(children, layout=widgets.Layout(align_items="center", flex_flow="row wrap"))


CALLS = "mqlab-call"
"""The class of a button whose tooltip is the call that it makes."""
KEPT = 50  # earlier commands to go back to


class Prompt(anywidget.AnyWidget):
    """A text area that runs its `value` by Ctrl+Enter or Shift+Enter; Alt+Up brings back earlier commands."""

    _esm = Path(__file__).with_name("prompt.js")
    value = traitlets.Unicode("").tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)
    history = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Console(widgets.VBox):
    """A queue manager to choose, a prompt, and the reply; `act(call)` makes the call and returns its result.

    `run()` runs what the prompt holds.
    """

    def __init__(self, lab: Lab, act: Callable) -> None:
        use_main_thread()
        self.lab, self.act = lab, act
        self.qmgr = widgets.Dropdown(options=[], **labeled("queue manager", width="auto", min_width="210px"))
        self.qmgr.tooltip = "The queue manager that runs the commands"
        self.prompt = Prompt()
        self.button = button("run").add_class(CALLS)
        self.earlier = button("earlier", "Bring back the previous command (Alt+Up in the prompt)")
        self.reply = html(max_height="260px", overflow="auto")
        self.button.on_click(lambda _: self.run())
        self.earlier.on_click(lambda _: self._back())
        self.prompt.on_msg(lambda _, content, __: self._told(content))
        self.prompt.observe(lambda _: self._name_call(), "value")
        self.qmgr.observe(lambda _: self._name_call(), "value")
        hint = html(words("Ctrl+Enter runs", "hint"))
        super().__init__([self.prompt, row(self.qmgr, self.button, self.earlier, hint), self.reply])
        self.add_class("mqlab-console")
        self._place = 0
        self.refresh()

    @property
    def call(self) -> Call | None:
        """The Call that the button makes, None without a queue manager or a command."""
        text = self.prompt.value.strip()
        return on_qmgr(self.qmgr.value, "mqsc", text) if text and self.qmgr.value else None

    def refresh(self) -> None:
        """List the queue managers that there are now."""
        _offer(self.qmgr, {qmgr.name: qmgr.name for qmgr in self.lab.queue_managers})
        self._mqsc = bool(self.lab.queue_managers or not self.lab.everyplace_queue_managers)
        self.prompt.placeholder = "DISPLAY QLOCAL(*) CURDEPTH" if self._mqsc else "MQ Everyplace has no MQSC commands"
        self._name_call()

    def run(self, text: str | None = None) -> None:
        """Run commands, those in the prompt if none are given, and show the reply; LabError for text that is none."""
        require("text", text, str | None, "MQSC commands")
        self.prompt.value = self.prompt.value if text is None else text
        if (call := self.call) is None:
            such = "Type a command above, such as " if self._mqsc else ""
            self.show(words(f"{such}{self.prompt.placeholder}.", ""))
            return
        self.prompt.history = [*self.prompt.history, call.arguments[0]][-KEPT:]
        self._place = 0
        reply = self.act(call)
        if reply is not None:
            self.show(reply._repr_mimebundle_()["text/html"])

    def _told(self, content: dict) -> None:
        """A message of the page: the text of the prompt, and "run" if it should run."""
        if "run" in content:
            self.run(content["run"])
        elif "text" in content:
            self.prompt.value = content["text"]

    def show(self, markup: str) -> None:
        """Show an answer in the place of the last one."""
        self.reply.value = f'<div class="mqlab-answer" role="status">{markup}</div>'

    def _back(self) -> None:
        history = self.prompt.history
        if history:
            self._place = min(self._place + 1, len(history))
            self.prompt.value = history[-self._place]

    def _name_call(self) -> None:
        self.button.tooltip = str(self.call or "lab[...].mqsc(...)")


def _offer(choice: widgets.Dropdown, values: dict[str, Any]) -> None:
    """Let a dropdown offer these values by their labels; the value chosen stays if it is offered, else the first is."""
    if tuple(values.items()) != choice.options:
        before = choice.value
        choice.options = tuple(values.items())
        choice.value = before if before in values.values() else next(iter(values.values()), None)


class Faults(widgets.VBox):
    """The switches of a lab; `act(call)` is what a button does with its Call. `refresh` after anything changed."""

    def __init__(self, lab: Lab, act: Callable) -> None:
        self.lab, self.act = lab, act
        self.rows: dict[tuple[str, str], _Row] = {}
        self.queue = widgets.Dropdown(options=[], **labeled("queue", width="auto"))
        self.queue.tooltip = "The local queue to inhibit"
        self.puts, self.gets = Press(act, "inhibit puts"), Press(act, "inhibit gets")
        self.state = lab.state()
        self.queue.observe(lambda _: self._show_queue(), "value")
        super().__init__()
        self.add_class("mqlab-faults")
        self.refresh()

    def refresh(self, state: State | None = None) -> None:
        """Show the switches of the objects that exist now, as they are in a replayed state, now if None."""
        self.state = state or self.lab.state()
        wanted = switches(self.lab, self.state)
        keys = [(switch.kind, switch.name) for switch in wanted]
        if keys != list(self.rows) or not self.children:
            self.rows = {key: self.rows.get(key) or _Row(self.act) for key in keys}
            self._lay_out(keys)
        for key, switch in zip(keys, wanted, strict=True):
            self.rows[key].show(switch)
        places = [(qmgr.name, queue.name) for qmgr in self.lab.queue_managers for queue in qmgr.queues]
        offered = {f"{name} of {qmgr}": (qmgr, name) for qmgr, name in places if not name.startswith("SYSTEM.")}
        _offer(self.queue, offered)
        self._show_queue()

    def _lay_out(self, keys: list) -> None:
        parts: list[widgets.Widget] = []
        for kind, group in groupby(keys, key=itemgetter(0)):
            parts += [heading(kind, 4), *(self.rows[key] for key in group)]
        buttons = widgets.HBox([self.puts, self.gets], layout=_ROW)
        self.children = [*parts, heading("Queues", 4), self.queue, buttons]

    def _show_queue(self) -> None:
        place, buttons = self.queue.value, (self.puts, self.gets)
        for button in buttons:
            button.disabled = place is None
        if place is not None:
            for button, switch in zip(buttons, queue_switches(place[0], place[1], self.state), strict=True):
                button.show(*switch)


_ROW = widgets.Layout(align_items="center", flex_flow="row nowrap")


class Press(widgets.Button):
    """A button that does its Call and has it as its tooltip."""

    def __init__(self, act: Callable, label: str = "") -> None:
        super().__init__(description=label, layout=widgets.Layout(width="auto", flex="0 0 auto"))
        self.call: Call | None = None
        self.add_class(CALLS)
        self.on_click(lambda _: act(self.call))

    def show(self, label: str, call: Call) -> Press:
        """Do this call from now on; the button itself."""
        self.call, self.description, self.tooltip = call, label, str(call)
        return self


class _Row(widgets.HBox):
    """The name, the state, and the buttons of one switch."""

    def __init__(self, act: Callable) -> None:
        self.act, self.label = act, widgets.HTML(layout=widgets.Layout(flex="1 1 auto", min_width="0"))
        self.buttons: list[Press] = []
        super().__init__([self.label], layout=_ROW)

    def show(self, switch: Switch) -> None:
        """Show a switch as it is now; a button keeps its place, so that the keyboard keeps its focus."""
        mark, sign = ("broken", "✗") if switch.broken else ("fine", "✓")
        state = f'<span class="state {mark}">{sign} {escape(switch.state)}</span>'
        self.label.value = words(f"{escape(switch.name)} {state}", "switch")
        while len(self.buttons) < len(switch.calls):
            self.buttons.append(Press(self.act))
        for button, (label, call) in zip(self.buttons, switch.calls, strict=False):
            button.show(label, call)
        shown = (self.label, *self.buttons[: len(switch.calls)])
        if getattr(self, "children", ()) != shown:
            self.children = shown
