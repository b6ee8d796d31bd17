"""The queue manager as people use it: the engine's, with what its extras add."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Unpack

from ..engine import queue_manager as engine
from ..engine.words.arguments import require
from ..engine.words.shown import shown
from .application import Application, ExtraCalls
from .extras import room

if TYPE_CHECKING:
    from ..admin.error_log import ErrorLog
    from ..admin.event_words import EventMessages
    from ..bridges.xcoupler import XCoupler
    from ..clusters.workload import Choice
    from ..engine.programs.program import Program
    from ..gates.attempt import Certificate, Client
    from ..sharing.group import QueueSharingGroup
    from .clients import CertificateFacts, ClientFacts


@shown
class QueueManager(ExtraCalls, engine.QueueManager):
    """One queue manager of a lab. Its own put, get, browse and open are calls of an application without a name; its
    settings are those of `mqlab.engine.queues.queue_manager.QueueManager`.
    """

    application_type = Application

    def connect(  # type: ignore[override]  # a client is that of the gates
        self,
        program: str,
        *,
        user: str = "app",
        channel: str | None = None,
        password: str | None = None,
        options: int = 0,
        client: Client | None = None,
        reconnect: str = "",
        on_event: Callable[[int], object] | None = None,
        **facts: Unpack[ClientFacts],
    ) -> Application:
        """An application by name (MQCONN): the same calls, with `program` as the caller in the event log.

        `user`, of up to 12 characters, is the UserIdentifier of its messages. With `channel`, a client connects through
        that SVRCONN channel; with `password`, the password of `user` is checked (MQCONNX). `options` is a sum of MQCNO
        options. `client`, or `address`, `port`, and more, say where the client comes from and what it knows of TLS: the
        fields of a `mqlab.gates.attempt.Client`. MQError 2009, 2025, 2035, 2046, 2059, 2161, 2381, 2393, 2398, 2537 to
        2540: see `Lab.why_refused`.

        A client whose connection breaks connects again if `reconnect` is "YES", or "QMGR" for the same queue manager
        only; never if it is "DISABLED"; "" leaves it to DEFRECON (REC-01). Its calls wait until then, and
        `on_event(reason)` is called with 2544, 2545, or the reason why it cannot.
        """
        if reconnect != "":
            from .clients import reconnecting

            options = reconnecting(reconnect, options)
        if facts or on_event is not None:
            from .clients import client_with

            client = client_with(client, facts, on_event)
        connected: Any = super().connect(
            program, user=user, channel=channel, password=password, options=options, client=client
        )
        return connected

    def why_this_instance(self, name: str) -> Choice:
        """Why the last message for a cluster queue went to the instance that it went to: the steps of the workload
        algorithm, each with what it left out; before the first message, what a put would choose now. MQError 2085,
        2189."""
        with room("clusters"):
            from ..clusters.routing import why

        return why(self, name)

    def shell(self, text: str) -> str:
        """Run setmqaut, dspmqaut, or dmpmqaut, and return what it prints: `setmqaut -m QM1 -t queue -n ORDERS -g tills
        +put`. LabError for another command, and for one that IBM MQ would not take."""
        with room("admin"):
            from ..admin.shell import shell

        require("text", text, str, "a command such as dspmqaut -m QM1 -t qmgr -p app")
        return shell(self, text)

    @property
    def group(self) -> QueueSharingGroup | None:
        """The queue sharing group of the queue manager, None if it has no group."""
        return self.kept.get("sharing")

    def stop(self, mode: str = "immediate", *, reconnect: bool = False) -> None:
        """End the queue manager (endmqm): units are backed out, handles closed, nonpersistent messages lost (MQI-16).

        `mode` is "immediate" (-i); "controlled" (-c), which ends it when all programs have disconnected, "wait" (-w),
        which also waits for that; or "preemptive" (-p), which ends it as `fail` does. With `reconnect` (-r) its clients
        connect again if they asked for that (REC-05). NPMCLASS(HIGH) queues keep their messages. MQError 2059;
        LabError for another mode.
        """
        if (mode, reconnect) == ("immediate", False):
            super().stop()
            return
        with room("admin"):
            from ..admin.ending import end_qmgr

        end_qmgr(self, mode, reconnect, super().stop)

    def export_mqsc(self) -> str:
        """MQSC that makes a new queue manager of the same platform like this one, messages and dates excepted.

        LabError when a value holds a line end, which MQSC cannot write.
        """
        with room("admin"):
            from ..admin.export import export

        return export(self)

    def error_log(self) -> ErrorLog:
        """AMQERR01.LOG, on z/OS the job logs, as rows; `str` of it is the text. LabError on VSE/ESA."""
        with room("admin"):
            from ..admin.error_log import error_log

        return error_log(self)

    def event_messages(self) -> EventMessages:
        """The event messages on its event queues now (SYSTEM.ADMIN.*.EVENT), in words; they stay there."""
        with room("admin"):
            from ..admin.event_words import event_messages

        return event_messages(self)

    def dead_letter_handler(self, rules_text: str) -> Program:
        """Start a handler of a dead-letter queue with a rules table; `.stop()` ends it.

        Raises LabError for a table that cannot be followed, for an INPUTQM that is another queue manager, and if
        neither INPUTQ nor DEADQ names a queue; MQError 2085 if the queue does not exist.
        """
        with room("dead_letters"):
            from ..dead_letters import dead_letter_handler

        return dead_letter_handler(self, rules_text)

    def traffic(self, queue: str, rate: float, seconds: float, program: str = "TRAFFIC") -> Program:
        """Start a program that puts `rate` messages a second to a queue for `seconds` of simulated time, one at a time.

        A put that fails is in the event log, and the next one follows at its time. LabError for a rate or a time that
        is not more than 0, or for more than a million messages; a Program.
        """
        from .traffic import start_traffic

        return start_traffic(self, queue, rate, seconds, program)

    def ims_bridge(self, queue: str, transaction: Callable[[list[bytes]], Any]) -> Program:
        """Start the IMS bridge on a bridge queue; `transaction(segments)` is what IMS runs for each request; `.stop()`
        ends it.

        LabError on a platform other than z/OS, which alone has the bridge; MQError 2085 for an unknown queue.
        """
        with room("bridges"):
            from ..bridges.ims_bridge import ims_bridge

        return ims_bridge(self, queue, transaction)

    def xcoupler(self, release: str = "1.2") -> XCoupler:
        """An xCoupler adapter that puts messages to this queue manager: see `mqlab.bridges.xcoupler`."""
        with room("bridges"):
            from ..bridges.xcoupler import XCoupler

        return XCoupler(self, release)

    def refresh_security(self) -> None:
        """Read CONNAUTH and its AUTHINFO object again, as REFRESH SECURITY TYPE(CONNAUTH) does (SEC-01)."""
        with room("gates"):
            from ..gates import read_authinfo

        read_authinfo(self)

    def certificate(self, subject: str, **facts: Unpack[CertificateFacts]) -> Certificate:
        """Add a certificate to the key repository on disk, in place of the one with its label; channels use it when the
        repository is next read (TLS-06).

        It is valid for 365 days from now, signed by its own subject, and has the label that the queue manager looks for
        (TLS-03), unless the facts say otherwise. LabError for a subject or issuer that is no distinguished name.
        """
        with room("gates"):
            from .keys import certificate, own

        return own(self, certificate(self.lab, subject, **facts))

    def trust(self, *issuers: str) -> None:
        """Add issuers, as distinguished names, to those that the key repository on disk trusts (TLS-06)."""
        with room("gates"):
            from .keys import own

        own(self, None, issuers)

    def strmqcsv(self) -> None:
        """Start the command server; it carries out the commands that wait on its queue (PCF-01)."""
        self.require_running("strmqcsv")
        with room("pcf"):
            from ..pcf.plug import server_of

        server_of(self).start()

    def endmqcsv(self) -> None:
        """End the command server: commands stay on its queue (PCF-01)."""
        self.require_running("endmqcsv")
        with room("pcf"):
            from ..pcf.plug import server_of

        server_of(self).stop()
