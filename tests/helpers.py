"""What tests of several rooms need. Pytest puts this folder on the path (pyproject.toml)."""

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


def contrast(one, other):
    """WCAG contrast ratio, 1 to 21, of two #rrggbb colors."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return round((high + 0.05) / (low + 0.05), 2)


def _luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
