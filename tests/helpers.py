"""What tests of several rooms need: the reason code of a call. Pytest puts this folder on the path (pyproject.toml)."""

import pytest

from mqlab import MQError


def reason(call, *args, **kwargs):
    """Return the MQRC of a call that must fail."""
    with pytest.raises(MQError) as caught:
        call(*args, **kwargs)
    return caught.value.reason


def outcome(call, *args, **kwargs):
    """Return the MQRC that a call fails with, or None if it works."""
    try:
        call(*args, **kwargs)
    except MQError as error:
        return error.reason
    return None
