"""MQ Everyplace: queue managers of devices that are seldom connected, on the lab's clock and in its event log.

- Made by a lab: `QueueManager` (`lab.everyplace("PDA1")`), or many at once from a file: `load`
- Messages: `Message`, `MessageId`
- Refusals: `MQeError`
- Queue rules ready to use: `copy_to_dead_letter`, and the name of the queue it copies to: `DEAD_LETTER_QUEUE`
"""

from .definition import load
from .errors import MQeError
from .expiry import DEAD_LETTER_QUEUE, copy_to_dead_letter
from .message import Message, MessageId
from .qmgr import QueueManager
