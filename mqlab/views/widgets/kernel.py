"""Where a kernel handles the messages of widgets: in its main thread.

JupyterLab 4.4 and later send these messages to a subshell of the kernel, which is another thread. The programs of a lab
run in the thread that started them, so that a command in a widget could not let time pass.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import current_thread, main_thread
from typing import Any

from IPython.core.getipython import get_ipython


class Handler:
    """A handler of messages that runs in the main thread, through the loop of that thread if necessary."""

    def __init__(self, handler: Callable[..., Any], loop: Any) -> None:
        self.handler, self.loop = handler, loop

    def __call__(self, *message: Any) -> Any:
        if current_thread() is main_thread():
            return self.handler(*message)
        return self.loop.add_callback(self.handler, *message)


def use_main_thread() -> None:
    """Have this kernel handle the messages of widgets in its main thread; no effect outside a kernel."""
    kernel = getattr(get_ipython(), "kernel", None)
    loop, handlers = getattr(kernel, "io_loop", None), getattr(kernel, "shell_handlers", {})
    for kind in ("comm_open", "comm_msg", "comm_close") if loop is not None else ():
        if kind in handlers and not isinstance(handlers[kind], Handler):
            handlers[kind] = Handler(handlers[kind], loop)
