"""Programs that several exercises start."""

from __future__ import annotations

from ...errors import MQError

__all__ = ["serve"]


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
