"""The targets that names lead to here, as definitions come, change, and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..extra import Scope, extras
from ..words.objects import QUEUE_KINDS, Definition
from . import triggering
from .queue import Alias, LocalQueue
from .target import QueueTarget, Route

if TYPE_CHECKING:
    from .parts import QueueManager
    from .target import Target


class Targets(dict):
    """Names of queues -> what they lead to here. A SYSTEM queue is set up, with its `define` event, when something
    first asks for it by name, so that a new queue manager costs little."""

    def __init__(self, qmgr: QueueManager):
        self.qmgr = qmgr
        self.later: dict[str, Definition] = {}

    def __missing__(self, name: str) -> LocalQueue:
        definition = self.later.pop(name)
        self[name] = LocalQueue(self.qmgr, definition)
        log_change(self.qmgr, "define", definition, definition.attributes)
        for extra in extras():
            extra.set_up(self.qmgr, name)
        return self[name]

    def look(self, name: str) -> LocalQueue:
        """The local queue of this name as it is, without setting it up."""
        return LocalQueue(self.qmgr, self.later[name]) if name in self.later else self[name]

    def get(self, name: object, default: object = None) -> QueueTarget | None:
        """As a dict's."""
        return dict.get(self, name, default) if name not in self.later else self[name]

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self.later


def enter(qmgr: QueueManager, definition: Definition) -> None:
    """Let a new definition take effect, for every queue manager that has it."""
    if (scope := scope_of(qmgr, definition)) is not None:
        scope.enter(definition)
    for holder in _holders(qmgr, scope):
        holder.objects.add(definition)
        if definition.kind == "QLOCAL":
            queue = LocalQueue(holder, definition) if scope is None else scope.queue(holder, definition)
            holder.targets[definition.name] = queue
            triggering.attach(queue)
            for extra in extras():
                extra.applied(queue)
        _reconnect(holder, definition)


def leave(qmgr: QueueManager, definition: Definition) -> None:
    """End the effect of a deleted definition."""
    scope = scope_of(qmgr, definition)
    for holder in _holders(qmgr, scope):
        if definition.kind in QUEUE_KINDS:
            _disconnect(holder, definition.name)
        holder.objects.remove(definition)
        _reconnect(holder, definition)
    if scope is not None:
        scope.forget(definition)


def apply(qmgr: QueueManager, definition: Definition) -> None:
    """Let what runs take over its definition."""
    if definition.kind == "QLOCAL":
        for queue in qmgr.targets[definition.name].instances:
            queue.apply()
            for extra in extras():
                extra.applied(queue)
            queue.wake()
    if (scope := scope_of(qmgr, definition)) is not None:
        scope.changed(definition)
    for holder in _holders(qmgr, scope):
        holder.objects.index(definition)
        _reconnect(holder, definition)
        if definition.kind == "QALIAS":  # gets may wait by its name
            for queue in holder.queues:
                queue.wake()


def _reconnect(qmgr: QueueManager, definition: Definition) -> None:
    """Let each alias that this definition concerns lead to what it names now, or nowhere."""
    # An alias with another base is another alias: handles opened before keep the old one, and their calls fail with
    # 2041. Names of queues elsewhere are resolved again; handles keep their route.
    qmgr.routes.clear()
    for handle in qmgr.handles.having(Route):
        if handle.target is not None:
            handle.target.apply()
    alone = definition.kind == "QALIAS" and qmgr.objects.get("QALIAS", definition.name) is definition
    for alias in [definition] if alone else qmgr.objects.having("QALIAS", definition.name):
        made, present = _target(qmgr, alias), qmgr.opened(alias.name)
        if present is not None and made is not None and present.base is made.base:
            present.apply()
            continue
        _disconnect(qmgr, alias.name)
        if isinstance(made, Alias):
            qmgr.targets[alias.name] = made
        elif made is not None:
            qmgr.other_aliases[alias.name] = made
        for handle in qmgr.handles.having(present):
            handle.changed = handle.changed or handle.target is present


def _target(qmgr: QueueManager, alias: Definition) -> Target | None:
    """The target that an alias leads to: a local queue by an Alias, or what an extra makes of it; None for neither."""
    if alias.attributes["TARGTYPE"] == "QUEUE":
        queue = qmgr.targets.get(alias.attributes["TARGET"])
        return Alias(alias, queue) if isinstance(queue, LocalQueue) else None
    return next((made for extra in extras() if (made := extra.alias(qmgr, alias)) is not None), None)


def _disconnect(qmgr: QueueManager, name: str) -> None:
    """Let a name lead nowhere."""
    qmgr.targets.pop(name, None)
    qmgr.other_aliases.pop(name, None)


def scope_of(qmgr: QueueManager, definition: Definition) -> Scope | None:
    """The scope of a definition that other queue managers have too; None for one of this queue manager alone."""
    return next((scope for extra in extras() if (scope := extra.scope(qmgr, definition)) is not None), None)


def _holders(qmgr: QueueManager, scope: Scope | None) -> tuple:
    """The queue managers that have a definition of this scope."""
    return (qmgr,) if scope is None else scope.holders


def log_change(
    qmgr: QueueManager, verb: str, definition: Definition, detail: dict | None = None, cause: int | None = None
) -> int:
    """Log the event of a command. If others share the definition, the event names its scope, with the queue manager as
    program."""
    scope = scope_of(qmgr, definition)
    name, member, rule = (qmgr.name, None, "MQI-15") if scope is None else (scope.name, qmgr.name, scope.rule)
    place = (name, definition.key, definition.kind)
    return qmgr.record(verb, place, rule, program=member, cause=cause, detail=detail)
