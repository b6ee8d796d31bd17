"""OTLP JSON, the format of OpenTelemetry's traces.

Every row is a span, its cause is the parent, and all rows that one row led to are one trace. A queue manager is a
service. The span of a row that ends a stay on a queue begins when the message arrived there; any other span has no
duration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import groupby
from json.encoder import encode_basestring_ascii as quoted
from operator import attrgetter, itemgetter
from pathlib import Path

from ..engine.words.constants import REASONS
from ..engine.world.event import Event
from ..engine.world.event_kinds import ARRIVES, ENDS
from .source import Row, Source, iso

_INTERNAL, _PRODUCER, _CONSUMER, _ERROR = 1, 4, 5, 2
_KINDS = {**dict.fromkeys(ARRIVES, _PRODUCER), "get": _CONSUMER, "browse": _CONSUMER}
_OPERATIONS = {"put": "send", "report": "send", "get": "receive", "browse": "receive"}
_OWN = ("seq", "program", "rule", "message", "uow", "depth", "priority", "persistent", "expiry_left", "detail")
_given = attrgetter(*_OWN)


def write(source: Source, path: Path) -> None:
    """Write a log as OTLP JSON: one ExportTraceServiceRequest, with the spans of each queue manager together."""
    zero = (source.start - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    spans = source.each(partial(_spans, source.start, zero * 1000), link="root", by_qmgr=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write('{"resourceSpans":[')
        for number, (service, those) in enumerate(groupby(spans, key=itemgetter(0))):
            resource = f'{{"attributes":[{_attribute("service.name", service)}]}}'
            file.write(f'{"," if number else ""}\n{{"resource":{resource},"scopeSpans":[{{"scope":{{"name":"mqlab"}},')
            file.write('"spans":[\n')
            for place, (_, text) in enumerate(those):
                file.write(",\n" + text if place else text)
            file.write("\n]}]}")
        file.write("\n]}\n")


def _spans(start: datetime, zero: int, rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """The rows of a queue manager as its service and their spans; `zero` is the start in nanoseconds of Unix."""
    some = list(rows)
    yield (
        f"{some[0].lab}{some[0].event.qmgr or 'no queue manager'}",
        ",\n".join([_span(start, zero, row) for row in some]),
    )


def _span(start: datetime, zero: int, row: Row) -> str:
    """A row as a span."""
    event = row.event
    iso(start, event.time_us)  # refuses a time that no calendar has
    since = event.arrived_us if event.kind in ENDS and event.arrived_us is not None else event.time_us
    parent = f'"parentSpanId":"{_number(event.cause or 0)}",' if row.root != event.seq else ""
    name = quoted(f"{event.kind} {event.object}" if event.object else event.kind)
    status = ""
    if event.reason is not None:
        words = quoted(f"{event.reason} {REASONS.get(event.reason, '')}".strip())
        status = f',"status":{{"code":{_ERROR},"message":{words}}}'
    return (
        f'{{"traceId":"{_trace(row.lab)}{_number(row.root)}","spanId":"{_number(event.seq)}",{parent}"name":{name},'
        f'"kind":{_KINDS.get(event.kind, _INTERNAL)},"startTimeUnixNano":"{zero + 1000 * min(since, event.time_us)}",'
        f'"endTimeUnixNano":"{zero + 1000 * event.time_us}","attributes":[{",".join(_attributes(event))}]{status}}}'
    )


def _attributes(event: Event) -> list[str]:
    """The attributes of a span, by the names of OpenTelemetry's conventions and by our own."""
    operation = _OPERATIONS.get(event.kind)
    attributes = [_attribute("messaging.system", "ibmmq"), _attribute("messaging.operation.name", event.kind)]
    if event.object and (event.message is not None or operation):
        attributes.append(_attribute("messaging.destination.name", event.object))
    if event.msg_id is not None:
        attributes.append(_attribute("messaging.message.id", event.msg_id.hex()))
    if operation:
        attributes.append(_attribute("messaging.operation.type", operation))
    if event.reason is not None:
        attributes.append(_attribute("error.type", REASONS.get(event.reason, str(event.reason))))
    own = zip(_OWN, _given(event), strict=True)
    return attributes + [_attribute(f"mqlab.{name}", value) for name, value in own if value is not None]


def _attribute(name: str, value: str | int) -> str:
    """A name and a value; a whole number is text, because it may have 64 bits."""
    if isinstance(value, bool):
        return f'{{"key":"{name}","value":{{"boolValue":{str(value).lower()}}}}}'
    if isinstance(value, int):
        return f'{{"key":"{name}","value":{{"intValue":"{value}"}}}}'
    return f'{{"key":"{name}","value":{{"stringValue":{quoted(value)}}}}}'


def _number(seq: int) -> str:
    """The id of a row's span, 8 bytes in hex; 0 is no id."""
    return f"{seq + 1:016x}"


@lru_cache(100_000)
def _trace(lab: str) -> str:
    """The half of a trace's id that names the lab; the other half is the row that it begins with."""
    return blake2b(lab.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
