"""The command mqlab incident: a console on standard input and output."""

import io

import pytest

from helpers import says
from mqlab.cli import cli


@pytest.fixture
def play(monkeypatch, tmp_path, capsys):
    """Return a function that plays lines, and returns the exit code and what was printed."""
    monkeypatch.setenv("MQLAB_PROGRESS", str(tmp_path / "progress.jsonl"))

    def typed(lines, *options):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return cli.main(["incident", *options]), capsys.readouterr()

    return typed


def test_a_whole_incident_at_the_console(play):
    lines = (
        "help\nlog\nuse store2\ndepot\ndis qlocal(ORDERS.IN) +\n  trigger\nwait\nwait 99\nhint\nstatus\n"
        "ALTER QLOCAL(ORDERS.IN) TRIGGER\nclose\n"
    )
    code, said = play(lines, "--seed", "5", "--estate", "stores")
    assert code == 0, said.out
    says(
        said.out,
        *("Incident 5 in estate stores", "PAGER 09:", "STORE1> ", "AMQ8003I", "STORE2> 09:06 DEPOT> ", "NOTRIGGER"),
        *("minutes must be a whole number from 1 to 60; got 99", "The orders arrive at DEPOT."),
        *("Repaired: 9 minutes, 2 commands, 1 hint.", "ORDERS.IN had NOTRIGGER"),
        "An expert's way: 3 minutes, 3 commands",
    )
    assert max(map(len, said.out.splitlines())) <= 120


def test_the_end_of_the_input_a_wrong_seed_and_the_list(play):
    code, said = play("DIS QMGR\n")
    assert code == 1
    says(said.out, "Incident 0 in estate", "still open after 1 minute, 1 command")
    code, said = play("", "--seed", "-1")
    assert code == 1
    assert "seed must be a whole number" in said.err
    code, said = play("", "--day", "2026-11-28")
    assert (code, "Incident 25 in estate" in said.out) == (1, True)
    code, said = play("", "--day", "tomorrow")
    assert "the day must be a date" in said.err
    code, said = play("", "--list")
    assert code == 0
    assert "stores  Two stores and a depot" in said.out
