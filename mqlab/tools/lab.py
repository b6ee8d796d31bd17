"""Open the notebooks in JupyterLab: token kept, loopback only, nothing asked of the network."""

import argparse
import os
import sys
from pathlib import Path

from mqlab.lab.checkout import TOUR, NotACheckout, add_dir, checkout
from mqlab.tools.notebooks import encryption

CONFIG = Path(__file__).with_name("jupyter")


def build_parser() -> argparse.ArgumentParser:
    """Return the command line of the launcher; what it does not know goes to JupyterLab."""
    parser = argparse.ArgumentParser(
        prog="mqlab lab",
        description=f"Open JupyterLab on {TOUR}.",
        epilog="Every other option is handed to JupyterLab.\n\nexamples:\n"
        "  mqlab lab\n  mqlab lab --no-browser --port 9000",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_dir(parser)
    parser.add_argument("--no-browser", action="store_true", help="only serve, and print the address to open")
    return parser


def arguments(root: Path, browser: bool, more: list[str]) -> list[str]:
    """Return JupyterLab's command line: its own token stays on, and only this machine can reach it."""
    line = [f"--ServerApp.root_dir={root}", f"--LabApp.default_url=/lab/tree/{TOUR.as_posix()}", "--ip=127.0.0.1"]
    line += [f"--KernelManager.{name}={value}" for name, value in encryption().items()]
    if not browser:
        line.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line.append("--allow-root")  # a container's only user; the token and loopback hold as for anybody
    return line + more


def configure(environment: dict[str, str] | os._Environ[str]) -> None:
    """Put our Jupyter settings (no news, no update check, no extension shop) ahead of the machine's own."""
    before = environment.get("JUPYTER_CONFIG_PATH", "")
    environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join([str(CONFIG), before]) if before else str(CONFIG)


def main(argv: list[str] | None = None) -> int:
    """Serve until interrupted; return the exit code."""
    options, more = build_parser().parse_known_args(argv)
    try:
        root = checkout(options.dir)
    except NotACheckout as problem:
        print(f"mqlab lab: {problem}", file=sys.stderr)
        return 1
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        print("mqlab lab: JupyterLab is not installed: pip install 'mqlab[lab]'", file=sys.stderr)
        return 1
    configure(os.environ)
    LabApp.launch_instance(argv=arguments(root, not options.no_browser, more))
    return 0
