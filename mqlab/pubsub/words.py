"""The sentences of publish/subscribe, and of consuming: kinds of rows that only their calls write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _subscribe(of: Any) -> str:
    how = {"create": "subscribed to", "resume": "resumed its subscription to"}.get(of.facts.get("how", ""), "altered")
    return f"{of.who} {how} {of.facts.get('topic', of.row.object)}, publications to {of.facts.get('to', 'no queue')}"


SENTENCES: dict[str, Callable[[Any], str]] = {
    "publish": lambda of: f"{of.who} published to {of.row.object or 'a topic'}{of.unit}{of.because}",
    "subscribe": _subscribe,
    "unsubscribe": lambda of: f"{of.who} closed {of.where}, which {'stays' if of.facts['kept'] else 'ends'}",
    "request": lambda of: f"{of.who} asked for the retained publications of {of.where}",
    "consumer": lambda of: f"{of.who}: {of.facts['operation']} the function for {of.where}",
    "callback": lambda of: f"{of.who} called its function for {of.where}: {of.facts['call']}",
    "control": lambda of: f"{of.who}: {of.facts['operation']} its consumers",
}
