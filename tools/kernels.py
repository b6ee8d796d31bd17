"""Kernels for runs of many notebooks: each is forked from a process that has imported the packages, which takes longer
than most notebooks do.

A notebook that runs alone (`make tour`, plain papermill), or starts Spark, has a kernel of its own.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import sys
from importlib.metadata import EntryPoint
from typing import Any

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

IMPORTED = (
    *("ipykernel.debugger", "ipykernel.ipkernel", "ipykernel.kernelapp", "IPython.core.completerlib", "psutil"),
    *("IPython.core.debugger", "IPython.extensions.storemagic", "pygments.formatters.html", "pygments.lexers.python"),
    *("sqlite3", "tornado.platform.asyncio", "tornado.queues", "altair", "anywidget", "ipywidgets", "networkx"),
    *("pandas", "py_mini_racer", "mqlab", "mqlab.course.exercises", "mqlab.course.magics"),
    *("mqlab.course.imagined.variants", "mqlab.gates.admitting", "mqlab.lab.scenarios", "mqlab.pcf.format"),
    *("mqlab.views.cards.lab_cards", "mqlab.views.player", "mqlab.views.widgets"),
)


def fork_kernels(wanted: bool) -> None:
    """Whether the kernels that this process starts from now on are forked. Where processes cannot be, none is."""
    wanted &= "forkserver" in multiprocessing.get_all_start_methods()
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else the debugger tells of Python's frozen modules
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["forked"] = EntryPoint("forked", f"{__name__}:Forked", factory.GROUP_NAME)
    factory.default_provisioner_name = "forked" if wanted else "local-provisioner"


class Forked(LocalProvisioner):
    """Starts a kernel as a process forked from one that has imported IMPORTED."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Start it in the given folder and environment."""
        forks = multiprocessing.get_context("forkserver")
        forks.set_forkserver_preload([*IMPORTED])
        given = cmd[cmd.index("ipykernel_launcher") + 1 :], kwargs.get("cwd", os.getcwd()), dict(kwargs["env"])
        self.process = _Process(forks.Process(target=_kernel, args=given))
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class _Process:  # one of multiprocessing, with the methods of subprocess.Popen that a provisioner calls
    stdin = stdout = stderr = None

    def __init__(self, process: Any) -> None:
        process.start()
        self.process, self.pid = process, process.pid
        self.kill, self.terminate = process.kill, process.terminate

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self) -> int | None:
        self.process.join()
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def _kernel(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    from ipykernel.kernelapp import IPKernelApp

    gc.freeze()  # a collection would walk, and so copy, all that was imported for this process
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["ipykernel_launcher", *arguments]
    IPKernelApp.launch_instance(argv=arguments)
    atexit._run_exitfuncs()  # a forked process leaves them out
