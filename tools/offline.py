"""The addresses that a page would fetch from the network when it is opened; a page of mqlab has none."""

import re
from html.parser import HTMLParser

# Attributes that make a browser fetch at once, and in which elements (any for none); the href of <a> needs a click.
FETCHING: dict[str, tuple[str, ...]] = {
    "src": (),
    "srcset": (),
    "poster": (),
    "background": (),
    "data": ("object",),
    "href": ("link", "image", "use", "feimage"),
    "xlink:href": ("image", "use", "feimage"),
}
NETWORK = re.compile(r"^\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)
IN_SCRIPT = re.compile(r"""(?:import\s*\(?|from|fetch\(|src\s*=)\s*["'`]((?:https?:)?//[^"'`]+)""")


class Loads(HTMLParser):
    """Collects, in `found`, every address that opening the page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element's attributes."""
        self.inside = tag if tag in ("style", "script") else ""
        for name, value in attrs:
            if not value:
                continue
            if name == "style":
                self.found += IN_STYLE.findall(value)
            elif name in FETCHING and (tag in FETCHING[name] or not FETCHING[name]) and NETWORK.match(value):
                self.found.append(value.strip())

    def handle_endtag(self, tag: str) -> None:
        """Leave a style sheet or a script."""
        self.inside = ""

    def handle_data(self, data: str) -> None:
        """Look at the text of a style sheet or a script."""
        if self.inside == "style":
            self.found += IN_STYLE.findall(data)
        elif self.inside == "script":
            self.found += IN_SCRIPT.findall(data)


def external_loads(html: str) -> list[str]:
    """Return every network address that a browser would fetch on opening this page, in page order."""
    page = Loads()
    page.feed(html)
    page.close()
    return page.found


class NotSelfContained(Exception):
    """The page would fetch something from the network; the message names the addresses."""
