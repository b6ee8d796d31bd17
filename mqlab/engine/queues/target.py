"""A put, the caller that makes it, and the one type of all that it can go to.

The protocols are for the modules below those that define a lab, a queue manager, an application, and a unit of work.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from ..words import catalog
from ..words.constants import EXPIRY_MAXIMUM, MQEI_UNLIMITED, MQRC_OPTION_NOT_VALID_FOR_TYPE
from ..words.objects import Definition
from ..words.refusals import Grounds
from .message import PLAIN, Context, Continued, Descriptor, Message, QueuedMessage

if TYPE_CHECKING:
    from ..world.clock import Clock
    from ..world.events import EventLog
    from ..world.network import Network
    from .parts import Calls, Handle, LocalQueue, QueueManager, UnitOfWork

T = TypeVar("T", bound="Target")
_CUSTOM_CAP = re.compile(r"\bCAPEXPRY\(\s*([0-9]+)\s*\)", re.IGNORECASE)


def cap_of(attributes: dict[str, Any], level: int) -> int | None:
    """The limit that a definition sets to lifetimes, in tenths of a second; None for no limit (EXP-31).

    CAPEXPRY within CUSTOM (level 800 on) wins over the attribute (level 931 on).
    """
    custom = _CUSTOM_CAP.search(attributes["CUSTOM"]) if level >= 800 else None
    if custom and 1 <= int(custom[1]) <= EXPIRY_MAXIMUM:
        return int(custom[1])
    return attributes["CAPEXPRY"] if level >= 931 and attributes["CAPEXPRY"] >= 0 else None


class Lab(Protocol):
    """The lab that a queue manager is in: its clock, its log, and its network."""

    start: datetime
    clock: Clock
    network: Network
    labels: list[bytes]
    last_stamp: tuple[int, bytes]
    others: dict[str, Any]
    guard: Any
    next_message: Callable[[], int]
    next_unit: Callable[[], int]

    @property
    def events(self) -> EventLog: ...

    @property
    def now(self) -> datetime: ...

    @property
    def now_us(self) -> int: ...

    @property
    def queue_managers(self) -> Sequence[Any]: ...

    def __getitem__(self, name: str) -> Any: ...

    def facts(self, subject: tuple, until: int) -> dict[str, Any]: ...

    def advance_to(self, time_us: int) -> None: ...


@dataclass(slots=True, eq=False)
class Put:
    """One MQPUT: the application, the target, the message, and the row in the log.

    `expiry` is in tenths of a second, -1 unlimited (EXP-01); None for `priority` and `persistent` leaves them to the
    target, and for `msg_id` to the queue manager. `unit` is the unit of work that the message becomes visible with.
    `kind` and `rule` are in the event row; without a rule, the row names the rule that decides most. `context` is
    the application's own if it is None. `continues` is the message that this one
    continues; its number, the time of its first put, and its context are kept.
    """

    application: Calls
    target: Target
    body: Any
    expiry: int = MQEI_UNLIMITED
    priority: int | None = None
    persistent: bool | None = None
    msg_id: bytes | str | None = None
    correl_id: bytes | str | None = None
    descriptor: Descriptor = PLAIN
    unit: UnitOfWork | None = None
    kind: str = "put"
    rule: str | None = None
    context: Context | None = None
    continues: QueuedMessage | Continued | None = None

    @classmethod
    def again(cls, application: Calls, target: Target, message: QueuedMessage, expiry: int, **more: Any) -> Put:
        """The put of a message that a program holds: its data, identifiers, priority, persistence and descriptor."""
        kept = (message.priority, message.persistent, message.msg_id, message.correl_id, message.descriptor)
        return cls(application, target, message.body, expiry, *kept, **more)

    def but(self, **changes: Any) -> Put:
        """A copy of the put with these fields changed."""
        return replace(self, **changes)

    def refuse(self, reason: int, case: str, **fields: object) -> NoReturn:
        """Refuse it: its row with the reason in the log, and the MQError of a case with these fields."""
        self.refuse_for(Grounds(reason, case, fields))

    def refuse_for(self, grounds: Grounds) -> NoReturn:
        """Refuse it on these grounds."""
        raise self.application.refusal(grounds, self.target, self.kind)


class Opened:
    """An object that counts opens and that the rows of calls name: a local queue, or an object of an extra.

    `own_detail` is added to the details of its events; `depth` is CURDEPTH, None if the object holds no messages. If it
    is `deleted_when_closed`, its handles can still get.
    """

    if not TYPE_CHECKING:
        __slots__ = ()  # a local queue has slots, which are quicker
    name: str
    qmgr: QueueManager
    subject: tuple[str, str | None, str]
    own_detail: dict[str, Any] = {}
    depth: int | None = None
    inputs: int
    outputs: int
    opens: int
    logically_deleted = deleted_when_closed = False


class Target:
    """The target of a name, for a put or an open: a local queue, an alias of a local queue, the name of a queue
    elsewhere, or an object of an extra without a queue.

    `definition` has the attributes of the name; `queue` is the local queue at the end, or None, and `object` is
    opened. `via` is the detail of the rows of its puts, and `kept` what nothing acts on: the rows of an open, or of a
    call by name, say it. `defprty` and `defpsist` are the defaults of a put, and `cap` limits lifetimes, in tenths of a
    second. A put needs a depth below `room`.
    """

    if not TYPE_CHECKING:
        __slots__ = ()
    name: str
    kind: str
    definition: Definition
    qmgr: QueueManager
    queue: LocalQueue | None
    object: Opened
    base: LocalQueue | Definition
    opens: int
    path: Sequence[Definition] = ()
    via: str | None = None
    kept: Sequence[str] = ()
    defprty: int
    defpsist: bool
    cap: int | None
    room: int
    put_inhibited: bool
    get_inhibited: bool
    inhibitor: Definition | None
    elsewhere = False
    """Whether its messages go to another queue manager."""
    chooses = False
    """Whether it chooses among several queues, so that the options of binding act."""
    ready = True
    """Whether a call may open it without asking `make_ready` of its queue."""

    def put(self, request: Put) -> Message:
        """Put one message; the message as put. MQError as `mqlab.engine.queues.put.put`."""
        raise NotImplementedError

    def put_in_order(self, request: Put) -> Message:
        """Put one message of a group, in logical order."""
        return self.put(request)

    def bound(self, handle: Handle) -> Target:
        """The target of a handle that puts to it, and does nothing else with a queue."""
        return self

    @property
    def alone(self) -> Target:
        """The target of its name together with the name of this queue manager."""
        return self

    no_input_reason = MQRC_OPTION_NOT_VALID_FOR_TYPE
    """The reason code of an open for input that it cannot have."""

    def no_input_case(self) -> tuple[str, dict[str, Any]]:
        """The case of the 2045 of an open for input, and its fields."""
        return "alias-of-this-qmgr", {}

    @property
    def instances(self) -> tuple[Any, ...]:
        """This target on every queue manager that has it: on one, unless several have it."""
        return (self,)

    def apply(self) -> None:
        """Take over the attributes of its definitions, and of the queue at their end, after DEFINE or ALTER."""

    def take_over(self, path: Sequence[Definition]) -> None:
        """Take over the attributes that every target has from definitions: the first has the defaults of a put, and
        each may limit lifetimes, or inhibit puts and gets."""
        first, level = path[0].attributes, self.qmgr.level
        self.defprty, self.defpsist = first["DEFPRTY"], first["DEFPSIST"] == "YES"
        self.inhibitor = next((step for step in path if step.attributes.get("PUT") == "DISABLED"), None)
        self.put_inhibited = self.inhibitor is not None
        self.get_inhibited = any(definition.attributes.get("GET") == "DISABLED" for definition in path)
        self.kept = [word for part in path for word in catalog.unacted(part.kind, part.attributes, self.qmgr.platform)]
        caps = (cap_of(definition.attributes, level) for definition in path if "CUSTOM" in definition.attributes)
        limits = [cap for cap in caps if cap is not None and self.qmgr.platform != "vse"]
        self.cap = min(limits, default=None)


NOWHERE = Target()
"""The target of a put that has none yet."""


class QueueTarget(Target):
    """A target with a local queue at its end, if only a transmission queue."""

    if not TYPE_CHECKING:
        __slots__ = ()
    queue: LocalQueue

    def bound(self, handle: Handle) -> Target:
        """Itself, unless the puts to its queue go elsewhere."""
        return self if self.queue.stream is None else self.queue.stream.bound(self, handle)

    @property
    def alone(self) -> Target:
        """Itself, unless the puts to its queue go elsewhere."""
        return self if self.queue.stream is None else self.queue.stream.alone(self)


class Route(QueueTarget):
    """A name from which definitions, its `path`, lead to a local queue, `queue`."""

    kind = "QLOCAL"

    def __init__(self, name: str, path: Sequence[Definition], queue: LocalQueue):
        self.name, self.path, self.queue, self.qmgr, self.opens = name, path, queue, queue.qmgr, 0
        self.object = queue
        self.definition = path[0] if path else queue.definition
        self.apply()

    @property
    def ready(self) -> bool:  # type: ignore[override]  # of most queues it is a value
        """Whether a call may use the queue without asking."""
        return bool(self.queue.ready)

    def put(self, request: Put) -> Message:
        """Put one message to the queue."""
        return self.queue.put(request)

    def apply(self) -> None:
        """Take over the attributes of the definitions on the path, and of the queue."""
        queue = self.queue
        self.take_over(self.path or (queue.definition,))
        self.kept = list(dict.fromkeys((*self.kept, *queue.kept)))
        self.put_inhibited = self.put_inhibited or queue.put_inhibited
        self.get_inhibited = self.get_inhibited or queue.get_inhibited
        self.room = -1 if self.put_inhibited else queue.maxdepth
        self.cap = min((cap for cap in (self.cap, queue.cap) if cap is not None), default=None)


def saying(target: T, **facts: object) -> T:
    """The same target, whose rows have these facts, too."""
    other = copy(target)
    other.via = json.dumps({**json.loads(target.via or "{}"), **facts}, separators=(",", ":"))
    return other


def full_name(qmgr: QueueManager, queue: str, qmgr_name: str) -> str:
    """A queue's name as a call on `qmgr` takes it: "QUEUE", or "QUEUE@QMGR" where it is another queue manager's, or
    that of this one says more."""
    if qmgr_name == qmgr.name:
        here, alias = dict.get(qmgr.targets, queue, NOWHERE), qmgr.objects.get("QALIAS", queue)
        shared = alias is not None and any(map(alias.attributes.get, ("CLUSTER", "CLUSNL")))
        return queue if here.alone is here and not shared else f"{queue}@{qmgr_name}"
    return f"{queue}@{qmgr_name}" if qmgr_name else queue


def reply_to(qmgr: QueueManager, queue: str, qmgr_name: str) -> tuple[str, str]:
    """ReplyToQ and ReplyToQMgr as a put fills them in where the queue manager is left blank: a local definition of a
    remote queue (a reply-to alias) gives its RNAME and RQMNAME, any other name goes with this queue manager's."""
    if qmgr_name or not queue:
        return queue, qmgr_name or qmgr.name
    definition = qmgr.objects.get("QREMOTE", queue)
    if definition is None:
        return queue, qmgr.name
    return definition.attributes["RNAME"], definition.attributes["RQMNAME"]
