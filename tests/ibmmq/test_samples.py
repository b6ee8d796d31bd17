"""The samples of IBM's library and of mq-dev-patterns run to their documented end, read in place.

They are not part of this repository. Where MQLAB_CLIENTS names a folder with `ibmmq-2.1.2`, the unpacked source
distribution, and `mq-dev-patterns`, a checkout, they run; elsewhere these tests are skipped.
"""

import json
import logging
import os
import sys
import threading
from pathlib import Path

import pytest

from helpers import made
from mqlab.cli.run import run

FOLDER = Path(os.environ.get("MQLAB_CLIENTS", "build/clients"))
IBM, PATTERNS = FOLDER / "ibmmq-2.1.2/code/examples", FOLDER / "mq-dev-patterns/Python"
QUIET = """alternate_user_id channel_compression connect_client connect_client_creds connect_client_tls connect_simple
    def_channel def_queue dis_conns dlq_browse dynamic_queues hdr_browse inq_set is_connected message_priority
    message_properties publish_message put1_message put_message set_auth_rec subscribe"""
SAMPLES = dict.fromkeys(QUIET.split(), "") | {
    "async_consume": "Done",
    "checking_cc_and_rc": "2538",
    "dis_channels": "Done",
    "dis_queues": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "dis_queues_extended": "Done",
    "get_message": "seed",
    "get_wait_multiple_messages": "seed",
    "get_wait_single_message": "seed",
    "put_async_message": "Put Failure: 10",
}
"""Each sample, and a text that it prints, if it prints what it found."""


@pytest.fixture(autouse=True)
def _quiet(library):
    """No module of a sample stays."""
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] == "utils":
            del sys.modules[name]


def seeded(lab, name=""):
    """QM1 for developers, with a message where the sample of this name reads one."""
    qm = made("DEFINE QLOCAL(QM2.STOPPED)\nDEFINE QMODEL(DEV.APP.MODEL.QUEUE)", of=lab, developer=True)
    if name.startswith("get_"):
        qm.put("DEV.QUEUE.1", b"seed", format="MQSTR")
    qm.put("QM2.STOPPED", b"seed", format="MQSTR")
    return qm


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_of_the_library(name, lab, capfd):
    file = IBM / f"{name}.py"
    if not file.exists():
        pytest.skip(f"{file} is not there: MQLAB_CLIENTS names the folder of the samples")
    qm = seeded(lab, name)
    session, ended, code = run(lab, file, seconds=120)
    printed, errors = capfd.readouterr()
    assert (ended, code) == ("ended", 0), errors
    assert SAMPLES[name] in printed
    assert not [note for note in session.notes if "not simulate" in note]
    assert qm.running
    assert {handle.application.caller for handle in qm.handles} <= {"COMMAND.SERVER"}


@pytest.fixture
def pattern(lab, tmp_path, monkeypatch, caplog):
    """Run a program of mq-dev-patterns, with partners in threads of their own: what it logged."""
    if not PATTERNS.exists():
        pytest.skip(f"{PATTERNS} is not there: MQLAB_CLIENTS names the folder of the samples")
    wanted = {"HOST": "127.0.0.1", "PORT": "1414", "CHANNEL": "DEV.APP.SVRCONN", "QMGR": "*QM1"}
    wanted |= {"APP_USER": "app", "APP_PASSWORD": "password", "QUEUE_NAME": "DEV.QUEUE.2"}
    wanted |= {"BACKOUT_QUEUE": "DEV.QUEUE.3", "MODEL_QUEUE_NAME": "DEV.APP.MODEL.QUEUE", "TOPIC_NAME": "dev/"}
    config = tmp_path / "env.json"
    config.write_text(json.dumps({"MQ_ENDPOINTS": [wanted | {"DYNAMIC_QUEUE_PREFIX": "APP.REPLIES.*"}]}))
    for name in (*wanted, "DYNAMIC_QUEUE_PREFIX", "CONN_STRING"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("JSON_CONFIG", str(config))
    caplog.set_level(logging.INFO)
    seeded(lab)
    starter = tmp_path / "starter.py"

    def start(first, *then):
        lines = [f"threading.Thread(target=runpy.run_path, args=({str(PATTERNS / first)!r},), kwargs=main).start()"]
        for each in then:
            lines += ["time.sleep(1)", f"runpy.run_path({str(PATTERNS / each)!r}, **main)"]
        text = f"import runpy, sys, threading, time\nsys.path.insert(0, {str(PATTERNS)!r})\n"
        starter.write_text(text + "main = {'run_name': '__main__'}\n" + "\n".join(lines))
        _, ended, code = run(lab, starter, seconds=600)
        assert (ended, code) == ("ended", 0)
        assert [each for each in threading.enumerate() if not each.daemon] == [threading.main_thread()]
        return caplog.text

    return start


def test_a_message_is_put_and_got_and_a_publication_reaches_its_subscriber(pattern):
    told = pattern("basicput.py", "basicget.py")
    assert told.count("Hello from Python!") >= 2
    told = pattern("basicsubscribe.py", "basicpublish.py")
    assert told.count("Hello from Python!") >= 2


def test_a_request_is_answered(pattern, lab):
    told = pattern("basicresponse.py", "basicrequest.py")
    assert "Have message from reply queue" in told
    assert lab["QM1"].status("DEV.QUEUE.2")["CURDEPTH"] == 0
