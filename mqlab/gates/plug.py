"""The additions of the gates to the engine: who comes in, who may open what, and channels of clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.extra import Admission, Extra, later
from . import kept, read_authinfo, read_groups

if TYPE_CHECKING:
    from ..engine.commands.command import Command
    from ..engine.programs.channels.channel import Channel
    from ..engine.programs.channels.session import Hello
    from ..engine.queues.calls import Calls
    from ..engine.queues.queue_manager import QueueManager
    from ..engine.words.objects import Definition
    from ..engine.words.whys import Why

_ACTS = "CHLTYPE MCAUSER MAXINST MAXINSTC SHARECNV SSLCAUTH SSLCIPH SSLPEER CERTLABL TRPTYPE"
_SVRCONN = frozenset(_ACTS.split())
"""The attributes of a SVRCONN channel that act."""


def _refreshed(qmgr: Any, command: object) -> None:
    """REFRESH SECURITY without a TYPE: all of it."""
    read_authinfo(qmgr)
    read_groups(qmgr)


def _listener(qmgr: Any, command: Any) -> None:
    """START and STOP LISTENER, which z/OS has no object for."""
    kept(qmgr).listening = command.verb == "START"


def _plain(qmgr: Any, channel: Definition) -> bool:
    """Whether no gate asks anything of a message channel: it has no TLS and no user, and records are as at birth."""
    has, about = channel.attributes, qmgr.kept.get("admin")
    untouched = (about is None or about.records is None) and not channel.name.startswith("SYSTEM.")
    return untouched and not has["SSLCIPH"] and not has.get("MCAUSER")


class Gates(Extra):
    """Network, limits, TLS, channel authentication, passwords, and authority."""

    name = "gates"
    run_types = {"SVRCONN": _SVRCONN}
    commands = {
        ("SET", "AUTHREC"): later(__package__, "authority", "keep_record"),
        ("DELETE", "AUTHREC"): later(__package__, "authority", "keep_record"),
        ("REFRESH", "SECURITY", "CONNAUTH"): read_authinfo,
        ("REFRESH", "SECURITY", "AUTHSERV"): read_groups,
        ("REFRESH", "SECURITY", "SSL"): later(__package__, "channels", "refresh"),
        ("REFRESH", "SECURITY", None): _refreshed,
        ("START", "LISTENER"): _listener,
        ("STOP", "LISTENER"): _listener,
    }

    def started(self, qmgr: QueueManager, again: bool) -> None:
        """Read CONNAUTH and the groups; channels of clients that were stopped may run again."""
        read_authinfo(qmgr)
        read_groups(qmgr)
        kept(qmgr).stopped.clear()
        kept(qmgr).keys_read = ()
        kept(qmgr).again.clear()
        if again:
            from .authority import set_guard

            set_guard(qmgr)

    def admit(
        self, application: Calls, channel: str | None, user: str, password: str | None, options: int, client: object
    ) -> Admission:
        """Walk from gate to gate."""
        from .admitting import admit, attempt_of
        from .passwords import check_options

        check_options(application, options, channel)
        attempt = admit(application, attempt_of(application, channel, user, password, options, client))
        if channel is not None:
            from .reconnect import prepare

            prepare(attempt)
            kept(application.qmgr).clients[attempt.program] = channel
        return attempt

    def welcome(self, qmgr: QueueManager, definition: Definition, greeting: Hello) -> Why | None:
        """Walk from gate to gate for a message channel, and change nothing."""
        calls = qmgr.lab[greeting.qmgr].objects.get("CHANNEL", greeting.channel)
        if _plain(qmgr, definition) and (calls is None or not calls.attributes["SSLCIPH"]):
            return None
        from .channels import called, refusal_of

        return refusal_of(called(qmgr, greeting.channel, greeting.qmgr))

    def channel_changed(self, channel: Channel, was: str, cause: int) -> None:
        """Events of refusals, columns of DISPLAY CHSTATUS, and handshakes after a refresh."""
        refused = channel.why is not None and channel.why.case == "channel-refused"
        if refused or channel.columns or not _plain(channel.qmgr, channel.definition):
            from .channels import changed

            changed(channel, cause)

    def asked(self, qmgr: QueueManager, command: Command) -> None:
        """Refuse a deprecated CipherSpec that is not enabled (TLS-02)."""
        cipher = command.attributes.get("SSLCIPH", "")
        if not cipher or qmgr.environment.get("AllowWeakCipherSpec", "Yes") == "Yes":
            return
        from ..engine.commands.replies import Refused
        from .tls import specs

        if cipher in specs() and not specs()[cipher][1]:
            raise Refused(8242, "weak-cipher", cipher=cipher)

    def operated(self, qmgr: QueueManager, command: Command, definition: Definition) -> str | None:
        """START and STOP CHANNEL of a SVRCONN (GAT-07)."""
        if definition.attributes["CHLTYPE"] != "SVRCONN" or command.verb not in ("START", "STOP"):
            return ""
        from . import instances

        if command.verb == "STOP":
            return instances.stop(qmgr, command)
        instances.start(qmgr, command)
        return None

    def draw(self, graph: Any, lab: Any) -> None:
        """The clients."""
        from .picture import draw_clients

        draw_clients(graph, lab)

    def instances(self, qmgr: QueueManager) -> list[dict[str, Any]]:
        """The instances of SVRCONN channels (GAT-08)."""
        if not kept(qmgr).stopped and not any(each.client for each in qmgr.connections):
            return []
        from .instances import client_rows

        return client_rows(qmgr)


EXTRA = Gates()
