"""`mqlab incident`: an estate with a planted fault, a pager message, and a console with MQSC."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mqlab.cli import command_of, say, stopped, texts_of
from mqlab.engine.words.errors import LabError, visible
from mqlab.formats.whole_file import write_whole


def main(argv: list[str] | None = None) -> int:
    """Play one incident on standard input and output; return 0 if it was repaired, 1 if not, 2 for a wrong option."""
    parser = command_of("incident")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--day")
    parser.add_argument("--estate", metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--leader", type=Path, metavar="FILE")
    parser.add_argument("--replay", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    from mqlab.course.exercises.progress import INCIDENT, read, today
    from mqlab.course.incidents import GameDay, Incident, estates, leader_page, of_the_day

    own = options.estate is not None and options.estate not in estates() and Path(options.estate).exists()
    if options.list and not own:
        for name, estate in estates().items():
            print(f"{name:8}{estate.title} ({len(estate.faults)} faults)\n        {estate.about}")
        return 0
    try:
        if own and options.list:
            for fault in GameDay(options.estate).faults():
                print(fault.key)
            return 0
        seed = options.seed
        if options.day is not None:
            seed = of_the_day(today() if options.day == "today" else options.day)
        elif seed is None:
            seed = sum(line["what"] == INCIDENT for line in read()[0])
        incident = GameDay(options.estate).incident(seed) if own else Incident(seed, options.estate)
        if options.leader is not None:
            command = f"mqlab incident --estate {incident.estate.name} --seed {seed}"
            write_whole(options.leader, leader_page(incident, command))
            print(f"wrote {options.leader}")
            return 0
        _play(incident)
        if incident.state == "open":
            print(f"\nThe incident is still open after {incident.score}.")
        elif options.replay is not None:
            print(f"wrote {incident.replay().save(options.replay)}")
    except LabError as wrong:
        return stopped("incident", wrong)
    return 0 if incident.state == "repaired" else 1


def _play(incident: Any) -> None:
    """Read lines until the incident or the input ends."""
    say(f"{incident}\n")
    print(f"{texts_of('incident')['console']}\n")
    here = incident.qmgrs[0]
    while incident.state == "open":
        line = _line(f"{incident.lab.now:%H:%M} {here}> ")
        if line is None:
            return
        words = line.lower().split()
        if name := incident.switches_to(line):
            here = name
            continue
        try:
            match words:
                case []:
                    continue
                case ["help" | "?"]:
                    print(texts_of("incident")["console"])
                case ["end" | "exit" | "quit"]:
                    return
                case ["status"]:
                    say(incident.status())
                case ["log"]:
                    print(incident.error_log(here))
                case ["hint"]:
                    say(incident.hint())
                case ["wait", *number]:
                    say(incident.wait(int(number[0]) if number and number[0].isdigit() else 1))
                case ["close"]:
                    say(incident.close())
                case ["give", "up"]:
                    incident.give_up()
                case _:
                    for reply in incident.run(here, line).replies:
                        print(visible(reply.text))
        except LabError as wrong:
            say(str(wrong))
    print()
    say(incident.debrief())


def _line(prompt: str) -> str | None:
    """One command from standard input, with its continuations; None at the end of the input."""
    print(prompt, end="", flush=True)
    found = ""
    for line in sys.stdin:
        found += line
        if not line.rstrip().endswith(("+", "-")):
            return found.strip()
        print(f"{'':{len(prompt) - 2}}> ", end="", flush=True)
    return found.strip() or None
