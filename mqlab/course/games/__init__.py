"""Games to learn by: the opening, one queue to break; the engine works everything out, the pages only play it."""

from . import playing
from .opening import opening, spec


def page(html: str) -> str:
    """Return an HTML page in which the games play whose tables it has, offline; other pages are returned unchanged."""
    return playing.page(html, {"opening": spec})
