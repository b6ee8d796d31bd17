"""A game day: incidents in an estate of one's own, from its scripts or dumps, whose faults the doctor can repair.

The programs are those of `Estate.play`: one puts orders to each name at which a route begins, and a reader at the end
of the route gets them, which confirms them. A fault fits an estate if the business notices it, if it leaves a trace
that was not there before, and if a fix of the doctor's, with the start of its channels, repairs it in few commands.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from string import Template
from typing import Any, NamedTuple

from ...engine.words.arguments import checked
from ...engine.words.errors import LabError
from ...engine.words.lexer import as_name
from ...estates import estate as estates
from ...estates.definitions import Part
from ...estates.findings import Finding, findings
from ...estates.routes import DELIVERS, Hop, Route, route
from ...estates.traffic import at_work, of_its_own
from ...lab.lab import Lab
from ...views.text import capital, escape, plural
from ...views.theme import on_paper, style_sheet
from .estate import Business, Estate, Fault, Flow, commands
from .incident import Incident

COMMANDS, PLACES = 8, 3
"""The most commands of an expert, and at how many places a fault of a kind is tried."""
EVERY_S, HEALTHY_S = 20, 300
"""The seconds between the orders of a program, and those in which the estate must do well without a fault."""


@dataclass(frozen=True)
class OwnEstate(Estate):
    """An estate of one's own: its scripts, whose queue managers are built as traffic of estates builds them."""

    parts: tuple[Part, ...] = ()

    def build(self, lab: Lab) -> Business:
        """Build it in an empty lab, and start its programs."""
        at_work(self.parts, [(flow.queue, flow.qmgr) for flow in self.flows], lab)
        return Business(lab, self)


class Spot(NamedTuple):
    """A place of a route at which a fault can be planted: its kind, which is end, xmitq, sender, or receiver, the
    object, the program, the sending channel, None for an end, and each channel of the route with whether it sends."""

    kind: str
    hop: Hop
    flow: Flow
    sender: Hop | None
    channels: tuple[tuple[Hop, bool], ...]


@cache
def _faults() -> dict[str, dict[str, Any]]:
    """What faults.toml has: the texts `about` all faults, and the `kinds` of faults by their keys."""
    return tomllib.loads(files(__package__).joinpath("faults.toml").read_text("utf-8"))


class GameDay:
    """The incidents of an estate of one's own; `paths` and `settings` are those of `mqlab.estates.read`.

    Nothing of the scripts leaves this process. LabError for scripts that cannot be read, and for an estate without a
    route that ends on a queue.
    """

    def __init__(self, paths: str | Path | Sequence, **settings: Any) -> None:
        read = estates.read(paths, **settings)
        routes = [route(read, flow.queue, flow.at) for flow in of_its_own(read)]
        pairs = [(way, Flow(f"{way.name} at {way.at}", way.at, "WRITER", way.name, "", EVERY_S))
                 for way in routes if way.verdict == DELIVERS]  # fmt: skip
        if not pairs:
            raise LabError("an estate must have a route that delivers, for its programs; got none")
        flows = tuple(flow for _, flow in pairs)
        ends = enumerate(dict.fromkeys(way.end for way, _ in pairs), 1)
        readers = [{"qmgr": qmgr, "program": f"READER{number}", "reads": name} for number, (qmgr, name) in ends]
        first = paths if isinstance(paths, str | Path) else next(iter(paths))
        self.estate = OwnEstate(
            Path(str(first)).resolve().stem,
            title="an estate of your own",
            about=_faults()["about"]["text"].format(names=", ".join(flow.who for flow in flows)),
            queue_managers={},
            flows=flows,
            servers=readers,
            faults=(),
            parts=read.parts,
        )
        with closing(Lab()) as lab:
            business = self.estate.build(lab)
            lab.advance(HEALTHY_S)
            ill = {each.flow.who for each in business.health(0) if not each.well}
            self._usual = {one.identity for one in findings(estates.from_lab(lab))}
        self.estate = replace(self.estate, flows=tuple(flow for flow in flows if flow.who not in ill))
        spots = (spot for way, flow in pairs if flow.who not in ill for spot in _spots(way, flow))
        self._spots = list({(spot.kind, spot.hop.qmgr, spot.hop.name): spot for spot in spots}.values())
        self._lab = read.lab

    def incident(self, seed: int = 0, fault: Fault | None = None) -> Incident:
        """The incident of a seed, or of one of its faults. LabError if no fault fits the estate."""
        chosen = fault or next(self.faults(seed), None)
        if chosen is None:
            raise LabError(f"a fault must fit the estate {self.estate.name}; the doctor can repair none on its routes")
        return Incident(seed, replace(self.estate, faults=(chosen,)))

    def faults(self, seed: int = 0) -> Iterator[Fault]:
        """The faults that fit the estate, one of each kind, in an order that the seed chooses."""
        kinds = _faults()["kinds"]
        for key in Random(f"game day {seed}").sample(sorted(kinds), len(kinds)):
            yield from islice(self._fitting(key, seed), 1)

    def _fitting(self, key: str, seed: int) -> Iterator[Fault]:
        """The faults of a kind that fit, at the places of the estate in some order."""
        spots = [spot for spot in self._spots if spot.kind == _faults()["kinds"][key]["place"]]
        for spot in Random(f"{key} {seed}").sample(spots, min(PLACES, len(spots))):
            fault = self._checked(_draft(key, spot, self._lab), seed, spot)
            if fault is not None:
                yield fault

    def _checked(self, draft: Fault, seed: int, spot: Spot) -> Fault | None:
        """The fault with the doctor's repair; None if it does not fit."""
        try:
            trial = self._trial(draft, seed)
        except LabError:
            return None  # a command is refused here: the object is of another kind or platform
        with closing(trial.lab):
            well = all(each.well for each in trial.business.health(trial.planted_us))
            if well or not trial.left_behind or trial.business.destroyed(trial.planted_us):
                return None
            new = [one for one in findings(estates.from_lab(trial.lab)) if one.identity not in self._usual]
        for fix in (*(one for one in new if one.fix), None):
            repair = self._repair(draft, seed, fix, spot)
            if repair:
                why = f"{capital(fix.said)}." if fix else draft.why
                return replace(draft, repair=repair, why=why)
        return None

    def _trial(self, fault: Fault, seed: int) -> Incident:
        return Incident(seed, replace(self.estate, faults=(fault,)))

    def _repair(self, draft: Fault, seed: int, fix: Finding | None, spot: Spot) -> str:
        """The cells that repair a fault, a fix and then the channels that do not run; "" if they do not repair it."""
        trial, cells = self._trial(draft, seed), []
        trial.recorded = False
        _typed(trial, draft.looks)
        if fix is not None:
            cells.append(f"%%mqsc {fix.fix_at}\n{fix.fix}")
            _typed(trial, cells[-1])
        for qmgr, channel in _asleep(trial.lab, spot):
            cells.append(f"%%mqsc {qmgr}\nSTART CHANNEL({as_name(channel)})")
            _typed(trial, cells[-1])
        if cells and trial.commands <= COMMANDS:
            trial.close()
        trial.lab.close()
        return "\n".join(cells) if trial.state == "repaired" and not trial.wide else ""


@checked
def leader_page(incident: Incident, command: str = "mqlab incident") -> str:
    """A page to print for the leader of a game day: the hour, the fault, and its repair; `command` starts a console."""
    fault = incident.fault

    def table(rows: Iterable[tuple[str, ...]]) -> str:
        return "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)

    return Template(files(__package__).joinpath("leader.html").read_text("utf-8")).substitute(
        title=escape(f"A game day on {incident.estate.name}"),
        style=style_sheet(".mqlab-leader") + on_paper(".mqlab-leader"),
        seed=incident.seed,
        qmgrs=escape(plural(len(incident.qmgrs), "queue manager")),
        command=escape(command),
        pager=escape(incident.pager),
        why=escape(fault.why),
        trace=table((*place, ", ".join(said)) for place, said in incident.left_behind.items()),
        hints="".join(f"<li>{escape(each)}</li>" for each in fault.hints),
        expert=table(fault.expert),
    )


def _typed(trial: Incident, text: str) -> None:
    for qmgr, command in commands(text):
        trial.run(qmgr, command)


def _draft(key: str, spot: Spot, lab: Lab) -> Fault:
    """A fault at a place, without its repair."""
    kind, texts, (_, hop, flow, sender, _) = _faults()["kinds"][key], _faults()["about"], spot
    channel = lab[hop.qmgr].objects.get("CHANNEL", hop.name) if hop.kind == "CHANNEL" else None
    fields = {
        "name": hop.name,
        "qmgr": hop.qmgr,
        "who": flow.who,
        "channel": sender.name if sender else "",
        "type": channel.attributes["CHLTYPE"] if channel else "",
        "object": "channel" if channel else "queue",
    }
    idle = f"%%mqsc {sender.qmgr}\nSTOP CHANNEL({as_name(sender.name)}) STATUS(INACTIVE)\n" if sender else ""
    return Fault(
        f"{key} {hop.qmgr} {hop.name}",
        idle * kind.get("idle", False) + f"%%mqsc {hop.qmgr}\n{kind['broken'].format(**fields)}",
        "",
        f"%%mqsc {hop.qmgr}\nDISPLAY {'CHANNEL' if channel else 'QUEUE'}({as_name(hop.name)}) ALL",
        tuple(each.format(**fields) for each in texts["hints"]),
        kind.get("why", "").format(**fields),
    )


def _spots(way: Route, flow: Flow) -> Iterator[Spot]:
    """The spots of a route at which faults can be planted."""
    hops = way.hops
    senders = [number for number, (hop, after) in enumerate(pairwise(hops)) if hop.kind == after.kind == "CHANNEL"]
    channels = tuple(
        (hops[index], sends) for number in senders for index, sends in ((number + 1, False), (number, True))
    )
    for number in senders:
        for kind, index in (("xmitq", number - 1), ("sender", number), ("receiver", number + 1)):
            yield Spot(kind, hops[index], flow, hops[number], channels)
    if hops and hops[-1].kind == "QLOCAL":
        yield Spot("end", hops[-1], flow, None, channels)


def _asleep(lab: Lab, spot: Spot) -> Iterator[tuple[str, str]]:
    """The channels of a route that an operator must start, each judged when it is asked for."""
    for hop, sends in spot.channels:
        rows = lab[hop.qmgr].mqsc(f"DISPLAY CHSTATUS({as_name(hop.name)})").rows
        states = {row["STATUS"] for row in rows}
        if "STOPPED" in states or (sends and "RUNNING" not in states):
            yield hop.qmgr, hop.name
