"""The retailer's sample day: what each application asks of the queue manager, and when."""

from __future__ import annotations

from random import Random

from .draws import DAY_US, SECOND_US, arrivals, clock_us, serve, spread
from .trace import Trace

__all__ = ["Day"]

BASE = 56_000
MS = 1_000
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
    """One simulated day of calls, drawn from `seed`, with about `messages` puts.

    Rates grow with `messages`, and above BASE readers get faster by as much; lifetimes and queue limits stay.
    """

    def __init__(self, seed: int, messages: int):
        self.rng, self.trace, self.wanted = Random(seed), Trace(), messages
        self.pace = min(1.0, BASE / messages)
        emails, notices = self.orders()
        self.quotes()
        self.moves()
        self.pushes(emails, notices)
        self.extract()
        self.operators()

    def times(self, share: float, hours: list[float]) -> list[int]:
        """Arrivals through the day for a flow with this share of the messages."""
        return arrivals(self.rng, round(self.wanted * share), hours)

    def lasting(self, *quantiles_ms: float) -> int:
        """How long one piece of work takes a reader, microseconds, at this day's pace."""
        return int(spread(self.rng, quantiles_ms) * MS * self.pace) + 1

    def size(self, *quantiles: float) -> int:
        """Length of a body, bytes."""
        return int(spread(self.rng, quantiles))

    def soon(self, low_ms: float, high_ms: float) -> int:
        """A short delay, microseconds."""
        return int(spread(self.rng, (low_ms, high_ms)) * MS)

    def taken(self, programs, requests, durations, away=None, patience_us=None):
        """Who takes which of `requests` (time, mark) when: tuples of program, mark, start and finish (microseconds).

        The readers look every five minutes besides, whether there is a message or not (mark None): that picks up what
        a wrong guess left behind. `patience_us` tells by mark how long a request is worth taking.
        """
        looks = [(time, None) for time in range(self.soon(0, 299_000), DAY_US, TICK_US)]
        queue = sorted(((time + self.soon(2, 6), mark) for time, mark in [*requests, *looks]), key=lambda pair: pair[0])
        served = serve(
            [time for time, _ in queue],
            [durations(time) for time, _ in queue],
            len(programs),
            away,
            [patience_us.get(mark) for _, mark in queue] if patience_us else None,
        )
        return [(programs[one.reader], queue[one.arrival][1], one.start_us, one.finish_us) for one in served]

    def quotes(self) -> None:
        """WEB and PARTNER ask for prices and give up after a while; PRICING is slow at lunch time."""
        add, asked = self.trace.add, {}
        for time in self.times(QUOTES, SHOPPERS):
            tier = self.rng.random()
            mark = add(
                time,
                "WEB",
                "put",
                "WEB.QUOTES.OUT",
                priority=7 if tier < 0.1 else 5 if tier < 0.4 else None,
                expiry=50,
                reply_to_q="WEB.QUOTE.REPLY.V1",
                size=self.size(180, 260, 400),
            )
            asked[mark] = (time, "WEB", "WEB.QUOTE.REPLY.V1", 5 * SECOND_US)
        for time in self.times(PARTNER_QUOTES, SHOPPERS):
            mark = add(
                time,
                "PARTNER",
                "put",
                "PRICING.QUOTE.REQ.V1",
                priority=1,
                expiry=300,
                report=0x0020_0000,
                reply_to_q="PARTNER.QUOTE.REPLY.V1",
                size=self.size(400, 700, 2500),
            )
            asked[mark] = (time, "PARTNER", "PARTNER.QUOTE.REPLY.V1", 30 * SECOND_US)

        def pricing(time):
            slow = 18 if LUNCH[0] <= time < LUNCH[1] else 1
            return slow * self.lasting(90, 250, 420, 700, 1600)

        answers = {}
        requests = [(time, mark) for mark, (time, *_) in asked.items()]
        lives = {mark: limit for mark, (*_, limit) in asked.items()}
        for program, mark, start, finish in self.taken(["PRICING1", "PRICING2"], requests, pricing, patience_us=lives):
            got = add(start, program, "get", "PRICING.QUOTE.REQ.V1", after=mark)
            # release 2 of PRICING lets its replies lapse after a minute, release 1 lets them live for ever
            add(
                finish,
                program,
                "put",
                after=got,
                expiry=600 if program == "PRICING2" else None,
                size=self.size(200, 350, 900),
            )
            answers[mark] = finish
        for mark, (time, program, queue, limit) in asked.items():
            first, gives_up = None, time + limit
            if mark in answers and answers[mark] + 100 * MS < gives_up:
                first = add(answers[mark] + self.soon(5, 80), program, "get", queue, match=mark, after=mark)
            add(gives_up, program, "get", queue, match=mark, unless=first, after=mark if first is None else None)

    def orders(self) -> tuple[list, list]:
        """WEB orders and reserves in one unit of work, then ORDERS, PAYMENTS, FRAUD, BILLING and STOCK do their part.

        Returns the e-mails asked for and the dispatch notices due, as (time, mark) and times.
        """
        add, unit = self.trace.add, self.trace.unit
        ordered, reserved = [], []
        for time in self.times(ORDERS, SHOPPERS):
            work = unit()
            order = add(time, "WEB", "put", "WEB.ORDERS.OUT", unit=work, size=self.size(500, 900, 1600, 6000))
            reserve = add(time + self.soon(2, 9), "WEB", "put", "WEB.STOCK.OUT", unit=work, size=self.size(150, 300))
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
            pay = add(
                finish - 20, program, "put", "PAYMENTS.AUTH.REQ.V1", unit=work, after=got, size=self.size(300, 420)
            )
            email = add(
                finish - 10, program, "put", "NOTIFY.EMAIL.REQ.V1", unit=work, after=got, size=self.size(700, 2400)
            )
            add(finish, program, "commit", unit=work)
            payments.append((finish, pay))
            emails.append((finish, email))
        self.unit_reader("STOCK", "STOCK.RESERVE.REQ.V1", reserved, (40, 110, 260))
        self.unit_reader("BILLING", "BILLING.INVOICE.REQ.V1", self.payments(payments), (150, 400, 700, 1500))
        return emails, self.times(NOTICES, SHOPPERS)

    def payments(self, requests: list) -> list:
        """PAYMENTS asks FRAUD for a score, waits three seconds at most, and asks for an invoice.

        Returns the invoices asked for, as (time, mark). Two of them are cut off: nobody can read those.
        """
        add, patience = self.trace.add, 3 * SECOND_US
        instances = range(1, 2 + self.wanted // BASE)
        free, flaws, invoices = {f"FRAUD{number}": 0 for number in instances}, list(FLAWED_FROM), []

        def longest(_time):
            return patience + 100 * MS + self.lasting(50, 200, 400)

        for program, mark, start, _ in self.taken([f"PAYMENTS{number}" for number in instances], requests, longest):
            work = self.trace.unit()
            got = add(start, program, "get", "PAYMENTS.AUTH.REQ.V1", unit=work, after=mark)
            asks = start + self.soon(5, 20)
            ask = add(
                asks,
                program,
                "put",
                "FRAUD.SCORE.REQ.V1",
                after=got,
                expiry=300,
                size=self.size(250, 500),
                priority=8 if self.rng.random() < 0.05 else None,
                reply_to_q="PAYMENTS.FRAUD.REPLY.V1",
            )
            fraud = min(free, key=free.get)
            begins = max(asks + self.soon(2, 6), free[fraud])
            slow = self.rng.random() < 0.015
            free[fraud] = ends = begins + (self.soon(3200, 6500) if slow else self.lasting(80, 180, 260, 400, 1100))
            scored = add(begins, fraud, "get", "FRAUD.SCORE.REQ.V1", after=ask)
            add(ends, fraud, "put", after=scored, expiry=300, size=self.size(90, 140))
            looks = min(ends + self.soon(3, 15), asks + patience)
            add(looks, program, "get", "PAYMENTS.FRAUD.REPLY.V1", match=ask, after=ask)
            done = looks + self.soon(20, 50)
            flawed = bool(flaws) and done > flaws[0]
            if flawed:
                flaws.pop(0)
            invoice = add(
                done - 10,
                program,
                "put",
                "BILLING.INVOICE.REQ.V1",
                unit=work,
                after=got,
                size=self.size(600, 1100, 3000),
                flawed=flawed or None,
            )
            add(done, program, "commit", unit=work)
            invoices.append((done, invoice))
        return invoices

    def unit_reader(self, program: str, queue: str, requests: list, quantiles_ms: tuple, away=None) -> None:
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
            self.trace.add(
                time,
                f"STORE{self.rng.randrange(1, 5)}",
                "put",
                "STORE.MOVES.OUT",
                expiry=36_000,
                size=self.size(120, 180, 320),
            )
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
            wants_report = self.rng.random() < 0.25
            push = add(
                time,
                "CAMPAIGN",
                "put",
                "NOTIFY.PUSH.REQ.V1",
                expiry=9_000,
                size=self.size(160, 240),
                report=0x0020_0000 if wants_report else None,
                reply_to_q="CAMPAIGN.PUSH.REPORT.V1" if wants_report else None,
            )
            pushed.append((time, push, 900 * SECOND_US))
        for time in notices:
            push = add(
                time, "DISPATCH", "put", "NOTIFY.PUSH.REQ.V1", priority=7, expiry=72_000, size=self.size(160, 240)
            )
            pushed.append((time, push, 7200 * SECOND_US))
            instead = add(
                time + 4 * MS, "DISPATCH", "put", "NOTIFY.EMAIL.REQ.V1", unless=push, size=self.size(700, 1500)
            )
            emails.append((time + 4 * MS, instead))
        for queue in ("NOTIFY.PUSH.REQ.V1", "NOTIFY.EMAIL.REQ.V1"):
            add(OUTAGE[0], "NOTIFY", "close", queue)
        lives = {push: life for _, push, life in pushed}
        for _, mark, start, _ in self.taken(
            ["NOTIFY"],
            [(time, push) for time, push, _ in pushed],
            lambda _: self.lasting(60, 140, 220, 500),
            away=OUTAGE,
            patience_us=lives,
        ):
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
                    self.trace.add(
                        time + index * 60 * SECOND_US // size,
                        "REPORTS",
                        "put",
                        "REPORTS.EXTRACT.OUT.V1",
                        unit=work,
                        size=self.size(300, 800, 1200),
                    )
                self.trace.add(time + 75 * SECOND_US, "REPORTS", end, unit=work)
                time += 90 * SECOND_US
        for look in range(clock_us("01:30:40"), time + 120 * SECOND_US, 45 * SECOND_US):
            self.drain(look, "ARCHIVE", "REPORTS.EXTRACT.OUT.V1", size, 20 * MS)

    def operators(self) -> None:
        """OPS looks at the quote queue every quarter of an hour, and late at night at the replies left over."""
        for time in range(clock_us("00:07"), DAY_US, 900 * SECOND_US):
            self.trace.add(time, "OPS", "browse", "PRICING.QUOTE.REQ.V1")
        self.trace.add(clock_us("23:30"), "OPS", "browse", "WEB.QUOTE.REPLY.V1")
