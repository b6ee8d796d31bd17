"""What queue sharing adds to the engine: shared definitions and queues, masters, and intra-group queuing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..mq.extra import Extra, Scope

if TYPE_CHECKING:
    from ..mq.objects import Definition
    from ..mqsc.command import Command
    from ..qmgr.queue import LocalQueue, Remote
    from ..sim.event import Event
    from .group import QueueSharingGroup

_AGENT = "IGQ.AGENT"  # as rows call it


class _Shared(Scope):
    """The members of a group have a shared queue, or a structure, in common."""

    rule = "QSG-02"

    def __init__(self, group: QueueSharingGroup):
        self.group, self.name, self.holders = group, group.name, group.members

    def enter(self, definition: Definition) -> None:
        """A structure is the group's at once."""
        if definition.kind == "CFSTRUCT":
            self.group.enter_structure(definition)

    def queue(self, holder: Any, definition: Definition) -> LocalQueue:
        """The shared queue as a member has it."""
        return self.group.shared_queue(holder, definition)

    def changed(self, definition: Definition) -> None:
        """A structure's queues take over what it is now."""
        if definition.kind == "CFSTRUCT":
            self.group.structures[definition.name].refresh()

    def forget(self, definition: Definition) -> None:
        """A CFSTRUCT or a shared queue was deleted."""
        self.group.forget(definition)


def _status(qmgr: Any, command: Command) -> list[dict[str, Any]]:
    from .structure_commands import structure_status

    return structure_status(qmgr, command)


def _request(qmgr: Any, command: Command) -> str:
    from .structure_commands import structure_request

    return structure_request(qmgr, command)


class Sharing(Extra):
    """Queue sharing groups of z/OS."""

    name = "sharing"
    faces = {"sharing.group.QueueSharingGroup": "cards.lab_cards.group_card"}

    shows = {"CFSTATUS": _status}
    commands = dict.fromkeys((("BACKUP", "CFSTRUCT"), ("RECOVER", "CFSTRUCT"), ("RESET", "CFSTRUCT")), _request)
    unread = frozenset({"CHLDISP", "CMDSCOPE", "EXCLINT"})

    def restarting(self, qmgr: Any) -> None:
        """Copies are brought up to date, and work that waited for a peer is backed out."""
        if qmgr.group is not None:
            qmgr.group.started(qmgr)

    def ended(self, qmgr: Any, cause: int) -> None:
        """Another member may have to scan the shared queues."""
        if qmgr.group is not None:
            qmgr.group.scanning.ended(qmgr, cause)

    def failed(self, qmgr: Any) -> None:
        """Another member backs out its work on shared queues at once (QSG-07)."""
        if qmgr.group is not None:
            qmgr.group.recover_work(qmgr)

    def interval_set(self, qmgr: Any) -> None:
        """The seat of the member that scans may change hands (EXP-34)."""
        if qmgr.group is not None:
            qmgr.group.scanning.interval_set(qmgr)

    def values(self, qmgr: Any) -> dict[str, Any]:
        """QSGNAME."""
        return {"QSGNAME": qmgr.group.name if qmgr.group is not None else ""}

    def scope(self, qmgr: Any, definition: Definition) -> Scope | None:
        """That of a shared queue, or of a structure of a member."""
        if qmgr.group is None:
            return None
        shared = definition.kind == "CFSTRUCT" or definition.attributes.get("QSGDISP") == "SHARED"
        return _Shared(qmgr.group) if shared else None

    def check_name(self, qmgr: Any, kind: str, name: str, attributes: dict[str, Any]) -> None:
        """A DEFINE whose QSGDISP this queue manager or this kind of object cannot have."""
        if kind == "CFSTRUCT" or attributes.get("QSGDISP", "QMGR") != "QMGR":
            from .definitions import require_disposition

            require_disposition(qmgr, kind, name, attributes.get("QSGDISP", "QMGR"))

    def define(
        self,
        qmgr: Any,
        kind: str,
        name: str,
        given: dict[str, Any],
        complete: Callable[[], dict[str, Any]],
        replace: bool,
    ) -> Definition | None:
        """A master, with a copy on each running member."""
        if given.get("QSGDISP") != "GROUP":
            return None
        return qmgr.group.masters.define(qmgr, kind, name, complete(), replace)

    def check(
        self, qmgr: Any, kind: str, name: str, wanted: dict[str, Any], present: Definition | None, verb: str
    ) -> None:
        """Attributes that a structure or a shared queue cannot have."""
        if qmgr.platform != "zos" and kind != "CFSTRUCT":
            return
        from .definitions import check

        check(qmgr, kind, name, wanted, present, verb)

    def check_delete(self, qmgr: Any, kind: str, name: str) -> None:
        """A structure that holds queues stays."""
        if kind == "CFSTRUCT" and qmgr.group is not None:
            qmgr.group.require_quiet(qmgr, name, "delete", "a structure that holds queues cannot go", empty=False)

    def sentences(self) -> Mapping[str, Callable[[Any], str]]:
        """Those of groups, structures, and agents."""
        from .words import SENTENCES

        return SENTENCES

    def placed(self, queue: Any, number: int) -> tuple[str, str, str, str] | None:
        """A message on the shared transmission queue waits for its agent."""
        if getattr(queue, "structure", None) is None or queue.direct_rule != "IGQ-13":
            return None
        why = next(each for each in queue.qmgr.group.igq.why_waiting() if each.message == number)
        return why.rule, "its agent delivers it", why.fact, why.move

    def carried(self, qmgr: Any, who: str, number: int, whose: str) -> tuple[str, str, str, str] | None:
        """An agent has it."""
        group = getattr(qmgr, "group", None)
        if group is None:
            return None
        if whose and who == _AGENT:
            return "IGQ-06", "its agent delivers it", f"{whose} has it and has not committed yet", "time"
        held = (each.holding for each in group.igq.agents.values())
        if not whose and any(one is not None and one.number == number for one in held):
            return "IGQ-05", "its agent delivers it", f"the agent of {qmgr.name} holds it", "time"
        return None

    def logged(self, row: Event) -> str:
        """Agents that start and end, and structures that are allocated."""
        if row.kind == "program" and row.program == _AGENT:
            return "igq" if '"started"' in (row.detail or "") else "igq-ends"
        return "structure" if row.kind == "allocate" else ""

    def draw_owners(self, graph: Any, lab: Any) -> None:
        """The groups and their members."""
        if lab.queue_sharing_groups:
            from .picture import draw_owners

            draw_owners(graph, lab)

    def draw(self, graph: Any, lab: Any) -> None:
        """The structures of each group."""
        if lab.queue_sharing_groups:
            from .picture import draw

            draw(graph, lab)

    def means_here(self, qmgr: Any, queue: str, at: str) -> bool:
        """The name of its group; with SQQMNAME(IGNORE) and a shared queue, that of another member too."""
        group = qmgr.group
        if group is None:
            return False
        shared = getattr(qmgr.targets.get(queue), "structure", None) is not None
        return at == group.name or (shared and qmgr.attributes["SQQMNAME"] == "IGNORE" and group.has(at))

    def route(
        self, qmgr: Any, name: str, path: list[Definition], to: tuple[str, str], by_channel: Callable[[], Remote | None]
    ) -> tuple[Remote | None] | None:
        """The queue of another member of the group may be reached by intra-group queuing, unless a definition names an
        XMITQ."""
        if qmgr.group is None or not qmgr.group.has(to[1]):
            return None
        return (qmgr.group.igq.route(qmgr, name, path, to, by_channel),)


EXTRA = Sharing()
