"""What Jupyter is given of a thing that is shown: its words, and its picture or table as HTML."""

from __future__ import annotations

__all__ = ["mime_bundle"]


def mime_bundle(text: str, html: str, include=None, exclude=None) -> dict[str, str]:
    """Text and HTML by MIME type: of those in `include`, or all where that is empty, the ones not in `exclude`.

    HTML and never image/svg+xml: only inside the page does a drawing see the page's light or dark theme.

    >>> mime_bundle("said", "<b>said</b>", exclude={"text/html"})
    {'text/plain': 'said'}
    """
    whole = {"text/plain": text, "text/html": html}
    return {kind: data for kind, data in whole.items() if kind in (include or whole) and kind not in (exclude or ())}
