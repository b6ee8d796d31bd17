"""The front without a room: its other methods work, and those that need the room say so in a sentence."""

import sys
from importlib import import_module

import pytest

import mqlab
from mqlab.cli.cli import main
from mqlab.engine.words.errors import LabError
from mqlab.lab.extras import room


def test_a_room_that_is_missing_is_a_sentence_and_what_a_room_misses_is_not_hidden():
    with pytest.raises(LabError, match=r"this copy of mqlab has no mqlab\.nowhere, which"), room("nowhere"):
        import_module("mqlab.nowhere")
    with pytest.raises(ModuleNotFoundError, match="no_such_package"), room("everyplace"):
        import no_such_package  # noqa: F401


def test_a_room_above_the_front_is_named_by_the_package_and_at_a_terminal(monkeypatch, capsys):
    monkeypatch.delattr(mqlab, "estates", raising=False)
    monkeypatch.setitem(sys.modules, "mqlab.estates", None)
    with pytest.raises(LabError, match=r"this copy of mqlab has no mqlab\.estates, which"):
        mqlab.estates
    assert main(["check", "estate.mqsc"]) == 1
    assert "this copy of mqlab has no mqlab.estates, which" in capsys.readouterr().err
