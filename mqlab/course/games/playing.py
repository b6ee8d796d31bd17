"""A game without a kernel: its scripts and style, a table of it, and a page in which it plays."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from ...views.text import escape
from ...views.theme import style_sheet
from ..lessons import Card, elements

_PLACE = re.compile(r'<div class="mqlab-still" data-game="(\w+)"')
POLICY = "default-src 'none'; "
"""The start of the policy of a page that runs no script."""


class Still(Card):
    """A game as readers see it who cannot play it: text, and a table as HTML; `page` makes it play."""

    def __init__(self, game: str, text: str, html: str) -> None:
        super().__init__(text, f'<div class="mqlab-still" data-game="{escape(game)}">{html}</div>')
        self.game = game


@cache
def script() -> str:
    """Return the scripts of the games as one, which exports a widget."""
    return "\n".join([elements(), *map(_read, ("parts.js", "opening.js", "game.js", "boot.js"))])


@cache
def style() -> str:
    """Return the style sheet of the games."""
    return style_sheet(".mqlab-game") + _read("games.css")


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def page(html: str, specs: dict[str, Callable[[], dict[str, Any]]]) -> str:
    """Return a page in which its games play, offline; a page without a game is returned unchanged.

    `specs` has a function for the name of each game, which returns all of it. The policy of the page then allows this
    one script, by its digest.
    """
    found = dict.fromkeys(name for name in _PLACE.findall(html) if name in specs)
    if not found:
        return html
    source = f"{script()}\nbootPage(document);\n"
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode("ascii")
    parts = [f'<script type="application/json" id="game-{name}">{_inline(specs[name]())}</script>' for name in found]
    parts += [f"<style>{style()}</style>", f'<script type="module">{source}</script>']
    html = html.replace(POLICY, f"{POLICY}script-src 'sha256-{digest}'; ", 1)
    before, body, after = html.rpartition("</body>")
    return before + "\n".join(parts) + body + after


def _inline(spec: dict) -> str:
    """A game as JSON that cannot end the element that holds it."""
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
