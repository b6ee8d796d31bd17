"""An estate of many objects: the work of a check, and of its page, grows with the objects and not with their square."""

from mqlab import estates
from mqlab.engine.words.objects import ObjectTable
from mqlab.estates.definitions import Definitions
from mqlab.estates.findings import findings
from mqlab.estates.page import page
from tools.bench.estates import dumps


def test_checks_look_at_twice_as_many_objects_about_twice_as_many_times(tmp_path, monkeypatch):
    looked, match, found = [], ObjectTable.match, []

    def counted(table, *given):
        chosen = match(table, *given)
        looked[-1] += len(chosen)
        return chosen

    read = [estates.read(dumps(tmp_path / str(many), many, qmgrs=4, mistakes=1)) for many in (500, 1_000)]
    monkeypatch.setattr(ObjectTable, "match", counted)
    for estate in read:
        looked.append(0)
        found.append(len(findings(estate)))
    assert found[1] > 1.8 * found[0]
    assert looked[1] < 2.1 * looked[0]


def test_a_page_plays_its_proofs_on_the_objects_that_they_need(tmp_path, monkeypatch):
    report = estates.read(dumps(tmp_path / "estate", 1_000, qmgrs=4)).report()
    commands, run = [], Definitions._run

    def counted(estate, parts):
        commands.extend(line for part in parts for line in part.script.text.splitlines())
        run(estate, parts)

    monkeypatch.setattr(Definitions, "_run", counted)
    html = page(report)
    assert html.count("Play it</button>") == 12
    assert sum("DEFINE" in command for command in commands) < 1_000, "all its labs together are smaller than the estate"
    assert len(html) < 2_000_000
