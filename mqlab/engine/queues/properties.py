"""Hooks for properties of messages, conditions about them, and data in another form. A room outside the engine answers;
without that room, messages have no properties, and a call that needs one of the three is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from ..extra import extras
from ..words import constants as mq
from ..words.errors import left_out

if TYPE_CHECKING:
    from ..words.refusals import Grounds
    from ..words.structures import PMO
    from .message import Descriptor, Message, QueuedMessage
    from .parts import Calls, QueueManager
    from .target import Target


Values = Callable[[str], Any]
"""The values of the properties of a message, and of the fields of its descriptor, by name; None for no such name."""


class Selecting(Protocol):
    """A selection string that was checked, and whether time can change what it selects."""

    timed: bool

    def matches(self, values: Values) -> bool:
        """Whether a message with these values satisfies it."""

    def none_of(self, depth: int) -> Grounds:
        """Why a get finds none of so many messages (2033)."""


class Properties:
    """The hooks without a room that implements properties."""

    def put(
        self,
        application: Calls,
        target: Target,
        body: bytes | str,
        descriptor: Descriptor,
        values: object,
        pmo: PMO | None,
    ) -> Descriptor:
        """The descriptor of a put with the properties that it is given, by name or in a PMO, checked with those in its
        data."""
        if values or asked_by(pmo):
            _refuse()
        return descriptor

    def delivered(self, message: QueuedMessage, target: Target, options: int, with_handle: bool) -> QueuedMessage:
        """A message with properties as a get with these options returns it; itself if nothing would change."""
        return message

    def of(self, message: QueuedMessage) -> dict[str, Any]:
        """Names and values of the properties of a message."""
        return {}

    def made(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """Properties that the queue manager itself gives a message, by their own names."""
        return ()

    def values(self, message: QueuedMessage, qmgr: QueueManager) -> Values:
        """The values of a message that a selection string can name."""
        _refuse()

    def before_700(self, message: QueuedMessage, channel: Mapping[str, Any]) -> QueuedMessage:
        """A message with properties on its way to a queue manager that knows none, by attributes of the channel."""
        return message

    def selection(self, application: Calls, call: str, name: str, text: object, uses: Any = None) -> Selecting:
        """The selection string that a call on the object `name` gives, an open for some `uses`."""
        _refuse()

    def compiled(self, text: str) -> Selecting | None:
        """The selection string of an administrative object; None if its syntax is not MQ's own."""
        return None

    def require_handle(self, application: Calls, handle: object, target: Target, call: str, what: str) -> None:
        """2460 for something that is no such handle of this connection, or a deleted one."""
        _refuse()

    def converted(self, message: Message, encoding: int, ccsid: int, longest: int | None, accept: bool) -> Message:
        """A message with its data converted, or as it is, with the warning that says why not."""
        _refuse()


def _refuse() -> NoReturn:
    raise left_out("properties")


def known() -> Properties:
    """The hooks of the room for properties, or the default hooks if there is no such room."""
    return next((extra.properties for extra in extras() if extra.properties is not None), Properties())


def asked_by(pmo: PMO | None) -> bool:
    """Whether a PMO says something about properties: an action, or handles."""
    if pmo is None or pmo.Version < 3:
        return False
    return pmo.Action != mq.MQACTP_NEW or bool(pmo.OriginalMsgHandle or pmo.NewMsgHandle)
