"""Queue sharing groups: z/OS queue managers that have queues, structures and definitions in common."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..engine.extra import Scope
from ..engine.queues import get, put
from ..engine.queues.queue import NEVER, LocalQueue
from ..engine.queues.unit import UnitOfWork
from ..engine.words.constants import MQRC_CF_STRUC_IN_USE
from ..engine.words.errors import LabError
from ..engine.words.objects import Definition, legal_name
from ..engine.words.shown import shown
from ..engine.world.interrupts import whole
from . import group_of
from .cf_structure import Structure
from .group_definitions import Masters
from .igq import IntraGroupQueuing
from .shared_queue import Core, SharedQueue
from .whys import OneValue, StructureBroke

if TYPE_CHECKING:
    from ..engine.queues.queue_manager import QueueManager

_NAME = re.compile(r"[A-Z@#$][A-Z0-9@#$]{0,3}")


def legal_group_name(name: str) -> bool:
    """Whether a queue sharing group can have this name: 1 to 4 of A-Z 0-9 @ # $, no digit first.

    >>> legal_group_name("QSG1"), legal_group_name("GROUP1")
    (True, False)
    """
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


class Shared(Scope):
    """The members of a group have a shared queue, or a structure, in common."""

    rule = "QSG-02"

    def __init__(self, group: QueueSharingGroup):
        self.group, self.name, self.holders = group, group.name, group.members

    def enter(self, definition: Definition) -> None:
        """A structure is the group's at once."""
        if definition.kind == "CFSTRUCT":
            self.group.enter_structure(definition)

    def queue(self, holder: QueueManager, definition: Definition) -> LocalQueue:
        """The shared queue as a member has it."""
        return self.group.shared_queue(holder, definition)

    def changed(self, definition: Definition) -> None:
        """A structure's queues take over what it is now."""
        if definition.kind == "CFSTRUCT":
            self.group.structures[definition.name].refresh()

    def forget(self, definition: Definition) -> None:
        """A CFSTRUCT or a shared queue was deleted."""
        self.group.forget(definition)


@shown
class QueueSharingGroup:
    """A group and its members; made by `Lab.queue_sharing_group`.

    `structures` are its coupling facility structures by name, `masters` its QSGDISP(GROUP) definitions, `scanning` says
    which member scans the shared queues, `igq` is its intra-group queuing with the agents of the members. Every running
    member is connected to every structure.
    """

    def __init__(self, lab: Any, name: str, members: list):
        self.lab, self.name = lab, name
        self.subject = (name, None, None)
        self.members = tuple(members)
        self.structures: dict[str, Structure] = {}
        self.masters = Masters(self)
        self.scanning = GroupScanning(self)
        self.igq = IntraGroupQueuing(self)
        self.scope = Shared(self)
        detail = {"members": [member.name for member in members]}
        lab.events.write(lab.clock.time_us, "group", self.subject, rule="QSG-01", detail=detail)
        for member in members:
            member.kept["sharing"] = self
        for member in members:
            self._join(member)

    def _join(self, member: Any) -> None:
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
        """The contents of its shared queues, by structure and name."""
        return [core for structure in self.structures.values() for core in structure.cores.values()]

    def fail_coupling_facility(self) -> None:
        """Let the coupling facility fail, with every structure of queues in it (QSG-08).

        The administration structure is not among them: were that lost, every member would have to be started again
        before a structure is recovered.

        Nonpersistent messages are lost. Persistent ones are kept where RECOVER(YES) is set and cannot be reached until
        `recover` or RECOVER CFSTRUCT; a structure with RECOVER(NO) loses everything and is made again by the next open.
        """
        seq = self.lab.events.write(self.lab.clock.time_us, "fault", self.subject, rule="QSG-08")
        for structure in self.structures.values():
            if structure.status == "ACTIVE" or (structure.entries and not structure.failed):
                structure.fail(seq)

    def recover(self) -> None:
        """Recover every structure that has failed, as RECOVER CFSTRUCT does by any running member (QSG-09).

        LabError if no member runs that could do it.
        """
        if not self.running:
            raise LabError(f"{self.name} must have a running member, and has none: start one")
        for structure in self.structures.values():
            if structure.failed and structure.recoverable:
                structure.recover(self.running[0].name)

    def enter_structure(self, definition: Definition) -> None:
        """A CFSTRUCT was defined."""
        self.structures[definition.name] = Structure(self, definition)

    def forget(self, definition: Definition) -> None:
        """A CFSTRUCT or a shared queue was deleted."""
        if definition.kind == "CFSTRUCT":
            del self.structures[definition.name]
        else:
            del self.structures[definition.attributes["CFSTRUCT"]].cores[definition.name]

    def shared_queue(self, member: Any, definition: Definition) -> SharedQueue:
        """A shared queue as this member has it; the first of them makes what they have in common."""
        structure = self.structures[definition.attributes["CFSTRUCT"]]
        core = structure.cores.get(definition.name)
        if core is None:
            core = structure.cores[definition.name] = Core(self, structure, definition)
        self.igq.defined(member, definition)
        return SharedQueue(member, definition, core)

    def require_quiet(self, member: Any, name: str, verb: str, empty: bool) -> None:
        """Refuse with 2346 to change or delete a structure that has queues, or where `empty` queues in use."""
        structure = self.structures[name]
        busy = [
            queue
            for queue, core in structure.cores.items()
            if not empty or core.depth or any(one.opens for one in core.instances)
        ]
        if busy:
            case = "queue-in-use" if empty else "queue-defined"
            member.refuse(MQRC_CF_STRUC_IN_USE, case, None, verb, name, queues=", ".join(busy))

    def started(self, member: Any) -> None:
        """A member started: copies are brought up to date, and work that waited for a peer is backed out."""
        self.masters.refresh(member)
        for each in self.members:
            if each is not member:
                self._recover_by(member, each)
        self.igq.start(member)

    def recover_work(self, failed: Any) -> None:
        """Peer recovery: another member backs out at once what the failed one had not committed on shared queues.

        With none running it is done by the next member that starts.
        """
        if self.running:
            self._recover_by(self.running[0], failed)

    def _recover_by(self, peer: Any, failed: Any) -> None:
        for unit in list(failed.pending):
            _back_out_shared(unit, peer)

    def back_out(self, structure: Structure) -> None:
        """Back out every unit of work that has work in a structure, which is about to fail."""
        for member in self.members:
            for unit in [unit for unit in member.units.values() if _touches(unit, structure)]:
                unit.broken = StructureBroke(structure.name)
                unit.backout()
            if self.running:
                continue
            for unit in [unit for unit in member.pending if _touches(unit, structure)]:
                _back_out_shared(unit, member)

    def __repr__(self) -> str:
        return f"QueueSharingGroup({self.name!r}, {len(self.running)} of {len(self.members)} running)"


def make(lab: Any, name: str, members: list[str], intra_group_queuing: bool) -> QueueSharingGroup:
    """See `Lab.queue_sharing_group`."""
    known = {qmgr.name: qmgr for qmgr in lab.queue_managers}
    texts = isinstance(members, (list, tuple)) and all(isinstance(member, str) for member in members)
    if not texts or not 0 < len(members) == len(set(members)):
        raise LabError(f'members must be names of queue managers, each once, such as ["QMA", "QMB"]; got {members!r}')
    if not legal_group_name(name) or name in (*lab.groups, *known, *lab.others, *members):
        raise LabError(f"group name must be 1 to 4 of A-Z 0-9 @ # $, no digit first, new in this lab; got {name!r}")
    for member in members:
        qmgr = known.get(member)
        if qmgr is None and (not legal_name(member) or member in lab.others or member in lab.groups):
            raise LabError(f"member must be the name of a queue manager on z/OS, or a new one; got {member!r}")
        if qmgr is not None and (qmgr.platform != "zos" or group_of(qmgr) is not None or not qmgr.running):
            raise LabError(f"member must be a running queue manager on z/OS that is in no group; got {qmgr!r}")

    def create() -> QueueSharingGroup:
        found = [known.get(each) or lab.queue_manager(each, platform="zos") for each in members]
        group = lab.groups[name] = QueueSharingGroup(lab, name, found)
        if intra_group_queuing:
            group.igq.install()
        return group

    return whole(create)


class GroupScanning:
    """The seat of the member that scans: the first to start with EXPRYINT set, or to have it set; None while vacant.

    A vacant seat is taken by the member whose next interval comes first, or by one that starts or has EXPRYINT set.
    """

    def __init__(self, group: Any):
        self.group = group
        self.seat: Any = None
        self._before: str | None = None  # who had it before, and the row of its going
        self._left: int | None = None
        self._warned: dict[str, int] = {}

    def may_scan(self, qmgr: Any) -> bool:
        """Whether it has EXPRYINT set and no other member scans."""
        return qmgr.attributes["EXPRYINT"] > 0 and self.seat in (None, qmgr)

    def take(self, qmgr: Any) -> None:
        """A member scans: it takes the seat if that is vacant."""
        if self.seat is qmgr:
            return
        detail = {"from": self._before, "to": qmgr.name}
        self.seat = qmgr
        self._write("takeover", qmgr, detail, self._left)

    def interval_set(self, qmgr: Any) -> None:
        """EXPRYINT was set or the member started: give, leave or keep the seat, and warn where members differ."""
        interval = qmgr.attributes["EXPRYINT"]
        if interval and self.seat is None:
            self.take(qmgr)
        elif not interval and self.seat is qmgr:
            self._vacate(qmgr, None)
        known = {one.name: one.attributes["EXPRYINT"] for one in self.group.running if one.attributes["EXPRYINT"]}
        if len(set(known.values())) > 1 and known != self._warned:
            self._write("warning", qmgr, {"EXPRYINT": known, "why": OneValue().facts})
        self._warned = known

    def ended(self, qmgr: Any, cause: int) -> None:
        """A member ended: if it scanned, another takes over at its own next interval."""
        if self.seat is qmgr:
            self._vacate(qmgr, cause)

    def expect(self, deadline_us: float) -> None:
        """A shared queue has a message that expires then: the member that scans, or each that could, sets a timer."""
        for qmgr in self.group.running:
            if self.may_scan(qmgr):
                qmgr.scanner.arm(deadline_us)

    def _vacate(self, qmgr: Any, cause: int | None) -> None:
        self.seat, self._before, self._left = None, qmgr.name, cause
        self.expect(min((core.earliest_us for core in self.group.cores), default=NEVER))

    def _write(self, kind: str, qmgr: Any, detail: dict, cause: int | None = None) -> None:
        qmgr.record(kind, self.group.subject, "EXP-34", program=qmgr.name, cause=cause, detail=detail)


class _Peer(UnitOfWork):
    """Stands in for a unit of work while another member ends what it did on shared queues."""

    def __init__(self, unit: UnitOfWork, member: QueueManager):
        self.number, self.application = unit.number, member.reporter(None)


def _shared(queue: Any) -> bool:
    return getattr(queue, "structure", None) is not None


def _touches(unit: Any, structure: Any) -> bool:
    """Whether a unit of work has work in this structure."""
    return any(getattr(queue, "structure", None) is structure for queue, *_ in (*unit.puts, *unit.gets, *unit.triggers))


def _back_out_shared(unit: Any, member: Any) -> None:
    """Back out what a unit of work of a failed member did on shared queues, by another member (QSG-07)."""
    # work on its own queues stays in it, for the restart
    if not any(_shared(queue) for queue, *_ in (*unit.puts, *unit.gets, *unit.triggers)):
        return
    puts, unit.puts = _divide(unit.puts)
    gets, unit.gets = _divide(unit.gets)
    triggers, unit.triggers = _divide(unit.triggers)
    over = not (unit.puts or unit.gets or unit.triggers)
    if over:
        unit.qmgr.pending.remove(unit)
    # a unit that has work left ends with its own backout row, at the restart
    kind = "backout" if over else "recover"
    seq = member.record(kind, unit.subject, "QSG-07", program=member.name, uow=unit.number)
    peer = _Peer(unit, member)
    for queue, message in reversed(puts):
        put.undo(_on(queue, member), message, peer, seq)
    for queue, message in reversed(gets):
        get.restore(_on(queue, member), message, peer, seq)
    for queue, message, kept in triggers:
        (put.keep_trigger if kept else put.undo)(_on(queue, member), message, peer, seq)


def _divide(work: list) -> tuple[list, list]:
    """Work on shared queues, and the rest."""
    return [one for one in work if _shared(one[0])], [one for one in work if not _shared(one[0])]


def _on(queue: Any, member: Any) -> Any:
    """A shared queue as another member has it."""
    return queue.core.members[member.name]
