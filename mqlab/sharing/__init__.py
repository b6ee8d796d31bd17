"""Queue sharing groups of z/OS: queue managers that share queues in a coupling facility.

Group: `group.QueueSharingGroup`; its intra-group queuing: `igq.IntraGroupQueuing`, `igq_agent.Agent`. Structures hold
messages: `cf_structure.Structure`. A queue as one member has it: `shared_queue.SharedQueue`.
"""
