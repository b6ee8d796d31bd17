"""The command mqlab: help at once, each command loaded only when it is called, clear exit codes."""

import io
import re
import subprocess
import sys
from unittest.mock import Mock

import pytest

from helpers import for_each, refusal, says, scenario_lab
from mqlab.cli import cli

HEAVY = ("altair", "ipywidgets", "jupyterlab", "pandas", "papermill", "pyarrow", "pyspark")


def test_help_lists_every_command_and_examples(capsys):
    assert cli.main([]) == 0
    said = capsys.readouterr().out
    for name, (*_, words) in cli.COMMANDS.items():
        assert f"  {name:10}{words}" in said
    titles = [said.index(f"\n{title}:\n") for title in cli.GROUPS]
    assert titles == sorted(titles)
    assert "mqlab runmqsc QM1 < estate.mqsc" in said


@for_each("name", [name for name in cli.COMMANDS if name != "version"])
def test_each_command_has_help_of_its_own(name, capsys):
    rest = ["make", "--help"] if name == "datasets" else ["--help"]
    left = refusal(SystemExit, "", cli.main, [name, *rest])
    assert left.code == 0
    said = capsys.readouterr().out
    assert "usage:" in said
    assert re.search(rf"^examples?:\n(  .*\n)*  (.*\| )?mqlab {name}\b", said, re.M), said


def test_help_may_be_asked_for_by_word_and_an_unknown_command_is_refused_with_those_there_are(capsys):
    for line, code in ((["help"], 0), (["help", "runmqsc"], 0), (["frob"], 2)):
        left = refusal(SystemExit, "", cli.main, line)
        assert left.code == code
    said = capsys.readouterr()
    says(said.out, "usage: mqlab COMMAND", "usage: mqlab runmqsc")
    says(said.err, "'frob'", "runmqsc")
    assert cli.main(["datasets"]) == 2
    assert "mqlab datasets make" in capsys.readouterr().err
    for word in ("version", "--version"):
        assert cli.main([word]) == 0
        assert capsys.readouterr().out.startswith("mqlab 0.")
    for line in (["grading", "--format", "\x1b[31m\u202e"], ["doctor", "--\x9b2J"], ["runmqsc", "QM1", "x", "\x1b"]):
        refusal(SystemExit, "", cli.main, line)
        said = capsys.readouterr().err
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said), "it commands no terminal"


def test_help_loads_nothing_heavy():
    code = f"import sys, mqlab.cli.cli; mqlab.cli.cli.build_parser(); print([m for m in {HEAVY} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_interrupted_is_said_without_a_traceback(monkeypatch, capsys):
    def interrupted(rest):
        raise KeyboardInterrupt

    monkeypatch.setattr("mqlab.cli.tour.main", interrupted)
    assert cli.main(["tour"]) == 130
    assert "mqlab tour was interrupted" in capsys.readouterr().err


def test_a_package_that_is_not_installed_is_named_and_an_error_of_mqlab_itself_is_not_hidden(monkeypatch, capsys):
    def lacks(name):
        return Mock(side_effect=ModuleNotFoundError(f"No module named {name!r}", name=name))

    monkeypatch.setattr("mqlab.cli.tour.main", lacks("papermill.engines"))
    assert cli.main(["tour"]) == 1
    said = capsys.readouterr().err
    assert said == "mqlab tour: the package papermill is not installed: pip install 'mqlab[lab,spark]'\n"
    monkeypatch.setattr("mqlab.cli.tour.main", lacks("mqlab.no_such_page"))
    refusal(ModuleNotFoundError, "no_such_page", cli.main, ["tour"])


@pytest.fixture
def typed(monkeypatch):
    """A function that puts bytes on standard input."""

    def type_in(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return type_in


def test_runmqsc_prints_the_replies_of_its_input_or_a_file_and_says_by_its_code_what_failed(typed, tmp_path, capsys):
    typed(b"DEFINE QLOCAL(ORDERS) MAXDEPTH(10)\nDISPLAY QLOCAL(ORDERS) MAXDEPTH\n")
    assert cli.main(["runmqsc", "QM1"]) == 0
    said = capsys.readouterr().out
    says(said, "AMQ8006I", "MAXDEPTH(10)")
    typed(b"DELETE QLOCAL(NOT.THERE)\n")
    assert cli.main(["runmqsc", "QM1"]) == 10
    assert "AMQ8147E" in capsys.readouterr().out
    (tmp_path / "one.mqsc").write_text("DEFINE QLOCAL(ORDERS)\n")
    assert cli.main(["runmqsc", "QM1", str(tmp_path / "one.mqsc")]) == 0
    assert "AMQ8006I" in capsys.readouterr().out
    typed(b"DEFINE QLOCAL(ORD\0ERS)\n")
    for line, said in (
        (["QM1", str(tmp_path / "none.mqsc")], "none.mqsc (No such file"),
        (["QM1"], "the input must be text; got '\\x00' in line 1"),
    ):
        assert cli.main(["runmqsc", *line]) == 20
        assert said in capsys.readouterr().err
    typed(b"DISPLAY QMGR\n")
    assert cli.main(["runmqsc", "not a name!"]) == 20
    assert "mqlab runmqsc:" in capsys.readouterr().err


def test_runmqsc_uses_the_header_of_a_dump(typed, capsys):
    typed("* Queue manager name: ABKA\n* Queue manager platform: MVS\nDISPLAY QMGR PLATFORM".encode("utf-16"))
    assert cli.main(["runmqsc", "QM1"]) == 0
    said = capsys.readouterr()
    says(said.out, "PLATFORM(MVS)", "mqlab: ABKA wrote this dump; on QM1, names that lead to ABKA lead elsewhere.")
    typed("* Queue manager name: ABKA\n* Queue manager platform: MVS\nDISPLAY QMGR PLATFORM".encode("cp037"))
    assert cli.main(["runmqsc"]) == 0
    said = capsys.readouterr()
    assert "Starting MQSC for queue manager ABKA." in said.out
    assert "wrote this dump" not in said.out


def test_export_writes_a_scenario_or_a_log(tmp_path, capsys):
    out = tmp_path / "out.json"
    assert cli.main(["export", "--scenario", "expired-fill", "--to", "ocel", "--output", str(out)]) == 0
    scenario = out.read_bytes()
    lab = scenario_lab("expired-fill")
    lab.events.write_parquet(tmp_path / "log.parquet")
    assert cli.main(["export", str(tmp_path / "log.parquet"), "--to", "ocel", "--output", str(out)]) == 0
    assert out.read_bytes() == scenario
    assert "OCEL 2.0 as JSON" in capsys.readouterr().out
    wrong = ((__file__, "is no parquet file"), (str(tmp_path / "none"), "No such file"), (str(tmp_path), "the folder"))
    for log, reason in wrong:
        assert cli.main(["export", log, "--to", "ocel", "--output", str(out)]) == 1
        assert reason in capsys.readouterr().err
    assert cli.main(["export", "--scenario", "frob", "--to", "ocel", "--output", str(out)]) == 1
    assert "got 'frob'" in capsys.readouterr().err
    refusal(SystemExit, "", cli.main, ["export", "--to", "ocel", "--output", str(out)])
    assert out.read_bytes() == scenario
