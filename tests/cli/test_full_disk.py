"""Commands that write, where the disk takes no more: one sentence, the files of before as they were, and nothing half
written. A limit of the size of files stands for the disk: the system refuses the same write, with another word."""

import os
import subprocess
import sys

import pytest

from helpers import says

TOLD = b"what was there before"
COMMANDS = {
    "check": ["page.html", "--format", "json", "--output", "page.html"],
    "play": ["poison", "--no-open", "--output", "page.html"],
    "present": ["--no-open", "--output", "page.html"],
    "grading otter": ["--format", "otter", "--out", "folder"],
    "grading nbgrader": ["--format", "nbgrader", "--out", "folder"],
    "datasets": ["make", "--out", "folder"],
}
PRINTING = {"check": ["--list"], "runmqsc": ["QM1"], "version": [], "grading": ["--help"]}


LIMITED = """import os, resource, sys
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execv(sys.executable, [sys.executable, "-B", "-m", "mqlab", *sys.argv[2:]])"""


def limited(size=200):
    """A command of mqlab in a process that can write `size` bytes of a file and no more."""
    return [sys.executable, "-c", LIMITED, str(size)]  # to limit a fork of this large process costs more


def run(command, **settings):
    """What a command did; `settings` add to its environment."""
    paths = os.pathsep.join(filter(None, sys.path))
    more = {"stdout": subprocess.PIPE} | settings
    environment = {**os.environ, "PYTHONPATH": paths, **more.pop("env", {})}
    return subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, timeout=120, check=False, **more)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_cannot_write_says_so_in_a_sentence(command, tmp_path):
    (tmp_path / "page.html").write_bytes(TOLD)
    line = [*limited(), command.split()[0], *COMMANDS[command]]
    done = run(line, cwd=tmp_path, env={"MPLCONFIGDIR": str(tmp_path)})
    assert done.returncode in (1, 2, 20), done  # 20: the command check found nothing out
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith(f"mqlab {command.split()[0]}")
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert (tmp_path / "page.html").read_bytes() == TOLD
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "page.html"]


@pytest.mark.parametrize("command", PRINTING)
def test_what_cannot_be_printed_is_told_too(command, tmp_path):
    line = [sys.executable, "-B", "-m", "mqlab", command, *PRINTING[command]]
    with open("/dev/full", "wb") as full:
        done = run(line, cwd=tmp_path, env={"PYTHONUNBUFFERED": ""}, input="DISPLAY QMGR ALL", stdout=full)
    assert (done.returncode, done.stderr) == (1, f"mqlab {command}: [Errno 28] No space left on device\n")


def test_a_page_printed_in_part_is_no_success(tmp_path):
    with open(tmp_path / "page.md", "wb") as file:
        done = run([*limited(4096), "check", "--list"], env={"PYTHONUNBUFFERED": "1"}, stdout=file)
    assert (done.returncode, done.stderr) == (1, "mqlab check: [Errno 27] File too large\n")


def test_the_tour_leaves_the_page_of_before(checkout):
    (checkout / "build").mkdir()
    (checkout / "build" / "tour.html").write_bytes(TOLD)
    done = run([*limited(), "tour", "--dir", str(checkout)])
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    says(done.stderr, "File too large", "tour.html is from an earlier run")
    assert (checkout / "build" / "tour.html").read_bytes() == TOLD
