"""MQ Everyplace: queue managers of devices that are seldom connected, on the lab's clock and in its event log.

- Made by a lab: `QueueManager` (`lab.everyplace("PDA1")`), or many at once from a file: `load`
- Messages: `Message`, `MessageId`
- Refusals: `MQeError`
- Queue rules ready to use: `copy_to_dead_letter`, and the name of the queue it copies to: `DEAD_LETTER_QUEUE`
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .definition import load
    from .errors import MQeError
    from .expiry import DEAD_LETTER_QUEUE, copy_to_dead_letter
    from .message import Message, MessageId
    from .qmgr import QueueManager

_HOME = {
    "load": "definition",
    "MQeError": "errors",
    "DEAD_LETTER_QUEUE": "expiry",
    "copy_to_dead_letter": "expiry",
    "Message": "message",
    "MessageId": "message",
    "QueueManager": "qmgr",
}
__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return found
