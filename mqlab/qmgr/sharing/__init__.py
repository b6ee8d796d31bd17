"""Queue sharing groups of z/OS: queue managers that share queues in a coupling facility.

Group: QueueSharingGroup; its intra-group queuing: IntraGroupQueuing, Agent. Structures hold messages: Structure. A
queue as one member has it: SharedQueue.
"""

from .cf_structure import Structure
from .group import QueueSharingGroup
from .igq import IntraGroupQueuing
from .igq_agent import Agent
from .shared_queue import SharedQueue
