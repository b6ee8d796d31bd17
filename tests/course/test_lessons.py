"""What the notebooks of the course share: lessons, shops, programs of IBM's library, and catching up."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import ROOT, for_each, lab_error, reason
from mqlab import Lab, course
from mqlab.course import programs
from mqlab.course.channels import DEAD_LETTER, dead_letters, shop_and_depot, state_of
from mqlab.course.exercises import exercise, grade
from mqlab.course.exercises.checking import expected
from mqlab.course.lessons import agrees, explained, refused
from mqlab.course.triggers import Shop, answers, decisions
from mqlab.ibmmq import pymqi
from tools.exercises import notebook


@pytest.fixture
def qm():
    return Lab().queue_manager("QM1")


@for_each("said", [(1, True), [1, "true"], ("1", "TRUE")])
def test_a_prediction_is_right_however_it_is_typed(said):
    assert agrees(said, (1, True))
    assert not agrees(said, (1, True, 2))
    assert not agrees(said, (2, True))
    assert not agrees(said, 1)


def test_a_life_is_told_and_a_refusal_that_is_expected_is_no_error(qm):
    qm.mqsc("DEFINE QLOCAL(Q)")
    assert "put message 1" in repr(explained(qm.lab, qm.put("Q", b"")))
    with capture_output(), refused(2085):
        qm.put("NOWHERE", b"")
    with capture_output(), pytest.raises(AssertionError, match="should fail with 2033; got 2085"), refused(2033):
        qm.put("NOWHERE", b"")
    with pytest.raises(AssertionError, match="should fail, but succeeded"), refused():
        pass
    with pytest.raises(ZeroDivisionError), refused():
        1 / 0
    reason(qm.put, "NOWHERE", b"")


def test_a_refusal_of_mq_everyplace_is_shown_too():
    van = Lab().everyplace("VAN")
    with capture_output() as shown, refused():
        van.get("NOWHERE")
    assert "unknown queue" in shown.stdout + repr(shown.outputs)
    with capture_output(), pytest.raises(AssertionError, match="should fail with 2085; got MQeError"), refused(2085):
        van.get("NOWHERE")


@pytest.mark.rule("CHL-08", "MQI-30")
def test_a_message_on_the_dead_letter_queue_is_listed_with_its_reason():
    lab, shop, depot = shop_and_depot()
    depot.mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
    shop.put("NOWHERE@DEPOT", "a broken chair")
    assert (state_of(shop, "SHOP.DEPOT"), dead_letters(depot, "SYSTEM.DEAD.LETTER.QUEUE")) == ("INACTIVE", [])
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(5)
    assert state_of(shop, "SHOP.DEPOT") == "RUNNING"
    (found,) = dead_letters(depot, "SYSTEM.DEAD.LETTER.QUEUE")
    assert found == ("a broken chair", "2085", "NOWHERE at DEPOT", "SHOP.DEPOT")
    assert len(found) == len(DEAD_LETTER)


def test_each_step_names_what_was_decided():
    shop = Shop()
    steps = [shop.step(words) for words in ("close SHOP.INITQ", "put ORDERS", "open SHOP.INITQ")]
    assert steps == ["not asked", "no, TRG-08", "fired, TRG-13c"]
    assert shop.step("ORDERS TRIGMPRI(0)") in ("not asked", "no, TRG-11", "fired, TRG-13")
    fired = [each for each in decisions(shop.lab) if each.fired]
    assert fired[0].queue == "ORDERS"
    assert "TRG-13c" in repr(answers(shop.lab, queue="ORDERS"))
    assert "SHOP" in repr(answers(shop.lab, members=True))


def test_a_monitored_shop_starts_its_server_and_a_refused_command_is_an_error():
    shop, started = Shop(kind="EVERY"), []
    shop.monitored(lambda app, trigger: started.append(trigger.queue))
    shop.step("put ORDERS")
    shop.lab.advance(1)
    assert started == ["ORDERS"]
    lab_error("SHOP refused a command", Shop().step, "DELETE QLOCAL(NOWHERE)")
    lab_error("SHOP refused a command", Shop, kind="SOMETIMES")


def test_without_the_library_a_notebook_and_an_exercise_say_so(monkeypatch, capsys):
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(programs, "find_spec", lambda name: None)
    programs.require_ibmmq()
    assert capsys.readouterr().out == f"{programs.MISSING}\n"
    assert shell.run_cell("%%predict 14/first\nnothing = 1 / 0").success
    assert "nothing" not in shell.user_ns
    desk = exercise("Y01")
    assert "require_ibmmq()" in "".join("".join(cell["source"]) for cell in notebook(desk.exercise)["cells"][:3])
    monkeypatch.setattr(pymqi, "installed", lambda name="pymqi": False)
    expected.cache_clear()
    result = grade("Y01", desk.start("read"))
    expected.cache_clear()  # what was found without the library
    assert not result.passed
    assert result.stopped.startswith("IBM's library must be installed, and neither ibmmq nor pymqi is: pip install")


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.chdir(ROOT / "notebooks")
    monkeypatch.setattr("mqlab.course.retelling.get_ipython", lambda: shell)
    return shell


def test_a_learner_goes_on_where_the_section_begins(shell):
    with capture_output() as shown:
        card = course.catch_up("03", 2)
    assert shown.stdout == ""
    assert not shown.outputs
    assert "Continue with section 2. FIRST, EVERY, DEPTH" in card.text
    names = shell.user_ns
    assert names["interactive"] is True
    assert names["lab"].now_us > 0
    assert names["qm"].depth("ORDERS") == 0
    with capture_output():  # a cell above may run again: the labs go back first
        shell.run_cell("""qm.depth("ORDERS")""", cell_id="cell-08").raise_error()

    lab_error("one of 00, 01", course.catch_up, "3", 2)
    lab_error(r"one of 1\. You are the trigger monitor", course.catch_up, "03", 9)
