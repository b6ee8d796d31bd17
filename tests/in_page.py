"""What the tests of programs in a page run there, in Python, and how they drive a Firefox, which playwright cannot."""

import hashlib
import json
import re
import shutil
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

LOADS = """async () => {
    const python = await (await import('./pyodide.mjs')).loadPyodide()
    python.unpackArchive(await (await fetch('simulator.zip')).arrayBuffer(), 'zip')
    globalThis.python = python
    return python.version
}"""
RUNS = "async code => String(await python.runPythonAsync(code))"

OPENED = """async () => {
    for (let tries = 0; tries < 900; tries++) {
        const shown = [...(window.jupyterapp?.shell?.widgets("main") ?? [])];
        const panel = shown.find((each) => each.content?.widgets?.length);
        if (panel?.sessionContext?.session?.kernel) {
            window.panel = panel; // in a window without focus, no widget is the current one
            await panel.sessionContext.ready;
            const asked = panel.sessionContext.session.kernel.requestExecute({ code: "1" });
            return (await asked.done).content.status;
        }
        await new Promise(done => setTimeout(done, 100));
    }
    return "no kernel";
}"""
"""Opens a notebook of the lab: the widget is `panel` from then on. Returns "ok" when its kernel answers."""
ANSWERS = """async code => {
    const asked = panel.sessionContext.session.kernel.requestExecute({ code });
    let said = "";
    asked.onIOPub = ({ content: { text, ename, evalue, data } }) => {
        said += text ?? (ename && `${ename}: ${evalue}`) ?? data?.["text/plain"] ?? "";
    };
    const late = new Promise((done) => setTimeout(done, 60_000, "late"));
    return await Promise.race([asked.done, late]) === "late" ? `Error: no answer to ${code}` : said;
}"""
"""Returns what a cell prints, displays, or raises."""

DIGEST = '''
import hashlib, json

def digest(lab):
    """The SHA-256 of the event log as lines of JSON."""
    lines = [json.dumps(event._asdict(), default=bytes.hex) for event in lab.events]
    return hashlib.sha256("\\n".join(lines).encode()).hexdigest()
'''

TOLD = (
    DIGEST
    + """
from mqlab import Lab

def told(name):
    lab = Lab()
    lab.scenario(name)
    return digest(lab)

different = {name for name, times in TIMES.items() for _ in range(times) if told(name) != EXPECTED[name]}
sorted(different)
"""
)

PARKED = '''
import asyncio
from mqlab import Lab, LabError

def parked():
    """A lab with a server that waits, and the queue manager."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q)\\nDEFINE QLOCAL(R)")

    def serve(app):
        with app.open("Q", input="shared") as handle:
            while True:
                app.put("R", handle.get(wait=float("inf")).body)
                lab.advance(0.01)

    qm.run_program("SERVER", serve)
    lab.advance(1)
    return lab, qm
'''

DISTURBED = (
    PARKED
    + """
CALLS = (
    lambda lab, qm: lab.advance(1),
    lambda lab, qm: lab.run(),
    lambda lab, qm: lab.close(),
    lambda lab, qm: qm.get("Q", wait=3),
    lambda lab, qm: qm.put("Q", b"x"),
    lambda lab, qm: qm.mqsc("DEFINE QLOCAL(N)"),
    lambda lab, qm: qm.stop(),
)

def log(disturb):
    lab, qm = parked()
    said = []

    async def elsewhere():
        for call in CALLS:
            try:
                call(lab, qm)
            except LabError as error:
                said.append(str(error))
            await asyncio.sleep(0)

    task = asyncio.ensure_future(elsewhere()) if disturb else None
    for number in range(60):
        qm.put("Q", str(number))
    lab.advance(10)
    return list(lab.events), said

undisturbed, disturbed = log(False), log(True)
[undisturbed[0] == disturbed[0], len(disturbed[1]), *set(disturbed[1])]
"""
)

CALLBACK = (
    PARKED
    + """
from js import setTimeout
from pyodide.ffi import create_once_callable

lab, qm = parked()
qm.put("Q", b"wake")
before, said = list(lab.events), []

def callback():
    for call in (lambda: lab.advance(1), lab.close, qm.stop):
        try:
            call()
        except LabError as error:
            said.append(str(error))

setTimeout(create_once_callable(callback), 0)
await asyncio.sleep(0.1)
same = list(lab.events) == before
lab.advance(1)
[len(said), same, qm.depth("R"), *set(said)]
"""
)

MESSAGES = """
import sys
from types import ModuleType, SimpleNamespace

class Manager:
    def comm_msg(self, stream, ident, handle):
        handle()

hooks = {}
sys.modules["pyodide_kernel"] = kernel = ModuleType("pyodide_kernel")
interpreter = SimpleNamespace(events=SimpleNamespace(register=hooks.__setitem__))
kernel.kernel_instance = SimpleNamespace(comm_manager=Manager(), interpreter=interpreter, run=None)
"""
"""Comms of the shape of JupyterLite's, made before mqlab is imported."""

WIDGETS = (
    MESSAGES
    + PARKED
    + """
from js import setTimeout
from pyodide.ffi import create_once_callable

lab, qm = parked()
manager, order = kernel.kernel_instance.comm_manager, []

def press():
    lab.advance(5)
    order.append(lab.now_us // 1_000_000)

def tick(app):
    for _ in range(20):
        lab.advance(0.1)

qm.run_program("TICKER", tick)
setTimeout(create_once_callable(lambda: manager.comm_msg(None, None, press)), 0)
lab.advance(10)
order.append("cell")
manager.comm_msg(None, None, press)
manager.comm_msg(None, None, lambda: order.append("last"))
while "last" not in order:
    await asyncio.sleep(0.01)
[*order, *hooks]
"""
)

DROPPED = (
    PARKED
    + """
import gc
import pyodide_js
from mqlab.lab.scenarios import names

def heap():
    return pyodide_js._module.HEAP8.length / 1e6

kept, (log, queue_manager) = parked()[0], (parked()[0].events, parked()[1])
rows = len(log)
before = heap()
for number in range(LABS // 2):
    Lab().scenario(names()[number % len(names())])
    parked()
grown, labs = heap() - before, sum(isinstance(each, Lab) for each in gc.get_objects())
collects = gc.isenabled()
states = [qm.programs_running[0].state for qm in (kept["QM1"], queue_manager)]
kept.advance(1)
[round(grown), labs, states, len(log) == rows, collects]
"""
)

SHOP = (
    PARKED
    + """
def shop():
    lab, qm = parked()
    done = []

    def client(app):
        for number in range(500):
            app.put("Q", str(number))
            lab.advance(0.4)
        done.append(True)

    qm.run_program("CLIENT", client)
    return lab, qm, done
"""
)

INTERRUPTED = (
    SHOP
    + """
import pyodide_js
from js import Uint8Array
from pyodide.code import run_js

buffer = Uint8Array.new(1)
pyodide_js.setInterruptBuffer(buffer)
press = run_js("buffer => () => { buffer[0] = 2 }")(buffer)
found = []
for moment in (0.5, 1.7, 100.1):
    lab, qm, done = shop()
    lab.clock.timeout(round(moment * 1_000_000)).callbacks.append(lambda _: press())
    try:
        lab.run()
    except KeyboardInterrupt:
        found.append("interrupted")
    lab.run()
    puts = sum(event.kind == "put" and event.object == "Q" for event in lab.events)
    found.append(puts == qm.depth("Q") + qm.depth("R") and len(qm.handles) == 1)
found
"""
)

UNABLE = """
from mqlab import Lab, LabError

lab = Lab()
qm = lab.queue_manager("QM1")
qm.mqsc("DEFINE QLOCAL(Q)")
qm.put("Q", b"x", expiry=50)
lab.advance(10)
waiting = qm.run_program("SERVER", lambda app: app.get("Q", wait=5))
before, said = list(lab.events), []
for call in (lambda: lab.advance(1), lab.run):
    try:
        call()
    except LabError as error:
        said.append(str(error))
state = [lab.now_us, list(lab.events) == before, waiting.state]
lab.close()
lab.advance(1)
[*state, waiting.state, lab.now_us, *set(said)]
"""


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
