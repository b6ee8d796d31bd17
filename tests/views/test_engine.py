"""The engine of pictures: whoever asks, and however a process ends, nothing hangs."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from mqlab import Lab
from mqlab.views import topology_svg

BEGIN = """
import asyncio, os, sys
from mqlab import Lab
from mqlab.views import topology_svg
lab = Lab()
qm = lab.queue_manager("QM1")
qm.mqsc("DEFINE QLOCAL(ORDERS)")
"""


def ended(script):
    """The exit code of a process that runs a script, and what it printed."""
    ran = subprocess.run(
        [sys.executable, "-c", BEGIN + script], capture_output=True, text=True, timeout=60, check=False
    )
    return ran.returncode, ran.stdout.strip()


def test_neither_an_event_loop_that_ended_nor_an_exception_takes_the_engine_along():
    script = """
async def drawn():
    return topology_svg(lab)
print(asyncio.run(drawn()) == asyncio.run(drawn()) == topology_svg(lab))
"""
    assert (ended(script), ended("topology_svg(lab)\nraise SystemExit(3)")) == ((0, "True"), (3, ""))
    assert ended("topology_svg(lab)\n1 / 0") == (1, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_forked_process_shows_words_and_ends():
    script = """
topology_svg(lab)
child = os.fork()
if not child:
    sys.exit(5 if "forked" in lab._repr_mimebundle_()["text/plain"] else 6)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert ended(script) == (0, "5")


def test_threads_may_draw_at_once():
    labs = [Lab() for _ in range(6)]
    for number, lab in enumerate(labs):
        lab.queue_manager("QM1").mqsc(f"DEFINE QLOCAL(Q{number})").require()
    alone = [topology_svg(lab) for lab in labs]
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(topology_svg, labs)) == alone
