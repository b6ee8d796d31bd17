"""Programs that others wrote for pymqi run unmodified to their documented end, and so do the suites of both libraries.

They are not part of this repository. Where MQLAB_CLIENTS names a folder with `programs`, in which each repository is a
folder OWNER+NAME, they run in place; elsewhere these tests are skipped.
docs/contributing.md says how to run the suites.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from mqlab.cli.run import run

CLIENTS = Path(os.environ.get("MQLAB_CLIENTS", "build/clients")).resolve()
PROGRAMS = CLIENTS / "programs"
PYMQI = {"NAME": "QM1", "CHANNEL": "DEV.ADMIN.SVRCONN", "USER": "admin", "PASSWORD": "password"}
PYMQI |= {"APP_USER": "app", "APP_PASSWORD": "password", "CONN_AUTH_USE_PW": "REQUIRED"}
QUEUES = "DEFINE QLOCAL(TEST.1)\nDEFINE QLOCAL(PYMQI.TEST.1)\nDEFINE QLOCAL(Q1)"
CONFIG = """[connection]
queue_manager = QM1
channel = DEV.APP.SVRCONN
host = localhost
port = 1414
filename = got.txt
filename_send = order.txt
"""


class Case(NamedTuple):
    """A program, what is on its queues before and after it, and what it tells: texts it prints, notes, refusals."""

    file: str
    args: tuple[str, ...] = ()
    before: dict[str, list[bytes]] = {}
    after: dict[str, list[bytes]] = {}
    prints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reasons: tuple[int, ...] = ()


MONITORED = ("--queue_manager_name=QM1", "--channel_name=DEV.APP.SVRCONN", "--queue_name=DEV.QUEUE.1")
NO_PASSWORD = ("DEV.APP.SVRCONN on QM1 asks for no password",)
PASSWORD = ("QM1 took the password of user app",)
PRAKHAR = "prakhar308+message-queues-in-python/IBM_MQ-Code"
CASES = [
    Case("andre-jernung+pymqi-docker/pymqitest.py", notes=NO_PASSWORD),
    Case("fshi7418+ibm_mq_init/python_messaging_trial1.py", notes=("DEV.ADMIN.SVRCONN on QM1 was opened",)),
    Case(
        "jake-mainframe+pymqi_script/mq_altuser.py",
        after={"DEV.QUEUE.1": [b"Hello from Python!"]},
        notes=("QM1 has no channel DEV.APP3.SVRCONN",),
    ),
    Case(
        "jake-mainframe+pymqi_script/mq_main_script.py",
        ("--browse_queue", "--put_queue", "--make_service", "--user_func"),
        before={"DEV.QUEUE.1": [b"tea"]},
        after={"DEV.QUEUE.1": [b"tea", b"TEST MESSAGE"]},
        prints=("connection succesful", "b'tea'", "Putting message onto DEV.QUEUE.1", "Add your own code here"),
        notes=("QM1 has no channel SYSTEM.ADMIN.SVRCONN",),
    ),
    Case(  # with its modules mq_dump_conf, mqpcf, mqpcfset, and mqpcfget: each inquiry ends with 2033
        "jake-mainframe+pymqi_script/mq_main_script.py",
        ("--dump_conf",),
        prints=('"Q_MGR_NAME": "QM1"', '"CHANNEL_NAME": "DEV.APP.SVRCONN"', '"CHECK_CLIENT_BINDING": REQADM'),
        notes=("QM1 has no channel SYSTEM.ADMIN.SVRCONN",),
        reasons=(2033,) * 4,
    ),
    Case(f"{PRAKHAR}/send.py", after={"TEST.1": [b"Hello from Python!"]}, notes=PASSWORD),
    Case(f"{PRAKHAR}/receive.py", before={"TEST.1": [b"tea", b"milk"]}, after={"TEST.1": [b"milk"]}, notes=PASSWORD),
    Case(
        "ewiger+ibm-mq-mtls/test-simple-put.py",
        after={"Q1": [b"foo"]},
        prints=("Message put successfully",),
        notes=("QM1 has no channel CERT.SVRCONN",),
    ),
    Case(
        "SurajDevAnand+ibm_mq_monitoring/ibm_mq_monitoring.py",
        (*MONITORED, "--host=h", "--port=1"),
        before={"DEV.QUEUE.1": [b"tea"]},
        after={"DEV.QUEUE.1": [b"tea"]},
        prints=('Depth": 1,', 'Channel Status": "Channel Running"', 'QManager_metrics.Status": "RUNNING"'),
        notes=NO_PASSWORD,
    ),
    Case("br71+pymqi_mq/pymqi_send.py", after={"PYMQI.TEST.1": [b"two\nlines"]}, notes=NO_PASSWORD),
    Case("br71+pymqi_mq/pymqi_receive.py", before={"PYMQI.TEST.1": [b"tea"]}, notes=NO_PASSWORD),
]


@pytest.fixture
def ran(lab, library, tmp_path, monkeypatch, capfd):
    """Run the program of a case on QM1: its session, how it ended, and what it printed."""
    modules = set(sys.modules)
    monkeypatch.chdir(tmp_path)
    for name in ("MQSSLKEYR", "MQSSL_CERT_LABEL"):
        monkeypatch.setenv(name, "")
    (tmp_path / "config.ini").write_text(CONFIG)
    (tmp_path / "order.txt").write_bytes(b"two\nlines")

    def start(file, *args):
        session, ended, code = run(lab, file, args, seconds=120)
        printed, errors = capfd.readouterr()
        assert (ended, code) == ("ended", 0), errors
        assert lab["QM1"].running
        assert {handle.application.caller for handle in lab["QM1"].handles} <= {"COMMAND.SERVER"}
        return session, printed

    yield start
    for name in set(sys.modules) - modules:
        if str(PROGRAMS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def place(file, folder=PROGRAMS):
    """Where a program is; skips the test if it is not there."""
    found = folder / file
    if not found.exists():
        pytest.skip(f"{found} is not there: MQLAB_CLIENTS names the folder of these clients")
    return found


@pytest.mark.parametrize("case", CASES, ids=[" ".join((each.file, *each.args)) for each in CASES])
def test_a_program_ends_as_its_author_says(case, ran, lab, tmp_path):
    file = place(case.file)
    qm = lab.queue_manager("QM1", developer=True, users={})
    qm.mqsc(QUEUES).require()
    for queue, bodies in case.before.items():
        for body in bodies:
            qm.put(queue, body, format="MQSTR")
    begun = len(lab.events)
    session, printed = ran(file, *case.args)
    for told in case.prints:
        assert told in printed
    kept = {each.name: [message.body for message in each.store.in_order()] for each in qm.queues if each.depth}
    left = {name: bodies for name, bodies in kept.items() if not name.startswith("SYSTEM.ADMIN.")}  # events
    assert (left, [note for note in session.notes if not note.startswith(case.notes)]) == (case.after, [])
    assert len(session.notes) == len(case.notes)
    reasons = [row.reason for row in lab.events[begun:] if row.reason and row.program == file.name]
    assert tuple(reasons) == case.reasons
    if case.file.endswith("pymqi_receive.py"):
        assert (tmp_path / "got.txt").read_bytes() == b"tea"


def test_a_monitor_shows_what_the_queue_manager_has(ran, lab, tmp_path):
    folder = place("site24x7+plugins/ibm_mq_monitoring")
    qm = lab.queue_manager("QM1", developer=True, users={})
    qm.put("DEV.QUEUE.1", b"tea")
    copied = shutil.copy(folder / "ibm_mq_monitoring.py", tmp_path)  # it keeps what it saw in a folder beside itself
    session, printed = ran(Path(copied))
    told = json.loads(printed)
    assert "msg" not in told, told["msg"]
    assert told["QManager Connection Count"] >= 1
    queues = {each["name"]: each for each in told["queues"]}
    assert (queues["DEV.QUEUE.1"]["current_queue_depth"], queues["DEV.QUEUE.2"]["current_queue_depth"]) == (1, 0)
    assert [each["name"] for each in told["channels"]] == ["DEV.APP.SVRCONN"]
    assert [each["port"] for each in told["listeners"]] == [1414]
    assert not session.refusals


@pytest.mark.parametrize(
    ("suite", "code", "ended"),
    [
        ("ibmmq-2.1.2/code/tests", None, "103 passed, 16 skipped"),
        ("pymqi/code/tests", "pymqi/code", "105 passed, 12 skipped"),
    ],
    ids=["ibmmq", "pymqi"],
)
def test_the_suite_of_a_library_passes(suite, code, ended, library):
    folder = place(suite, CLIENTS)
    paths = [Path(__file__).parents[2], *([CLIENTS / code] if code else [])]
    given = {f"PYMQI_TEST_QM_{name}": value for name, value in PYMQI.items()}
    given |= {"PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    own = ["-q", "-p", "no:cacheprovider", "-p", "mqlab.ibmmq.pytest_plugin", "-c", os.devnull, "--rootdir", "."]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *own], cwd=folder, env=os.environ | given, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1].startswith(ended), done.stdout[-3000:] + done.stderr
