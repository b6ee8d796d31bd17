"""Controls of the panel: calls as data, the MQSC console, and the fault switches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import anywidget
import ipywidgets as widgets
import traitlets

from ...explain.replay import State
from ...mq.errors import LabError
from ...programs.channels.channel import MOVING
from ..frames.moments import Lab
from ..text import escape
from ..theme import style_sheet


def sheet() -> widgets.HTML:
    """The style sheet of a panel, once for all of its parts."""
    return widgets.HTML(f"<style>{style_sheet('.mqlab-panel', 'panel.css')}</style>", layout=widgets.Layout(margin="0"))


def words(html: str, kind: str) -> str:
    """HTML in a line of its own; what comes from the lab is escaped already."""
    return f'<div class="mqlab-words {kind}">{html}</div>'


def heading(title: str, level: int = 3) -> widgets.HTML:
    """A heading of a part of the panel."""
    return widgets.HTML(f"<h{level}>{escape(title)}</h{level}>", layout=widgets.Layout(margin="0"))


def button(label: str, tip: str = "") -> widgets.Button:
    """A button as wide as its words."""
    return widgets.Button(description=label, tooltip=tip, layout=widgets.Layout(width="auto"))


def row(*children: widgets.Widget) -> widgets.HBox:
    """Controls beside each other, over several lines if need be."""
    return widgets.HBox(children, layout=widgets.Layout(align_items="center", flex_flow="row wrap"))


class Call(NamedTuple):
    """A call of a method of a lab, or of what `of` leads to from there: called with a lab it makes the call.

    >>> print(Call("cut", ("NORTH", "HUB")))
    lab.cut('NORTH', 'HUB')
    >>> print(on_qmgr("QM1", "mqsc", "DISPLAY QMGR"))
    lab['QM1'].mqsc('DISPLAY QMGR')
    """

    method: str
    arguments: tuple = ()
    of: str | int | None = None

    def __call__(self, lab):
        if isinstance(self.of, str):
            receiver = lab[self.of]
        else:
            receiver = lab if self.of is None else lab.queue_sharing_groups[self.of]
        return getattr(receiver, self.method)(*self.arguments)

    def __str__(self):
        of = "" if self.of is None else f".queue_sharing_groups[{self.of}]"
        of = f"[{self.of!r}]" if isinstance(self.of, str) else of
        return f"lab{of}.{self.method}({', '.join(map(repr, self.arguments))})"


def on_qmgr(name: str, method: str, *arguments: Any) -> Call:
    """A call of a method of a queue manager."""
    return Call(method, arguments, name)


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

    def __init__(self, lab: Lab, act: Callable) -> None:
        self.lab, self.act = lab, act
        self.qmgr = widgets.Dropdown(
            options=[],
            description="queue manager",
            style={"description_width": "initial"},
            layout=widgets.Layout(width="auto", min_width="210px"),
        )
        self.qmgr.tooltip = "The queue manager that answers"
        self.prompt = Prompt(placeholder="DISPLAY QLOCAL(*) CURDEPTH")
        self.button = button("run")
        self.earlier = button("earlier", "Bring back the command before (Alt+Up in the prompt)")
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
    def call(self) -> Call | None:
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


class Switch(NamedTuple):
    """Something that can be broken and mended: its `state` in words, whether that is a fault, and for each of its
    buttons a label and a Call."""

    kind: str
    name: str
    state: str
    broken: bool
    calls: tuple[tuple[str, Call], ...]


def switches(lab: Lab, state: State) -> list[Switch]:
    """The switches of a lab, as they stand in a replayed state; queues are chosen one at a time, `queue_switches`."""
    return [
        *(_link(path.names, state) for path in lab.network.paths),
        *(_qmgr(qmgr, state.running.get(qmgr.name, True)) for qmgr in lab.queue_managers),
        *(_qmgr(qmgr, qmgr.running) for qmgr in lab.everyplace_queue_managers),
        *(
            _channel(qmgr.name, definition.name, state)
            for qmgr in lab.queue_managers
            for definition in qmgr.objects.match(("CHANNEL",))
            if not definition.name.startswith("SYSTEM.") and definition.attributes["CHLTYPE"] in MOVING
        ),
        *(_group(number, group) for number, group in enumerate(lab.queue_sharing_groups)),
    ]


def _link(names: tuple[str, str], state: State) -> Switch:
    up = state.links.get(names, True)
    call = ("cut", Call("cut", names)) if up else ("restore", Call("restore", names))
    return Switch("Links", " - ".join(names), "up" if up else "cut", not up, (call,))


def _qmgr(qmgr: Any, runs: bool) -> Switch:
    verbs = ["stop" if runs else "start"]
    if runs and getattr(qmgr, "platform", "") == "zos":
        verbs.append("fail")
    calls = tuple((verb, on_qmgr(qmgr.name, verb)) for verb in verbs)
    return Switch("Queue managers", qmgr.name, "running" if runs else "stopped", not runs, calls)


def _channel(qmgr: str, name: str, state: State) -> Switch:
    known = {now for (at, channel, _), now in state.channels.items() if (at, channel) == (qmgr, name)}
    now = min(known, key=lambda each: (each == "INACTIVE", each), default="INACTIVE")
    calls = tuple((verb.lower(), on_qmgr(qmgr, "mqsc", f"{verb} CHANNEL({name})")) for verb in ("START", "STOP"))
    return Switch("Channels", f"{name} of {qmgr}", now, now in ("STOPPED", "RETRYING"), calls)


def _group(number: int, group: Any) -> Switch:
    failed = [structure.name for structure in group.structures.values() if structure.failed]
    state = f"{', '.join(failed)} failed" if failed else "usable"
    calls = (("fail", Call("fail_coupling_facility", (), number)), ("recover", Call("recover", (), number)))
    return Switch("Coupling facilities", f"of {group.name}", state, bool(failed), calls)


def queue_switches(qmgr: str, queue: str, state: State) -> list[tuple[str, Call]]:
    """For a local queue the labels and calls that inhibit or allow puts and gets."""
    told = state.queue(qmgr, queue).attributes
    found = []
    for attribute, verb in (("PUT", "puts"), ("GET", "gets")):
        enabled = told.get(attribute, "ENABLED") == "ENABLED"
        to = "DISABLED" if enabled else "ENABLED"
        call = on_qmgr(qmgr, "mqsc", f"ALTER QLOCAL({_quoted(queue)}) {attribute}({to})")
        found.append((f"{'inhibit' if enabled else 'allow'} {verb}", call))
    return found


def _quoted(name: str) -> str:
    return name if name.upper() == name and "%" not in name else f"'{name}'"


class Faults(widgets.VBox):
    """The switches of a lab; `act(call)` is what a button does with its Call. `refresh` after anything changed."""

    def __init__(self, lab: Lab, act: Callable) -> None:
        self.lab, self.act = lab, act
        self.rows: dict[tuple[str, str], _Row] = {}
        self.queue = widgets.Dropdown(
            options=[], description="queue", style={"description_width": "initial"}, layout=widgets.Layout(width="auto")
        )
        self.queue.tooltip = "The local queue to inhibit"
        self.puts, self.gets = _Press(self._press), _Press(self._press)
        self.puts.description, self.gets.description = "inhibit puts", "inhibit gets"
        self.state = lab.state()
        self.queue.observe(lambda _: self._show_queue(), "value")
        super().__init__()
        self.add_class("mqlab-faults")
        self.refresh()

    def refresh(self, state: State | None = None) -> None:
        """Show the switches as they are in a replayed state, now if None; new objects get theirs, deleted ones lose
        theirs."""
        self.state = state or self.lab.state()
        wanted = switches(self.lab, self.state)
        keys = [(switch.kind, switch.name) for switch in wanted]
        if keys != list(self.rows):
            self.rows = {key: self.rows.get(key) or _Row(self._press) for key in keys}
            self._lay_out(keys)
        for key, switch in zip(keys, wanted, strict=True):
            self.rows[key].show(switch)
        self._list_queues()

    def _lay_out(self, keys: list) -> None:
        parts, last = [], None
        for key in keys:
            if key[0] != last:
                parts.append(heading(key[0], 4))
                last = key[0]
            parts.append(self.rows[key])
        buttons = widgets.HBox([self.puts, self.gets], layout=_ROW)
        self.children = [*parts, heading("Queues", 4), self.queue, buttons]

    def _list_queues(self) -> None:
        names = [
            (f"{queue.name} of {qmgr.name}", (qmgr.name, queue.name))
            for qmgr in self.lab.queue_managers
            for queue in qmgr.queues
            if not queue.name.startswith("SYSTEM.")
        ]
        if names != list(self.queue.options):
            before = self.queue.value
            self.queue.options = names
            places = [place for _, place in names]
            self.queue.value = before if before in places else next(iter(places), None)
        if not self.children:
            self._lay_out([])
        self._show_queue()

    def _show_queue(self) -> None:
        place = self.queue.value
        for button in (self.puts, self.gets):
            button.disabled = place is None
        if place is not None:
            calls = queue_switches(place[0], place[1], self.state)
            for button, (label, call) in zip((self.puts, self.gets), calls, strict=True):
                button.show(label, call)

    def _press(self, call: Call) -> None:
        self.act(call)


_ROW = widgets.Layout(align_items="center", flex_flow="row nowrap")


class _Press(widgets.Button):
    """A button that does its Call and has it as its tooltip."""

    def __init__(self, press):
        super().__init__(layout=widgets.Layout(width="auto", flex="0 0 auto"))
        self.call: Call | None = None
        self.on_click(lambda _: press(self.call))

    def show(self, label: str, call: Call) -> None:
        """Do this call from now on."""
        self.call, self.description, self.tooltip = call, label, str(call)


class _Row(widgets.HBox):
    """One switch: its name, its state, and its buttons."""

    def __init__(self, press):
        self.press, self.label = press, widgets.HTML(layout=widgets.Layout(flex="1 1 auto", min_width="0"))
        self.buttons: list[_Press] = []
        super().__init__([self.label], layout=_ROW)

    def show(self, switch: Switch) -> None:
        """Show a switch as it is now; a button keeps its place, so that the keyboard keeps its focus."""
        mark = "broken" if switch.broken else "fine"
        sign = "✗" if switch.broken else "✓"
        state = f'<span class="state {mark}">{sign} {escape(switch.state)}</span>'
        self.label.value = words(f"{escape(switch.name)} {state}", "switch")
        while len(self.buttons) < len(switch.calls):
            self.buttons.append(_Press(self.press))
        for button, (label, call) in zip(self.buttons, switch.calls, strict=False):
            button.show(label, call)
        shown = (self.label, *self.buttons[: len(switch.calls)])
        if getattr(self, "children", ()) != shown:
            self.children = shown
