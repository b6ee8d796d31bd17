"""The parts of a queue manager, as types for modules that are below them; nothing imports this when it runs."""

from .calls import Calls as Calls
from .get import Call as Call
from .handle import Handle as Handle
from .queue import LocalQueue as LocalQueue
from .queue import Remote as Remote
from .queue_manager import QueueManager as QueueManager
from .unit import UnitOfWork as UnitOfWork
