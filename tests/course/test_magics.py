"""The commands of a notebook, run in an IPython shell as a notebook runs them."""

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import mqlab

SET_UP = "import mqlab\nlab = mqlab.Lab()\nqm = lab.queue_manager('QM1')"


@pytest.fixture
def shell():
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.display_formatter.active_types = shell.display_formatter.format_types  # as in a notebook
    shell.run_line_magic("load_ext", "mqlab")
    shell.run_cell(SET_UP).raise_error()
    yield shell
    InteractiveShell.clear_instance()


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


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("qm.get('NOPE')", "2085 MQRC_UNKNOWN_OBJECT_NAME"),
        ("lab.advance(-1)", "seconds must be"),
        ("lab.everyplace('PDA').get('NOPE')", "unknown queue"),
        ("qm.run_program('P', lambda app: app.get('NOPE')); lab.advance(1)", "2085 MQRC_UNKNOWN_OBJECT_NAME"),
    ],
)
def test_a_refusal_in_a_cell_is_a_card_and_one_line(shell, call, text):
    with capture_output() as captured:
        ended = shell.run_cell(call)
    [output] = captured.outputs
    assert text in output.data["text/plain"]
    assert text.split()[0] in output.data["text/html"]
    assert not ended.success, "whoever runs the notebook is told"
    assert text in captured.stdout
    assert "Traceback" not in captured.stdout


def test_a_program_that_dies_shows_where(shell):
    with capture_output() as captured:
        shell.run_cell("qm.run_program('P', lambda app: 1 / 0)\nlab.advance(1)")
    assert "ZeroDivisionError" in captured.stdout
    assert "Traceback" in captured.stdout


def test_the_only_queue_manager_need_not_be_named(shell):
    assert shown(shell, "%%mqsc\nDISPLAY QMGR QMNAME")


def test_a_second_lab_is_asked_for_by_name(shell):
    shell.run_cell("other = mqlab.Lab()\nother.queue_manager('QM9')").raise_error()
    shown(shell, "%%mqsc QM9 --lab other\nDEFINE QLOCAL(Q)")
    assert shell.user_ns["other"]["QM9"].depth("Q") == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("QM7", "%%mqsc QM1; got QM7"),
        ("QM1 --lab nowhere", "one of lab"),
        ("QM1 --to 2x", "a Python name"),
        ("QM1 QM2", r"unrecognized arguments: QM2\. %%mqsc\? shows"),
        ("", None),
    ],
)
def test_what_is_not_there_is_named(shell, line, said):
    if said is None:
        shell.run_cell("del lab, qm").raise_error()
        said = "there is no lab yet"
    with pytest.raises(UsageError, match=said):
        shell.run_cell_magic("mqsc", line, "DISPLAY QMGR")


def test_a_refusal_that_is_expected_is_a_card(shell):
    [card] = shown(shell, "%%expect 2085\nqm.put('NOWHERE', b'')")
    assert card.startswith("2085 MQRC_UNKNOWN_OBJECT_NAME")


def test_braces_and_last_values_are_as_in_any_cell(shell):
    cards = shown(shell, "%%expect 2085\nkept = {'a': 1}\nqm.get('NOWHERE')\nf'{kept}'")
    assert len(cards) == 1
    assert shell.user_ns["kept"] == {"a": 1}
    assert shown(shell, "%%expect 2085\n1 + 1")[0] == "2"


def test_another_outcome_is_said_and_in_strict_runs_an_error(shell, monkeypatch):
    monkeypatch.delenv("MQLAB_STRICT", raising=False)
    assert "but it succeeded" in shown(shell, "%%expect 2085\nx = 1")[-1]
    assert "ended with 2085" in shown(shell, "%%expect 2033\nqm.get('NOWHERE')")[-1]
    monkeypatch.setenv("MQLAB_STRICT", "1")
    with pytest.raises(AssertionError, match="but it succeeded"):
        shell.run_cell_magic("expect", "2085", "x = 1")


def test_in_strict_runs_a_refused_command_is_an_error_unless_it_is_expected(shell, monkeypatch):
    nowhere = "DISPLAY QLOCAL(NOWHERE)"
    shell.run_cell_magic("mqsc", "", nowhere)
    monkeypatch.setenv("MQLAB_STRICT", "1")
    with pytest.raises(AssertionError, match=r"no refused command; it has DISPLAY QLOCAL\(NOWHERE\): AMQ8147E"):
        shell.run_cell_magic("mqsc", "", nowhere)
    shell.run_cell_magic("mqsc", "--refused", nowhere)
    with pytest.raises(AssertionError, match="a refused command; it has none"):
        shell.run_cell_magic("mqsc", "--refused", "DISPLAY QMGR")


def test_other_errors_are_not_hidden(shell):
    with pytest.raises(ZeroDivisionError):
        shell.run_cell_magic("expect", "2085", "1 / 0")
    with pytest.raises(UsageError, match="reason code"):
        shell.run_cell_magic("expect", "never", "x = 1")


def test_mqlab_tells_of_the_lab(shell):
    shown(shell, "%%mqsc\nDEFINE QLOCAL(ORDERS)")
    shell.run_cell("m = qm.put('ORDERS', b'x')").raise_error()
    assert "QM1" in shown(shell, "%mqlab status")[0]
    assert "put message 1" in shown(shell, "%mqlab events ORDERS")[0]
    assert "put message 1" in shown(shell, "%mqlab explain 1")[0]
    assert len(shown(shell, "%mqlab why ORDERS")) == 2
    assert mqlab.RULES["EXP-02"].title in shown(shell, "%mqlab rule EXP-02")[0]


def test_mqlab_shows_the_error_log_of_a_queue_manager(shell):
    assert "AMQ8003" in shown(shell, "%mqlab errors")[0]
    shell.run_cell("lab.queue_manager('QM2', platform='zos'); lab.queue_manager('QM3', platform='vse')").raise_error()
    assert "CSQY022I" in shown(shell, "%mqlab errors QM2")[0]
    assert shown(shell, "%mqlab errors --qmgr QM2") == shown(shell, "%mqlab errors QM2")
    assert "VSE/ESA" in shown(shell, "%mqlab errors QM3")[0]
    with pytest.raises(UsageError, match=r"%mqlab errors QM1\|QM2\|QM3; got nothing"):
        shell.run_line_magic("mqlab", "errors")


def test_mqlab_shows_progress_without_a_lab(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("MQLAB_PROGRESS", str(tmp_path / "none.jsonl"))
    shell.run_cell("del lab, qm").raise_error()
    assert "No exercise started yet" in shown(shell, "%mqlab progress")[0]


@pytest.mark.parametrize("line", ["explain", "explain x", "why", "rule XYZ-1", "nothing"])
def test_mqlab_says_what_it_wants(shell, line):
    with pytest.raises((UsageError, SystemExit)):
        shell.run_line_magic("mqlab", line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rule EXP-2", "such as EXP-.*; got EXP-2"),
        ("rule", "got nothing"),
        ("status ORDERS", "takes no argument"),
        ("why ORDERS --qmgr QM9", "%mqlab why ORDERS --qmgr QM1; got QM9"),
        ("--help", r"%mqlab\? shows the help"),
    ],
)
def test_a_wrong_use_is_answered_with_a_right_one(shell, line, said):
    with pytest.raises(UsageError, match=said):
        shell.run_line_magic("mqlab", line)


def test_without_a_queue_manager_it_says_how_to_make_one(shell):
    shell.run_cell("lab = mqlab.Lab()").raise_error()
    with pytest.raises(UsageError, match=r'lab\.queue_manager\("QM1"\) makes one; got QM1'):
        shell.run_cell_magic("mqsc", "QM1", "DISPLAY QMGR")


def test_rules_and_queues_are_found_as_they_are_written(shell):
    assert mqlab.RULES["TRG-12a"].title in shown(shell, "%mqlab rule trg-12A")[0]
    shown(shell, "%%mqsc\nDEFINE QLOCAL('my.queue')")
    assert shown(shell, "%mqlab why 'my.queue'")[0].startswith("my.queue: a get fails")
    assert "no event of the log is about a queue my.queues" in shown(shell, "%mqlab events my.queues")[0]
    assert (
        "no event of the log is about a queue orders, try ORDERS"
        in (shown(shell, "%%mqsc\nDEFINE QLOCAL(ORDERS)"), *shown(shell, "%mqlab events orders"))[-1]
    )


def test_the_reasons_are_said_line_by_line_where_only_text_is_shown(shell):
    shown(shell, "%%mqsc\nDEFINE QLOCAL(ORDERS)")
    get, trigger = shown(shell, "%mqlab why ORDERS")
    assert "\nNO  MQI-12  the queue has a message: CURDEPTH is 0\n" in get
    assert "\nNO  TRG-09  triggering is on: ORDERS has NOTRIGGER\n" in trigger


@pytest.mark.parametrize("name", ["mqsc", "expect", "mqlab"])
def test_the_help_has_an_example(shell, name):
    kind = "line" if name == "mqlab" else "cell"
    assert f"\n{'%' if kind == 'line' else '%%'}{name} " in shell.find_magic(name, kind).__doc__.replace("  ", "")
