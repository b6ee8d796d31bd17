"""A queue as a card: sign, name, the messages as blocks, how full it is, and what is wrong with it."""

from __future__ import annotations

from ..frames.frames import QueueNow
from ..text import MONO_EM, count, escape, plural, sans_width, shorten
from .boxes import LEFT_OF_NAME, NAME, RIGHT_OF_NAME, Box
from .grid import prefix_of
from .outlines import NO_MESSAGES, Queue
from .strip import strip_blocks
from .svg_shapes import badge, glyph, number, pill, rect, rounded_left, text

__all__ = ["KIND_WORDS", "queue_card"]

RADIUS = 9
KIND_WORDS = {
    "local": "local queue",
    "alias": "alias queue",
    "remote": "remote queue definition",
    "model": "model queue",
    "transmission": "transmission queue",
    "backout": "backout queue",
    "dead-letter": "dead-letter queue",
    "initiation": "initiation queue",
    "synchronous": "remote queue, used while its owner can be reached",
    "asynchronous": "remote queue, kept here until it can be sent",
    "home-server": "home-server queue, which pulls what waits there",
    "store-and-forward": "store-and-forward queue",
}


def queue_card(queue: Queue, now: QueueNow, box: Box, dim: bool) -> str:
    """One queue: sign and name, and for a queue that holds messages the level, the strip and the figures."""
    holds = queue.kind not in NO_MESSAGES
    group = "<g>" if now.defined else '<g class="ghost">'
    parts = [f"{group}<title>{escape(_told(queue, now))}</title>", rect(*box, "card", RADIUS)]
    if holds and now.depth:
        parts += _level(now, box)
    parts.append(rect(*box, "rim over" if now.full else "rim", RADIUS))
    middle = box.y + (18 if holds else 14.5)
    parts += [glyph(queue.kind, box.x + 19, middle), _name(queue.name, box, middle + 4.3, dim)]
    x, room = box.x + LEFT_OF_NAME, box.width - LEFT_OF_NAME - RIGHT_OF_NAME
    if holds:
        parts += [
            strip_blocks(now, x, box.y + 29.5, room),
            '<g class="small">',
            text(x, box.y + 49.5, _figures(now, room) if now.defined else "not defined yet", ""),
            "</g>",
        ]
    else:
        parts += ['<g class="small">', text(x, box.y + 32, _leads(queue, room), ""), "</g>"]
    edge = box.right - 16
    if now.full:
        parts.append(pill("FULL", edge - 30, box.y))
        edge -= 48
    for letter, allowed in (("G", now.get), ("P", now.put)):
        if not allowed and queue.kind != "model":
            parts.append(badge(letter, edge, box.y))
            edge -= 21
    return "".join(parts) + "</g>"


def _told(queue: Queue, now: QueueNow) -> str:
    words = f"{queue.name}: {KIND_WORDS[queue.kind]}"
    words += f" for {queue.target}" if queue.target else ""
    words += f" ({queue.description})" if queue.description else ""
    limit = f"{now.maxdepth:,}" if now.maxdepth else "any number"
    if queue.kind not in NO_MESSAGES:
        words += f". {plural(now.depth, 'message')} of {limit}: {now.live:,} can be got, "
        words += f"{now.uncommitted:,} not committed, {now.lapsed:,} lapsed and still counted"
    words += "" if now.put else ". Puts are inhibited"
    return words + ("" if now.get else ". Gets are inhibited") + "."


def _name(name: str, box: Box, y: float, dim: bool) -> str:
    shown = shorten(name, int((box.width - LEFT_OF_NAME - RIGHT_OF_NAME + 2) / (NAME * MONO_EM)))
    stem = prefix_of(name) + "."
    pieces = [("stem", stem), ("", shown[len(stem) :])] if dim and shown.startswith(stem) else [("", shown)]
    return text(box.x + LEFT_OF_NAME, y, pieces, "name")


def _level(now: QueueNow, box: Box) -> list[str]:
    """The fill behind the card: depth as a share of MAXDEPTH, at least a sliver when there is anything."""
    share = min(1.0, now.depth / now.maxdepth) if now.maxdepth else 0
    width = max(2.5, share * box.width)
    line = max(0.0, min(width, box.width - RADIUS) - RADIUS)
    foot = f'<path class="foot" d="M{number(box.x + RADIUS)} {number(box.bottom - 1)}h{number(line)}"/>' if line else ""
    return [f'<path class="level" d="{rounded_left(box.x, box.y, width, box.height, box.width, RADIUS)}"/>', foot]


def _figures(now: QueueNow, room: float) -> list[tuple[str, str]]:
    """Depth, MAXDEPTH and how much has lapsed or is not committed, as fully as the room allows; lapsed goes last."""
    for of, word, full in (
        (" of ", "uncommitted", True),
        (" of ", "uncom.", True),
        ("/", "uncom.", True),
        ("/", "", False),
    ):
        limit = of + count(now.maxdepth) if now.maxdepth else ", no limit" if full else ""
        pieces = [("strong" if now.depth else "", count(now.depth)), ("", limit)]
        pieces += [("", " · "), ("warn", f"{count(now.lapsed)} lapsed")] if now.lapsed else []
        pieces += [("", f" · {count(now.uncommitted)} {word}")] if now.uncommitted and full else []
        if sans_width("".join(w for _, w in pieces), 11) <= room:
            break
    return pieces


def _leads(queue: Queue, room: float) -> list[tuple[str, str]]:
    if not queue.target:
        return [("", KIND_WORDS[queue.kind])]
    verb = {"alias": "for ", "home-server": "pulls from ", "synchronous": "calls "}.get(queue.kind, "to ")
    return [("", verb), ("code", shorten(queue.target, int((room - sans_width(verb, 11)) / (11 * MONO_EM))))]
