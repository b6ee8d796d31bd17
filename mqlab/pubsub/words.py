"""The sentences of publish/subscribe, and of consuming: kinds of rows that only their calls write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _subscribe(entry: Any) -> str:
    how = {"create": "subscribed to", "resume": "resumed its subscription to"}.get(
        entry.facts.get("how", ""), "altered"
    )
    facts = entry.facts
    return f"{entry.who} {how} {facts.get('topic', entry.row.object)}, publications to {facts.get('to', 'no queue')}"


SENTENCES: dict[str, Callable[[Any], str]] = {
    "publish": lambda entry: f"{entry.who} published to {entry.row.object or 'a topic'}{entry.unit}{entry.because}",
    "subscribe": _subscribe,
    "unsubscribe": lambda entry: (
        f"{entry.who} closed {entry.where}, which {'stays' if entry.facts['kept'] else 'ends'}"
    ),
    "request": lambda entry: f"{entry.who} asked for the retained publications of {entry.where}",
    "consumer": lambda entry: f"{entry.who}: {entry.facts['operation']} the function for {entry.where}",
    "callback": lambda entry: f"{entry.who} called its function for {entry.where}: {entry.facts['call']}",
    "control": lambda entry: f"{entry.who}: {entry.facts['operation']} its consumers",
}
