"""Coupling facility structures: what a CFSTRUCT defines, whether it can be used, and how it fails and is recovered."""

from __future__ import annotations

from typing import Any

from ..engine.words.constants import MQRC_CF_STRUC_FAILED
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds

SHORT_LEVELS_LONGEST = 63 * 1024
"""Bytes that one message may have up to CFLEVEL 3."""
LONGEST = 100 * 1024 * 1024
"""Bytes that one message may have from CFLEVEL 4 on, where long ones are offloaded."""


class Structure:
    """One application structure of a group: its definition, its queues and its state.

    `status` is "NEW" (defined, not used yet), "ACTIVE" or "FAILED"; `failed_us` and `backup_us` are when it last failed
    and was last backed up, microseconds since the lab's start, None for never. `cores` are its shared queues by name.
    """

    def __init__(self, group: Any, definition: Definition):
        self.group, self.definition, self.name = group, definition, definition.name
        self.subject = (group.name, definition.name, "CFSTRUCT")
        self.status = "NEW"
        self.failed_us: int | None = None
        self.backup_us: int | None = None
        self.backup_bytes = 0
        self.cores: dict = {}

    @property
    def level(self) -> int:
        """Its CFLEVEL."""
        return self.definition.attributes["CFLEVEL"]

    @property
    def recoverable(self) -> bool:
        """Whether its persistent messages survive a failure: RECOVER(YES)."""
        return self.definition.attributes["RECOVER"] == "YES"

    @property
    def keeps_persistent(self) -> bool:
        """Whether persistent messages may be put to its queues: CFLEVEL 3 or above, and RECOVER(YES)."""
        return self.level >= 3 and self.recoverable

    @property
    def longest(self) -> int:
        """How many bytes a message may have."""
        return SHORT_LEVELS_LONGEST if self.level <= 3 else LONGEST

    @property
    def said(self) -> str:
        """Its level and recovery, for a refusal."""
        return f"CFSTRUCT({self.name}) has CFLEVEL({self.level}) RECOVER({self.definition.attributes['RECOVER']})"

    @property
    def failed(self) -> bool:
        """Whether it has failed and is neither recovered nor made again."""
        return self.status == "FAILED"

    @property
    def size(self) -> int:
        """Bytes of message data in it."""
        return sum(len(message.body) for core in self.cores.values() for message in core.store.in_order())

    @property
    def entries(self) -> int:
        """How many messages are in it, uncommitted ones too."""
        return sum(core.depth for core in self.cores.values())

    def make_ready(self, application: Any, target: Any, call: str) -> None:
        """Open it for a call: a new one is allocated, a failed one is made again where it cannot be recovered (QSG-10).

        MQError 2373 where it waits to be recovered.
        """
        if self.recoverable:
            self.require_usable(application, target, call)
        if self.status != "ACTIVE":
            self._activate("allocate", "QSG-10" if self.failed else "QSG-03", application.qmgr.name, None)

    def require_usable(self, application: Any, target: Any, call: str) -> None:
        """Refuse a call while it has failed: MQError 2373 (QSG-09)."""
        if self.failed:
            case = "failed-recoverable" if self.recoverable else "failed"
            grounds = Grounds(MQRC_CF_STRUC_FAILED, case, {"structure": self.name})
            raise application.refusal(grounds, target, call, self.name)

    def fail(self, cause: int) -> None:
        """It fails: work that is not committed is backed out, and what does not survive is lost (QSG-08, QSG-10).

        With RECOVER(YES) the committed persistent messages are kept and cannot be reached until it is recovered.
        """
        now = self.group.lab.clock.time_us
        self.failed_us = now
        seq = self._write("fault", "QSG-08", None, cause, {"STATUS": "FAILED"})
        self.group.back_out(self)
        rule = "QSG-08" if self.recoverable else "QSG-10"
        for core in self.cores.values():
            for message in list(core.store.in_order()):
                if not (message.persistent and self.recoverable):
                    core.lose(message, core.loss_rule or rule, seq)
        self.status = "FAILED"
        self.refresh()

    def recover(self, member: str, cause: int | None = None) -> None:
        """RECOVER CFSTRUCT: its persistent messages are there again (QSG-09)."""
        self._activate("recover", "QSG-09", member, cause)

    def purge(self, member: str) -> None:
        """RECOVER CFSTRUCT TYPE(PURGE): usable again, and empty."""
        seq = self._write("recover", "QSG-09", member, None, {"TYPE": "PURGE"})
        for core in self.cores.values():
            for message in list(core.store.in_order()):
                core.lose(message, "QSG-09", seq)
        self._activate("recover", "QSG-09", member, seq)

    def backup(self, member: str) -> None:
        """BACKUP CFSTRUCT: remember when, and how much it was."""
        self.backup_us, self.backup_bytes = self.group.lab.clock.time_us, self.size
        self._write("backup", "QSG-09", member, None, {"BKUPSIZE": self.backup_bytes})

    def refresh(self) -> None:
        """Let its queues take over what it now is, on every member."""
        for core in self.cores.values():
            for queue in core.instances:
                queue.refresh()

    def _activate(self, kind: str, rule: str, member: str, cause: int | None) -> None:
        self.status = "ACTIVE"
        self._write(kind, rule, member, cause, {"STATUS": "ACTIVE"})
        self.refresh()
        for core in self.cores.values():
            self.group.scanning.expect(core.earliest_us)

    def _write(self, kind: str, rule: str, member: str | None, cause: int | None, detail: dict) -> int:
        clock, log = self.group.lab.clock, self.group.lab.events
        return log.write(clock.time_us, kind, self.subject, program=member, rule=rule, cause=cause, detail=detail)

    def __repr__(self) -> str:
        return f"Structure({self.name!r}, {self.status}, {len(self.cores)} queues)"
