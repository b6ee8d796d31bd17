"""Single points of failure: the routes that no longer deliver if a part of an estate is down, and the proof on a lab.

A part is a queue manager, a sending channel, or a link. A route within one queue manager is not counted.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..engine.programs.channels.channel import SENDING
from ..engine.words.errors import LabError, MQError
from ..engine.words.lexer import as_name
from ..topology.graph import key_of
from .answers import Answer
from .proofs import lab_of
from .routes import DELIVERS, Route, Senders, route, routes_of, senders_of

if TYPE_CHECKING:
    from .definitions import Definitions

SECONDS = 60
"""A message of a proof has so much simulated time to arrive."""


class Breaks(Answer):
    """The routes that break if a part is down, or the parts that break routes.

    The rows of a part are the queue manager and the name of a put, the queue where its messages arrived, and whether a
    lab proved that they arrive with the part and not without; the queue that loses most routes is first. Without a part
    the rows are the parts and their numbers of routes.
    """

    rows: list[tuple] = []
    objects: list[str] = []

    def __init__(self, estate: Definitions, title: str, columns: tuple[str, ...], rows: list[tuple], keys: list[str]):
        super().__init__(estate)
        self.title, self.columns, self.rows, self.objects, self.failed = title, columns, rows, keys, bool(rows)


def breaks(estate: Definitions, part: str = "") -> Breaks:
    """The routes that no longer deliver without a part, or all parts that routes need; LabError for another part."""
    parts, needed = _parts(estate), depending(estate)
    if not part:
        counts = ((name, len(needed[name])) for name in parts if name in needed)
        rows = sorted(counts, key=lambda row: (-row[1], row[0]))
        keys = [name for name, _ in rows if " - " not in name]
        return Breaks(estate, f"{len(rows)} single points of failure", ("part", "routes"), rows, keys)
    same = {part, " - ".join(sorted(part.split(" - ")))}
    named = [key for key in parts if not same.isdisjoint((key, key.replace("channel:", ""), key.partition(":")[2]))]
    if len(named) != 1:
        raise LabError(
            f'part must be a queue manager, a sending channel such as "QM1/TO.QM2", or a link such as "QM1 - QM2"; got '
            f"{part!r}" + (f", which may be {' or '.join(named)}" if named else "")
        )
    routes = needed.get(named[0], [])
    proved = _arrived(estate, routes, ("", "", "")) - _arrived(estate, routes, parts[named[0]])
    ends = ["{1} of {0}".format(*broken.end) for broken in routes]
    found = [(broken.at, broken.name, ends[number], number in proved) for number, broken in enumerate(routes)]
    found.sort(key=lambda row: (-ends.count(row[2]), row[2]))
    words = "1 route no longer delivers" if len(found) == 1 else f"{len(found)} routes no longer deliver"
    title = f"If {named[0]} is down, {words}; a lab proved {len(proved)}"
    objects = dict.fromkeys(key for broken in routes for key in broken.objects)
    return Breaks(estate, title, ("qmgr", "name", "delivered to", "proved"), found, list(objects))


def depending(estate: Definitions) -> dict[str, list[Route]]:
    """The routes between queue managers that need each part, and each other object on the way, by its key."""
    senders = senders_of(estate)
    several = any(qmgr.group is not None for qmgr in estate.queue_managers)  # another member may send instead
    needed: dict[str, list[Route]] = {}
    for whole in routes_of(estate).values():
        qmgrs = list(dict.fromkeys((whole.at, *(hop.qmgr for hop in whole.hops))))
        if whole.verdict == DELIVERS and len(qmgrs) > 1:
            links = [" - ".join(sorted(ends)) for ends in pairwise(qmgrs)]
            for key in dict.fromkeys((*qmgrs, *links, *whole.objects)):
                fresh = Senders(senders)  # without the tails that routes have in common
                down = frozenset([key])
                if not several or route(estate, whole.name, whole.at, fresh, down=down).verdict != DELIVERS:
                    needed.setdefault(key, []).append(whole)
    return needed


def _parts(estate: Definitions) -> dict[str, tuple[str, ...]]:
    """The parts: key -> queue manager, the other end of the link or "", and the channel or ""."""
    parts: dict[str, tuple[str, ...]] = {name: (name, "", "") for name in estate.names}
    for qmgr in estate.queue_managers:
        for channel in qmgr.objects.match(("CHANNEL",)):
            if channel.attributes["CHLTYPE"] in SENDING:
                parts[key_of(qmgr, "CHANNEL", channel.name)] = (qmgr.name, "", channel.name)
    links = (sorted(link.names) for link in estate.lab.network.paths)
    return parts | {" - ".join(ends): (ends[0], ends[1], "") for ends in links}


def _arrived(estate: Definitions, routes: list[Route], part: tuple[str, ...]) -> set[int]:
    """The routes, by number, of which a message arrives on a new lab without a part, as `_parts` has it."""
    lab, (qmgr, other, channel) = lab_of(estate), part
    for at, command in dict.fromkeys(start for broken in routes for start in broken.starts):
        lab[at].mqsc(command)
    if other:
        lab.cut(qmgr, other)
    elif channel:
        lab[qmgr].mqsc(f"STOP CHANNEL({as_name(channel)})")
    elif qmgr:
        lab[qmgr].stop()
    sent: dict[Any, int] = {}
    for number, broken in enumerate(routes):
        try:
            sent[lab[broken.at].put(broken.name, b"a message").number] = number
        except MQError:  # at the queue manager that is down
            continue
    lab.advance(SECONDS)
    ends = {(row.message, row.object) for row in lab.events.where(kind="put") if not row.reason}
    return {number for message, number in sent.items() if (message, routes[number].end[1]) in ends}
