"""The additions of administration to the engine: events, security records, and commands about both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..engine.extra import Extra, later
from ..engine.words.whys import Why, cases_in
from . import kept

if TYPE_CHECKING:
    from ..engine.commands.command import Command
    from ..engine.programs.channels.channel import Channel
    from ..engine.queues.caller import Caller
    from ..engine.queues.queue import LocalQueue
    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Target
    from ..engine.words.objects import Definition

_QMGR_EVENTS = "SYSTEM.ADMIN.QMGR.EVENT"
_ABOUT_CALLS = ("INHIBTEV", "LOCALEV", "REMOTEEV", "PERFMEV")
"""Attributes of a queue manager that send events about refused calls."""


class Administration(Extra):
    """Event messages, security records, and status of connections."""

    name = "admin"
    shows = {
        "CHLAUTH": later(__package__, "security_records", "channel_records"),
        "AUTHREC": later(__package__, "security_records", "authority_records"),
        "ENTAUTH": later(__package__, "security_records", "entity_authority"),
        "CONN": later(__package__, "connections", "connections"),
        "APSTATUS": later(__package__, "connections", "applications"),
        "QMSTATUS": later(__package__, "qmgr_status", "qmgr_status"),
        "LSSTATUS": later(__package__, "qmgr_status", "beside_status"),
        "SVSTATUS": later(__package__, "qmgr_status", "beside_status"),
    }
    required = {
        **dict.fromkeys((("SET", "AUTHREC"), ("DELETE", "AUTHREC")), (("OBJTYPE",), ("PRINCIPAL", "GROUP"))),
        ("SET", "CHLAUTH"): (("TYPE",),),
    }
    required_of_type = {
        ("SET", "CHLAUTH", sort): (keyword,)
        for sort, keyword in (
            ("BLOCKUSER", "USERLIST"),
            ("BLOCKADDR", "ADDRLIST"),
            ("SSLPEERMAP", "SSLPEER"),
            ("ADDRESSMAP", "ADDRESS"),
            ("USERMAP", "CLNTUSER"),
            ("QMGRMAP", "QMNAME"),
        )
    }
    commands = {
        ("SET", "CHLAUTH"): later(__package__, "security_records", "keep"),
        ("STOP", "CONN"): later(__package__, "connections", "stop_connection"),
        ("REFRESH", "QMGR", "CONFIGEV"): later(__package__, "event_messages", "refresh"),
    }

    def cases(self) -> Mapping[str, type[Why]]:
        """The reasons of refused connections."""
        from . import whys

        return cases_in(whys)

    def started(self, qmgr: QueueManager, again: bool) -> None:
        """Report that the queue manager is active again (EVT-06)."""
        if again:
            self._tell_of_start(qmgr)

    def _tell_of_start(self, qmgr: QueueManager) -> None:
        """Put the message if its queue is set up."""
        if qmgr.attributes["STRSTPEV"] == "ENABLED" and _QMGR_EVENTS not in qmgr.targets.later:
            from .event_messages import started

            started(qmgr)

    def set_up(self, qmgr: QueueManager, name: str) -> None:
        """Report the start on an event queue that is set up later (EVT-06)."""
        if name == _QMGR_EVENTS and qmgr.running:
            self._tell_of_start(qmgr)

    def ending(self, qmgr: QueueManager, cause: int) -> None:
        """Report that the queue manager ends (EVT-06), if the event queue was ever used."""
        if qmgr.attributes["STRSTPEV"] == "ENABLED" and _QMGR_EVENTS not in qmgr.targets.later:
            from .event_messages import ending

            ending(qmgr, cause)

    def ended(self, qmgr: QueueManager, cause: int) -> None:
        """Forget how the queue manager ended, and let who waited for it go on."""
        if (keeps := qmgr.kept.get("admin")) is not None:
            gone, keeps.ending, keeps.gone, keeps.reconnect = keeps.gone, None, None, None
            if gone is not None:
                gone.succeed()

    def log_of(self, queue: LocalQueue) -> Callable[[tuple], int] | None:
        """A watch before the log, if performance events are on."""
        if queue.qmgr.attributes["PERFMEV"] != "ENABLED":
            return None
        from .performance_events import watch_of

        return watch_of(queue)

    def refused(
        self,
        application: Caller,
        reason: int,
        target: Target | None,
        name: str,
        call: str,
        seq: int,
        detail: dict | None,
    ) -> None:
        """Report a refused call (EVT-03, EVT-05)."""
        has = application.qmgr.attributes
        if any(has[keyword] == "ENABLED" for keyword in _ABOUT_CALLS):
            from .event_messages import refused

            refused(application, reason, target, name, call, seq, detail)

    def configured(
        self, qmgr: QueueManager, definition: Definition, verb: str, cause: int, before: dict[str, Any] | None = None
    ) -> None:
        """Report a change of the configuration (EVT-08)."""
        if qmgr.attributes.get("CONFIGEV") == "ENABLED":
            from .event_messages import changed

            changed(qmgr, definition, verb, cause, before)

    def commanded(self, qmgr: QueueManager, command: Any, display: bool) -> None:
        """Report a command (EVT-10)."""
        if qmgr.attributes.get("CMDEV", "DISABLED") != "DISABLED":
            from .event_messages import commanded

            commanded(qmgr, command, display)

    def channel_changed(self, channel: Channel, was: str, cause: int) -> None:
        """Report that a channel has started or stopped (EVT-07)."""
        if channel.qmgr.attributes["CHLEV"] != "DISABLED":
            from .event_messages import channel_changed

            channel_changed(channel, was, cause)

    def channel_defined(self, qmgr: QueueManager, name: str, partner: str) -> None:
        """Report that a receiver was defined (EVT-07)."""
        if qmgr.attributes.get("CHADEV") == "ENABLED":
            from .event_messages import auto_defined

            auto_defined(qmgr, name, partner)

    def bridge_changed(self, qmgr: QueueManager, name: str, state: str, cause: int) -> None:
        """Report that a bridge has started or ended (EVT-07)."""
        if qmgr.attributes.get("BRIDGEEV") == "ENABLED":
            from .event_messages import bridge_changed

            bridge_changed(qmgr, name, state, cause)

    def displayed(self, qmgr: QueueManager, command: Command, rows: list[dict[str, Any]]) -> list[list[str]] | None:
        """Connections with a paragraph for each handle, and what DISPLAY CHLAUTH says beside its rows."""
        if command.object == "CONN":
            from .connections import layout_connections

            return layout_connections(rows)
        if command.object == "CHLAUTH":
            from .security_records import layout_records

            return layout_records(qmgr, command, rows)
        return None

    def deleted_by(self, qmgr: QueueManager, command: Command, kind: str) -> None:
        """The authority records of an object go with it, unless the command says otherwise."""
        if kept(qmgr).records and command.options.get("AUTHREC") != "NO":
            from .security_records import forget

            forget(qmgr, kind, command.name)


EXTRA = Administration()
