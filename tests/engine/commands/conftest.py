"""A queue manager for each test of commands: of today, where other tests have an old one."""

import pytest

from mqlab import Lab


@pytest.fixture
def qm():
    """A fresh distributed queue manager."""
    return Lab().queue_manager("QM1")
