"""A game day: faults in an estate of one's own, each noticed, with a trace of its own, and repaired by the doctor."""

from itertools import islice

import pytest
from course.incidents.own import ESTATES

from helpers import for_each, lab_error, some
from mqlab.cli.cli import main
from mqlab.course.exercises.progress import read
from mqlab.course.incidents import GameDay
from mqlab.course.incidents.estate import commands


@pytest.fixture
def scripts(tmp_path):
    """Write an estate to a folder, a file for each queue manager."""

    def write(name):
        folder = tmp_path / name
        folder.mkdir()
        for qmgr, text in ESTATES[name].items():
            (folder / f"{qmgr}.mqsc").write_text(text)
        return folder

    return write


def facts(lab):
    """All that a team can display, and the error logs."""
    asked = ("QMGR ALL", "QUEUE(*) ALL", "CHANNEL(*) ALL", "CHSTATUS(*) ALL")
    rows = [row for qmgr in lab.queue_managers for text in asked for row in qmgr.mqsc(f"DISPLAY {text}").rows]
    shown = [{key: row[key] for key in row if not key.startswith("ALT")} for row in rows]
    return repr([shown, [str(qmgr.error_log()) for qmgr in lab.queue_managers]])


@for_each("name", some(ESTATES, 3))
def test_an_estate_of_ones_own_has_five_faults_that_the_doctor_repairs(name, scripts):
    day = GameDay(scripts(name))
    found, seen = list(islice(day.faults(), 5)), set()
    assert len({fault.key.split()[0] for fault in found}) == 5
    for number, fault in enumerate(found):
        incident = day.incident(0, fault)
        assert any(words in incident.pager for words in ("without a confirmation", "refused", "late"))
        assert incident.left_behind
        seen.add(facts(incident.lab))
        expert = incident.expert()
        expert.close()
        assert (expert.state, expert.wide) == ("repaired", []), fault
        assert expert.commands <= 8
        assert len(seen) == number + 1, f"{fault.key} leaves no trace of its own"
        incident.lab.close()


def test_a_seed_gives_one_incident_and_the_report_names_what_nobody_looked_at(scripts):
    folder = scripts("pair")
    incident, again = (GameDay(folder).incident(4) for _ in range(2))
    assert str(incident) == str(again)
    assert incident.fault == again.fault
    assert len({GameDay(folder).incident(seed).fault.key for seed in range(4)}) > 1
    (qmgr, name), *others = incident.left_behind
    own = [(qmgr, f"DISPLAY {kind}('{name}')") for kind in ("QUEUE", "CHSTATUS")]
    for at, command in [*commands(incident.fault.looks), *own]:
        incident.run(at, command)
    report = incident.give_up()
    missed = report.partition("nobody looked\n")[2].partition("\n\n")[0]
    assert f"{qmgr:8} {name}:" not in missed
    assert others
    assert all(f"{at:8} {each}:" in missed for at, each in others if (at, each) not in incident.looked)
    assert [line["exercise"] for line in read()[0]] == [f"incident {folder.name} 4"]


def test_the_console_and_the_page_of_the_leader(scripts, tmp_path, monkeypatch, capsys):
    folder, page = scripts("by-hand"), tmp_path / "day.html"
    assert main(["incident", "--estate", str(folder), "--seed", "2", "--leader", str(page)]) == 0
    fault, text = GameDay(folder).incident(2).fault, page.read_text("utf-8")
    assert all(command.replace("'", "&#x27;") in text for _, command in fault.expert)
    assert "://" not in text
    assert str(tmp_path) not in text
    lines = [line for at, command in fault.expert for line in (at, command)]
    monkeypatch.setattr("sys.stdin", iter([f"{line}\n" for line in (*lines, "close")]))
    assert main(["incident", "--estate", str(folder), "--seed", "2"]) == 0
    assert "Repaired:" in capsys.readouterr().out
    assert main(["incident", "--estate", str(folder), "--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 5


def test_an_estate_must_have_a_route_and_a_fault_that_fits(tmp_path):
    (tmp_path / "QM1.mqsc").write_text("DEFINE QREMOTE(Q) RNAME(Q) RQMNAME(QM9)")
    lab_error("no route of this estate ends on one", GameDay, tmp_path)
