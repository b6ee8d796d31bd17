"""Traffic for an estate: a line for each queue that programs put to, and what becomes of the messages on a lab."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.programs.channels.channel import CALLING, Channel
from ..engine.programs.program import Program
from ..engine.queues.application import Application
from ..engine.queues.reports import UNDELIVERED
from ..engine.words.constants import REASONS
from ..engine.words.errors import LabError, MQError, visible
from ..engine.words.whys import why_of
from ..engine.world.event import Event
from ..engine.world.event_kinds import CHANGES_DEPTH, is_dead_letter
from ..lab.lab import Lab
from ..views.text import plural, thousands
from .answers import Answer
from .definitions import Definitions, Part
from .routes import DEAD_LETTERED, DELIVERS, Route, partner_by_name, route, routes_of

if TYPE_CHECKING:
    from .findings import Finding

KEPT_WHOLE = True
"""Ctrl-C takes effect after a step of the clock, as in the engine: `mqlab.engine.world.interrupts`."""
_CODE = re.compile(r"\d{4}\b|AMQ9\d{3}[A-Z]")
"""A reason, or the message of a channel that ends, at the beginning of what a proof shows."""


class Figure(NamedTuple):
    """The part of a run that is about a finding: whether its fault showed, and a sentence without its full stop."""

    showed: bool
    said: str


Look = Callable[["Finding", Counter], str]
"""From a finding and the counts of its places: the symptom in words, "" if it is not there."""


def _fails(one: Finding, counts: Counter) -> str:
    """The calls, or the starts of a channel, that failed as they do in the proof."""
    found = _CODE.match(one.proof.shows) if one.proof else None  # text: what a program shows
    many = counts[found[0]] if found else 0
    if not found or not many:
        return ""
    if found[0].isdigit():
        return f"{plural(many, 'call')} failed with {found[0]} ({REASONS[int(found[0])]})"
    return f"the channel ended with {found[0]} {plural(many, 'time')}"


def _stays(one: Finding, counts: Counter) -> str:
    """The messages of a queue that none has left."""
    if not counts["messages"] or counts["left"]:
        return ""
    return f"{plural(counts['messages'], 'message')} arrived, and none was sent"


def _comes_back(one: Finding, counts: Counter) -> str:
    """The poison that a reader backed out."""
    if not counts["poison"] or not counts["backouts"]:
        return ""
    poison, gets = thousands(counts["poison"]), plural(counts["backouts"], "get was", "gets were")
    return f"{plural(counts['messages'], 'message')} arrived, {poison} of them poison; {gets} backed out"


def _undelivered(one: Finding, counts: Counter) -> str:
    """The puts to a dead-letter queue that failed."""
    many = counts["failed_puts"]
    return f"{plural(many, 'put')} of undeliverable messages failed" if many else ""


def _expired(one: Finding, counts: Counter) -> str:
    """The messages that had expired at the end of the run, and were still there."""
    many = counts["expired"]
    return f"{plural(many, 'expired message')} still on the queues at the end" if many else ""


SYMPTOMS: dict[str, tuple[Look, ...]] = {
    "alias-target": (_fails,),
    "backout-queue-": (_comes_back,),
    "backout-without-": (_comes_back,),
    "channel-": (_fails, _stays),
    "dead-letter-": (_undelivered,),
    "default-xmitq-": (_fails,),
    "expiry-scan-off": (_expired,),
    "persistence-refused": (_fails,),
    "queue-": (_fails,),
    "remote-": (_fails,),
    "xmitq-disabled": (_fails, _stays),
    "xmitq-short": (_fails,),
    "xmitq-two-channels": (_fails,),
    "xmitq-": (_stays,),
}
"""How the ids of checks begin -> how their faults show, and further symptoms; the first id that fits counts.
Traffic cannot show the faults of other checks."""


def figure_of(one: Finding, time: str, places: Sequence[Counter], comes: bool) -> Figure:
    """The figure of a finding in a run; a fault shows if its symptom is there, at its object or behind it.

    `places` are the counts of its object, and of those behind it on the ways of messages; `comes` is whether any
    message reaches it.
    """
    looks = next((symptom for begins, symptom in SYMPTOMS.items() if one.check.startswith(begins)), ())
    told = [look(one, sum(places, Counter())) for look in looks]
    if told and told[0]:
        return Figure(True, f"in {time}, {'; '.join(filter(None, told))}")
    why = "traffic cannot show such a fault" if not looks else "" if comes else "no message reached it"
    return Figure(False, f"the run of {time} did not show it{f': {why}' if why else ''}")


SECOND = 1_000_000
HOUR, DAY = 3600, 86_400
START = "2025-01-06T00:00:00Z"
MOST = 1_000_000
"""Messages that one call puts in this process; Spark puts more."""
SLICE_MESSAGES = 50_000
"""A slice is an hour, or the time of about so many messages if that is shorter."""

PLAYED, FLOWS = 10_000, 8
"""The most messages of a lab that is played, and the most queues of traffic that nobody wrote."""

WRITER, READER = "TRAFFIC.WRITER", "TRAFFIC.READER"
POISON = b"POISON".ljust(24, b"\0")
"""The CorrelId of a poison message."""
BACKOUT_THRESHOLD_REACHED = 2362
AGAIN = 1.0
"""How long a reader waits before it gets a poison message again that nothing takes, in seconds."""

_UNITS = {"second": 1, "minute": 60, "hour": HOUR, "day": DAY, "s": 1, "min": 60, "h": HOUR}
_NUMBER, _PER = r"(\d[\d,]*(?:\.\d+)?)", r"\s+an?\s+(second|minute|hour|day)"
_FIRST = re.compile(rf"([A-Za-z0-9._/%]+)(?:\s+at\s+([A-Za-z0-9._/%]+))?\s+{_NUMBER}{_PER}")
_CLAUSES = {
    "poison": re.compile(rf"{_NUMBER}\s*%\s+poison"),
    "expiry": re.compile(rf"expiry\s+{_NUMBER}\s*(s|min|h)"),
    "size": re.compile(rf"{_NUMBER}\s+bytes"),
    "persistent": re.compile("(persistent)"),
    "reads": re.compile(rf"read\s+{_NUMBER}{_PER}"),
}
_LIMITS = {
    "rate": (0.001, 10_000, "messages a second"),
    "poison": (0, 100, "% poison"),
    "expiry": (0.1, 99_999_999, "s of expiry"),
    "size": (0, 104_857_600, "bytes"),
    "reads": (0, 10_000, "messages read a second"),
}


class Flow(NamedTuple):
    """A line of traffic: the queue and its queue manager, messages a second, the percentage of poison, expiry in
    seconds, bytes, persistence, and messages that the reader can read a second. None is the queue's default, no expiry,
    and a reader that takes no time."""

    queue: str
    at: str
    rate: float
    poison: float = 0
    expiry: float | None = None
    size: float = 100
    persistent: bool | None = None
    reads: float | None = None


def flows_of(estate: Definitions, text: str) -> list[Flow]:
    """The lines of a text as flows; empty lines and lines that begin with # are left out.

    `QUEUE [at QMGR] N a second|minute|hour|day`, then in any order, after commas, `N % poison`, `expiry N s|min|h`,
    `N bytes`, `persistent`, and `read N a second|minute|hour|day`. LabError for another line, and for a queue that the
    estate does not define, or that leads to a topic or back to itself.
    """
    found: dict[tuple[str, str], Flow] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.strip().startswith("#"):
            flow = _flow(estate, line.strip().removesuffix(","), f"line {number}: ")
            if found.setdefault((flow.at, flow.queue), flow) is not flow:
                raise LabError(f"line {number}: a queue must have one line; got {flow.queue} at {flow.at} again")
    if not found:
        raise LabError(f"traffic must have a line for a queue, such as ORDERS 50 a second, 5 % poison; got {text!r}")
    return list(found.values())


def _flow(estate: Definitions, line: str, where: str) -> Flow:
    """One line as a flow."""
    first, *clauses = re.split(r",\s+|,(?!\d{3}(?!\d))", line)  # not the comma of a number
    begins = _FIRST.fullmatch(first)
    if begins is None:
        raise LabError(
            f"{where}a line must begin with a queue and its rate, such as ORDERS 50 a second, or ORDERS at QM1 50 a "
            f"second; got {first!r}"
        )
    name, at, number, unit = begins.groups()
    values: dict[str, Any] = {"rate": _value("rate", number, unit, where)}
    for clause in clauses:
        key, match = next(((key, hit) for key, form in _CLAUSES.items() if (hit := form.fullmatch(clause))), ("", None))
        if match is None or key in values:
            raise LabError(
                f"{where}a clause must be 5 % poison, expiry 60 s, 2000 bytes, persistent, or read 60 a second, each "
                f"at most once; got {clause!r}"
            )
        number, unit = (*match.groups(), "")[:2]
        values[key] = key == "persistent" or _value(key, number, unit, where)
    having = [one.name for one in estate.queue_managers if one.objects.named("QLOCAL", name) is not None]
    if (at and at not in having) or not having:
        raise LabError(f"{where}queue must be one that the estate defines{f' at {at}' * bool(at)}; got {name!r}")
    if not at and len(having) > 1:
        raise LabError(f"{where}{name} must have its queue manager, such as {name} at {having[0]}; got none")
    at = at or having[0]
    way = route(estate, name, at)
    if any(hop.kind == "TOPIC" for hop in way.hops):
        raise LabError(f"{where}queue must not lead to a topic; got {name!r}. Name the queues of its subscriptions")
    if way.loops:
        raise LabError(f"{where}queue must not lead back to itself; got {name!r}. Fix its route first (route-loops)")
    return Flow(name, at, **values)


def _value(key: str, number: str, unit: str, where: str) -> float:
    """A number of a line, in seconds, bytes, percent, or messages a second."""
    value, (low, high, what) = float(number.replace(",", "")), _LIMITS[key]
    value = value * _UNITS[unit] if key == "expiry" else value / _UNITS.get(unit, 1)
    if not low <= value <= high:
        raise LabError(f"{where}{what} must be from {low:g} to {thousands(high)}; got {value:g}")
    return value


FATES = {
    "got": "got",
    "expired": "expired",
    "discarded": "discarded",
    "set_aside": "on backout queue",
    "dead": "dead-lettered",
    "refused": "refused",
    "lost": "lost",
    "waiting": "waiting",
}
"""The fates of messages, and the headings of their columns: read; expired but still on its queue; discarded after it
expired; put on the backout queue by the reader, or on a dead-letter queue, whatever becomes of it there; refused to the
program that puts it; lost; anywhere else, such as on a queue."""

_NUMBERS = {"messages": "messages", "poison": "poison", "backed_out": "backed out", **FATES, "peak": "peak depth"}
"""The numbers of a flow, and the headings of their columns."""


Counts = dict[tuple, Counter]
"""(queue manager, object) -> counts, and (queue manager, name, "flow") -> counts of a flow by fate."""


class Traffic(Answer):
    """The fates of the messages of some traffic: a row for each flow, whose columns from `got` to `waiting` add up to
    its messages. `poison` counts the messages that are poison, `backed out` those that a reader backed out once or
    more, `peak depth` the most messages on the queue at which the route ends.

    Each of the `slices` is a lab of its own that starts from rest. `lab` is the lab of the only slice, else None.
    """

    what = "Flows"
    columns = ("queue", "at", *_NUMBERS.values())

    def __init__(
        self, estate: Definitions, flows: Sequence[Flow], seconds: float, slices: int, counts: Counts, lab: Lab | None
    ):
        super().__init__(estate)
        self.flows, self.seconds, self.slices, self.lab = tuple(flows), seconds, slices, lab
        self._counts = counts

    @property
    def title(self) -> str:  # type: ignore[override]
        """How many messages in which time."""
        messages = sum(row[2] for row in self.rows)
        in_slices = f", in {self.slices} slices" * (self.slices > 1)
        return f"Traffic of {_time(self.seconds)}: {plural(messages, 'message')}{in_slices}"

    @property
    def rows(self) -> list[tuple]:
        """A row for each flow."""
        found = [(flow, self._counts[flow.at, flow.queue, "flow"]) for flow in self.flows]
        return [(flow.queue, flow.at, *(counts[name] for name in _NUMBERS)) for flow, counts in found]

    @property
    def facts(self) -> dict[str, Any]:
        """The time, and the number of slices."""
        return {"seconds": self.seconds, "slices": self.slices}

    @property
    def objects(self) -> list[str]:
        """The objects on the routes of its flows."""
        routes = [route(self._estate, flow.queue, flow.at) for flow in self.flows]
        return list(dict.fromkeys(key for each in routes for key in each.objects))

    @property
    def lines(self) -> list[str]:
        """A line for each flow, in words."""
        lines = []
        for row in self.rows:
            queue, at, many, *_ = row
            found = {name: thousands(number) for name, number in zip(_NUMBERS, row[2:], strict=True) if number}
            among = [f"{found[name]} {_NUMBERS[name]}" for name in ("poison", "backed_out") if name in found]
            fates = [f"{found[name]} {fate}" for name, fate in FATES.items() if name in found]
            most = [f"at most {found['peak']} at once"] if "peak" in found else []
            told = "; ".join([", ".join(fates) or "none", *most])
            among_them = f" ({', '.join(among)})" * bool(among)
            lines.append(f"{queue} at {at}: {plural(many, 'message')}{among_them}: {told}")
        return lines

    def __str__(self) -> str:
        return visible("\n  ".join([self.title, *self.lines]))

    def figure(self, one: Finding) -> Figure:
        """The result of the run for a finding, if there is one."""
        lab, own = self._estate.lab, (one.qmgr, one.name)
        qmgr = lab[one.qmgr]
        if one.check.startswith("dead-letter-") and one.kind == "QMGR":
            own = (one.qmgr, qmgr.attributes["DEADQ"])
        behind: dict[tuple[str, str], None] = {own: None}
        channel = qmgr.objects.get("CHANNEL", one.name) if one.kind == "CHANNEL" else None
        if channel is not None and channel.attributes.get("XMITQ"):
            behind[one.qmgr, channel.attributes["XMITQ"]] = None
        for way in self._ways:
            if one.kind == "QMGR" and way[0][0] == one.qmgr and one.check.startswith("default-"):
                behind[way[0]] = None
            elif own in way and one.kind in ("QALIAS", "QREMOTE"):
                behind.update(dict.fromkeys(way[way.index(own) :]))
        comes = any(own in way or (one.kind == "QMGR" and one.qmgr in dict(way)) for way in self._ways)
        places = [_at(self._counts, lab, *place) for place in behind]
        return figure_of(one, _time(self.seconds), places, comes or bool(places[0]["messages"]))

    @cached_property
    def _ways(self) -> list[list[tuple[str, str]]]:
        """The objects on the route of each flow."""
        routes = [(flow, route(self._estate, flow.queue, flow.at)) for flow in self.flows]
        ways = [[(hop.qmgr, hop.name) for hop in each.hops if hop.kind != "QMGR"] for _, each in routes]
        return [[(flow.at, flow.queue), *way] for (flow, _), way in zip(routes, ways, strict=True)]

    def figures(self, findings: Iterable[Finding]) -> list[tuple[Finding, str]]:
        """The findings whose fault showed in the run, each with a sentence that has its counts."""
        found = ((one, self.figure(one)) for one in findings)
        return [(one, f"{one.said}; {figure.said}") for one, figure in found if figure.showed]


def _time(seconds: float) -> str:
    """A time in words."""
    return {HOUR: "an hour", DAY: "a day"}.get(int(seconds), f"{thousands(round(seconds))} s")


class Slices(NamedTuple):
    """How traffic is run: its flows on the scripts of an estate, the seed, the length in microseconds, and how many
    slices there are."""

    parts: tuple[Part, ...]
    flows: tuple[Flow, ...]
    seed: int
    length_us: int
    slices: int

    def lab(self, number: int) -> tuple[Lab, Counts]:
        """Slice `number` (from 0): a lab after it, and what it counts."""
        lab = Lab(seed=self.seed, start=START)
        return lab, _count(lab, *self.run(lab, number))

    def run(self, lab: Lab, number: int = 0) -> tuple[int, Sequence[Flow], list[Route], list[dict[int, bool]]]:
        """Run slice `number` in an empty lab, which is at rest when the slice begins, and whose clock shows the time of
        the whole traffic: the first row after the definitions, the flows, their routes, and what each put."""
        begin, end = (self.length_us * each // self.slices for each in (number, number + 1))
        lab.advance_to(begin)
        names = [(flow.queue, flow.at) for flow in self.flows]
        first, routes = at_work(self.parts, names, lab)
        ends: dict[tuple[str, str], list[float | None]] = {}
        for flow, each in zip(self.flows, routes, strict=True):
            if each.verdict == DELIVERS and flow.reads != 0:
                ends.setdefault(each.end, []).append(flow.reads)
        for (at, name), reads in ends.items():
            pause = 0 if None in reads else 1 / sum(read or 0 for read in reads)
            Program(lab[at], READER, _read, (name, pause, end))
        put: list[dict[int, bool]] = []
        for place, flow in enumerate(self.flows):
            put.append({})
            rng = Random(f"{self.seed}/{number}/{place}")
            Program(lab[flow.at], WRITER, _write, (flow, rng, end, put[-1]))
        lab.advance_to(end)
        return first, self.flows, routes, put


def at_work(parts: Sequence[Part], names: Sequence[tuple[str, str]], lab: Lab) -> tuple[int, list[Route]]:
    """Define scripts in an empty lab, and start what an operator starts: the first row after the definitions, and the
    routes of names, each (name, queue manager)."""
    estate = Definitions(parts, lab=lab)
    _give_addresses(estate)
    first, routes = len(lab.events), [route(estate, name, at) for name, at in names]
    for qmgr, command in dict.fromkeys(start for each in routes for start in each.starts):
        lab[qmgr].mqsc(command)
    return first, routes


def _give_addresses(estate: Definitions) -> None:
    """Let each CONNAME of the estate lead to the queue manager that routes read in it, if they all read the same."""
    meant: dict[str, set[str]] = {}
    for qmgr in estate.queue_managers:
        for one in estate.own(qmgr, "CHANNEL"):
            if one.attributes["CHLTYPE"] in CALLING and one.attributes["CONNAME"]:
                called = partner_by_name(Channel(qmgr, one), one.attributes.get("XMITQ", ""))
                meant.setdefault(one.attributes["CONNAME"].partition(",")[0].strip(), set()).add(called)
    for conname, names in meant.items():
        if len(names) == 1 and "" not in names:
            estate.lab.address(conname, *names)


def slices_of(
    estate: Definitions, text: str, seconds: float, seed: int, most: float, flows: Sequence[Flow] = ()
) -> Slices:
    """Traffic in slices, of a text or of flows; LabError for a time that is not more than 0, or for more than `most`
    messages."""
    flows = flows or flows_of(estate, text)
    messages = sum(flow.rate for flow in flows) * seconds
    if not seconds > 0 or messages > most:
        raise LabError(
            f"seconds must be more than 0, with at most {thousands(int(most))} messages in all; got {seconds!r} s, "
            f"{thousands(round(messages))} messages"
        )
    slices = max(1, -(-seconds // HOUR), -(-messages // SLICE_MESSAGES))
    return Slices(estate.parts, tuple(flows), seed, round(seconds * SECOND), int(slices))


def added(counted: Iterable[Counts]) -> Counts:
    """The counts of several slices as one: sums, and the highest peak depth."""
    whole: Counts = {}
    for counts in counted:
        for key, more in counts.items():
            known = whole.setdefault(key, Counter())
            peak = max(known["peak"], more["peak"])
            known.update(more)
            known["peak"] = peak
    return whole


def traffic(estate: Definitions, text: str, seconds: float = 60, seed: int = 0) -> Traffic:
    """Run traffic on labs with the estate in them: see `Estate.traffic`."""
    run = slices_of(estate, text, seconds, seed, MOST)
    lab, counted = None, []
    for number in range(run.slices):
        if lab is not None:
            lab.close()
        lab, counts = run.lab(number)
        counted.append(counts)
    return Traffic(estate, run.flows, seconds, run.slices, added(counted), lab if run.slices == 1 else None)


def play(estate: Definitions, text: str = "", seconds: float = 60, seed: int = 0) -> Lab:
    """Run traffic in a lab with an event log: see `Estate.play`."""
    run = slices_of(estate, text, seconds, seed, PLAYED, () if text else of_its_own(estate))._replace(slices=1)
    lab = Lab(seed=seed)
    lab.play(run.run)
    return lab


def of_its_own(estate: Definitions) -> list[Flow]:
    """Traffic of 6 messages a minute for at most FLOWS names that no other route leads to, and whose messages end on a
    queue: those of other queue managers, if there are any. Raises LabError if there is no such name."""
    ends = {key: each for key, each in routes_of(estate).items() if each.verdict in (DELIVERS, DEAD_LETTERED)}
    ways = {key: [(hop.qmgr, hop.name) for hop in each.hops] for key, each in ends.items()}
    inner = {hop for key, way in ways.items() for hop in way if hop != key}
    topics = {key for key, each in ends.items() if each.loops or any(hop.kind == "TOPIC" for hop in each.hops)}
    names = sorted(ways.keys() - inner - topics, key=lambda key: (-len(dict(ways[key])), key))
    names = [key for key in names if len(dict(ways[key])) > 1] or names
    if not names:
        raise LabError("traffic must have a line for a queue, because no route of this estate ends on one; got none")
    return [Flow(name, at, 0.1) for at, name in names[:FLOWS]]


def _write(app: Application, flow: Flow, rng: Random, end_us: int, put: dict[int, bool]) -> None:
    """Put the messages of a flow, at random moments; those that are refused have numbers below 0."""
    lab, size = app.qmgr.lab, int(flow.size)
    expiry = -1 if flow.expiry is None else round(flow.expiry * 10)
    while lab.now_us + (pause := exponential(rng) / flow.rate) * SECOND < end_us:
        lab.advance(pause)
        poison = rng.random() * 100 < flow.poison
        correl_id = POISON if poison else None
        body = f"{flow.queue} {len(put) + 1}".encode()[:size].ljust(size)
        try:
            message = app.put(flow.queue, body, expiry=expiry, persistent=flow.persistent, correl_id=correl_id)
            put[message.number] = poison
        except MQError:
            put[-1 - len(put)] = poison  # its row says why


def _read(app: Application, queue: str, pause: float, end_us: int) -> None:
    """Get and commit until the end; back out poison until BOTHRESH, then set it aside, else get it again."""
    lab, has = app.qmgr.lab, app.qmgr.objects.get("QLOCAL", queue).attributes
    try:
        handle = app.open(queue, input="shared" if has["SHARE"] else "exclusive")
        while lab.now_us < end_us:
            unit = app.unit_of_work()
            message: Any = handle.get((end_us - lab.now_us) / SECOND, unit=unit)
            lab.advance(pause)
            times, poison = has["BOTHRESH"], message.correl_id == POISON
            if not poison or (0 < times <= message.backout_count and _set_aside(app, message, has["BOQNAME"], unit)):
                unit.commit()
                continue
            unit.backout()
            if not message.backout_count < times:
                lab.advance(AGAIN)
    except MQError:
        return  # nothing came until the end, or its row says why the reader cannot read


def _set_aside(app: Application, message: Any, boq: str, unit: Any) -> bool:
    """Put a poison message on the backout queue, else on the dead-letter queue; whether that worked."""
    if boq:
        same = {name: getattr(message, name) for name in ("expiry", "priority", "persistent", "correl_id")}
        try:
            app.put(boq, message.body, unit=unit, **same)
        except MQError:
            pass  # its row says why
        else:
            return True
    return app.reject(message, BACKOUT_THRESHOLD_REACHED, unit=unit).outcome != UNDELIVERED


def _count(lab: Lab, first: int, flows: Sequence[Flow], routes: Sequence[Route], put: list[dict[int, bool]]) -> Counts:
    """The counts of a slice, from the rows of its log."""
    numbers = {number: poison for each in put for number, poison in each.items()}
    fates = dict.fromkeys(numbers, "waiting")
    counts: Counts = {}
    deadlines: dict[int, tuple[int, str]] = {}  # message -> when it expires, and the queue manager that has it
    held: dict[int | None, list] = {}  # unit of work of a reader -> the message that it got, and its fate
    backed_out: set[int] = set()
    for row in lab.events[first:]:
        if row.message is not None and row.object and row.kind in CHANGES_DEPTH:
            _count_object(counts.setdefault((row.qmgr, row.object), Counter()), row, bool(numbers.get(row.message)))
        elif row.reason is not None or row.kind == "channel":
            _count_failure(counts, row)
        if row.program == READER and row.kind == "put" and row.uow in held:
            if row.message is not None:
                held[row.uow][1] = "dead" if is_dead_letter(row) else "set_aside"
        elif row.kind == "commit" and row.uow in held:
            number, fates[number] = held.pop(row.uow)
        elif row.message in fates:
            _follow(row, fates, deadlines, held, backed_out)
    for number, (deadline, at) in deadlines.items():
        if fates[number] == "waiting" and deadline <= lab.now_us:
            fates[number] = "expired"
            counts.setdefault((at, ""), Counter())["expired"] += 1
    for flow, each, mine in zip(flows, routes, put, strict=True):
        found = counts[flow.at, flow.queue, "flow"] = Counter(fates[number] for number in mine if number > 0)
        found["messages"], found["poison"] = len(mine), sum(mine.values())
        found["refused"], found["backed_out"] = sum(number < 0 for number in mine), len(backed_out & mine.keys())
        found["peak"] = _at(counts, lab, *each.end)["peak"]
    return counts


def _at(counts: Counts, lab: Lab, qmgr: str, name: str) -> Counter:
    """The counts of a queue, which are those of the queue sharing group if it is shared."""
    group = lab[qmgr].group
    return counts.get((qmgr, name)) or (group and counts.get((group.name, name))) or Counter()


def _count_object(counts: Counter, row: Event, poison: bool) -> None:
    """Add a row to the counts of its queue."""
    arrives = row.kind in ("put", "report")
    counts["messages"] += arrives
    counts["poison"] += arrives and poison
    counts["backouts"] += row.kind == "restore"
    counts["left"] += (row.kind == "get") - (row.kind == "restore")
    counts["peak"] = max(counts["peak"], row.depth or 0)


def _count_failure(counts: Counts, row: Event) -> None:
    """Add a call that failed to the counts of its object, or a channel that ended to those of the channel."""
    here = counts.setdefault((row.qmgr, row.object or ""), Counter())
    if row.reason is not None:
        here[str(row.reason)] += 1
        here["failed_puts"] += row.kind == "put"
    elif code := ended_with(row):
        here[code] += 1


def ended_with(row: Event) -> str:
    """The message of the error log with which a row ends a channel, such as AMQ9520E; "" for any other row."""
    facts = row.facts if row.kind == "channel" and row.detail else {}
    why = why_of(facts) if "was" in facts else None
    return "" if why is None else why.code


def _follow(row: Event, fates: dict, deadlines: dict, held: dict, backed_out: set) -> None:
    """Follow a message by one row."""
    number = row.message
    if fates[number] == "dead" and row.kind != "undo":
        return
    if row.kind in ("put", "report"):
        fates[number] = "dead" if is_dead_letter(row) else "waiting"
        if row.expiry_left is not None:
            deadlines[number] = row.time_us + row.expiry_left * SECOND // 10, row.qmgr or ""
    elif row.kind == "get" and row.program == READER:
        held[row.uow] = [number, "got"]
    elif row.kind == "restore" and row.program == READER:
        held.pop(row.uow, None)
        backed_out.add(number)
    elif row.kind == "undo":
        fates[number] = "waiting"
    elif row.kind in ("discard", "reject", "lost", "clear"):
        fates[number] = fate = "discarded" if row.kind == "discard" else "lost"
        for each in held.values():
            if each[0] == number:  # the reader holds it
                each[1] = fate


def exponential(rng: Random) -> float:
    """A draw from the exponential distribution with mean 1, by von Neumann's method.

    Runs of falling uniform numbers stand for the logarithm, whose last digit differs between machines.
    """
    whole = 0
    while True:
        first = last = rng.random()
        length = 1
        while (following := rng.random()) < last:
            last, length = following, length + 1
        if length % 2:
            return whole + first
        whole += 1
