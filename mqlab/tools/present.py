"""Serve the panel as a web page with Voilà: token kept, loopback only, nothing asked of the network."""

import argparse
import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from mqlab.lab.checkout import NotACheckout, add_dir, checkout
from mqlab.tools.notebooks import encryption, value_of

NOTEBOOK = Path("notebooks/panel.ipynb")
TEMPLATES = Path(__file__).with_name("templates")
PORT = 8866


def build_parser() -> argparse.ArgumentParser:
    """Return the command line of the server; what it does not know goes to Voilà."""
    parser = argparse.ArgumentParser(
        prog="python -m mqlab.tools.present",
        description=f"Serve {NOTEBOOK} as a web page.",
        epilog="Every other option is handed to Voilà.\n\nexample:\n"
        "  python -m mqlab.tools.present --scenario poison --no-browser",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_dir(parser)
    parser.add_argument("--scenario", help="the scenario to show (default: the notebook's own)")
    parser.add_argument("--port", type=int, default=PORT, help=f"the first port to try (default {PORT})")
    parser.add_argument("--no-browser", action="store_true", help="only serve, and print the address to open")
    parser.add_argument("-p", "--parameter", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    return parser


def prepared(notebook: Path, parameters: dict[str, Any], folder: Path) -> Path:
    """Return a copy of a notebook in a folder with other parameters, or the notebook itself where there are none."""
    if not parameters:
        return notebook
    import nbformat
    from papermill.iorw import load_notebook_node
    from papermill.parameterize import parameterize_notebook

    book = load_notebook_node(str(notebook))
    book = parameterize_notebook(book, parameters, kernel_name="python3", language="python")
    target = folder / notebook.name
    nbformat.write(book, target)
    return target


def free_port(first: int, tries: int = 50) -> int:
    """Return the first port from `first` on that nobody on this machine listens on; OSError where all are taken."""
    for port in range(first, first + tries):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"no port from {first} to {first + tries - 1} is free: name another with --port")


def arguments(notebook: Path, port: int, token: str, more: list[str]) -> list[str]:
    """Return Voilà's command line: only who has the token on this machine can reach the page."""
    line = [str(notebook), "--no-browser", "--template=mqlab", "--Voila.ip=127.0.0.1", f"--port={port}"]
    line += ["--Voila.port_retries=0", f"--Voila.token={token}", "--Voila.log_level=ERROR"]
    line += [f"--KernelManager.{name}={value}" for name, value in encryption().items()]
    return line + more


def configure(environment: dict[str, str] | os._Environ[str]) -> None:
    """Put our Voilà template ahead of the machine's own."""
    before = environment.get("JUPYTER_PATH", "")
    environment["JUPYTER_PATH"] = os.pathsep.join([str(TEMPLATES), before]) if before else str(TEMPLATES)


def main(argv: list[str] | None = None) -> int:
    """Serve until interrupted; return the exit code."""
    options, more = build_parser().parse_known_args(argv)
    try:
        root = checkout(options.dir)
        port = free_port(options.port)
    except (NotACheckout, OSError) as problem:
        print(f"mqlab panel: {problem}", file=sys.stderr)
        return 1
    if not (root / NOTEBOOK).is_file():
        print(f"mqlab panel: no {NOTEBOOK} in {root}", file=sys.stderr)
        return 1
    configure(os.environ)
    try:
        from voila.app import Voila
    except ImportError:
        print("mqlab panel: Voilà is not installed: pip install 'mqlab[lab]'", file=sys.stderr)
        return 1
    parameters = {name: value_of(text) for name, text in options.parameter}
    parameters |= {"scenario": options.scenario} if options.scenario else {}
    token = secrets.token_hex(16)
    address = f"http://127.0.0.1:{port}/?token={token}"
    with tempfile.TemporaryDirectory() as folder:
        notebook = prepared(root / NOTEBOOK, parameters, Path(folder))
        print(f"The panel is served at {address}\nCtrl+C ends it.", flush=True)
        if not options.no_browser:
            webbrowser.open(address)
        Voila.launch_instance(argv=arguments(notebook, port, token, more))
    return 0


if __name__ == "__main__":
    sys.exit(main())
