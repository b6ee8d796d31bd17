"""A lab that is created again from its definitions: a check runs the load of an exercise in it."""

from __future__ import annotations

from ...everyplace.queue import KINDS
from ...lab.lab import Lab


def retold(lab: Lab) -> Lab:
    """Return a lab at its start with the queue managers, objects, programs by APPLICID, links, addresses, and groups of
    `lab`, and the queues of its MQ Everyplace queue managers.

    Messages, running programs, and the time are not copied. Raises LabError if an object cannot be created again.
    """
    other = Lab(seed=lab.seed, start=lab.start.isoformat())
    for qmgr in lab.queue_managers:
        other.queue_manager(qmgr.name, platform=qmgr.platform, level=qmgr.level)
    for device in lab.everyplace_queue_managers:
        twin = other.everyplace(device.name)
        for queue in device.queues:
            settings = {name: getattr(queue, name) for name in KINDS[queue.kind].settings}
            twin.define(queue.kind, queue.label, **settings)
    for group in lab.queue_sharing_groups:
        igq = "SYSTEM.QSG.TRANSMIT.QUEUE" in group.members[0].targets
        other.queue_sharing_group(group.name, [member.name for member in group.members], intra_group_queuing=igq)
        for member in (
            group.members
        ):  # a group that is created with the queue has IGQ(ENABLED), which the export does not include
            other[member.name].mqsc(f"ALTER QMGR IGQ({member.attributes['IGQ']})")
    for path in lab.network.paths:
        other.link(*path.names, latency=path.latency_us / 1e6, counts_flight=path.counts_flight)
    other.network.addresses.update(lab.network.addresses)
    for qmgr in lab.queue_managers:
        again = other[qmgr.name]
        again.mqsc(qmgr.export_mqsc()).require()
        again.programs.update(qmgr.programs)
    return other
