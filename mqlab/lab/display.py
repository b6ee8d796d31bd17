"""How the model's objects look in a notebook.

The model never imports a view, so its classes get their notebook faces here, from above. The views themselves load when
something is first shown.
"""

from __future__ import annotations

from functools import partialmethod
from importlib import import_module
from typing import Any

from .. import everyplace
from ..everyplace.calls import Application as EveryplaceApplication
from ..everyplace.message import Message as EveryplaceMessage
from ..everyplace.queue import Queue as EveryplaceQueue
from ..explain.error_log import ErrorLog
from ..explain.event_messages import EventMessages
from ..explain.replay import State
from ..explain.why_not_delivered import Delivery
from ..mq.errors import LabError, MQError, ProgramDied, RunawayTrigger
from ..mq.objects import Definition
from ..mq.rulebook import Rule
from ..mq.structures import Structure
from ..mqsc.replies import CommandReply, Reply
from ..programs.channels.channel import Channel
from ..programs.program import Program
from ..qmgr.application import Application
from ..qmgr.handle import Handle
from ..qmgr.message import Message
from ..qmgr.queue import Alias, LocalQueue, Remote, TopicAlias
from ..qmgr.sharing.group import QueueSharingGroup
from ..qmgr.triggering import Reasons
from ..qmgr.unit import UnitOfWork
from ..sim.event import Event
from ..sim.events import EventLog
from ..sim.network import Link
from .branching import Chapter
from .lab import Lab
from .queue_manager import QueueManager

# Class -> the function of mqlab.views that makes (text, html) of it.
_CARDS = {
    MQError: "cards.cards.error_card",
    everyplace.MQeError: "cards.cards.everyplace_error_card",
    LabError: "cards.cards.lab_error_card",
    ProgramDied: "cards.cards.lab_error_card",
    RunawayTrigger: "cards.cards.lab_error_card",
    Reasons: "cards.cards.reasons_card",
    Delivery: "cards.cards.delivery_card",
    Lab: "cards.lab_cards.lab_card",
    QueueManager: "cards.lab_cards.qmgr_card",
    everyplace.QueueManager: "cards.lab_cards.everyplace_card",
    QueueSharingGroup: "cards.lab_cards.group_card",
    State: "cards.lab_cards.state_card",
    LocalQueue: "cards.queues.queue_card",
    Alias: "cards.queues.alias_card",
    TopicAlias: "cards.queues.alias_card",
    Remote: "cards.queues.remote_card",
    Handle: "cards.queues.handle_card",
    EveryplaceQueue: "cards.queues.everyplace_queue_card",
    Message: "cards.messages.message_card",
    EveryplaceMessage: "cards.messages.everyplace_message_card",
    EventLog: "cards.lab_cards.log_card",
    Event: "cards.lab_cards.event_card",
    ErrorLog: "cards.lab_cards.error_log_card",
    EventMessages: "cards.lab_cards.event_messages_card",
    Channel: "cards.lab_cards.channel_card",
    Link: "cards.lab_cards.link_card",
    Application: "cards.lab_cards.application_card",
    EveryplaceApplication: "cards.lab_cards.everyplace_application_card",
    UnitOfWork: "cards.lab_cards.unit_card",
    Rule: "cards.lab_cards.rule_card",
    Chapter: "cards.lab_cards.chapter_card",
    Definition: "cards.lab_cards.definition_card",
    Program: "cards.lab_cards.program_card",
    Reply: "cards.replies.reply_card",
    CommandReply: "cards.replies.command_card",
    Structure: "cards.lab_cards.structure_card",
}


def install() -> None:
    """Give the model's classes their `_repr_mimebundle_`, which Jupyter asks for."""
    for model, face in _CARDS.items():
        setattr(model, "_repr_mimebundle_", partialmethod(shown, face))  # noqa: B010
        if issubclass(model, BaseException | tuple | list):
            setattr(model, "_repr_pretty_", _pretty)  # noqa: B010 - a method that the class itself does not know of


def _pretty(shown: Any, printer: Any, cycle: bool) -> None:
    """The text of it: IPython has a way of its own with exceptions, tuples, and lists, before the bundle's text."""
    printer.text(shown._repr_mimebundle_()["text/plain"])


def shown(thing: object, face: str, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """What Jupyter is given of a thing: text and HTML as `face`, "module.function" of `mqlab.views`, makes them.

    `include` and `exclude` are MIME types, as IPython passes them.
    """
    module, _, function = face.rpartition(".")
    make = getattr(import_module(f"mqlab.views.{module}"), function)
    return import_module("mqlab.views.text").mime_bundle(*make(thing), include, exclude)
