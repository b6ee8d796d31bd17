"""Terminals, ports, and browsers that are not what a program expects."""

import os
import subprocess
import sys
from http.client import HTTPConnection
from threading import Thread

import pytest

from helpers import cases
from tools.served import served


def test_a_terminal_without_a_letter_gets_its_escape():
    done = subprocess.run(
        [sys.executable, "-m", "mqlab", "runmqsc"],
        input="DEFINE QLOCAL(A) DESCR('Gr\u00fc\u00dfe')\nDISPLAY QLOCAL(A) DESCR\n".encode(),
        capture_output=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Gr\\xfc\\xdfe" in done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that is served, with a link out of it and a folder without a page: its port."""
    root = tmp_path_factory.mktemp("served")
    (root / "out").mkdir()
    (root / "out" / "index.html").write_text("page")
    (root / "out" / "bare").mkdir()
    (root / "secret.txt").write_text("secret")
    (root / "out" / "link.txt").symlink_to(root / "secret.txt")
    with served(root / "out") as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@cases(
    "path, host, status",
    ("/", "localhost:{}", 200),
    ("/index.html", "127.0.0.1:{}", 200),
    ("/link.txt", "localhost:{}", 404),
    ("/bare/", "localhost:{}", 404),
    ("/a.txt%00", "localhost:{}", 404),
    ("/", "attacker.example:{}", 403),
)
def test_a_folder_is_served_to_this_machine_and_no_further_than_itself(folder, path, host, status, capfd):
    connection = HTTPConnection("127.0.0.1", folder, timeout=10)
    connection.request("GET", path, headers={"Host": host.format(folder)})
    assert connection.getresponse().status == status
    connection.close()  # without reading the page, as a browser does whose tab is closed
    assert capfd.readouterr().err == ""
