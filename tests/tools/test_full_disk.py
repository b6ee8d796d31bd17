"""Commands that write, where the disk takes no more: one sentence, the files of before as they were, and nothing half
written. A limit of the size of files stands for the disk: the system refuses the same write, with another word."""

import os
import resource
import subprocess
import sys

import pytest

TOLD = b"what was there before"
COMMANDS = {
    "trust": ["--output", "page.html"],
    "play": ["poison", "--no-open", "--output", "page.html"],
    "present": ["--no-open", "--output", "page.html"],
    "grading otter": ["--format", "otter", "--out", "folder"],
    "grading nbgrader": ["--format", "nbgrader", "--out", "folder"],
    "datasets": ["make", "--out", "folder"],
}


def limited():
    """Let this process write 200 bytes of a file and no more."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_cannot_write_says_so_in_a_sentence(command, tmp_path):
    (tmp_path / "page.html").write_bytes(TOLD)
    done = subprocess.run(
        [sys.executable, "-B", "-m", "mqlab", command.split()[0], *COMMANDS[command]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "MPLCONFIGDIR": str(tmp_path)},
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (1, 2), done
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith(f"mqlab {command.split()[0]}")
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert (tmp_path / "page.html").read_bytes() == TOLD
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "page.html"]
