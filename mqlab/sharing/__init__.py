"""Queue sharing groups of z/OS: queue managers that share queues in a coupling facility.

Group: `group.QueueSharingGroup`; its intra-group queuing: `igq.IntraGroupQueuing`, `igq_agent.Agent`. Structures hold
messages: `cf_structure.Structure`. A queue as one member has it: `shared_queue.SharedQueue`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..engine.queues.queue_manager import QueueManager


def group_of(qmgr: QueueManager) -> Any:
    """The `QueueSharingGroup` of a queue manager, None if it is in none."""
    return qmgr.kept.get("sharing")
