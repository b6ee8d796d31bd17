"""The opening of the tour as a page of its own: one queue to break in a browser, with nothing but the engine."""

import os
import sys
import webbrowser
from html import escape
from pathlib import Path

from mqlab.cli import near
from mqlab.course import games
from mqlab.formats.whole_file import write_whole

TEMPLATES = Path(__file__).with_name("templates")


def opening(title: str, words: str) -> str:
    """Return the playable opening as one HTML page, below a heading and a paragraph; it needs no kernel."""
    style = (TEMPLATES / "mqlab" / "page.css").read_text(encoding="utf-8")
    table = games.opening(interactive=False)._repr_mimebundle_()["text/html"]
    page = (TEMPLATES / "opening.html").read_text(encoding="utf-8")
    for name, text in {"TITLE": escape(title), "WORDS": escape(words), "STYLE": style, "TABLE": table}.items():
        page = page.replace(f"{{{name}}}", text)
    return games.page(page)


def write(target: Path) -> None:
    """Write the opening to the file `target`, and say where it is."""
    title, words = "Play while the tour runs", "The tour leaves tour.html beside this page, in a minute or so."
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, opening(title, words))
    print(f"Play while the tour runs: {near(target)}", flush=True)


def main(argv: list[str]) -> int:
    """Write the opening, and open it where a person and a browser are; the exit code."""
    target = Path(argv[0]).resolve()
    write(target)
    screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if screen and sys.stdout.isatty():
        webbrowser.open(target.as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
