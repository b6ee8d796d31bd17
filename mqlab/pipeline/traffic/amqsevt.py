"""The reports that a real queue manager would have written on a lab's day: its event log as records of `amqsevt -o
json`.

For samples and exercises of reading instrumentation. Every class of event is written as if it were enabled (PERFMEV,
INHIBTEV, LOCALEV, REMOTEEV, STRSTPEV, CHLEV, STATQ); a queue is watched by its QDEPTHHI and QDEPTHLO in percent of
MAXDEPTH.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from ...engine.words.arguments import at_least, require
from ...engine.words.constants import REASONS
from ...engine.words.errors import LabError
from ...engine.words.whys import StopChannel, why_of
from ...engine.world.event import Event
from ...engine.world.events import EventLog
from ...formats.whole_file import whole

LAYOUTS = ("json", "json_compact", "json_array")
SECOND = 1_000_000
PERFORMANCE, MANAGER, CHANNEL, STATISTICS = (
    ("Perfm Event", 45, "PERFM.EVENT"),
    ("Queue Mgr Event", 44, "QMGR.EVENT"),
    ("Channel Event", 46, "CHANNEL.EVENT"),
    ("Statistics Queue", 165, "STATISTICS.QUEUE"),
)
FULL, HIGH, LOW = (2053, "Queue Full"), (2224, "Queue Depth High"), (2225, "Queue Depth Low")
ARMS = {FULL: {LOW}, HIGH: {FULL, LOW}, LOW: {FULL, HIGH}}  # what a depth event leaves armed
COUNTS = {"put": "puts", "report": "puts", "get": "gets", "browse": "browses"}
REFUSALS = (2001, 2016, 2051, 2082, 2085, 2087, 2091, 2092, 2184, 2196, 2197, 2198, 2199)
WHICH = {"xmitq": "xmitQueueName", "base": "baseObjectName"}
"""Key of a refusal's detail -> the field of its event."""
ENDS = {"INACTIVE": "Ok", "RETRYING": "Retry", "STOPPED": "Disabled"}
"""The states in which no agent runs, and the qualifier of Channel Stopped for each."""
NO_ERROR = {"errorIdentifier": 0, "auxErrorDataInt1": 0, "auxErrorDataInt2": 0} | {
    f"auxErrorDataStr{number}": "" for number in (1, 2, 3)
}


class _Watch:
    """The depth events of one queue: full and high disarm themselves and arm low, and low arms both again."""

    def __init__(self):
        self.most, self.high, self.low = 5000, 80, 20
        self.armed = {FULL, HIGH}
        self.since_us = self.deepest = self.put = self.got = 0

    def define(self, detail: dict) -> None:
        self.most = detail.get("MAXDEPTH", self.most)
        self.high, self.low = detail.get("QDEPTHHI", self.high), detail.get("QDEPTHLO", self.low)

    def due(self, row: Event) -> tuple[int, str] | None:
        """Count the event that this row causes, and return it, or None."""
        if row.depth is not None:
            self.deepest = max(self.deepest, row.depth)
        if row.kind == "put" and row.reason == FULL[0]:
            return self._fired(FULL)
        if row.reason is not None or row.message is None or row.depth is None:
            return None
        self.put += row.kind in ("put", "report")
        self.got += row.kind == "get"
        if row.kind in ("put", "report") and row.depth * 100 >= self.high * self.most:
            return self._fired(HIGH)
        if row.kind in ("get", "discard") and row.depth * 100 <= self.low * self.most:
            return self._fired(LOW)
        return None

    def _fired(self, event: tuple[int, str]) -> tuple[int, str] | None:
        if event not in self.armed:
            return None
        self.armed = ARMS[event]
        return event

    def data(self, row: Event) -> dict:
        """The counts since they were last reset, which resets them."""
        told = {
            "baseObjectName": row.object,
            "timeSinceReset": (row.time_us - self.since_us) // SECOND,
            "highQueueDepth": self.deepest,
            "msgEnqCount": self.put,
            "msgDeqCount": self.got,
        }
        self.since_us, self.deepest, self.put, self.got = row.time_us, row.depth or 0, 0, 0
        return told


def records(events: EventLog, interval: int = 1800) -> Iterator[dict]:
    """The records of a lab's event log in order of time, as amqsevt has them.

    `interval` is the time between queue statistics, in seconds (STATINT); the last one is cut short. LabError unless
    the interval is a whole number above 0.
    """
    require("interval", interval, int, "a whole number of seconds, 1 or more", at_least(1))
    start, statistics = datetime.fromisoformat(events.start), _Statistics(interval)
    watches: defaultdict[tuple, _Watch] = defaultdict(_Watch)
    channels = _Channels()
    born: dict[str | None, dict] = {}  # queue manager -> the facts from its start
    leads_to: dict[tuple, str] = {}  # (queue manager, alias) -> its TARGTYPE
    for row in events:
        moment = start + timedelta(microseconds=row.time_us)
        yield from statistics.until(row.time_us, start)
        if row.object_type == "QLOCAL":
            watch = watches[row.qmgr, row.object]
            if row.kind in ("define", "alter"):
                watch.define(dict(row.facts))
            due = watch.due(row)
            if due is not None:
                yield _record(PERFORMANCE, due, row.qmgr, moment, watch.data(row))
            statistics.count(row)
        elif row.object_type == "QALIAS" and "TARGTYPE" in (detail := row.facts):
            leads_to[row.qmgr, row.object] = detail["TARGTYPE"]
        if row.reason in REFUSALS and row.object:  # a dead letter without a DEADQ opens no queue
            name = re.sub(r"\bQ\b", "Queue", REASONS[row.reason].removeprefix("MQRC_").replace("_", " ").title())
            queue, at, elsewhere = (row.object or "").partition("@")
            platform, level = (born.get(row.qmgr, {}).get(key) for key in ("platform", "level"))
            told = {
                "queueName": queue,
                "applName": row.program or "",
                "applType": "Zos" if platform == "zos" else "Unix",
            }
            told |= {"objectQueueMgrName": elsewhere} if at else {}
            if row.reason == 2082 and (level or 0) >= 700:
                told["baseType"] = leads_to.get((row.qmgr, queue), "QUEUE").title()
            detail = row.facts
            told |= {field: detail[key] for key, field in WHICH.items() if key in detail}
            told |= {"queueType": detail["type"].removeprefix("Q").title()} if "type" in detail else {}
            yield _record(MANAGER, (row.reason, name), row.qmgr, moment, told)
        elif row.kind in ("start", "stop") and row.object is None:
            reason = (2222, "Queue Mgr Active") if row.kind == "start" else (2223, "Queue Mgr Not Active")
            if row.kind == "start":
                born[row.qmgr] = dict(row.facts)
            yield _record(MANAGER, reason, row.qmgr, moment, {})
        elif row.kind == "channel" and row.object_type == "CHANNEL":
            yield from channels.told(row, moment)
        elif row.kind in ("define", "alter") and row.object_type == "CHANNEL":
            channels.define(row)
    if len(events):
        yield from statistics.until(None, start)


class _Channels:
    """The channels of a lab: how each is defined, and the instances that run."""

    def __init__(self):
        self.definitions: defaultdict[tuple, dict] = defaultdict(dict)
        self.running: set[tuple] = set()

    def define(self, row: Event) -> None:
        self.definitions[row.qmgr, row.object] |= row.facts

    def told(self, row: Event, moment: datetime) -> Iterator[dict]:
        """Channel Started, Channel Stopped, and Channel Stopped By User: what a row brings about of these."""
        detail, about = row.facts, self.definitions[row.qmgr, row.object]
        instance = (row.qmgr, row.object, detail.get("partner"))
        state, why = detail.get("state"), why_of(detail)
        named, found = {"channelName": row.object}, []
        where = {"xmitQueueName": about["XMITQ"]} if about.get("XMITQ") else {}
        where["connectionName"] = about.get("CONNAME") or detail.get("partner", "")
        if "was" not in detail:
            return
        if state == "RUNNING" and instance not in self.running:
            self.running.add(instance)
            found.append(((2282, "Channel Started"), named | where))
        if state in ENDS and isinstance(why, StopChannel):
            user = {"reasonQualifier": "Channel Stopped Disabled"} | named
            found.append(((2279, "Channel Stopped By User"), user))
        if state in ENDS and instance in self.running:
            self.running.remove(instance)
            error = int(why.number, 16) if why is not None and why.code else 0
            ended = "Error" if error and state == "INACTIVE" else ENDS[state]
            told = {"reasonQualifier": f"Channel Stopped {ended}"} | named | NO_ERROR | where
            told |= {"errorIdentifier": 0x2000_0000 + error} if error else {}
            found.append(((2283, "Channel Stopped"), told))
        yield from (_record(CHANNEL, reason, row.qmgr, moment, data) for reason, data in found)


def _record(kind: tuple, reason: tuple[int, str], qmgr: str | None, moment: datetime, data: dict) -> dict:
    name, value, queue = kind
    epoch = int(moment.timestamp())
    return {
        "eventSource": {"objectName": f"SYSTEM.ADMIN.{queue}", "objectType": "Queue", "queueMgr": qmgr},
        "eventType": {"name": name, "value": value},
        "eventReason": {"name": reason[1], "value": reason[0]},
        "eventCreation": {"timeStamp": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "epoch": epoch},
        "eventData": {"queueMgrName": qmgr, **data},
    }


class _Statistics:
    """Counts of every queue by queue manager, written out at each interval's end."""

    def __init__(self, interval: int):
        self.length_us, self.begun_us, self.last_us = interval * SECOND, 0, 0
        self.queues: dict[tuple, dict] = {}

    def count(self, row: Event) -> None:
        """Take one row of a local queue into the counts."""
        if row.kind not in (*COUNTS, "discard") or row.depth is None:
            return
        self.last_us = row.time_us
        fresh: dict[str, Any] = {name: [0, 0] for name in ("puts", "gets", "browses")}
        fresh |= dict.fromkeys(("putsFailed", "getsFailed", "msgsExpired"), 0)
        fresh |= dict.fromkeys(("queueMinDepth", "queueMaxDepth"), row.depth)
        told = self.queues.setdefault((row.qmgr, row.object), fresh)
        told["queueMinDepth"] = min(told["queueMinDepth"], row.depth)
        told["queueMaxDepth"] = max(told["queueMaxDepth"], row.depth)
        if row.kind == "discard":
            told["msgsExpired"] += 1
        elif row.reason is not None and row.message is None:
            told["putsFailed" if row.kind == "put" else "getsFailed"] += 1
        else:
            told[COUNTS[row.kind]][bool(row.persistent)] += 1

    def until(self, time_us: int | None, start: datetime) -> Iterator[dict]:
        """The records of the intervals that have ended by `time_us`, or of the rest for None."""
        while self.queues and (time_us is None or time_us >= self.begun_us + self.length_us):
            end_us = self.begun_us + self.length_us if time_us is not None else self.last_us
            begin, end = (start + timedelta(microseconds=each) for each in (self.begun_us, end_us))
            edges, forms = (("start", begin), ("end", end)), (("Date", "%Y-%m-%d"), ("Time", "%H.%M.%S"))
            span = {edge + part: at.strftime(form) for edge, at in edges for part, form in forms}
            for qmgr, queues in groupby(sorted(self.queues.items()), key=lambda item: item[0][0]):
                each = [{"queueName": name, **told} for (_, name), told in queues]
                data = {**span, "objectCount": len(each), "queueStatisticsData": each}
                yield _record(STATISTICS, (0, "None"), qmgr, end, data)
            self.queues = {}
            self.begun_us = end_us
        if time_us is not None and time_us >= self.begun_us + self.length_us:
            self.begun_us += (time_us - self.begun_us) // self.length_us * self.length_us


def write_json(found: Iterable[dict], path: str | Path, layout: str = "json") -> int:
    """Write records to a file in one of amqsevt's layouts, "json" (over several lines), "json_compact" (one line each)
    or "json_array"; how many there were. LabError for another layout."""
    if layout not in LAYOUTS:
        raise LabError(f"layout must be one of {', '.join(LAYOUTS)}; got {layout!r}")
    number = 0
    with whole(path) as draft, open(draft, "w", encoding="utf-8", newline="\n") as file:
        file.write("[\n" if layout == "json_array" else "")
        for number, record in enumerate(found, start=1):
            text = json.dumps(record) if layout == "json_compact" else json.dumps(record, indent=1)
            file.write((",\n" if layout == "json_array" and number > 1 else "") + text)
            file.write("" if layout == "json_array" else "\n")
        file.write("\n]\n" if layout == "json_array" else "")
    return number
