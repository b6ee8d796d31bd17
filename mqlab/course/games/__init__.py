"""Games to learn by: the opening and *Be the queue manager*; the engine decides, and the pages only play."""

from ...engine.words import arguments
from . import game, playing
from .game import level, play
from .opening import opening, spec


def page(html: str) -> str:
    """Return an HTML page in which the games play whose tables it has, offline; other pages are returned unchanged."""
    return playing.page(html, {"opening": spec, game.GAME: game.spec})


arguments.checked_calls(__name__)
