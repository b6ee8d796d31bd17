"""A folder served on loopback, as any web server would."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Files(SimpleHTTPRequestHandler):
    """The files of a folder; a browser that has one asks whether it has changed."""

    protocol_version = "HTTP/1.1"
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def end_headers(self) -> None:
        """Add the header that lets a browser keep a file."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *_values: object) -> None:
        """Say nothing of each request."""


def served(folder: Path, port: int = 0, handler: type[Files] = Files) -> ThreadingHTTPServer:
    """Return a server of a folder, on 127.0.0.1 only; port 0 chooses a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(handler, directory=folder))
