"""A clicked object of the picture: its attributes, and its calls as buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from ...explain.replay import State
from ...mq.errors import LabError
from ..cards.tables import table
from ..frames.moments import Lab
from ..text import escape
from .controls import Call, Press, button, heading, html, link_id, on_qmgr, queue_switches, row, switches, words

HINT = "Click an object in the picture, or a line between two queue managers, to see its attributes and its actions."
QUIET = ("kind", "qmgr", "name", "x", "y")  # attributes of a node that its heading says


def calls_on(lab: Lab, id: str, state: State, body: str = "a message") -> list[tuple[str, Call]]:
    """The actions on an object of the picture (by its id there, "link:A|B" for a link), each with its label.

    >>> from mqlab import Lab
    >>> lab = Lab()
    >>> reply = lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(ORDERS)")
    >>> for label, call in calls_on(lab, "QM1/ORDERS", lab.state()):
    ...     print(f"{label}: {call}")
    put: lab['QM1'].put('ORDERS', b'a message')
    get: lab['QM1'].get('ORDERS')
    browse: lab['QM1'].browse('ORDERS')
    inhibit puts: lab['QM1'].mqsc('ALTER QLOCAL(ORDERS) PUT(DISABLED)')
    inhibit gets: lab['QM1'].mqsc('ALTER QLOCAL(ORDERS) GET(DISABLED)')
    """
    owner, _, name = id.partition("/")
    wanted = owner if "/structure:" in id else id
    if id.startswith("link:"):
        wanted = link_id(*id.removeprefix("link:").split("|"))
    found = [call for each in switches(lab, state) if each.id == wanted for call in each.calls]
    qmgr = next((each for each in lab.queue_managers if each.name == owner), None)
    if found or qmgr is None or not name or ":" in name:
        return found
    return _queue_calls(qmgr, name, state, body)


def _queue_calls(qmgr: Any, name: str, state: State, body: str) -> list[tuple[str, Call]]:
    kind = getattr(qmgr.targets.get(name), "kind", "")
    found = [("put", on_qmgr(qmgr.name, "put", name, body.encode()))]
    if kind in ("QLOCAL", "QALIAS"):
        found += [("get", on_qmgr(qmgr.name, "get", name)), ("browse", on_qmgr(qmgr.name, "browse", name))]
    return found + (queue_switches(qmgr.name, name, state) if kind == "QLOCAL" else [])


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
        graph = self.lab.topology()
        if not id or (id not in graph and not id.startswith("link:")):
            self.children = (html(words(HINT, "hint")),)
            return
        node = (
            graph.nodes[id] if id in graph else {"kind": "link", "name": id.removeprefix("link:").replace("|", " - ")}
        )
        told = [(word, str(value)) for word, value in node.items() if word not in QUIET and value not in ("", None)]
        self.about.value = table("", ("Attribute", "Value"), told) if told else ""
        is_queue = (
            node["kind"] == "queue" and ":" not in id and any(q.name == node["qmgr"] for q in self.lab.queue_managers)
        )
        self._offer()
        name = f"{node.get('name', id)} ({node['kind']}{' of ' + node['qmgr'] if 'qmgr' in node else ''})"
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
        shown = getattr(result, "_repr_mimebundle_", None)
        self.answer.value = shown()["text/html"] if shown else "" if result is None else escape(repr(result))
        self.show(self.id)


def traffic_call(id: str, rate: float, seconds: float) -> Call:
    """The call that sends steady traffic to a queue of the picture; LabError if it is no queue.

    >>> print(traffic_call("QM1/ORDERS", 2.0, 30))
    lab['QM1'].traffic('ORDERS', 2.0, 30)
    """
    owner, slash, name = id.partition("/")
    if not slash or ":" in name:
        raise LabError(f"Choose a queue to send messages to; got {id!r}. Click a queue in the picture")
    return on_qmgr(owner, "traffic", name, rate, seconds)
