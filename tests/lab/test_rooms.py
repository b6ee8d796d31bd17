"""The front without a room: its other methods work, and those that need the room say so in a sentence."""

from importlib import import_module

import pytest

from mqlab.engine.words.errors import LabError
from mqlab.lab.extras import room


def test_a_room_that_is_not_there_is_named_in_a_sentence():
    with pytest.raises(LabError, match=r"this copy of mqlab has no mqlab\.nowhere, which"), room("nowhere"):
        import_module("mqlab.nowhere")


def test_what_a_room_itself_misses_is_not_hidden():
    with pytest.raises(ModuleNotFoundError, match="no_such_package"), room("everyplace"):
        import no_such_package  # noqa: F401
