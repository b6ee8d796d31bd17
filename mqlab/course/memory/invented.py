"""A class of six invented learners, for a teacher who has no files yet: their exercises are worked at real desks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..exercises import exercise, progress
from ..predictions.pages import explanation, rules_of

DONE, LOOK = "the bank's own way", "looks at the solution first"
_DEPTH = "ALTER QLOCAL(ORDERS) MAXDEPTH({})".format
_CAP = "ALTER Q{} CAPEXPRY({})".format
_CHANNEL = "ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) {}".format
EXERCISES: tuple[tuple[Any, ...], ...] = (
    ("anna", "Q01", {"refused": 3}, "QM1", (DONE,), 0),
    ("anna", "E03", {}, "QM1", (_CAP("LOCAL(PRICES)", 60), DONE), 0),
    ("anna", "T02", {}, "QM1", ("ALTER QMGR TRIGINT(0)", DONE), 1),
    ("anna", "C02", {}, "SHOP", (_CHANNEL("SHORTRTY(0)"), DONE), 0),
    ("bob", "Q01", {"refused": 8}, "QM1", (_DEPTH(7), DONE), 0),
    ("bob", "T02", {}, "QM1", ("ALTER QLOCAL(PRINTS) TRIGTYPE(EVERY)", "ALTER QMGR TRIGINT(0)"), 2),
    ("bob", "C02", {}, "SHOP", (_CHANNEL("SHORTRTY(999999999)"), _CHANNEL("LONGRTY(144) LONGTMR(600)")), 3),
    ("chen", "Q01", {"refused": 5}, "QM1", (_DEPTH(7), _DEPTH(5000), DONE), 1),
    ("chen", "E03", {}, "QM1", (_CAP("LOCAL(PRICES)", 60), _CAP("ALIAS(PRICES.IN)", 600), DONE), 2),
    ("chen", "T02", {}, "QM1", ("ALTER QMGR TRIGINT(0)",), 3),
    ("dora", "Q01", {"refused": 3}, "QM1", (DONE,), 0),
    ("dora", "E03", {}, "QM1", (_CAP("LOCAL(PRICES)", 60), LOOK, DONE), 3),
    ("emil", "Q01", {"refused": 5}, "QM1", (_DEPTH(5000), DONE), 0),
    ("emil", "T02", {}, "QM1", ("ALTER QLOCAL(PRINTS) TRIGTYPE(EVERY)", "ALTER QMGR TRIGINT(0)", LOOK, DONE), 3),
    ("faye", "Q01", {}, "QM1", (DONE,), 0),
    ("faye", "C02", {}, "SHOP", (_CHANNEL("SHORTRTY(999999999)"), DONE), 1),
)
"""Learner, exercise, predictions, the queue manager of the commands, the commands of each try, and hints."""
QUESTIONS: dict[str, tuple[str, list]] = {
    "01/tart": ("In which position does the tart come?", [2, 4]),
    "02/deadline": ("The call to the station expired five seconds ago. What is CURDEPTH of CALLS?", [3]),
    "02/locked": ("What does a get under the browse cursor return when the locked message has expired?", ["2034"]),
    "03/types": ("Seven orders arrive on each queue. How many trigger messages does each give?", [1, 7, 1]),
}
PREDICTIONS: dict[str, dict[str, list | None]] = {
    "anna": {"01/tart": [2, 4], "02/deadline": [3], "02/locked": ["2034"], "03/types": [1, 7, 1]},
    "bob": {"01/tart": [2, 2], "02/deadline": [2], "03/types": [7, 7, 2]},
    "chen": {"01/tart": [2, 4], "02/deadline": [2], "02/locked": ["2033"], "03/types": [1, 7, 2]},
    "dora": {"01/tart": [2, 4], "02/deadline": [2], "02/locked": ["2033"]},
    "emil": {"01/tart": [2, 2], "02/deadline": [3], "02/locked": ["to the mill"]},
    "faye": {"01/tart": None},
}
"""The answers of each learner, by key; None for a prediction that was skipped."""
ROUNDS: tuple[tuple[Any, ...], ...] = (
    ("anna", "play", "2025-01-09", {"MQI-02": True, "EXP-10": True, "MQI-05": True}),
    ("anna", "review", "2025-01-16", {"MQI-02": True, "MQI-01": True, "EXP-10": True}),
    ("bob", "play", "2025-01-06", {"MQI-02": True, "EXP-10": False, "EXP-11": False}),
    ("bob", "review", "2025-01-09", {"MQI-01": True, "EXP-02": False, "EXP-17": False}),
    ("chen", "play", "2025-01-07", {"MQI-05": False, "MQI-06": True, "EXP-10": False}),
    ("dora", "review", "2025-01-07", {"EXP-02": True, "EXP-17": True}),
)
INCIDENTS: tuple[tuple[Any, ...], ...] = (("anna", "stores", 7, True, 6, 3, 0), ("chen", "bank", 2, False, 31, 14, 2))


def invent(folder: str | Path) -> None:
    """Let the class work, and keep a file for each learner in the folder; other *.jsonl files there are deleted.

    One file is cut short, as by a failed copy. LabError if a file cannot be written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for old in place.glob("*.jsonl"):
        old.unlink()
    before = {name: os.environ.get(name) for name in (progress.FILE, progress.LEARNER)}
    try:
        for learner, said in PREDICTIONS.items():
            os.environ[progress.FILE], os.environ[progress.LEARNER] = str(place / f"{learner}.jsonl"), learner
            _work(learner, said)
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
    with (place / "faye.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"schema": 1, "learner": "faye", "exerc')


def _work(learner: str, said: dict[str, list | None]) -> None:
    for key, words in said.items():
        question, answers = QUESTIONS[key]
        right = [] if words is None else [one == other for one, other in zip(words, answers, strict=True)]
        about = {"asked": {"plain": question}, "day": "2025-01-06"}
        progress.record_prediction(key, words, right, rules_of(explanation(key)), False, **about)
    for name, *work in EXERCISES:
        if name == learner:
            _exercise(*work)
    for name, what, day, judged in ROUNDS:
        if name == learner:
            game = "game" if what == progress.PLAY else "review"
            progress.record(game, what, key="round 1", right=all(judged.values()), judged=judged, day=day)
    for name, estate, seed, done, minutes, commands, level in INCIDENTS:
        if name == learner:
            score = {"done": done, "minutes": minutes, "commands": commands, "level": level}
            progress.record(f"incident {estate} {seed}", progress.INCIDENT, **score)


def _exercise(id: str, said: dict[str, int], qmgr: str, tries: tuple[str, ...], hints: int) -> None:
    desk = exercise(id)
    desk.start()
    if said:
        desk.predict(**said)
    for number, what in enumerate(tries):
        for level in range(1, hints + 1) if number == 1 else ():
            desk.hint(level)
        if what == LOOK:
            desk.solution()
            continue
        lab = desk.exercise.start()
        if what == DONE:
            desk.solve(lab)
        else:
            lab[qmgr].mqsc(what).require()
        desk.check(lab)
