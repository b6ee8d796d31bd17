"""Definitions with QSGDISP(GROUP): masters in the shared repository, and the copies the members have of them."""

from __future__ import annotations

from typing import Any

from ..engine.queues.definition_checks import require_deletable
from ..engine.words.constants import MQRC_OBJECT_ALREADY_EXISTS, MQRC_UNKNOWN_OBJECT_NAME
from ..engine.words.objects import QUEUE_KINDS, Definition, ObjectTable

_OWN = ("CRDATE", "CRTIME", "ALTDATE", "ALTTIME", "QSGDISP")


class Masters:
    """The masters of a group. Every running member has a copy of each; one that starts is given what changed meanwhile.

    A member's private object of the same name is left alone, and the member gets no copy.
    """

    def __init__(self, group: Any):
        self.group = group
        self.objects = ObjectTable()

    def define(self, member: Any, kind: str, name: str, attributes: dict, replace: bool) -> Definition:
        """DEFINE QSGDISP(GROUP) from complete attributes: the master, and a copy on each running member."""
        shared = kind in QUEUE_KINDS and any(core.definition.name == name for core in self.group.cores)
        if shared or (self.objects.named(kind, name) is not None and not replace):
            has = "shared queue" if shared else kind
            member.refuse(MQRC_OBJECT_ALREADY_EXISTS, "group-has-it", None, "define", name, kind=has, object=name)
        master = Definition(kind, name, {**attributes, "QSGDISP": "GROUP"})
        self.objects.add(master)
        self._tell(member, "define", master, attributes)
        for each in self.group.running:
            self._copy(master, each)
        return master

    def alter(self, member: Any, kind: str, name: str, attributes: dict) -> None:
        """ALTER QSGDISP(GROUP): the master, and every copy made again from it."""
        master = self._require(member, kind, name, "alter")
        master.attributes.update(attributes)
        self._tell(member, "alter", master, attributes)
        for each in self.group.running:
            self._copy(master, each)

    def delete(self, member: Any, kind: str, name: str, purge: bool) -> None:
        """DELETE QSGDISP(GROUP): the master and the copies of running members, or none of them."""
        master = self._require(member, kind, name, "delete")
        copies = [copy for copy in self.group.running if self._copy_on(copy, master)]
        for copy in copies:
            require_deletable(copy, kind, name, purge)
        for copy in copies:
            copy.delete(kind, name, purge=purge)
        self.objects.remove(master)
        self._tell(member, "delete", master, None)

    def refresh(self, member: Any) -> None:
        """A member started: copies of new masters, of changed ones, and no copies of deleted ones."""
        for definition in member.objects.everything():
            gone = self.objects.get(definition.kind, definition.name) is None
            if definition.attributes.get("QSGDISP") == "COPY" and gone:
                member.delete(definition.kind, definition.name, purge=True)
        for master in self.objects.everything():
            self._copy(master, member)

    def _copy(self, master: Definition, member: Any) -> None:
        present = member.objects.named(master.kind, master.name)
        wanted = {key: value for key, value in master.attributes.items() if key not in _OWN}
        if present is None:
            member.define(master.kind, master.name, {**wanted, "QSGDISP": "COPY"})
        elif self._copy_on(member, master) and any(present.attributes.get(k) != v for k, v in wanted.items()):
            member.alter(master.kind, master.name, wanted, force=True)

    def _copy_on(self, member: Any, master: Definition) -> bool:
        present = member.objects.get(master.kind, master.name)
        return present is not None and present.attributes.get("QSGDISP") == "COPY"

    def _require(self, member: Any, kind: str, name: str, verb: str) -> Any:
        member.require_running(verb)
        master = self.objects.get(kind, name)
        if master is None:
            member.refuse(MQRC_UNKNOWN_OBJECT_NAME, "no-master", None, verb, name, kind=kind, object=name)
        return master

    def _tell(self, member: Any, verb: str, master: Definition, detail: dict | None) -> None:
        # the object is no queue of the group that holds messages: its type says so
        place = (self.group.name, master.name, f"{master.kind} GROUP")
        member.record(verb, place, "QSG-02", program=member.name, detail=detail)
