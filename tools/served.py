"""A folder served on loopback: its files, to a browser of this machine alone."""

import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO


class Files(SimpleHTTPRequestHandler):
    """The files of a folder for those who ask for one of `hosts`; a browser that has a file asks whether it changed."""

    protocol_version = "HTTP/1.1"
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1")
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send a file of the folder itself: no list of a folder, nothing that a link leads out to, and no host but this
        machine."""
        name = self.headers.get("Host", "localhost")
        path, root = Path(self.translate_path(self.path).replace("\0", "\ufffd")), Path(self.directory).resolve()
        inside = path.resolve().is_relative_to(root) and "%00" not in self.path
        if name.partition(":")[0] not in self.hosts:
            self.send_error(HTTPStatus.FORBIDDEN)
        elif not inside or (path.is_dir() and not (path / "index.html").is_file()):
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            return super().send_head()
        return None

    def end_headers(self) -> None:
        """Add the header that lets a browser keep a file."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *_values: object) -> None:
        """Say nothing of each request."""


class Server(ThreadingHTTPServer):
    """A server that does not mind a browser that goes away."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of an error, unless the other end closed the connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def served(folder: Path, port: int = 0, handler: type[Files] = Files) -> ThreadingHTTPServer:
    """Return a server of a folder, on 127.0.0.1 only; port 0 chooses a free one."""
    return Server(("127.0.0.1", port), partial(handler, directory=folder))
