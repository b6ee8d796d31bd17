"""Text of pictures and cards: escaped, shortened, measured, and as Jupyter takes it."""

from __future__ import annotations

import html
import re
from codecs import getincrementaldecoder
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..engine.words.errors import visible

RULE_ID = re.compile(r"\b[A-Z]{3}-\d\d[a-z]?\b")
"""The id of a rule in a text for people, such as MQI-09."""
_NARROW = frozenset("iIjl.,:;'|!()[]{}ft/-· ")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@lru_cache(maxsize=4096)
def escape(value: object) -> str:  # text: any, for XML
    """`value` as text that is safe between tags and inside attributes; controls become visible escapes, and what else
    XML cannot hold becomes U+FFFD.

    >>> escape("<script>")
    '&lt;script&gt;'
    """
    return html.escape(_NOT_XML.sub("\ufffd", visible(str(value))), quote=True)


def printable(data: bytes, whole: bool = True) -> str | None:
    """The data as text if all of it can be shown, None if not; unless it is `whole`, a character may be cut off.

    >>> printable(b"hello"), printable(bytes(3))
    ('hello', None)
    """
    try:
        text = data.decode() if whole or data.isascii() else getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() or all(c.isprintable() or c in "\t\r\n" for c in text) else None


def label_of(lab: Any, number: int) -> str:
    """Return the beginning of a message's data, "" if it is no text or was not kept (`Lab.labels`)."""
    labels = getattr(lab, "labels", ())
    data = labels[number] if 0 <= number < len(labels) else b""
    return " ".join((printable(data, whole=False) or "").split())


def shorten(name: str, limit: int) -> str:  # text: any, for its length
    """`name` in at most `limit` characters, cut in the middle so that both ends stay readable.

    >>> shorten("PAYMENTS.DOMESTIC.SETTLEMENT.REQUEST", 21)
    'PAYMENTS.D…NT.REQUEST'
    """
    if len(name) <= limit:
        return name
    head = (limit - 1) // 2
    return name[:head] + "…" + name[len(name) - (limit - 1 - head) :]


@lru_cache(maxsize=4096)
def sans_width(text: str, size: float, bold: bool = False) -> float:  # text: any, for its width
    """Width in pixels of `text` in a proportional font of `size` pixels, on the wide side of the usual ones."""
    wide = size * sum(
        0.36 if c in _NARROW else 0.97 if c in "WMm%" else 0.74 if c.isupper() or c == "w" else 0.62 for c in text
    )
    return wide * 1.1 if bold else wide


def thousands(number: float) -> str:
    """Return a number with a comma for thousands from 10,000 on.

    >>> thousands(2085), thousands(10000), thousands(-1234567)
    ('2085', '10,000', '-1,234,567')
    """
    return f"{number:,}" if abs(number) >= 10_000 else f"{number}"


def capital(words: str) -> str:
    """A sentence with its first letter large.

    >>> capital("a queue of QM1")
    'A queue of QM1'
    """
    return words[:1].upper() + words[1:]


def plural(number: int, one: str, many: str | None = None) -> str:
    """`number` and its noun.

    >>> plural(1, "message"), plural(1200, "message"), plural(2, "has", "have")
    ('1 message', '1200 messages', '2 have')
    """
    return f"{thousands(number)} {one if number == 1 else many or one + 's'}"


def cut(words: str, room: float, size: float) -> str:
    """`words` as far as they fit into `room` pixels, with … for the rest.

    >>> cut("one two three", 60, 10)
    'one two …'
    """
    line = wrap(words, room, size)[0]
    return line if line == " ".join(words.split()) else f"{wrap(words, room - sans_width(' …', size), size)[0]} …"


def wrap(words: str, room: float, size: float) -> list[str]:
    """`words` in lines no wider than `room` pixels in a proportional font of `size` pixels.

    >>> wrap("one two three", 50, 10)
    ['one two', 'three']
    """
    lines, width, space = [""], 0.0, sans_width(" ", size)
    for word in words.split():
        wide = sans_width(word, size)
        if lines[-1] and width + space + wide > room:
            lines.append(word)
            width = wide
        else:
            width += space + wide if lines[-1] else wide
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def lines_within(words: str, room: float, size: float, most: int) -> list[str]:
    """`words` in at most `most` lines no wider than `room` pixels, the last with … for the rest.

    >>> lines_within("one two three", 60, 10, 1)
    ['one two …']
    """
    lines = wrap(words, room, size)
    return lines if len(lines) <= most else [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), room, size)]


def mime_bundle(
    text: str, html: str, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
) -> dict[str, str]:
    """Text and HTML by MIME type: of those in `include`, or all where that is empty, the ones not in `exclude`.

    HTML and never image/svg+xml: only inside the page does a drawing see the page's light or dark theme.

    >>> mime_bundle("said", "<b>said</b>", exclude={"text/html"})
    {'text/plain': 'said'}
    """
    whole = {"text/plain": visible(text), "text/html": html}
    return {kind: data for kind, data in whole.items() if kind in (include or whole) and kind not in (exclude or ())}
