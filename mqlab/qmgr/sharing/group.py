"""Queue-sharing groups: z/OS queue managers that have queues, structures and definitions in common."""

from __future__ import annotations

import re

from ...mq.constants import MQRC_CF_STRUC_IN_USE
from ...mq.errors import LabError
from ...mq.objects import Definition
from .group_definitions import Masters
from .igq import IntraGroupQueuing
from .recovery import back_out_shared, touches
from .scanning import GroupScanning
from .shared_queue import Core, SharedQueue
from .structure import Structure

__all__ = ["QueueSharingGroup", "legal_group_name"]

_NAME = re.compile(r"[A-Z@#$][A-Z0-9@#$]{0,3}")


def legal_group_name(name) -> bool:
    """Whether a queue-sharing group can have this name: 1 to 4 of A-Z 0-9 @ # $, no digit first.

    >>> legal_group_name("QSG1"), legal_group_name("GROUP1")
    (True, False)
    """
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


class QueueSharingGroup:
    """A group and its members; made by `Lab.queue_sharing_group`.

    `structures` are its coupling facility structures by name, `masters` its QSGDISP(GROUP) definitions, `scanning` says
    which member scans the shared queues, `igq` is its intra-group queuing with the agents of the members. Every running
    member is connected to every structure (our reading).
    """

    def __init__(self, lab, name: str, members: list):
        self.lab, self.name = lab, name
        self.place = (name, None, None)
        self.members = tuple(members)
        self.structures: dict[str, Structure] = {}
        self.masters = Masters(self)
        self.scanning = GroupScanning(self)
        self.igq = IntraGroupQueuing(self)
        detail = {"members": [member.name for member in members]}
        lab.events.write(lab.clock.time_us, "group", self.place, rule="QSG-01", detail=detail)
        for member in members:
            member.group = self
        for member in members:
            self._join(member)

    def _join(self, member) -> None:
        """Take over the structures a queue manager has defined, where the group has none of that name yet."""
        for definition in member.objects.match(("CFSTRUCT",)):
            if definition.name not in self.structures:
                self.enter_structure(definition)
        for structure in self.structures.values():
            for each in self.members:
                each.objects.add(structure.definition)
        self.scanning.interval_set(member)

    def has(self, name: str) -> bool:
        """Whether a queue manager of this name is a member."""
        return any(member.name == name for member in self.members)

    @property
    def running(self) -> list:
        """The members that run, in the order in which the group was given them."""
        return [member for member in self.members if member.running]

    @property
    def cores(self) -> list[Core]:
        """What its shared queues hold, by structure and name."""
        return [core for structure in self.structures.values() for core in structure.cores.values()]

    def fail_coupling_facility(self) -> None:
        """Let the coupling facility fail, with every structure of queues in it (QSG-08).

        The administration structure is not among them: were that lost, every member would have to be started again
        before a structure is recovered.

        Non-persistent messages are lost. Persistent ones are kept where RECOVER(YES) is set and cannot be reached until
        `recover` or RECOVER CFSTRUCT; a structure with RECOVER(NO) loses everything and is made anew by the next open.
        """
        seq = self.lab.events.write(self.lab.clock.time_us, "fault", self.place, rule="QSG-08")
        for structure in self.structures.values():
            if structure.status == "ACTIVE" or (structure.entries and not structure.failed):
                structure.fail(seq)

    def recover(self) -> None:
        """Recover every structure that has failed, as RECOVER CFSTRUCT does by any running member (QSG-09).

        LabError where no member runs that could do it.
        """
        if not self.running:
            raise LabError(f"a running member of {self.name} wanted; none runs: start one")
        for structure in self.structures.values():
            if structure.failed and structure.recoverable:
                structure.recover(self.running[0].name)

    # ---------------------------------------------------------------- definitions
    def enter_structure(self, definition: Definition) -> None:
        """A CFSTRUCT was defined."""
        self.structures[definition.name] = Structure(self, definition)

    def forget(self, definition: Definition) -> None:
        """A CFSTRUCT or a shared queue was deleted."""
        if definition.kind == "CFSTRUCT":
            del self.structures[definition.name]
        else:
            del self.structures[definition.attributes["CFSTRUCT"]].cores[definition.name]

    def shared_queue(self, member, definition: Definition) -> SharedQueue:
        """A shared queue as this member has it; the first of them makes what they have in common."""
        structure = self.structures[definition.attributes["CFSTRUCT"]]
        core = structure.cores.get(definition.name)
        if core is None:
            core = structure.cores[definition.name] = Core(self, structure, definition)
        self.igq.defined(member, definition)
        return SharedQueue(member, definition, core)

    def require_quiet(self, member, name: str, verb: str, why: str, empty: bool) -> None:
        """Refuse with 2346 to change or delete a structure that has queues, or where `empty` queues in use."""
        structure = self.structures[name]
        busy = [
            queue
            for queue, core in structure.cores.items()
            if not empty or core.depth or any(one.opens for one in core.instances)
        ]
        if busy:
            said = f"{why}; {', '.join(busy)} {'is in use' if empty else 'is defined in it'}"
            hint = "empty and close its queues first" if empty else "delete its queues first"
            member.refuse(MQRC_CF_STRUC_IN_USE, None, verb, "QSG-03", said, hint, name=name)

    # ---------------------------------------------------------------- members that come and go
    def started(self, member) -> None:
        """A member started: copies are brought up to date, and work that waited for a peer is backed out."""
        self.masters.refresh(member)
        for each in self.members:
            if each is not member:
                self._recover_by(member, each)
        self.igq.start(member)

    def recover_work(self, failed) -> None:
        """Peer recovery: another member backs out at once what the failed one had not committed on shared queues.

        With none running it is done by the next member that starts.
        """
        if self.running:
            self._recover_by(self.running[0], failed)

    def _recover_by(self, peer, failed) -> None:
        for unit in list(failed.pending):
            back_out_shared(unit, peer)

    def back_out(self, structure: Structure) -> None:
        """Back out every unit of work that has work in a structure, which is about to fail."""
        for member in self.members:
            for unit in [unit for unit in member.units.values() if touches(unit, structure)]:
                unit.broken = f"CFSTRUCT({structure.name}) failed"
                unit.backout()
            if self.running:
                continue
            for unit in [unit for unit in member.pending if touches(unit, structure)]:
                back_out_shared(unit, member)

    def __repr__(self):
        return f"QueueSharingGroup({self.name!r}, {len(self.running)} of {len(self.members)} running)"
