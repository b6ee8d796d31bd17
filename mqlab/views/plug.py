"""The additions of the views to the engine: the cards of its objects."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..engine.extra import Extra
from ..engine.words.shown import show_by


class Views(Extra):
    """Cards."""

    name = "views"
    changes_labs = False
    faces = {
        "engine.words.errors.MQError": "cards.cards.error_card",
        "engine.words.errors.LabError": "cards.cards.lab_error_card",
        "engine.words.errors.ProgramDied": "cards.cards.lab_error_card",
        "engine.words.errors.RunawayTrigger": "cards.cards.lab_error_card",
        "engine.queues.triggering.Reasons": "cards.cards.reasons_card",
        "engine.explain.why_not_delivered.Delivery": "cards.cards.delivery_card",
        "gates.answer.Answer": "cards.cards.refusal_card",
        "clusters.workload.Choice": "cards.choices.choice_card",
        "lab.lab.Lab": "cards.lab_cards.lab_card",
        "lab.queue_manager.QueueManager": "cards.lab_cards.qmgr_card",
        "sharing.group.QueueSharingGroup": "cards.lab_cards.group_card",
        "engine.explain.replay.State": "cards.lab_cards.state_card",
        "engine.queues.queue.LocalQueue": "cards.queues.queue_card",
        "engine.queues.queue.Alias": "cards.queues.alias_card",
        "pubsub.targets.TopicAlias": "cards.queues.alias_card",
        "engine.queues.queue.Remote": "cards.queues.remote_card",
        "engine.queues.handle.Handle": "cards.queues.handle_card",
        "engine.queues.message.Message": "cards.messages.message_card",
        "engine.world.events.EventLog": "cards.lab_cards.log_card",
        "engine.world.event.Event": "cards.lab_cards.event_card",
        "admin.error_log.ErrorLog": "cards.lab_cards.error_log_card",
        "admin.event_words.EventMessages": "cards.lab_cards.event_messages_card",
        "engine.programs.channels.channel.Channel": "cards.lab_cards.channel_card",
        "engine.world.network.Link": "cards.lab_cards.link_card",
        "engine.queues.application.Application": "cards.lab_cards.application_card",
        "engine.queues.unit.UnitOfWork": "cards.lab_cards.unit_card",
        "engine.words.rulebook.Rule": "cards.lab_cards.rule_card",
        "lab.branching.Shot": "cards.lab_cards.shot_card",
        "engine.words.objects.Definition": "cards.lab_cards.definition_card",
        "engine.programs.program.Program": "cards.lab_cards.program_card",
        "engine.commands.replies.Reply": "cards.tables.reply_card",
        "engine.commands.replies.CommandReply": "cards.tables.command_card",
        "engine.words.structures.Structure": "cards.lab_cards.structure_card",
    }


def show(thing: object, face: str, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """What Jupyter is given of a thing: text and HTML as `face`, "module.function" of `mqlab.views`, makes them."""
    module, _, function = face.rpartition(".")
    make = getattr(import_module(f"mqlab.views.{module}"), function)
    return import_module("mqlab.views.text").mime_bundle(*make(thing), include, exclude)


show_by(show)
EXTRA = Views()
