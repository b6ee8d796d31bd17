"""Extras: what a room above the engine adds to it. The engine calls every extra that is there and names none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from .words.shown import FACES

if TYPE_CHECKING:
    import networkx as nx

    from .commands.command import Command
    from .explain.why_not_delivered import Delivery
    from .programs.channels.channel import Channel
    from .programs.channels.session import Hello
    from .queues.caller import Caller, Gate
    from .queues.calls import Calls
    from .queues.message import QueuedMessage
    from .queues.properties import Properties
    from .queues.queue import LocalQueue, Remote
    from .queues.queue_manager import QueueManager
    from .queues.target import Lab, Target
    from .words.objects import Definition, ObjectTable
    from .words.refusals import Grounds
    from .words.whys import Why
    from .world.event import Event


def later(package: str, module: str, function: str) -> Callable[[object, object], Any]:
    """A function of a queue manager and a command, of a module of a room that loads when it is called."""

    def call(qmgr: object, command: object) -> object:
        return getattr(import_module(f".{module}", package), function)(qmgr, command)

    return call


class Admission:
    """What an extra knows of a connection that it let in: `runs_as` is the user whose authority counts, `address` the
    address of a client, and `anywhere` is whether the connection, when it breaks, is made again with any queue
    manager."""

    runs_as: str
    address: str
    anywhere = False

    def broken(self, application: Calls, grounds: Grounds) -> Gate | None:
        """End a connection that breaks on these grounds, and return the gate that makes it again; None for another."""
        return None


class Dialect:
    """The sentences of rows about queues of another product, whose object types begin with its name and a dot."""

    product = ""
    passing: frozenset[str] = frozenset()  # the types of queues that messages only pass

    def left(self, row: Event, detail: Mapping[str, Any]) -> float | None:
        """The lifetime that is left, in tenths of a second; None for unlimited."""
        return row.expiry_left


class Scope:
    """The meaning of a definition that several queue managers share; `name` and `rule` are in its events."""

    name: str
    rule: str
    holders: tuple[QueueManager, ...]

    def enter(self, definition: Definition) -> None:
        """The definition is new."""

    def queue(self, holder: QueueManager, definition: Definition) -> LocalQueue:
        """The queue of a definition as one of its holders has it."""
        raise NotImplementedError

    def changed(self, definition: Definition) -> None:
        """The definition was altered."""

    def forget(self, definition: Definition) -> None:
        """The definition was deleted."""


class Extra:
    """The additions of an extra; each method adds nothing unless the extra has something to add. Below, in this order:

    the room itself · the life of a queue manager · objects and their definitions · commands · names and connections ·
    reports of events · rows of the log · why a message is not delivered · the topology.
    """

    # ---- The room itself
    name = ""
    changes_labs = True
    """Whether its code changes labs, so that Ctrl-C waits until its calls return."""
    properties: Properties | None = None
    """The part that knows the properties of messages."""
    faces: Mapping[str, str] = {}
    """Classes, as "module.Class" of mqlab, -> the function that shows them, of the room that does."""

    def text(self, name: str) -> str:
        """A data file of the room, "" if it has none: its rules are in rules.toml, the sentences of its rows in
        words.toml."""
        page = files(__name__.partition(".")[0]).joinpath(self.name, name)
        return page.read_text("utf-8") if page.is_file() else ""

    # ---- The life of a queue manager
    def started(self, qmgr: QueueManager, again: bool) -> None:
        """A queue manager was created, or started again; its channels have not started."""

    def restarting(self, qmgr: QueueManager) -> None:
        """A queue manager starts again; its units of work have been backed out, its expiry scans have not begun."""

    def ending(self, qmgr: QueueManager, cause: int) -> None:
        """A queue manager is about to end in order, as event row `cause` says."""

    def ended(self, qmgr: QueueManager, cause: int) -> None:
        """A queue manager ended, by event row `cause`; if it failed, `qmgr.pending` holds its units of work."""

    def set_up(self, qmgr: QueueManager, name: str) -> None:
        """A SYSTEM queue was set up, because something asked for it."""

    def interval_set(self, qmgr: QueueManager) -> None:
        """The interval of its expiry scans was set."""

    def values(self, qmgr: QueueManager) -> dict[str, Any]:
        """Attributes of a queue manager that follow from something else."""
        return {}

    # ---- Objects and their definitions
    found_by: Mapping[str, str] = {}
    """Kinds of object -> the attribute by whose value they are found, besides their name."""
    identified_by: Mapping[str, str] = {}
    """Kinds of object that may be called anything, or nothing -> the attribute that identifies them."""

    def prepared(
        self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any], like: str | None
    ) -> dict[str, Any]:
        """The attributes of a DEFINE, with what this extra adds to them; refuse one that this queue manager, or this
        kind of object, cannot have."""
        return attributes

    def define(
        self,
        qmgr: QueueManager,
        kind: str,
        name: str,
        attributes: dict[str, Any],
        complete: Callable[[], dict[str, Any]],
        replace: bool,
    ) -> Definition | None:
        """Define an object that is kept elsewhere than with the queue manager; None for any other. `complete()` is
        `attributes` with all that it leaves open."""
        return None

    def check(
        self, qmgr: QueueManager, kind: str, name: str, wanted: dict[str, Any], present: Definition | None, verb: str
    ) -> None:
        """Refuse attributes that an object cannot have."""

    def complete(self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any]) -> None:
        """Add what a DEFINE, which is sound, gives an object beside the attributes in the command."""

    def check_delete(self, qmgr: QueueManager, kind: str, name: str) -> None:
        """Refuse to delete an object."""

    def changed(self, qmgr: QueueManager, definition: Definition, verb: str, attributes: dict[str, Any]) -> None:
        """An object was defined or altered, with these attributes, or deleted, as `verb` says."""

    def configured(
        self, qmgr: QueueManager, definition: Definition, verb: str, cause: int, before: dict[str, Any] | None = None
    ) -> None:
        """As `changed`, but called first, and also for changes without a command: a queue manager itself was altered, a
        dynamic queue deleted, an object set by a program. `before` has the earlier attributes."""

    def scope(self, qmgr: QueueManager, definition: Definition) -> Scope | None:
        """The scope of a definition that other queue managers have too."""
        return None

    def applied(self, queue: LocalQueue) -> None:
        """A local queue has taken over its definition."""

    def alias(self, qmgr: QueueManager, definition: Definition) -> Target | None:
        """The target that an alias of something else than a queue leads to; None for nothing, or not this extra's."""
        return None

    def log_of(self, queue: LocalQueue) -> Callable[[tuple], int] | None:
        """The writer of the rows of a queue's messages; None if the log itself writes them."""
        return None

    # ---- Commands
    shows: Mapping[str, Callable[[Any, Any], list[dict[str, Any]]]] = {}
    """Words after DISPLAY -> the function of a queue manager and a command that returns the rows."""
    columns: Mapping[str, tuple[str, ...]] = {}
    """Options of DISPLAY -> the attributes that they ask for."""
    commands: Mapping[tuple[str | None, ...], Callable[[Any, Any], str | None]] = {}
    """Verb and object of other commands, and the TYPE where only that one is meant -> the function of a queue manager
    and a command that carries it out, and returns the answer; None for the usual one."""
    required: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]] = {}
    """Verb and object of a command -> sets of keywords, of each of which it needs one at least."""
    required_of_type: Mapping[tuple[str, str, str], tuple[str, ...]] = {}
    """Verb, object, and TYPE of a command -> the keywords of which it needs exactly one."""
    choices: frozenset[str] = frozenset()
    """Keywords that choose where a command acts or on which of several objects; no filter compares them."""
    unread: frozenset[str] = frozenset()
    """Keywords that commands accept and that change nothing."""

    run_types: Mapping[str, frozenset[str]] = {}
    """Types of channel that this extra runs -> the attributes that act."""

    def members(self, qmgr: QueueManager, scope: str) -> list[QueueManager] | None:
        """The queue managers that a command of this scope is for; None if this extra knows of no scopes."""
        return None

    def elsewhere(self, qmgr: QueueManager, command: Command) -> list[QueueManager] | None:
        """The queue managers that a command is for, if not for this one alone."""
        return None

    def asked(self, qmgr: QueueManager, command: Command) -> None:
        """Complete a DEFINE, ALTER, DELETE, or CLEAR of MQSC, or refuse it."""

    def alter(self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any]) -> bool:
        """Alter an object that is kept elsewhere than with the queue manager; whether it is one."""
        return False

    def delete(self, qmgr: QueueManager, command: Command, kind: str) -> bool:
        """Delete an object that is kept elsewhere than with the queue manager; whether it is one."""
        return False

    def commented(self, qmgr: QueueManager, command: Command, name: str) -> None:
        """Add notes to a DEFINE of MQSC that was carried out."""

    def deleted_by(self, qmgr: QueueManager, command: Command, kind: str) -> None:
        """A command deleted an object of this kind."""

    def commanded(self, qmgr: QueueManager, command: object, display: bool) -> None:
        """A command, the text of MQSC or a message, was carried out."""

    def others(self, qmgr: QueueManager, command: Command) -> list[ObjectTable]:
        """Objects beside the queue manager's own that a DISPLAY is about."""
        return []

    def also_displayed(self, qmgr: QueueManager, definition: Definition, distype: str) -> dict[str, Any]:
        """The attributes that DISPLAY shows of an object beside, and instead of, its attributes."""
        return {}

    def leaves_out(self, command: Command, values: Mapping[str, Any]) -> bool:
        """Whether a DISPLAY leaves out an object with these values."""
        return False

    def displayed(self, qmgr: QueueManager, command: Command, rows: list[dict[str, Any]]) -> list[list[str]] | None:
        """The lines of the parts of the text of a DISPLAY with these rows; None for the usual ones."""
        return None

    # ---- Names and connections
    def means_here(self, qmgr: QueueManager, queue: str, qmgr_name: str) -> bool:
        """Whether `qmgr_name`, the name of no queue manager or of another, means this one for a queue of this name."""
        return False

    def route(
        self,
        application: Caller,
        name: str,
        path: list[Definition],
        to: tuple[str, str],
        by_channel: Callable[[], Remote | None],
    ) -> tuple[Target | None] | None:
        """The way to a queue of another queue manager, (None,) for no way, None for the conventional one."""
        return None

    def found(self, application: Caller, kind: str, name: str, asked: str, call: str) -> Target | None:
        """What a name leads to that this queue manager does not define; `asked` is the name in the call, which is an
        alias's if that leads here. None for nothing."""
        return None

    sends: Mapping[str, tuple[str, ...]] = {}
    """Types of channel whose agents send, besides the engine's -> the types that answer them, under the same name."""

    def channel(self, qmgr: QueueManager, name: str) -> Definition | None:
        """A channel that is no object of the queue manager."""
        return None

    def at_start(self, channel: Channel) -> dict[str, Any] | None:
        """The attributes with which the agent of a channel starts; None for those of its definition."""
        return None

    def admit(
        self, application: Calls, channel: str | None, user: str, password: str | None, options: int, client: object
    ) -> Admission | None:
        """Let a connection in, or refuse it with an MQError; None if this extra does not decide. `client` is where a
        client comes from, as the front has it."""
        return None

    def welcome(self, qmgr: QueueManager, definition: Definition, greeting: Hello) -> Why | None:
        """Why a queue manager refuses a channel that calls it; None if it does not."""
        return None

    def disconnected(self, qmgr: QueueManager, application: Calls | None) -> None:
        """An application ends its connection, or all do (None): close what it has open, before its handles are."""

    # ---- Reports of events
    def refused(
        self,
        application: Caller,
        reason: int,
        target: Target | None,
        name: str,
        call: str,
        seq: int,
        detail: dict[str, Any] | None,
    ) -> None:
        """A call was refused, or ended with a warning, as event row `seq` says."""

    def operated(self, qmgr: QueueManager, command: Command, definition: Definition) -> str | None:
        """Carry out a START, STOP, or PING of a channel that no agent of the engine runs, and return the answer; None
        for the usual one, "" if this extra does not act on it."""
        return ""

    def instances(self, qmgr: QueueManager) -> list[dict[str, Any]]:
        """The rows of DISPLAY CHSTATUS about channels that no agent of the engine runs."""
        return []

    def channel_changed(self, channel: Channel, was: str, cause: int) -> None:
        """A channel has left the state that it was in."""

    def initiator_started(self, qmgr: QueueManager) -> None:
        """A channel initiator was started."""

    def channel_defined(self, qmgr: QueueManager, name: str, partner: str) -> None:
        """A receiver was defined because a partner called it."""

    def bridge_changed(self, qmgr: QueueManager, name: str, state: str, cause: int) -> None:
        """A bridge to another product is running, has ended, or died, as `state` says."""

    # ---- Rows of the log
    dialect: Dialect | None = None
    acts_itself: frozenset[str] = frozenset()
    """Kinds and rules of rows in which a queue manager itself acts, not a program."""
    dead_letter_rules: tuple[str, ...] = ()
    """The rules by which its programs put messages on a dead-letter queue."""
    failure_rule = ""
    """The rule of the row about a queue manager that fails, if this extra has one."""

    def cases(self) -> Mapping[str, type[Why]]:
        """The reasons that only rows of this extra give, by case (`cases_in` of its module `whys`)."""
        return {}

    def concerns(self, qmgr: QueueManager, event: Event) -> bool:
        """Whether a row of another owner is about a queue of this queue manager."""
        return False

    def logged(self, row: Event) -> str:
        """The key of the message about a row in the log files of its queue manager, "" for none."""
        return ""

    # ---- Why a message is not delivered
    def delivery(self, lab: Lab, number: int, rows: list[Event]) -> Delivery | None:
        """Where a message is, if it is on a queue of this extra, and what holds it there."""
        return None

    def placed(self, queue: LocalQueue, number: int) -> tuple[str, str, str, str] | None:
        """Rule, title, fact, and remedy of what a message on one of this extra's queues waits for."""
        return None

    def awaited(self, queue: LocalQueue, message: QueuedMessage) -> list[tuple[str, str, bool, str, str]]:
        """More conditions of a message on a transmission queue: rule, title, whether it is met, fact, and remedy."""
        return []

    def carried(self, qmgr: QueueManager, who: str, number: int, whose: str) -> tuple[str, str, str, str] | None:
        """The same for a message that a program of this extra has got; `whose` are words for its unit of work, ""
        for none."""
        return None

    # ---- The topology
    nodes: Mapping[str, str] = {}
    """Kinds of object -> the kind of their nodes in a topology, which the keys have before the name."""
    node_facts: Mapping[str, Mapping[str, str]] = {}
    """Kinds of objects of a queue manager -> the facts of their nodes, and the attributes that have these facts."""

    def draw_owners(self, graph: nx.DiGraph, lab: Lab) -> None:
        """Add what is there beside queue managers, before these, to the topology of a lab."""

    def draw_objects(self, graph: nx.DiGraph, qmgr: QueueManager) -> None:
        """Add what this extra has between the objects of a queue manager to the topology of its lab."""

    def draw(self, graph: nx.DiGraph, lab: Lab) -> None:
        """Add nodes and edges to the topology of a lab."""

    def puts(self, graph: nx.DiGraph, lab: Lab) -> Iterator[tuple[Event, str]]:
        """The rows of puts by programs that the log has under another name, and the node that each went to."""
        return iter(())


_EXTRAS: list[Extra] = []
_DIALECTS: dict[str, Dialect] = {}


def of_extras(name: str) -> dict[Any, Any]:
    """The mappings that all extras have under a name, as one."""
    return {key: value for extra in _EXTRAS for key, value in getattr(extra, name).items()}


def add(extra: Extra) -> None:
    """Let the engine know of an extra; extras are asked in the order in which they are added."""
    _EXTRAS.append(extra)
    FACES.update(extra.faces)
    if extra.dialect is not None:
        _DIALECTS[extra.dialect.product] = extra.dialect


def extras() -> Iterator[Extra]:
    """The extras that are there."""
    return iter(_EXTRAS)


def dialect_of(object_type: str | None) -> Dialect | None:
    """The dialect of rows about objects of this type; None for MQ's own."""
    product, dot, _ = (object_type or "").partition(".")
    return _DIALECTS.get(product) if dot else None
