"""The actions on a lab that a person can choose, as data: calls with their labels, and the current faults."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from ...engine.explain.replay import State
from ...engine.programs.channels.channel import MOVING
from ...engine.words.errors import LabError, MQError, ProgramDied, RunawayTrigger
from ...engine.words.lexer import as_name
from ...engine.words.templates import filled
from ...everyplace import MQeError
from ..cards.tables import table
from ..drawing.topology import link_key
from ..frames.moments import Lab
from ..text import escape

REFUSALS = (MQError, MQeError, LabError, ProgramDied, RunawayTrigger)


def html_of(result: Any) -> str:
    """The card of a result or of a refusal, as HTML; its text if it has no card, and "" for None."""
    if isinstance(result, str):
        return "".join(f"<p>{escape(line)}</p>" for line in result.splitlines())
    shown = getattr(result, "_repr_mimebundle_", None)
    return shown()["text/html"] if shown else "" if result is None else escape(repr(result))


class Call(NamedTuple):
    """A call of a method of a lab, or of what `of` leads to from there: called with a lab it makes the call.

    `flag` is a keyword that is True.

    >>> print(Call("cut", ("NORTH", "HUB")))
    lab.cut('NORTH', 'HUB')
    >>> print(on_qmgr("QM1", "mqsc", "DISPLAY QMGR"))
    lab['QM1'].mqsc('DISPLAY QMGR')
    """

    method: str
    arguments: tuple = ()
    of: str | int | None = None
    flag: str = ""

    def __call__(self, lab):
        if isinstance(self.of, str):
            receiver = lab[self.of]
        else:
            receiver = lab if self.of is None else lab.queue_sharing_groups[self.of]
        return getattr(receiver, self.method)(*self.arguments, **({self.flag: True} if self.flag else {}))

    def __str__(self):
        arguments = [*map(repr, self.arguments), *([f"{self.flag}=True"] if self.flag else [])]
        of = "" if self.of is None else f".queue_sharing_groups[{self.of}]"
        of = f"[{self.of!r}]" if isinstance(self.of, str) else of
        return f"lab{of}.{self.method}({', '.join(arguments)})"

    @property
    def words(self) -> str:
        """The effect of the call, in words.

        >>> Call("cut", ("NORTH", "HUB")).words
        'the link between NORTH and HUB is cut'
        """
        if self.method == "mqsc":
            return f"{' '.join(str(self.arguments[0]).split())} at {self.of}"
        one, other = (*self.arguments, "", "")[:2]
        words = _WORDS.get(f"{self.method} {self.flag}".strip())
        return filled(words, {"one": one, "other": other, "of": self.of}) if words else str(self)


_WORDS: dict[str, str] = tomllib.loads(files(__package__).joinpath("calls.toml").read_text("utf-8"))


def on_qmgr(name: str, method: str, *arguments: Any) -> Call:
    """A call of a method of a queue manager."""
    return Call(method, arguments, name)


class Switch(NamedTuple):
    """Something that can be broken and repaired: its `id` in the picture, its `state` in words, whether that is a
    fault, and for each of its buttons a label and a Call."""

    id: str
    kind: str
    name: str
    state: str
    broken: bool
    calls: tuple[tuple[str, Call], ...]


def switches(lab: Lab, state: State) -> list[Switch]:
    """The switches of a lab in a replayed state; queues are chosen one at a time, `queue_switches`."""
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
        *(_program(*place) for qmgr in lab.queue_managers for place in _running(qmgr, state)),
        *(_group(number, group) for number, group in enumerate(lab.queue_sharing_groups)),
    ]


def _link(names: tuple[str, str], state: State) -> Switch:
    up = state.links.get(names, True)
    cuts = ("cut", Call("cut", names)), ("fall silent", Call("cut", names, flag="silent"))
    calls = cuts if up else (("restore", Call("restore", names)),)
    return Switch(link_key(*names), "Links", " - ".join(names), "up" if up else "cut", not up, calls)


def _qmgr(qmgr: Any, runs: bool) -> Switch:
    verbs = ["stop" if runs else "start"]
    if runs and getattr(qmgr, "platform", "") == "zos":
        verbs.append("fail")
    calls = tuple((verb, on_qmgr(qmgr.name, verb)) for verb in verbs)
    return Switch(qmgr.name, "Queue managers", qmgr.name, "running" if runs else "stopped", not runs, calls)


def _channel(qmgr: str, name: str, state: State) -> Switch:
    known = {now for (at, channel, _), now in state.channels.items() if (at, channel) == (qmgr, name)}
    now = min(known, key=lambda each: (each == "INACTIVE", each), default="INACTIVE")
    calls = tuple((verb.lower(), on_qmgr(qmgr, "mqsc", f"{verb} CHANNEL({name})")) for verb in ("START", "STOP"))
    broken = now in ("STOPPED", "RETRYING")
    return Switch(f"{qmgr}/channel:{name}", "Channels", f"{name} of {qmgr}", now, broken, calls)


def _running(qmgr: Any, state: State) -> list[tuple[str, str]]:
    """The programs that run on a queue manager in a state, other than its channels and its agent."""
    channels = {definition.name for definition in qmgr.objects.match(("CHANNEL",))} | {"IGQ.AGENT"}
    return [place for place, n in state.programs.items() if n and place[0] == qmgr.name and place[1] not in channels]


def _program(qmgr: str, name: str) -> Switch:
    calls = (("stop", on_qmgr(qmgr, "stop_program", name)),)
    return Switch(f"{qmgr}/app:{name}", "Programs", f"{name} of {qmgr}", "running", False, calls)


def _group(number: int, group: Any) -> Switch:
    failed = [structure.name for structure in group.structures.values() if structure.failed]
    state = f"{', '.join(failed)} failed" if failed else "usable"
    calls = (("fail", Call("fail_coupling_facility", (), number)), ("recover", Call("recover", (), number)))
    return Switch(group.name, "Coupling facilities", f"of {group.name}", state, bool(failed), calls)


def queue_switches(qmgr: str, queue: str, state: State) -> list[tuple[str, Call]]:
    """For a local queue the labels and calls that inhibit or allow puts and gets."""
    told = state.queue(qmgr, queue).attributes
    found = []
    for attribute, verb in (("PUT", "puts"), ("GET", "gets")):
        enabled = told.get(attribute, "ENABLED") == "ENABLED"
        to = "DISABLED" if enabled else "ENABLED"
        call = on_qmgr(qmgr, "mqsc", f"ALTER QLOCAL({as_name(queue)}) {attribute}({to})")
        found.append((f"{'inhibit' if enabled else 'allow'} {verb}", call))
    return found


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
    why no message?: lab['QM1'].why_no_message('ORDERS')
    why not triggered?: lab['QM1'].why_not_triggered('ORDERS')
    inhibit puts: lab['QM1'].mqsc('ALTER QLOCAL(ORDERS) PUT(DISABLED)')
    inhibit gets: lab['QM1'].mqsc('ALTER QLOCAL(ORDERS) GET(DISABLED)')
    """
    owner, _, name = id.partition("/")
    wanted = owner if "/structure:" in id else id
    if id.startswith("link:"):
        wanted = link_key(*id.removeprefix("link:").split("|"))
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
    if kind != "QLOCAL":
        return found
    asked = (("why no message?", "why_no_message"), ("why not triggered?", "why_not_triggered"))
    return [
        *found,
        *((words, on_qmgr(qmgr.name, of, name)) for words, of in asked),
        *queue_switches(qmgr.name, name, state),
    ]


QUIET = ("kind", "qmgr", "name", "x", "y")  # attributes of a node that its heading says


def described(lab: Lab, id: str) -> tuple[str, str, bool] | None:
    """The heading of an object of the picture, the HTML of its attributes, and whether it is a queue of a queue
    manager; None for no object."""
    graph = lab.topology()
    if not id or (id not in graph and not id.startswith("link:")):
        return None
    node = graph.nodes[id] if id in graph else {"kind": "link", "name": id.removeprefix("link:").replace("|", " - ")}
    told = [(word, str(value)) for word, value in node.items() if word not in QUIET and value not in ("", None)]
    name = f"{node.get('name', id)} ({node['kind']}{' of ' + node['qmgr'] if 'qmgr' in node else ''})"
    owners = {each.name for each in lab.queue_managers}
    is_queue = node["kind"] == "queue" and ":" not in id and node["qmgr"] in owners
    return name, table("", ("Attribute", "Value"), told) if told else "", is_queue


def traffic_call(id: str, rate: float, seconds: float) -> Call:
    """The call that sends steady traffic to a queue of the picture; LabError if it is no queue.

    >>> print(traffic_call("QM1/ORDERS", 2.0, 30))
    lab['QM1'].traffic('ORDERS', 2.0, 30)
    """
    owner, slash, name = id.partition("/")
    if not slash or ":" in name:
        raise LabError(f"Choose a queue to send messages to; got {id!r}. Click a queue in the picture")
    return on_qmgr(owner, "traffic", name, rate, seconds)
