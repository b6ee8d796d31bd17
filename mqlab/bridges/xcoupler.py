"""The xCoupler, an adapter that puts messages: a trigger of its own fires and sends data over a transport.

A trigger of the xCoupler is an event of its application, not an event of MQ. Both a trigger and a transport may
have an Expiry (EXP-37).
"""

from __future__ import annotations

from typing import Any

from ..engine.queues.message import Message
from ..engine.queues.queue_manager import QueueManager
from ..engine.words.arguments import require
from ..engine.words.constants import MQEI_UNLIMITED
from ..engine.words.errors import LabError

NAME = "XCOUPLER"
FIRST_RELEASE = (1, 2)
"""The first release, of RA56-ESA, that can set an Expiry."""


class XCoupler:
    """One adapter on a queue manager: `transport` and `trigger` say what there is, `fire` puts.

    Where both are set the trigger's wins, being the narrower of the two: a transport serves many triggers. The
    `adapter` row before each put has both and the one used.
    """

    def __init__(self, qmgr: QueueManager, release: str = "1.2"):
        try:
            self._sets_expiry = tuple(int(part) for part in release.split(".")) >= FIRST_RELEASE
        except (AttributeError, TypeError, ValueError):
            raise LabError(f'release must be text such as "1.2"; got {release!r}') from None
        self.app, self.release = qmgr.application_type(qmgr, NAME), release
        self._transports: dict[str, tuple[str, int | None]] = {}
        self._triggers: dict[str, tuple[str, int | None]] = {}

    def transport(self, name: str, queue: str, expiry: int | None = None) -> None:
        """Define a transport, or define it again: the queue it puts to, and its Expiry in tenths of a second."""
        self._require_text(name=name, queue=queue)
        self._transports[name] = (queue, self._checked(expiry))

    def trigger(self, name: str, transport: str, expiry: int | None = None) -> None:
        """Define a trigger, or define it again: the transport it uses, and its Expiry in tenths of a second."""
        self._require_text(name=name)
        self._require(transport, self._transports, "transport")
        self._triggers[name] = (transport, self._checked(expiry))

    def fire(self, trigger: str, body: bytes = b"", **descriptor: Any) -> Message:
        """Put one message as a trigger says; `descriptor` is as for a put, but for `expiry`. MQError as any put."""
        self._require(trigger, self._triggers, "trigger")
        if "expiry" in descriptor:
            raise LabError("expiry must be set in the trigger or the transport; got it in fire()")
        transport, own = self._triggers[trigger]
        queue, common = self._transports[transport]
        expiry, used = (own, "trigger") if own is not None else (common, "transport")
        if expiry is None:
            expiry, used = MQEI_UNLIMITED, "neither"
        app = self.app
        detail = {"trigger": own, "transport": common, "used": used, "expiry": expiry}
        app.cause = app.record("adapter", (app.qmgr.name, queue, None), "EXP-37", cause=None, detail=detail)
        return app.put(queue, body, expiry=expiry, **descriptor)

    def _checked(self, expiry: int | None) -> int | None:
        """An Expiry this release can set; what MQ says of its value, it says at the put."""
        wanted = "a whole number of tenths of a second, -1 for unlimited, or None"
        require("expiry", expiry, int | None, wanted)
        if expiry is not None and not self._sets_expiry:
            raise LabError(f"expiry must be None before release 1.2; got {expiry} in release {self.release}")
        return expiry

    def _require_text(self, **values: Any) -> None:
        for what, value in values.items():
            require(what, value, str, "text", bool)

    def _require(self, name: str, known: dict, what: str) -> None:
        if not isinstance(name, str) or name not in known:
            raise LabError(f"{what} must be one of {', '.join(known) or 'none yet'}; got {name!r}. {what}() defines it")

    def __repr__(self) -> str:
        return f"XCoupler({self.app.qmgr.name}, release {self.release}, {len(self._triggers)} triggers)"
