"""The additions of message properties, selectors, and conversion of data to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..engine.extra import Extra
from ..engine.queues import properties

if TYPE_CHECKING:
    from ..engine.queues.calls import Calls
    from ..engine.queues.message import Descriptor, Message, QueuedMessage
    from ..engine.queues.properties import Selecting
    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Target
    from ..engine.words.structures import PMO


class Properties(properties.Properties):
    """The answers of this room, the first of which loads it."""

    @cached_property
    def _room(self) -> Any:
        from . import messages  # once: an import statement costs a get of a message with properties a tenth

        return messages

    def put(
        self,
        application: Calls,
        target: Target,
        body: bytes | str,
        descriptor: Descriptor,
        values: object,
        pmo: PMO | None,
    ) -> Descriptor:
        """With the properties that the put is given."""
        return self._room.with_properties(application, target, body, descriptor, values, pmo)

    def delivered(self, message: QueuedMessage, target: Target, options: int, with_handle: bool) -> QueuedMessage:
        """By the options of the get, or PROPCTL of the queue."""
        return self._room.delivered(message, self._room.way_of(target, options, with_handle))

    def of(self, message: QueuedMessage) -> dict[str, Any]:
        """The properties in an MQRFH2 at the beginning of the data, and the properties that a program set."""
        return {each.shown: each.value for each in self._room.properties_of(message)}

    def made(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """Texts and booleans."""
        return self._room.made(values)

    def values(self, message: QueuedMessage, qmgr: QueueManager) -> properties.Values:
        """By the names of properties, JMS, or MQMD."""
        return self._room.values_of(message, qmgr)

    def before_700(self, message: QueuedMessage, channel: Mapping[str, Any]) -> QueuedMessage:
        """With the properties in an MQRFH2, or without them."""
        return self._room.without_properties(message, channel["PROPCTL"])

    def selection(self, application: Calls, call: str, name: str, text: object, uses: Any = None) -> Selecting:
        """Parsed and checked."""
        return self._room.checked_selector(application, call, name, text, uses)

    def compiled(self, text: str) -> Selecting | None:
        """Parsed."""
        from .selector import SelectorError, selector_of

        try:
            return selector_of(text)
        except SelectorError:
            return None

    def require_handle(self, application: Calls, handle: object, target: Target, call: str, what: str) -> None:
        """Made by `create_handle`, and not deleted."""
        self._room.require_handle(application, handle, target, call, what)

    def converted(self, message: Message, encoding: int, ccsid: int, longest: int | None, accept: bool) -> Message:
        """As MQGMO_CONVERT asks (PRP-08)."""
        from .conversion import converted

        return converted(message, encoding, ccsid, longest, accept)


class MessageProperties(Extra):
    """Properties of messages, and what is found by them."""

    name = "properties"
    properties = Properties()


EXTRA = MessageProperties()
