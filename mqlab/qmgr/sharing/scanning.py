"""Which member of a group scans the shared queues for lapsed messages, and who takes over from it (EXP-34)."""

from __future__ import annotations

from ..queue import NEVER

__all__ = ["GroupScanning"]


class GroupScanning:
    """The seat of the member that scans: the first to start with EXPRYINT set, or to have it set; None while vacant.

    A vacant seat is taken by the member whose next interval comes first, or by one that starts or has EXPRYINT set. A
    member with EXPRYINT(OFF) never takes it, and its interval is not compared with the others' (our reading).
    """

    def __init__(self, group):
        self.group = group
        self.seat = None
        self._before = self._left = None  # who had it before, and the row of its going
        self._warned: dict[str, int] = {}

    def may_scan(self, qmgr) -> bool:
        """Whether it has EXPRYINT set and no other member scans."""
        return qmgr.attributes["EXPRYINT"] > 0 and self.seat in (None, qmgr)

    def take(self, qmgr) -> None:
        """A member scans: it takes the seat if that is vacant."""
        if self.seat is qmgr:
            return
        detail = {"from": self._before, "to": qmgr.name}
        self.seat = qmgr
        self._write("takeover", qmgr, detail, self._left)

    def interval_set(self, qmgr) -> None:
        """EXPRYINT was set or the member started: give, leave or keep the seat, and warn where members differ."""
        interval = qmgr.attributes["EXPRYINT"]
        if interval and self.seat is None:
            self.take(qmgr)
        elif not interval and self.seat is qmgr:
            self._vacate(qmgr, None)
        known = {one.name: one.attributes["EXPRYINT"] for one in self.group.running if one.attributes["EXPRYINT"]}
        if len(set(known.values())) > 1 and known != self._warned:
            self._write("warning", qmgr, {"EXPRYINT": known, "because": "one value for the whole group is wanted"})
        self._warned = known

    def ended(self, qmgr, cause: int) -> None:
        """A member ended: if it scanned, another takes over at its own next interval."""
        if self.seat is qmgr:
            self._vacate(qmgr, cause)

    def expect(self, deadline_us: float) -> None:
        """A shared queue has a message that lapses then: the member that scans, or each that could, sets a timer."""
        for qmgr in self.group.running:
            if self.may_scan(qmgr):
                qmgr.scanner.arm(deadline_us)

    def _vacate(self, qmgr, cause: int | None) -> None:
        self.seat, self._before, self._left = None, qmgr.name, cause
        self.expect(min((core.earliest_us for core in self.group.cores), default=NEVER))

    def _write(self, kind: str, qmgr, detail: dict, cause: int | None = None) -> None:
        clock, log = self.group.lab.clock, self.group.lab.events
        log.write(clock.time_us, kind, self.group.place, program=qmgr.name, rule="EXP-34", cause=cause, detail=detail)
