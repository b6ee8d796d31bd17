"""Messages of widgets are handled in the main thread, where the programs of a lab run."""

from threading import Thread
from types import SimpleNamespace

from mqlab.views.widgets import controls


def test_a_message_that_another_thread_gets_is_left_to_the_loop_of_the_main_thread(monkeypatch):
    handled, queued = [], []
    loop = SimpleNamespace(add_callback=lambda handler, *message: queued.append((handler, message)))
    own = SimpleNamespace(io_loop=loop, shell_handlers={"comm_msg": lambda *message: handled.append(message)})
    monkeypatch.setattr(controls, "get_ipython", lambda: SimpleNamespace(kernel=own))
    controls.use_main_thread()
    controls.use_main_thread()
    own.shell_handlers["comm_msg"]("here")
    assert (handled, queued) == ([("here",)], [])
    other = Thread(target=own.shell_handlers["comm_msg"], args=("there",))
    other.start()
    other.join()
    ((handler, message),) = queued
    handler(*message)
    assert handled == [("here",), ("there",)]


def test_outside_a_kernel_nothing_is_done(monkeypatch):
    for shell in (None, SimpleNamespace(), SimpleNamespace(kernel=None)):
        monkeypatch.setattr(controls, "get_ipython", lambda shell=shell: shell)
        controls.use_main_thread()
