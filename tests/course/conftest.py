"""A learner's file for each test, and kernels with the magics."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from mqlab.course.exercises import progress


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    """The file in which progress is recorded; it is there once something is."""
    file = tmp_path / "progress.jsonl"
    monkeypatch.setenv(progress.FILE, str(file))
    return file


@pytest.fixture
def kernel():
    """A function: a kernel that has just started, in the place of the one before."""

    def started():
        InteractiveShell.clear_instance()
        shell = InteractiveShell.instance()
        shell.display_formatter.active_types = shell.display_formatter.format_types  # as in a notebook
        shell.run_line_magic("load_ext", "mqlab")
        return shell

    yield started
    InteractiveShell.clear_instance()
