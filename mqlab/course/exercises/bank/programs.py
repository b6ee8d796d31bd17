"""Programs that several exercises start."""

from __future__ import annotations

from itertools import islice

__all__ = ["serve", "serve_up_to"]


def serve(app, trigger) -> None:
    """A server as it should be: it takes every message there is, then ends."""
    with app.open(trigger.queue, input="shared") as queue:
        queue.drain()


def serve_up_to(number: int):
    """A server that takes so many messages, or what there is, and turns triggering on again before it ends."""

    def take(app, trigger) -> None:
        with app.open(trigger.queue, input="shared", set=True) as queue:
            list(islice(queue.get_each(), number))
            queue.set(TRIGGER=True)

    return take
