"""The mutants of triggering fit the package: running them is `make mutants`."""

import pytest

from helpers import cases, says
from mqlab.engine.queues.triggering import CONDITIONS
from mqlab.gates import tls
from mqlab.gates.admitting import CONDITIONS as GATES
from tools import mutants

pytestmark = pytest.mark.tools


def test_every_mutant_finds_its_place_and_every_condition_has_one():
    assert mutants.stale([*mutants.CHANGES, *mutants.conditions(), *mutants.GATES, *mutants.gates()]) == []
    assert [one.name.split()[0] for one in mutants.conditions()] == [condition.rule for condition in CONDITIONS]
    gates = " ".join(one.name for one in mutants.gates())
    assert all(f"never asked: {condition.gate} " in gates for condition in GATES)
    assert len(mutants.gates()) == len({one.gate for one in GATES}) + len(tls.ROWS)


def test_a_mutant_that_does_not_fit_is_told_before_any_test_runs(monkeypatch, capsys):
    gone = mutants.Mutant("gone", "triggering", "closed", "no.such(text)", "x")
    twice = mutants.Mutant("twice", "triggering", "_guard", "self._fruitless", "x")
    monkeypatch.setattr(mutants, "CHANGES", (gone, twice, twice))
    for made in ("conditions", "gates"):
        monkeypatch.setattr(mutants, made, list)
    monkeypatch.setattr(mutants, "run", lambda *_: pytest.fail("a test was run"))
    assert mutants.main() == 2
    said = capsys.readouterr().out
    assert "gone: closed of triggering.py has 0 times no.such(text), not once" in said
    says(said, "twice: _guard of triggering.py has ", "no row of CONDITIONS was found")
    assert "two mutants are called twice" in said


@cases(
    "noticed, code, said",
    (lambda name: not name.startswith("no mutant"), 0, "noticed"),
    (lambda name: False, 1, "survived: TRG-02 any priority qualifies"),
    (lambda name: True, 1, "the tests fail without a mutant: test_a"),
    ids=["all noticed", "a survivor", "tests that fail anyway"],
)
def test_the_exit_code_tells_whether_one_survived(monkeypatch, capsys, noticed, code, said):
    monkeypatch.setattr(mutants, "run", lambda mutant: ["test_a"] if noticed(mutant.name) else [])
    assert mutants.main() == code
    assert said in capsys.readouterr().out
