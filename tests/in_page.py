"""What the tests of programs in a page run there, in Python, and how they drive a Firefox, which playwright cannot."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ALL = os.environ.get("MQLAB_LITE") == "all"
"""Whether the tests of the course in a page try all of it."""


def script(name):
    """A function of JavaScript, or a program of Python, that a page runs: a file of tests/browser/scripts."""
    return (Path(__file__).parent / "browser" / "scripts" / name).read_text(encoding="utf-8")


LOADS = script("loads.js")
RUNS = "async code => String(await python.runPythonAsync(code))"

OPENED = script("opened.js")
"""Opens a notebook of the lab: the widget is `panel` from then on. Returns "ok" when its kernel answers."""
ANSWERS = script("answers.js")
"""Returns what a cell prints, displays, or raises."""

DIGEST = script("digest.txt")
TOLD = DIGEST + script("told.txt")
PARKED = script("parked.txt")
DISTURBED = PARKED + script("disturbed.txt")
CALLBACK = PARKED + script("callback.txt")
MESSAGES = script("messages.txt")
"""Comms of the shape of JupyterLite's, made before mqlab is imported."""
WIDGETS = MESSAGES + PARKED + script("widgets.txt")
DROPPED = PARKED + script("dropped.txt")
SHOP = PARKED + script("shop.txt")
INTERRUPTED = SHOP + script("interrupted.txt")
UNABLE = script("unable.txt")


def digest(lab):
    """What DIGEST calculates in the page."""
    lines = [json.dumps(event._asdict(), default=bytes.hex) for event in lab.events]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def firefox_version():
    """The version of the Firefox on PATH as a number, and its program; 0 if there is none."""
    program = shutil.which("firefox") or shutil.which("firefox-esr")
    if program is None:
        return 0, None
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Firefox (\d+)", said)
    return int(found[1]) if found else 0, program


class Firefox:
    """A headless Firefox driven over WebDriver BiDi, with one page; `outside` lists its requests to other machines."""

    def __init__(self, address):
        from websocket import create_connection

        self._socket = create_connection(f"{address}/session", suppress_origin=True, timeout=900)
        self._number, self._context, self.outside = 0, None, []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["network.beforeRequestSent"])

    def command(self, method, **parameters):
        """Return the result of one command."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv())).get("id") != self._number:
            if answer.get("method") == "network.beforeRequestSent":
                asked = urlsplit(answer["params"]["request"]["url"])
                if asked.scheme in ("http", "https", "ws", "wss") and asked.hostname != "127.0.0.1":
                    self.outside.append(asked.geturl())
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, address):
        """Open a page."""
        self._context = self.command("browsingContext.getTree")["contexts"][0]["context"]
        self.command("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, function, argument=None):
        """Return the text that a function of the page returns."""
        answer = self.command(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[] if argument is None else [{"type": "string", "value": argument}],
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return answer["result"].get("value")


@contextmanager
def firefox(program, profile):
    """Start a Firefox with a profile of its own, which can reach this machine only."""
    (profile / "user.js").write_text(
        'user_pref("network.proxy.type", 1);\nuser_pref("network.proxy.socks", "127.0.0.1");\n'
        'user_pref("network.proxy.socks_port", 9);\nuser_pref("network.proxy.allow_hijacking_localhost", false);\n'
    )
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        yield Firefox(next(found[1] for line in process.stderr if (found := re.search(r"(ws://\S+)", line))))
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()
