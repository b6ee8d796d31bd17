"""The commands of a notebook, run in an IPython shell as a notebook runs them."""

import re

import pytest
from IPython.core.error import UsageError
from IPython.utils.capture import capture_output

import mqlab
from helpers import for_each, refusal, says


@pytest.fixture
def shell(kernel):
    shell = kernel()
    shell.run_cell("import mqlab\nlab = mqlab.Lab()\nqm = lab.queue_manager('QM1')").raise_error()
    return shell


def shown(shell, cell):
    """What a cell displays: the text of each output."""
    with capture_output() as captured:
        shell.run_cell(cell).raise_error()
    return [output.data["text/plain"] for output in captured.outputs]


def test_mqsc_is_run_and_answered(shell):
    [said] = shown(
        shell, "%%mqsc QM1 --to reply\n* a comment, {braces} and all\nDEFINE QLOCAL(ORDERS) +\n  MAXDEPTH(2)"
    )
    assert "1 commands, none refused" in said or "AMQ8006I" in said
    assert shell.user_ns["reply"].ok
    assert shell.user_ns["lab"]["QM1"].depth("ORDERS") == 0
    assert shown(shell, "%%mqsc\nDISPLAY QMGR QMNAME"), "the only queue manager need not be named"
    shell.run_cell("other = mqlab.Lab()\nother.queue_manager('QM9')").raise_error()
    shown(shell, "%%mqsc QM9 --lab other\nDEFINE QLOCAL(Q)")
    assert shell.user_ns["other"]["QM9"].depth("Q") == 0


def test_a_refusal_in_a_cell_is_a_card_and_one_line_and_a_program_that_dies_shows_where(shell):
    for call, text in (
        ("qm.get('NOPE')", "2085 MQRC_UNKNOWN_OBJECT_NAME"),
        ("lab.advance(-1)", "seconds must be"),
        ("lab.everyplace('PDA').get('NOPE')", "unknown queue"),
        ("qm.run_program('P', lambda app: app.get('NOPE')); lab.advance(1)", "2085 MQRC_UNKNOWN_OBJECT_NAME"),
    ):
        with capture_output() as captured:
            ended = shell.run_cell(call)
        [output] = captured.outputs
        assert text in output.data["text/plain"]
        assert text.split()[0] in output.data["text/html"]
        assert not ended.success, "whoever runs the notebook is told"
        assert text in captured.stdout
        assert re.findall(r"line (\d+)$", captured.stdout, re.MULTILINE) in (["1"], []), "a line, without a traceback"
        assert "Traceback" not in captured.stdout
    for cell, lines in (
        ("def broken():\n    qm.depth('NOPE')", []),
        ("1\nbroken()", ["2", "2"]),
        ("%%predict 01/tart\nHow many?\n\nnumber 0 to 4 = 1\n---\n2\nlab.advance(-1)", ["1", "7"]),
    ):
        with capture_output() as captured:
            shell.run_cell(cell, store_history=True)
        assert re.findall(r"^\w+ In\[\d+\], line (\d+)$", captured.stdout, re.MULTILINE) == lines, captured.stdout
    with capture_output() as captured:
        shell.run_cell("qm.run_program('P', lambda app: 1 / 0)\nlab.advance(1)")
    says(captured.stdout, "ZeroDivisionError", "Traceback")


@for_each(
    "magic, line, said",
    ("mqsc", "QM7", "%%mqsc QM1; got QM7"),
    ("mqsc", "QM1 --lab nowhere", "one of lab"),
    ("mqsc", "QM1 --to 2x", "a Python name"),
    ("mqsc", "QM1 QM2", r"unrecognized arguments: QM2\. %%mqsc\? shows"),
    ("mqlab", "rule EXP-2", "such as EXP-.*; got EXP-2"),
    ("mqlab", "rule", "got nothing"),
    ("mqlab", "status ORDERS", "takes no argument"),
    ("mqlab", "why ORDERS --qmgr QM9", "%mqlab why ORDERS --qmgr QM1; got QM9"),
    ("mqlab", "--help", r"%mqlab\? shows the help"),
    *(("mqlab", line, "") for line in ("explain", "explain x", "why", "rule XYZ-1", "nothing")),
)
def test_a_wrong_use_is_answered_with_a_right_one(shell, magic, line, said):
    run, more = (shell.run_line_magic, ()) if magic == "mqlab" else (shell.run_cell_magic, ("DISPLAY QMGR",))
    refusal((UsageError, SystemExit), said or None, run, magic, line, *more)


def test_without_a_queue_manager_or_a_lab_it_says_how_to_make_one_and_shows_progress(shell):
    shell.run_cell("lab = mqlab.Lab()").raise_error()
    says_how = r'lab\.queue_manager\("QM1"\) makes one; got QM1'
    refusal(UsageError, says_how, shell.run_cell_magic, "mqsc", "QM1", "DISPLAY QMGR")
    shell.run_cell("del lab, qm").raise_error()
    refusal(UsageError, "there is no lab yet", shell.run_cell_magic, "mqsc", "", "DISPLAY QMGR")
    assert "No exercise started yet" in shown(shell, "%mqlab progress")[0]


def test_a_refusal_that_is_expected_is_a_card_and_another_outcome_is_said_or_in_strict_runs_an_error(
    shell, monkeypatch
):
    monkeypatch.delenv("MQLAB_STRICT", raising=False)
    [card] = shown(shell, "%%expect 2085\nkept = {'a': 1}\nqm.get('NOWHERE')\nf'{kept}'")
    assert card.startswith("2085 MQRC_UNKNOWN_OBJECT_NAME")
    assert shell.user_ns["kept"] == {"a": 1}
    assert shown(shell, "%%expect 2085\n1 + 1")[0] == "2", "the last value is shown as in any cell"
    assert "but it succeeded" in shown(shell, "%%expect 2085\nx = 1")[-1]
    assert "ended with 2085" in shown(shell, "%%expect 2033\nqm.get('NOWHERE')")[-1]
    assert "ended with" not in shown(shell, "%%expect MQRC_UNKNOWN_OBJECT_NAME\nqm.get('NOWHERE')")[-1]
    assert "with 2063, but it ended with 2085" in shown(shell, "%%expect MQRC_SECURITY_ERROR\nqm.get('NOWHERE')")[-1]
    monkeypatch.setenv("MQLAB_STRICT", "1")
    for error, said, line, cell in (
        (AssertionError, "but it succeeded", "2085", "x = 1"),
        (ZeroDivisionError, "", "2085", "1 / 0"),
        (UsageError, "reason code", "never", "x = 1"),
    ):
        refusal(error, said or None, shell.run_cell_magic, "expect", line, cell)


def test_in_strict_runs_a_refused_command_is_an_error_unless_it_is_expected(shell, monkeypatch):
    nowhere = "DISPLAY QLOCAL(NOWHERE)"
    shell.run_cell_magic("mqsc", "", nowhere)
    monkeypatch.setenv("MQLAB_STRICT", "1")
    has = r"no refused command; it has DISPLAY QLOCAL\(NOWHERE\): AMQ8147E"
    refusal(AssertionError, has, shell.run_cell_magic, "mqsc", "", nowhere)
    shell.run_cell_magic("mqsc", "--refused", nowhere)
    refusal(AssertionError, "a refused command; it has none", shell.run_cell_magic, "mqsc", "--refused", "DISPLAY QMGR")


def test_mqlab_tells_of_the_lab(shell):
    shown(shell, "%%mqsc\nDEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL('my.queue')")
    get, trigger = shown(shell, "%mqlab why ORDERS")
    assert "\nNO  MQI-12  the queue has a message: CURDEPTH is 0\n" in get
    assert "\nNO  TRG-09  triggering is on: ORDERS has NOTRIGGER\n" in trigger
    shell.run_cell("m = qm.put('ORDERS', b'x')").raise_error()
    assert "QM1" in shown(shell, "%mqlab status")[0]
    assert "put message 1" in shown(shell, "%mqlab events ORDERS")[0]
    assert "put message 1" in shown(shell, "%mqlab explain 1")[0]
    for rule in ("EXP-02", "trg-12A"):
        assert mqlab.RULES[rule[:3].upper() + rule[3:].lower()].title in shown(shell, f"%mqlab rule {rule}")[0]
    assert shown(shell, "%mqlab why 'my.queue'")[0].startswith("my.queue: a get fails")
    assert "no event of the log is about a queue my.queues" in shown(shell, "%mqlab events my.queues")[0]
    assert "no event of the log is about a queue orders, try ORDERS" in shown(shell, "%mqlab events orders")[0]


def test_mqlab_shows_an_error_log_and_each_help_an_example(shell):
    assert "AMQ8003" in shown(shell, "%mqlab errors")[0]
    shell.run_cell("lab.queue_manager('QM2', platform='zos'); lab.queue_manager('QM3', platform='vse')").raise_error()
    assert "CSQY022I" in shown(shell, "%mqlab errors QM2")[0]
    assert shown(shell, "%mqlab errors --qmgr QM2") == shown(shell, "%mqlab errors QM2")
    assert "VSE/ESA" in shown(shell, "%mqlab errors QM3")[0]
    refusal(UsageError, r"%mqlab errors QM1\|QM2\|QM3; got nothing", shell.run_line_magic, "mqlab", "errors")
    for name, kind in (("mqsc", "cell"), ("expect", "cell"), ("mqlab", "line")):
        help = shell.find_magic(name, kind).__doc__.replace("  ", "")
        assert f"\n{'%' if kind == 'line' else '%%'}{name} " in help


def test_loading_twice_is_as_loading_once_and_says_nothing(shell):
    magics = shell.magics_manager.registry["LabMagics"]
    with capture_output() as captured:
        shell.run_cell("%load_ext mqlab").raise_error()
    assert captured.stdout == ""
    assert shell.magics_manager.registry["LabMagics"] is magics


def test_rows_of_the_log_are_a_table_and_other_lists_are_not(shell):
    shell.run_cell("qm.mqsc('DEFINE QLOCAL(A)'); _ = qm.put('A', b'x')").raise_error()
    for rows in ("lab.events[-3:]", "lab.events.where(kind='put')", "[row for row in lab.events if row.depth == 1]"):
        with capture_output() as captured:
            shell.run_cell(f"display({rows})").raise_error()
        html = captured.outputs[0].data["text/html"]
        says(html, "<table>", "What happened", "put message 1 on A", "MQI-01")
    with capture_output() as captured:
        shell.run_cell("display([1, lab.events[0]])").raise_error()
    assert "text/html" not in captured.outputs[0].data
