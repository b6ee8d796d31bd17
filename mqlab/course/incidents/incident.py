"""An incident: an estate in which one fault is planted, a pager message, a console, and a clock that costs minutes."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any

from ...engine.words.arguments import at_least, require, within
from ...engine.words.errors import LabError, ProgramDied, RunawayTrigger, visible
from ...lab.lab import Lab
from ...views.player.duel import Futures
from ...views.text import plural
from ..exercises.exercise import typed
from ..exercises.progress import INCIDENT, record
from .estate import SECOND, Business, Estate, Fault, Health, commands, estates, named
from .traces import ERROR_LOG, opened, traces

MINUTE = 60 * SECOND
HEALTHY_S, NOTICED, LATEST = 120, 3, 12
"""The seconds before the fault is planted; after how many minutes the business can notice it, and the last."""
HINT_MINUTES, SEEN_MINUTES, WATCH_MINUTES = 5, 5, 10
"""The cost of a hint; the minutes whose orders the business counts; how long the estate is watched after `close`."""
WIDE_MINUTES = 10
"""The cost of each thing that a repair leaves open to all."""
LOG_ENTRIES, TRIES = 5, 20
DAYS = 30
"""The incidents of the day, seeds 0 to 29: after the last, the first comes again."""
_WANTED = re.compile(r"\?(\w+)")


def of_the_day(day: str) -> int:
    """Return the seed of the incident that everyone has on a day, written as 2026-11-28. LabError if it is no date.

    >>> of_the_day("2026-11-28")
    25
    """
    require("day", day, str, "a date, such as 2026-11-28")
    try:
        return (date.fromisoformat(day) - date(1970, 1, 1)).days % DAYS
    except ValueError:
        raise LabError(f"the day must be a date, such as 2026-11-28; got {visible(day)}") from None


@dataclass(frozen=True)
class Step:
    """Something that was done: after how many minutes, at which queue manager ("" for none), and what it was."""

    minute: int
    qmgr: str
    text: str

    def __str__(self) -> str:
        return f"{self.minute:3} min  {self.qmgr:8} {' '.join(self.text.split())}".rstrip()


class Incident:
    """A seeded incident: the same `seed` and `estate` give the same one; without an estate the seed chooses it too.

    `pager` is the message of the business. `run` gives MQSC commands to a queue manager, `error_log` reads its error
    log, `hint` shows the next hint, and `wait` lets minutes pass. Everything costs simulated `minutes`. `close` watches
    the estate for ten minutes and returns whether the business runs again: only that counts, not the way. But each
    thing that a repair leaves open to all (`wide`) costs ten minutes. Then `debrief` explains the fault, and `replay`
    shows both your way and an expert's.

    LabError for a seed that is not a whole number from 0 on, and for an unknown estate.

    >>> incident = Incident(7, "stores")
    >>> incident.run("DEPOT", "DISPLAY QLOCAL(ORDERS.IN) CURDEPTH").ok
    True
    >>> incident.minutes, incident.commands, incident.state
    (1, 1, 'open')
    """

    def __init__(self, seed: int = 0, estate: str | Estate | None = None, *, fault: str | None = None):
        require("seed", seed, int, "a whole number, 0 or more", at_least(0))
        chance = Random(f"incident {seed}")
        chosen = chance.choice(sorted(estates()))
        self.seed = seed
        wanted = chosen if estate is None else estate
        self.estate: Estate = wanted if isinstance(wanted, Estate) else named(wanted)
        delay = chance.randrange(60)
        drawn = Random(f"{seed} {self.estate.name}").choice(self.estate.faults)
        self.fault: Fault = drawn if fault is None else self.estate.fault(fault)
        self.lab = Lab(seed=seed)
        self.business: Business = self.estate.build(self.lab)
        self.lab.advance(HEALTHY_S + delay)
        usual = traces(self.lab)
        typed(self.fault.broken)(self.lab)
        self.planted_us = self.lab.now_us
        self._until_noticed()
        self.paged_us = self._known_us = self.lab.now_us
        self.pager = self.status()
        self.left_behind: dict[tuple[str, str], list[str]] = {}  # at a queue manager, and an object or ERROR_LOG
        for qmgr, name, words in sorted(traces(self.lab) - usual):
            self.left_behind.setdefault((qmgr, name), []).append(words)
        self.looked: set[tuple[str, str]] = set()  # likewise
        self.steps: list[Step] = []
        self.commands = self.hints = 0
        self.state = "open"
        self.recorded = True  # its end is a learner's, and goes to the progress file
        self.wide: list[str] = []  # what the repair left open to all
        self._open_before = opened(self.lab)

    def _until_noticed(self) -> None:
        for minute in range(LATEST):
            self._pass(60)
            if minute + 1 >= NOTICED and any(
                each.refused or each.missing or each.late for each in self.business.health(self.planted_us)
            ):
                return

    def _pass(self, seconds: float) -> None:
        """Let time pass, also when a program dies or triggers itself forever meanwhile."""
        until = self.lab.now_us + round(seconds * SECOND)
        for _ in range(TRIES):
            with suppress(ProgramDied, RunawayTrigger):
                self.lab.advance_to(until)
                return
        raise LabError("the estate must come to rest; its programs died again and again")

    def _seen(self) -> list[Health]:
        """How each flow did with the orders of the last five minutes."""
        return self.business.health(max(0, self.lab.now_us - SEEN_MINUTES * MINUTE))

    @property
    def minutes(self) -> int:
        """The simulated minutes from the pager message to the end of the incident, and those that wide repairs cost."""
        return (self._known_us - self.paged_us) // MINUTE + WIDE_MINUTES * len(self.wide)

    @property
    def qmgrs(self) -> list[str]:
        """The names of the queue managers of the estate."""
        return [qmgr.name for qmgr in self.lab.queue_managers]

    def _spend(self, minutes: int, qmgr: str, text: str) -> None:
        self.steps.append(Step(self.minutes, qmgr, text))
        self.business.supervise()
        self._pass(60 * minutes)
        self._known_us = self.lab.now_us

    def _require_open(self) -> None:
        if self.state != "open":
            raise LabError(f"the incident must be open; it is {self.state}. Incident(seed, estate) starts another")

    def qmgr(self, name: str) -> str:
        """The name of a queue manager of the estate, in capital letters; LabError for another name."""
        found = next((each for each in self.qmgrs if each == str(name).upper()), None)
        if found is None:
            raise LabError(f"the queue manager must be one of {', '.join(self.qmgrs)}; got {name!r}")
        return found

    def switches_to(self, text: str) -> str | None:
        """The queue manager whose name alone is typed, as "DEPOT" or "use DEPOT"; None for other words."""
        name = text.upper().removeprefix("USE ").strip()
        return name if name in self.qmgrs else None

    def run(self, qmgr: str, text: str) -> Any:
        """Run MQSC commands at a queue manager; each costs a minute. LabError for an unknown queue manager."""
        self._require_open()
        name = self.qmgr(qmgr)
        reply = self.lab[name].mqsc(text)
        count = len(reply.replies)
        self.looked |= {(name, answer.name) for answer in reply.replies if answer.name}
        self.looked |= {(name, str(next(iter(row.values())))) for answer in reply.replies for row in answer.rows}
        if count:
            self.commands += count
            self._spend(count, name, "; ".join(each.command for each in reply.replies))
        return reply

    def error_log(self, qmgr: str) -> str:
        """The last messages in the error log of a queue manager; reading it costs a minute."""
        self._require_open()
        name = self.qmgr(qmgr)
        self.looked.add((name, ERROR_LOG))
        entries = self.lab[name].error_log()[-LOG_ENTRIES:]
        self._spend(1, name, "(read the error log)")
        return "\n".join(map(str, entries)) or "The error log is empty."

    def hint(self) -> str:
        """The next of three hints; it costs five minutes. LabError when there is none left."""
        self._require_open()
        if self.hints == len(self.fault.hints):
            raise LabError("there are three hints, and you have read them all; give_up() ends the incident")
        self.hints += 1
        self._spend(HINT_MINUTES, "", f"(hint {self.hints})")
        return self.fault.hints[self.hints - 1]

    def wait(self, minutes: int = 1) -> str:
        """Let 1 to 60 minutes pass, and return what the business sees. LabError for another number."""
        self._require_open()
        require("minutes", minutes, int, "a whole number from 1 to 60", within(1, 60))
        self._spend(minutes, "", f"(wait {minutes})")
        return self.status()

    def status(self) -> str:
        """The time, and how the business did with the orders of the last five minutes; this costs nothing."""
        return " ".join([f"{self.lab.now:%H:%M} The last {SEEN_MINUTES} minutes.", *map(str, self._seen())])

    def close(self) -> str:
        """Report the incident as repaired: the estate runs on for ten minutes, and the verdict is returned.

        Orders of the first five minutes may be late, because a backlog takes time. If the business still has trouble,
        the pager rings again: the incident stays open, and the time has passed.
        """
        self._require_open()
        self.steps.append(Step(self.minutes, "", "(report it as repaired)"))
        self.business.supervise()
        reported_us = self.lab.now_us
        self._pass(60 * WATCH_MINUTES)
        deleted = self.business.destroyed(self.paged_us)
        stuck = self.business.stuck(reported_us)
        if deleted:
            self._end("lost")
            return (
                f"{self.lab.now:%H:%M} {plural(len(deleted), 'order')} can never be confirmed: the messages were "
                "deleted or lost during the incident, so the incident ends unrepaired."
            )
        if all(each.well for each in self._seen()) and not stuck:
            self._known_us = reported_us
            self.wide = sorted(opened(self.lab) - self._open_before)
            self._end("repaired")
            wide = f" Too wide: {'; '.join(self.wide)}." if self.wide else ""
            return f"Repaired: {self.score}. The business has run well since, and no order is lost.{self._left()}{wide}"
        self._known_us = self.lab.now_us
        waits = (f"{plural(count, 'earlier order')} still wait on {place}." for place, count in stuck.items())
        return " ".join(["The pager rings again:", self.status(), *waits])

    def _left(self) -> str:
        """The dead-letter queues that still hold messages, as sentences."""
        found = ((qmgr.name, qmgr.attributes["DEADQ"]) for qmgr in self.lab.queue_managers)
        depths = {f"{queue} of {qmgr}": self.lab[qmgr].depth(queue) for qmgr, queue in found if queue}
        return "".join(
            f" {plural(depth, 'message is', 'messages are')} on {place}: run the dead-letter handler there next."
            for place, depth in depths.items()
            if depth
        )

    def give_up(self) -> str:
        """End the incident unsolved, and return the debriefing."""
        self._require_open()
        self._end("given up")
        return self.debrief()

    def _end(self, state: str) -> None:
        self.state = state
        if not self.recorded:
            return
        record(
            f"incident {self.estate.name} {self.seed}",
            INCIDENT,
            done=state == "repaired",
            minutes=self.minutes,
            commands=self.commands,
            level=self.hints,
        )

    @property
    def score(self) -> str:
        """Minutes, commands, hints, and wide repairs so far, in words."""
        more = f", {plural(self.hints, 'hint')}" if self.hints else ""
        more += f", {plural(len(self.wide), 'wide repair')}" if self.wide else ""
        return f"{plural(self.minutes, 'minute')}, {plural(self.commands, 'command')}{more}"

    def expert(self) -> Incident:
        """The same incident, repaired by an expert."""
        other = Incident(self.seed, self.estate, fault=self.fault.key)
        other.solve()
        return other

    def solve(self) -> None:
        """Do what the expert does: at most eight commands. The end is then no result of the learner."""
        self.recorded = False
        for qmgr, text in self.fault.expert:
            self.run(qmgr, _WANTED.sub(lambda found, at=qmgr: self._connection(at, found[1]), text))  # type: ignore[misc]

    def _connection(self, qmgr: str, program: str) -> str:
        rows = self.lab[qmgr].mqsc("DISPLAY CONN(*) APPLTAG").rows
        return str(next(row["CONN"] for row in rows if row["APPLTAG"] == program))

    def debrief(self) -> str:
        """The fault, its repair, and an expert's way beside yours, as text; LabError while the incident is open."""
        self._require_ended()
        other = self.expert()
        lines = ["What was wrong", f"  {self.fault.why}", "", f"Your way: {self.state}, {self.score}"]
        lines += [f"  {step}" for step in self.steps]
        missed = {key: words for key, words in self.left_behind.items() if key not in self.looked}
        if missed:
            lines += ["", "The fault could be seen here, and nobody looked"]
            lines += [f"  {qmgr:8} {name}: {', '.join(words)}" for (qmgr, name), words in missed.items()]
        lines += ["", f"An expert's way: {other.score}", *(f"  {step}" for step in other.steps)]
        for alternative in self.fault.alternatives:
            lines += ["", "An alternative to the expert's repair, enough by itself"]
            lines += [f"  {qmgr:8} {' '.join(text.split())}" for qmgr, text in commands(alternative)]
        return "\n".join(lines)

    def replay(self) -> Futures:
        """Your way and an expert's, side by side on one clock; `.save("replay.html")` writes a page that plays both.

        LabError while the incident is open.
        """
        self._require_ended()
        other = self.expert()
        other.lab.advance_to(max(other.lab.now_us, self.lab.now_us))
        self.lab.advance_to(max(other.lab.now_us, self.lab.now_us))
        return Futures(self.lab, other.lab, "an expert's way", "your way", f"Incident {self.estate.name} {self.seed}")

    def _require_ended(self) -> None:
        if self.state == "open":
            raise LabError("the incident must be over before the answer is shown; close() or give_up() ends it")

    def __str__(self) -> str:
        return (
            f"Incident {self.seed} in estate {self.estate.name}: {self.estate.title}\n{self.estate.about}\n\n"
            f"PAGER {self.pager}"
        )

    def __repr__(self) -> str:
        return f"Incident({self.seed}, {self.estate.name!r}; {self.state}, {self.score})"
