"""Dynamic queues: created when a model queue is opened, deleted at a close or by a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words import catalog
from ..words import constants as mq
from ..words.objects import Definition, legal_name
from . import administration

if TYPE_CHECKING:
    from .parts import Calls, Handle, QueueManager
    from .target import Target


def create(application: Calls, model: Definition, dynamic_name: str) -> Target:
    """Make the dynamic queue that opening `model` (a definition) asks for, and return the local queue.

    `dynamic_name` is a name, or a beginning followed by ``*`` that the queue manager completes. MQError 2011, 2100.
    """
    qmgr = application.qmgr
    name = complete(qmgr, dynamic_name)
    if isinstance(dynamic_name, str) and dynamic_name.find("*") > 32:
        application.refuse(mq.MQRC_DYNAMIC_Q_NAME_ERROR, "late-asterisk", None, "open", model.name, asked=dynamic_name)
    if not legal_name(name):
        application.refuse(mq.MQRC_DYNAMIC_Q_NAME_ERROR, "no-name", None, "open", model.name, dynamic_name=dynamic_name)
    left = {"DEFTYPE", *(attribute.keyword for attribute in catalog.own("QMODEL"))}
    given = {keyword: value for keyword, value in model.attributes.items() if keyword not in left}
    administration.define(qmgr, "QLOCAL", name, {**given, "DEFTYPE": model.attributes["DEFTYPE"]})
    if qmgr.guard is not None:
        qmgr.guard.created(application, name)
    return qmgr.targets[name]


def complete(qmgr: QueueManager, name: str) -> str:
    """The name that a beginning followed by ``*`` stands for; any other name as it is."""
    if isinstance(name, str) and name.endswith("*"):
        return f"{name[:-1][:32]}{qmgr.lab.now_us:08X}{qmgr.next_dynamic():08X}"
    return name


def require_deletable(handle: Handle, delete: bool, purge: bool) -> None:
    """Refuse MQCO_DELETE with MQCO_DELETE_PURGE (2046), and one that cannot be done: 2045, 2055."""
    refuse, target, queue, name = handle.application.refuse, handle.target, handle.queue, handle.object.name
    if delete and purge:
        refuse(mq.MQRC_OPTIONS_ERROR, "delete-and-purge", target, "close")
    sort = "PREDEFINED" if queue is None else queue.definition.attributes["DEFTYPE"]
    of_another = sort == "TEMPDYN" and not handle.creator
    if queue is None or target is not queue or sort == "PREDEFINED" or of_another:
        refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, "not-deletable", target, "close", queue=name, sort=sort)
    if queue.qmgr.guard is not None and not handle.creator:
        queue.qmgr.guard.named(handle.application, "close", name, queue, "DLT")
    if sort != "TEMPDYN" and (queue.uncommitted or any(each.depth_in_gets() for each in queue.instances)):
        refuse(mq.MQRC_Q_NOT_EMPTY, "dynamic-in-units", target, "close")
    if sort != "TEMPDYN" and queue.depth and not purge:
        refuse(mq.MQRC_Q_NOT_EMPTY, "dynamic-has-messages", target, "close", depth=queue.depth)


def after_close(handle: Handle, delete: bool, purge: bool) -> None:
    """Delete a dynamic queue if the close asks for it, or if the creator closes a temporary dynamic queue."""
    queue = handle.queue
    if queue is None:
        return
    if handle.creator and queue.definition.attributes["DEFTYPE"] == "TEMPDYN":
        delete = True
    if delete or purge:
        for other in [other for each in queue.instances for other in each.qmgr.handles.having(each)]:
            other.changed = True
    if delete or purge or queue.logically_deleted or (queue.deleted_when_closed and not queue.opens):
        administration.remove_dynamic(queue)
