"""The retailer's sample day, datasets/retail-day.parquet: what each application asks of the queue manager, and when.

`python -m tools.retail_day [--messages N] [--seed S] [--out FILE]` writes it again, or a larger or different day.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from bisect import bisect_right
from heapq import heapreplace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from mqlab.engine.words.arguments import checked
from mqlab.engine.words.constants import MQRO_EXPIRATION
from mqlab.engine.words.errors import LabError
from mqlab.formats.whole_file import whole
from mqlab.pipeline.traffic.replay import COLUMNS, DAY_START, TRACE_VERSION, Row
from tools import stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECOND_US = 1_000_000
HOUR_US = 3600 * SECOND_US
DAY_US = 24 * HOUR_US
SLICES = 144


class Served(NamedTuple):
    """One arrival taken by a reader: its index, which reader, and from when to when (microseconds)."""

    arrival: int
    reader: int
    start_us: int
    finish_us: int


def clock_us(text: str) -> int:
    """Microseconds from midnight to a time of day, such as "00:01:30"."""
    parts = [int(part) for part in text.split(":")] + [0]
    return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * SECOND_US


def arrivals(rng: Random, count: int, hours: Sequence[float]) -> list[int]:
    """Times (microseconds from midnight, ascending) of `count` Poisson arrivals whose rate follows `hours`: 24 relative
    rates, one for each full hour, joined by straight lines."""
    total, steps = 0.0, []
    for index in range(SLICES):
        hour, part = divmod(index * 24 / SLICES, 1)
        low, high = hours[int(hour)], hours[(int(hour) + 1) % 24]
        total += low + (high - low) * part
        steps.append(total)
    times = []
    for _ in range(count):
        aim = rng.random() * total
        index = bisect_right(steps, aim)
        before = steps[index - 1] if index else 0.0
        times.append(int((index + (aim - before) / (steps[index] - before)) * DAY_US / SLICES))
    return sorted(times)


def spread(rng: Random, quantiles: tuple[float, ...]) -> float:
    """A draw whose quantiles, evenly spaced from least to greatest, are `quantiles`; straight lines between them."""
    place = rng.random() * (len(quantiles) - 1)
    index = int(place)
    return quantiles[index] + (quantiles[index + 1] - quantiles[index]) * (place - index)


def serve(
    times: Sequence[int],
    durations: Sequence[int],
    readers: int = 1,
    away: tuple[int, int] | None = None,
    patience_us: Sequence[int | None] = (),
) -> list[Served]:
    """The reader and the time of each arrival, first come first served: the guess that times the day's gets. During
    `away` (from, to) nobody reads; an arrival that would wait longer than its patience is left out."""
    free = [(0, reader) for reader in range(readers)]
    taken = []
    for index, arrived in enumerate(times):
        idle_from, reader = free[0]
        start = max(arrived, idle_from)
        if away is not None and away[0] <= start < away[1]:
            start = away[1]
        patience = patience_us[index] if patience_us else None
        if patience is not None and start - arrived >= patience:
            continue
        heapreplace(free, (start + durations[index], reader))
        taken.append(Served(index, reader, start, start + durations[index]))
    return taken


LINKS = ("after", "unless", "match")
TYPES = {
    **dict.fromkeys(COLUMNS, pa.int32()),
    **dict.fromkeys(("program", "verb", "queue", "reply_to_q"), pa.dictionary(pa.int32(), pa.string())),
    **dict.fromkeys(("persistent", "flawed"), pa.bool_()),
    "time_us": pa.int64(),
    "priority": pa.int8(),
}


class Trace:
    """Rows in the order they are thought of; `rows` puts them in the order of time and numbers them."""

    def __init__(self) -> None:
        self.calls: list[Row] = []  # a mark is a place in it
        self.unit = itertools.count(1).__next__  # gives a number for a new unit of work

    def add(self, time_us: int, program: str, verb: str, queue: str | None = None, **rest: Any) -> int:
        """Add one call; returns the mark by which `after`, `unless` and `match` of later calls name it."""
        mark = len(self.calls)
        self.calls.append(Row(mark, int(time_us), program, verb, queue, **rest))
        return mark

    def rows(self, until_us: int) -> list[Row]:
        """The rows before `until_us` in order of time, numbered from 1; ValueError if one depends on a later one."""
        ordered = sorted((row for row in self.calls if row.time_us < until_us), key=lambda row: (row.time_us, row.call))
        numbers = {row.call: number for number, row in enumerate(ordered, 1)}
        result = []
        for number, row in enumerate(ordered, 1):
            links = {name: numbers[mark] for name in LINKS if (mark := getattr(row, name)) is not None}
            late = [name for name, link in links.items() if link >= number]
            if late:
                raise ValueError(f"{late[0]} must be a call before {number}; got {links[late[0]]} in {row}")
            result.append(row._replace(call=number, **dict[str, Any](links)))
        return result

    def to_arrow(self, until_us: int, metadata: dict[str, str]) -> pa.Table:
        """`rows` as a pyarrow.Table of COLUMNS, with `metadata` and the trace's version in its schema."""
        columns = dict(zip(COLUMNS, zip(*self.rows(until_us), strict=True), strict=True))
        known = {"mqlab_traffic_version": str(TRACE_VERSION), **metadata}
        return pa.table(columns, schema=pa.schema(TYPES, metadata=known))


BASE = 56_000
MS = 1_000
TENTH_US = 100_000
TICK_US = 300 * SECOND_US

# what each flow puts, as a share of the messages wanted
QUOTES, PARTNER_QUOTES, ORDERS, MOVES, PUSHES, NOTICES, EXTRACT = 0.142, 0.02, 0.068, 0.09, 0.075, 0.009, 0.03

# relative rates at each full hour
SHOPPERS = [9, 5, 3, 2, 2, 4, 12, 28, 45, 60, 68, 75, 92, 90, 70, 62, 60, 66, 80, 100, 98, 75, 45, 20]
STORES = [0, 0, 0, 0, 0, 0, 0, 2, 30, 60, 75, 85, 100, 95, 80, 75, 80, 95, 85, 50, 25, 6, 0, 0]
EVENING = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 4, 3, 2, 2, 4, 30, 100, 58, 10, 3, 0, 0]

LUNCH = (clock_us("12:05"), clock_us("13:20"))
OUTAGE = (clock_us("18:10"), clock_us("18:50"))
FLAWED_FROM = (clock_us("09:40"), clock_us("15:20"))


class Day:
    """One simulated day of calls, drawn from `seed`, with about `messages` puts; above BASE, readers get faster too."""

    def __init__(self, seed: int, messages: int):
        self.rng, self.trace, self.wanted = Random(seed), Trace(), messages
        self.pace = min(1.0, BASE / messages)
        emails, notices = self.orders(), self.times(NOTICES, SHOPPERS)
        self.quotes()
        self.moves()
        self.pushes(emails, notices)
        self.extract()
        self.operators()

    def times(self, share: float, hours: Sequence[float]) -> list[int]:
        """Arrivals through the day for a flow with this share of the messages."""
        return arrivals(self.rng, round(self.wanted * share), hours)

    def lasting(self, *quantiles_ms: float) -> int:
        """How long one piece of work takes a reader, microseconds, at this day's pace."""
        return int(spread(self.rng, quantiles_ms) * MS * self.pace) + 1

    def put(self, time: int, program: str, queue: str | None, sizes: tuple[float, ...], **rest: Any) -> int:
        """Add a put of a body of some size (quantiles, bytes); returns its mark."""
        return self.trace.add(time, program, "put", queue, size=int(spread(self.rng, sizes)), **rest)

    def soon(self, low_ms: float, high_ms: float) -> int:
        """A short delay, microseconds."""
        return int(spread(self.rng, (low_ms, high_ms)) * MS)

    def taken(
        self,
        programs: list[str],
        requests: list[tuple[int, int]],
        durations: Callable[[int], int],
        away: tuple[int, int] | None = None,
    ) -> list[tuple[str, int | None, int, int]]:
        """The reader of each of `requests` (time, mark), with mark, start and finish (microseconds)."""
        # Readers also look every five minutes (mark None): that picks up what a wrong guess left behind.
        looks = [(time, None) for time in range(self.soon(0, 299_000), DAY_US, TICK_US)]
        queue = sorted(((time + self.soon(2, 6), mark) for time, mark in [*requests, *looks]), key=lambda pair: pair[0])
        expiry = [None if mark is None else self.trace.calls[mark].expiry for _, mark in queue]
        patience_us = [None if tenths is None else tenths * TENTH_US for tenths in expiry]
        times, times_taken = [time for time, _ in queue], [durations(time) for time, _ in queue]
        served = serve(times, times_taken, len(programs), away, patience_us)
        return [(programs[one.reader], queue[one.arrival][1], one.start_us, one.finish_us) for one in served]

    def quotes(self) -> None:
        """WEB and PARTNER ask for prices and give up after a while; PRICING is slow at lunch time."""
        add, asked = self.trace.add, {}

        def ask(time, program, queue, sizes, expiry, reply_to_q, **rest):
            mark = self.put(time, program, queue, sizes, expiry=expiry, reply_to_q=reply_to_q, **rest)
            asked[mark] = (time, program, reply_to_q, expiry * TENTH_US)

        for time in self.times(QUOTES, SHOPPERS):
            tier = self.rng.random()
            priority = 7 if tier < 0.1 else 5 if tier < 0.4 else None
            ask(time, "WEB", "WEB.QUOTES.OUT", (180, 260, 400), 50, "WEB.QUOTE.REPLY.V1", priority=priority)
        for time in self.times(PARTNER_QUOTES, SHOPPERS):
            rest = {"priority": 1, "report": MQRO_EXPIRATION}
            ask(time, "PARTNER", "PRICING.QUOTE.REQ.V1", (400, 700, 2500), 300, "PARTNER.QUOTE.REPLY.V1", **rest)

        def pricing(time):
            slow = 18 if LUNCH[0] <= time < LUNCH[1] else 1
            return slow * self.lasting(90, 250, 420, 700, 1600)

        answers = {}
        requests = [(time, mark) for mark, (time, *_) in asked.items()]
        for program, mark, start, finish in self.taken(["PRICING1", "PRICING2"], requests, pricing):
            got = add(start, program, "get", "PRICING.QUOTE.REQ.V1", after=mark)
            # release 2 of PRICING lets its replies expire after a minute, release 1 lets them live forever
            self.put(finish, program, None, (200, 350, 900), after=got, expiry=600 if program == "PRICING2" else None)
            answers[mark] = finish
        for mark, (time, program, queue, limit) in asked.items():
            first, gives_up = None, time + limit
            if mark in answers and answers[mark] + 100 * MS < gives_up:
                first = add(answers[mark] + self.soon(5, 80), program, "get", queue, match=mark, after=mark)
            add(gives_up, program, "get", queue, match=mark, unless=first, after=mark if first is None else None)

    def orders(self) -> list:
        """WEB orders and reserves in one unit of work, others do their part; returns the e-mails, as (time, mark)."""
        add, unit = self.trace.add, self.trace.unit
        ordered, reserved = [], []
        for time in self.times(ORDERS, SHOPPERS):
            work = unit()
            order = self.put(time, "WEB", "WEB.ORDERS.OUT", (500, 900, 1600, 6000), unit=work)
            reserve = self.put(time + self.soon(2, 9), "WEB", "WEB.STOCK.OUT", (150, 300), unit=work)
            end = time + self.soon(20, 900)
            if self.rng.random() < 0.02:
                add(end, "WEB", "backout", unit=work)
            else:
                add(end, "WEB", "commit", unit=work)
                ordered.append((end, order))
                reserved.append((end, reserve))

        payments, emails = [], []
        for program, mark, start, finish in self.taken(["ORDERS"], ordered, lambda _: self.lasting(60, 200, 350, 900)):
            work = unit()
            got = add(start, program, "get", "ORDERS.CREATE.REQ.V1", unit=work, after=mark)
            pay = self.put(finish - 20, program, "PAYMENTS.AUTH.REQ.V1", (300, 420), unit=work, after=got)
            email = self.put(finish - 10, program, "NOTIFY.EMAIL.REQ.V1", (700, 2400), unit=work, after=got)
            add(finish, program, "commit", unit=work)
            payments.append((finish, pay))
            emails.append((finish, email))
        self.unit_reader("STOCK", "STOCK.RESERVE.REQ.V1", reserved, (40, 110, 260))
        self.unit_reader("BILLING", "BILLING.INVOICE.REQ.V1", self.payments(payments), (150, 400, 700, 1500))
        return emails

    def payments(self, requests: list) -> list:
        """PAYMENTS asks FRAUD for a score, waits three seconds at most, and asks for an invoice: (time, mark) of each.
        Two of them are cut off: nobody can read those."""
        add, patience = self.trace.add, 3 * SECOND_US
        instances = range(1, 2 + self.wanted // BASE)
        free, flaws, invoices = {f"FRAUD{number}": 0 for number in instances}, list(FLAWED_FROM), []

        def longest(_time):
            return patience + 100 * MS + self.lasting(50, 200, 400)

        for program, mark, start, _ in self.taken([f"PAYMENTS{number}" for number in instances], requests, longest):
            work = self.trace.unit()
            got = add(start, program, "get", "PAYMENTS.AUTH.REQ.V1", unit=work, after=mark)
            asks = start + self.soon(5, 20)
            asked: dict[str, Any] = {"size": int(spread(self.rng, (250, 500))), "reply_to_q": "PAYMENTS.FRAUD.REPLY.V1"}
            asked["priority"] = 8 if self.rng.random() < 0.05 else None
            ask = add(asks, program, "put", "FRAUD.SCORE.REQ.V1", after=got, expiry=300, **asked)
            fraud = min(free, key=lambda name: free[name])
            begins = max(asks + self.soon(2, 6), free[fraud])
            slow = self.rng.random() < 0.015
            free[fraud] = ends = begins + (self.soon(3200, 6500) if slow else self.lasting(80, 180, 260, 400, 1100))
            scored = add(begins, fraud, "get", "FRAUD.SCORE.REQ.V1", after=ask)
            self.put(ends, fraud, None, (90, 140), after=scored, expiry=300)
            looks = min(ends + self.soon(3, 15), asks + patience)
            add(looks, program, "get", "PAYMENTS.FRAUD.REPLY.V1", match=ask, after=ask)
            done = looks + self.soon(20, 50)
            rest: dict[str, Any] = {"unit": work, "after": got}
            if flaws and done > flaws[0]:
                flaws.pop(0)
                rest["flawed"] = True
            invoice = self.put(done - 10, program, "BILLING.INVOICE.REQ.V1", (600, 1100, 3000), **rest)
            add(done, program, "commit", unit=work)
            invoices.append((done, invoice))
        return invoices

    def unit_reader(
        self,
        program: str,
        queue: str,
        requests: list,
        quantiles_ms: tuple[float, ...],
        away: tuple[int, int] | None = None,
    ) -> None:
        """One reader that gets each message in a unit of work of its own."""
        for _, mark, start, finish in self.taken([program], requests, lambda _: self.lasting(*quantiles_ms), away=away):
            work = self.trace.unit()
            self.trace.add(start, program, "get", queue, unit=work, after=mark)
            self.trace.add(finish, program, "commit", unit=work)

    def drain(self, time: int, program: str, queue: str, most: int, gap_us: int, end: str | None = "commit") -> int:
        """Up to `most` gets one after the other, while there is something to get; `end` closes their unit of work."""
        work, got = None if end is None else self.trace.unit(), None
        for _ in range(most):
            got = self.trace.add(time, program, "get", queue, unit=work, after=got)
            time += gap_us
        if end is not None:
            self.trace.add(time, program, end, unit=work)
        return time

    def moves(self) -> None:
        """Tills report stock movements; STOCKFEED takes them in units of up to ten, and once falls behind and over."""
        for time in self.times(MOVES, STORES):
            self.put(time, f"STORE{self.rng.randrange(1, 5)}", "STORE.MOVES.OUT", (120, 180, 320), expiry=36_000)
        gap = round(45 * SECOND_US * self.pace)
        falls = clock_us("10:02")
        for time in range(clock_us("07:40"), clock_us("21:00"), gap):
            if not falls - 5 * gap <= time < falls + gap:
                self.drain(time, "STOCKFEED", "STOCK.MOVE.EVT.V1", 10, min(40 * MS, gap // 12))
        end = self.drain(falls, "STOCKFEED", "STOCK.MOVE.EVT.V1", 10, min(40 * MS, gap // 12), "backout")
        self.trace.add(end + 1, "STOCKFEED", "close", "STOCK.MOVE.EVT.V1")

    def pushes(self, emails: list, notices: list) -> None:
        """CAMPAIGN and DISPATCH push notices to telephones; NOTIFY, which sends them, is out for a while."""
        add, pushed = self.trace.add, []
        for time in self.times(PUSHES, EVENING):
            report = {"report": MQRO_EXPIRATION, "reply_to_q": "CAMPAIGN.PUSH.REPORT.V1"}
            wanted: dict[str, Any] = report if self.rng.random() < 0.25 else {}
            push = self.put(time, "CAMPAIGN", "NOTIFY.PUSH.REQ.V1", (160, 240), expiry=9_000, **wanted)
            pushed.append((time, push))
        for time in notices:
            push = self.put(time, "DISPATCH", "NOTIFY.PUSH.REQ.V1", (160, 240), priority=7, expiry=72_000)
            pushed.append((time, push))
            instead = self.put(time + 4 * MS, "DISPATCH", "NOTIFY.EMAIL.REQ.V1", (700, 1500), unless=push)
            emails.append((time + 4 * MS, instead))
        for queue in ("NOTIFY.PUSH.REQ.V1", "NOTIFY.EMAIL.REQ.V1"):
            add(OUTAGE[0], "NOTIFY", "close", queue)
        for _, mark, start, _ in self.taken(["NOTIFY"], pushed, lambda _: self.lasting(60, 140, 220, 500), OUTAGE):
            add(start, "NOTIFY", "get", "NOTIFY.PUSH.REQ.V1", after=mark)
        self.unit_reader("NOTIFY", "NOTIFY.EMAIL.REQ.V1", emails, (120, 300, 800), away=OUTAGE)
        self.drain(clock_us("21:00"), "CAMPAIGN", "CAMPAIGN.PUSH.REPORT.V1", self.wanted // 100, 30 * MS, None)

    def extract(self) -> None:
        """REPORTS writes the nightly extract in large units of work, one of them twice over; ARCHIVE reads it."""
        rows, size, time = round(self.wanted * EXTRACT), max(1, round(self.wanted * EXTRACT / 14)), clock_us("01:30")
        for start in range(0, rows, size):
            again = start == 4 * size
            for end in ("backout", "commit") if again else ("commit",):
                work = self.trace.unit()
                for index in range(1, 1 + min(size, rows - start)):
                    at = time + index * 60 * SECOND_US // size
                    self.put(at, "REPORTS", "REPORTS.EXTRACT.OUT.V1", (300, 800, 1200), unit=work)
                self.trace.add(time + 75 * SECOND_US, "REPORTS", end, unit=work)
                time += 90 * SECOND_US
        for look in range(clock_us("01:30:40"), time + 120 * SECOND_US, 45 * SECOND_US):
            self.drain(look, "ARCHIVE", "REPORTS.EXTRACT.OUT.V1", size, 20 * MS)

    def operators(self) -> None:
        """OPS looks at the quote queue every quarter of an hour, and late at night at the replies left over."""
        for time in range(clock_us("00:07"), DAY_US, 900 * SECOND_US):
            self.trace.add(time, "OPS", "browse", "PRICING.QUOTE.REQ.V1")
        self.trace.add(clock_us("23:30"), "OPS", "browse", "WEB.QUOTE.REPLY.V1")


FILE = Path("datasets", "retail-day.parquet")
SEED = 20250106
MESSAGES = 56_000
LEAST, MOST = 500, 50_000_000


@checked
def generate(seed: int = SEED, messages: int = MESSAGES) -> pa.Table:
    """The retailer's day as a trace, for a lab that starts at DAY_START: the MQI calls, about `messages` of them puts.
    LabError if `messages` is below 500 or above 50,000,000, or `seed` is not an int."""
    if not LEAST <= messages <= MOST:
        raise LabError(f"messages must be a whole number from {LEAST} to {MOST}; got {messages!r}")
    return Day(seed, messages).trace.to_arrow(
        DAY_US, {"mqlab_seed": str(seed), "mqlab_messages": str(messages), "mqlab_start": DAY_START}
    )


def write(table: pa.Table, path: str | Path) -> None:
    """Write a trace to a parquet file."""
    named = ["program", "verb", "queue", "reply_to_q", "size"]
    packed = dict.fromkeys(("call", "time_us", "unit", "after", "unless", "match"), "DELTA_BINARY_PACKED")
    with whole(path) as draft:
        pq.write_table(
            table, draft, compression="zstd", compression_level=9, use_dictionary=named, column_encoding=packed
        )


def main(arguments: list[str] | None = None) -> int:
    """Write the day, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=MESSAGES, help="about how many puts")
    parser.add_argument("--seed", type=int, default=SEED, help="the same seed and size give the same rows")
    parser.add_argument("--out", type=Path, default=FILE, help=f"file to write (default {FILE})")
    given = parser.parse_args(arguments)
    try:
        write(generate(given.seed, given.messages), given.out)
    except (LabError, OSError) as error:
        return stopped("retail_day", error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
