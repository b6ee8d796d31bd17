"""Programs that several exercises start."""

from __future__ import annotations

from ....mq.errors import MQError

__all__ = ["serve", "serve_up_to"]


def serve(app, trigger) -> None:
    """A server as it should be: it takes every message there is, then ends."""
    with app.open(trigger.queue, input="shared") as queue:
        while True:
            try:
                queue.get()
            except MQError as refused:
                if refused.reason == 2033:
                    return
                raise


def serve_up_to(number: int):
    """A server that takes so many messages, or what there is, and turns triggering on again before it ends."""

    def take(app, trigger) -> None:
        with app.open(trigger.queue, input="shared", set=True) as queue:
            for _ in range(number):
                try:
                    queue.get()
                except MQError as refused:
                    if refused.reason != 2033:
                        raise
                    break
            queue.set(TRIGGER=True)

    return take
