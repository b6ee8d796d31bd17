"""Serve the notebooks in JupyterLab, and the panel as a web page, on loopback only and with a token.

`mqlab lab` serves the notebooks, and `python -m mqlab.cli.serve` (`make present`) the panel. Our settings and
templates take precedence over those of the machine.
"""

import os
import secrets
import socket
import sys
import tempfile
import threading
import webbrowser
from argparse import ArgumentParser
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from mqlab.cli import command_line, command_of, stopped
from mqlab.cli.notebooks import add_parameter, encryption, values_of
from mqlab.lab.checkout import TOUR, NotACheckout, checkout

CONFIG = Path(__file__).with_name("jupyter")
"""Our JupyterLab settings: no news, no update check, no extension manager."""

TEMPLATES = Path(__file__).with_name("templates")
PANEL = Path("notebooks/library/panel.ipynb")
PORT = 8866


def panel_parser() -> ArgumentParser:
    """Return the parser of `make present`; other options go to Voilà."""
    parser = command_line(
        "python -m mqlab.cli.serve",
        f"Serve {PANEL} as a web page.",
        "All other options go to Voilà.\n\nexample:\n  python -m mqlab.cli.serve --scenario poison --no-browser",
        checkout=True,
    )
    parser.add_argument("--scenario", help="scenario to show (default: that of the notebook)")
    parser.add_argument("--port", type=int, default=PORT, help=f"first port to try (default {PORT})")
    parser.add_argument("--no-browser", action="store_true", help="only serve, and print the address to open")
    add_parameter(parser)
    return parser


def _encrypted() -> list[str]:
    return [f"--KernelManager.{name}={value}" for name, value in encryption().items()]


def lab_arguments(root: Path, browser: bool, more: list[str]) -> list[str]:
    """Return JupyterLab's command line: its own token stays on, and only this machine can reach it."""
    line = [f"--ServerApp.root_dir={root}", f"--LabApp.default_url=/lab/tree/{TOUR.as_posix()}", "--ip=127.0.0.1"]
    line += ["--LabApp.custom_css=True", f"--ServerApp.tornado_settings=static_custom_path={CONFIG / 'custom'}"]
    line += _encrypted()
    if not browser:
        line.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line.append("--allow-root")  # a container's only user; the token and loopback still protect it
    return line + more


def panel_arguments(notebook: Path, port: int, token: str, more: list[str]) -> list[str]:
    """Return Voilà's command line: only a user of this machine with the token can reach the page."""
    line = [str(notebook), "--template=mqlab", "--Voila.ip=127.0.0.1", f"--port={port}"]
    line += ["--Voila.port_retries=20", f"--Voila.token={token}", "--Voila.log_level=ERROR"]
    return line + _encrypted() + more


def put_first(environment: MutableMapping[str, str], name: str, folder: Path) -> None:
    """Put one of our folders ahead of the machine's own in a list of folders of the environment."""
    before = environment.get(name, "")
    environment[name] = os.pathsep.join([str(folder), before]) if before else str(folder)


def prepared(notebook: Path, parameters: dict[str, Any], folder: Path) -> Path:
    """Return a copy of a notebook in a folder with other parameters, or the notebook itself if there are none."""
    if not parameters:
        return notebook
    import papermill

    target = folder / notebook.name
    kernel = {"kernel_name": "python3", "language": "python"}
    papermill.execute_notebook(notebook, target, parameters, prepare_only=True, **kernel)
    return target


def free_port(first: int, tries: int = 50) -> int:
    """Return the first free port of this machine from `first` on; raises OSError if none is free."""
    for port in range(first, min(first + tries, 65536)) if first > 0 else ():
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"no port from {first} to {first + tries - 1} is free. Choose another with --port, 1 to 65535")


def lab(argv: list[str] | None = None) -> int:
    """Serve JupyterLab, opened on the tour, until interrupted; return the exit code."""
    parser = command_of("lab", checkout=True, tour=TOUR)
    parser.add_argument("--no-browser", action="store_true")
    options, more = parser.parse_known_args(argv)
    root = checkout(options.dir)
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        return stopped("lab", "JupyterLab is not installed: pip install 'mqlab[lab]'")
    put_first(os.environ, "JUPYTER_CONFIG_PATH", CONFIG)
    LabApp.launch_instance(argv=lab_arguments(root, not options.no_browser, more))
    return 0


def panel(argv: list[str] | None = None) -> int:
    """Serve the panel until interrupted; return the exit code."""
    options, more = panel_parser().parse_known_args(argv)
    try:
        root = checkout(options.dir)
        port = free_port(options.port)
    except (NotACheckout, OSError) as problem:
        return stopped("panel", problem)
    if not (root / PANEL).is_file():
        return stopped("panel", f"no {PANEL} in {root}")
    put_first(os.environ, "JUPYTER_PATH", TEMPLATES)
    try:
        from voila.app import Voila
    except ImportError:
        return stopped("panel", "Voilà is not installed: pip install 'mqlab[lab]'")
    parameters = values_of(options.parameter) | ({"scenario": options.scenario} if options.scenario else {})
    token = secrets.token_hex(16)
    with tempfile.TemporaryDirectory() as folder:  # this user's alone

        class Panel(Voila):
            def init_settings(self):
                # a page of another name for this machine is someone else's, who sends a browser here
                return super().init_settings() | {"allow_remote_access": False, "local_hostnames": ["localhost"]}

            def launch_browser(self):
                """Print the address once the server listens, and open a page that leads there.

                Other users can read a command line, so the token is not on the browser's.
                """
                address, page = f"http://127.0.0.1:{self.port}/?token={token}", Path(folder) / "open.html"
                print(f"The panel is served at {address}\nCtrl+C ends it.", flush=True)
                if not options.no_browser:
                    page.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="utf-8")
                    threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()

        notebook = prepared(root / PANEL, parameters, Path(folder))
        Panel.launch_instance(argv=panel_arguments(notebook, port, token, more))
    return 0


if __name__ == "__main__":
    sys.exit(panel())
