"""The command mqlab review: questions on standard input and output, and no connection to anywhere."""

import io
import socket

import pytest

from helpers import refusal, says
from mqlab.cli import cli, review
from mqlab.course.exercises import progress
from mqlab.course.memory.drills import question
from mqlab.engine.words.rulebook import RULES


@pytest.fixture
def answer(monkeypatch, tmp_path, capsys):
    """Return a function that answers with lines, and returns the exit code and the text."""
    monkeypatch.setenv("MQLAB_PROGRESS", str(tmp_path / "progress.jsonl"))
    monkeypatch.setattr(progress, "today", lambda: "2025-01-07")

    def refused(*_args, **_how):
        raise AssertionError("a review opens no connection")

    monkeypatch.setattr(socket, "socket", refused)
    monkeypatch.setattr(socket, "create_connection", refused)

    def typed(lines, *options):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        code = cli.main(["review", *options])
        return code, capsys.readouterr()

    return typed


def missed(**judged):
    rules = {rule.replace("_", "-"): right for rule, right in judged.items()}
    progress.record("game", progress.PLAY, key="1", right=False, judged=rules, day="2025-01-06")


def keys(round):
    """The lines that answer a round rightly."""
    if len(round.choices) > review.FEW:
        return [*(card.answer for card in round.cards), *(each.answer for each in round.questions)]
    return [each.answer for each in round.questions]


def test_right_and_wrong_answers_are_judged_recorded_and_come_back(answer):
    missed(MQI_09=False, TRG_13c=False, CHL_05=False)
    limits = keys(question("MQI-09", 1))
    code, said = answer("\n".join(["4711", *limits, "", "", ""]))
    assert code == 0
    says(
        said.out,
        *("2 questions today, for 2 rules.", "1 of 2  Limits", "please; got 4711.", "As the queue manager does it."),
        *("2 of 2  Does it fire?", "The queue manager does it differently:", "wrong  step"),
        "TRG-13c  A trigger monitor opens the initiation queue.",
        "1 of 2 right. The wrong ones come back tomorrow.",
        f"of {len(RULES)} rules. mqlab review --map shows them.",
    )
    lines = progress.read()[0][1:]
    wanted = [("review", "2025-01-07", True), ("review", "2025-01-07", False)]
    assert [(line["what"], line["day"], line["right"]) for line in lines] == wanted
    assert lines[1]["judged"]["TRG-13c"] is False
    states = progress.skill_states(progress.read()[0])
    assert (states["MQI-09"].state, states["TRG-13c"].state) == ("right", "wrong")


def test_a_skip_and_the_end_of_the_input_record_nothing_and_help_names_the_sources(answer, capsys):
    missed(MQI_09=False, EXP_17=False)
    before = len(progress.read()[0])
    for lines in ("skip\nskip\n", "end\n", "", "skip\n"):
        assert answer(lines)[0] == 0
    assert len(progress.read()[0]) == before
    refusal(SystemExit, "", cli.main, ["review", "--help"])
    said = capsys.readouterr().out
    says(said, "Leitner", "Cepeda", "Rawson and Dunlosky", "Nothing is sent anywhere")


def test_nothing_due_the_map_and_a_wrong_number(answer):
    code, said = answer("")
    waits = "No rule waits for a review. Predict in a notebook or play a round of the game first."
    assert (code, said.out.strip()) == (0, waits)
    missed(EXP_17=False)
    assert "Message expiry" in answer("", "--map")[1].out
    code, said = answer("", "--questions", "0")
    assert code == 1
    assert "most must be 1 or more; got 0" in said.err
