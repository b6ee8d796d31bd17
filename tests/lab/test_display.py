"""Every class of the model that a person holds has a face, and what raises in a cell still reads as Python does."""

import subprocess
import sys
from importlib import import_module

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from helpers import cases, for_each, says
from mqlab import Lab, NotSimulated
from mqlab.engine.commands import CommandReply, Reply
from mqlab.engine.programs.program import Program
from mqlab.engine.queues.message import Warned
from mqlab.engine.words.shown import FACES
from mqlab.sharing.shared_queue import SharedQueue


def named(path):
    """The class that a face is for."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"mqlab.{module}"), name)


@pytest.fixture(scope="module")
def shell():
    """A notebook's shell that keeps no history."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    return InteractiveShell(config=config)


@for_each("model", [*map(named, FACES), SharedQueue, Warned, NotSimulated, Program, Reply, CommandReply])
def test_every_class_answers_a_notebook_by_a_function_of_the_views(model):
    assert callable(model._repr_mimebundle_)
    assert not hasattr(model, "_repr_html_"), "one way to be shown, not two"
    assert not hasattr(model, "_render_traceback_"), "no error draws its own traceback"
    for face in set(FACES.values()):
        module, _, function = face.rpartition(".")
        assert callable(getattr(import_module(f"mqlab.views.{module}"), function))


def test_a_notebook_gets_text_and_html_and_what_it_asks_for(shell):
    lab = Lab()
    lab.queue_manager("QM1")
    data, metadata = shell.display_formatter.format(lab)
    assert data == lab._repr_mimebundle_()
    assert (metadata, set(shell.display_formatter.format(lab, include={"text/plain"})[0])) == ({}, {"text/plain"})
    assert set(shell.display_formatter.format(lab.events, exclude={"text/html"})[0]) == {"text/plain"}
    assert shell.display_formatter.format([lab])[0] == {"text/plain": f"[{lab!r}]"}, "in a list it is its repr"


@cases(
    "call, last",
    ("lab.advance(-1)", "LabError: seconds must be a number of seconds, 0 or more; got -1"),
    ("qm.get('NOPE')", "MQError: 2085 MQRC_UNKNOWN_OBJECT_NAME: NOPE on QM1"),
    ("qm.run_program('P', lambda app: app.get('NOPE')); lab.advance(1)", "ProgramDied: program P on QM1 died"),
)
def test_an_error_in_a_cell_reads_as_pythons_own(shell, capsys, call, last):
    shell.run_cell(f"from mqlab import Lab\nlab = Lab(); qm = lab.queue_manager('QM1')\n{call}")
    told = capsys.readouterr().out
    says(told, "Traceback (most recent call last)", last)
    assert call.split("(")[0] in told, "the line that failed is there"
    assert sys.excepthook.__module__ != "mqlab.engine.words.shown"


def test_nothing_is_loaded_until_something_is_shown():
    script = (
        "import sys\nfrom mqlab import Lab\n"
        "lab = Lab(); qm = lab.queue_manager('QM1'); qm.mqsc('DEFINE QLOCAL(Q)'); qm.put('Q', b'x')\n"
        "print([m for m in sys.modules if m.startswith('mqlab.views.') and m != 'mqlab.views.plug'])\n"
        "lab._repr_mimebundle_()\n"
        "print([m for m in ('altair', 'pandas', 'pyarrow', 'ipywidgets', 'anywidget', 'IPython') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]
