"""The tree of topics: which strings match, and the attributes that come down to a topic string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..engine.queues.target import cap_of
from ..engine.words import constants as mq
from ..engine.words.objects import Definition
from ..engine.words.patterns import between_gaps

ROOT = "SYSTEM.BASE.TOPIC"
SYSTEM_TOPIC, SYSTEM_BRANCH = "SYSTEM.ADMIN.TOPIC", "$SYS/MQ"
"""The branch of the topic tree in which only the queue manager publishes, and its topic object."""
NOLIMIT = -1
ASPARENT = ("ASPARENT", "", -1, -2)


def joined(above: str, below: str) -> str:
    """The topic string of a topic object and one given with it, a slash between them.

    >>> joined("price", "fruit"), joined("", "price")
    ('price/fruit', 'price')
    """
    return "/".join(part for part in (above, below) if part)


def wanted_string(qmgr: Any, attributes: dict[str, Any]) -> str:
    """The topic string that a subscription made now has: its TOPICSTR, below that of TOPICOBJ if it names one; "" if
    there is no such object."""
    topic = topic_named(qmgr, attributes["TOPICOBJ"])
    if topic is None:
        return "" if attributes["TOPICOBJ"] else str(attributes["TOPICSTR"])
    return joined(topic.attributes["TOPICSTR"], attributes["TOPICSTR"])


def matches(wanted: str, string: str) -> bool:
    """Whether a subscription's topic string, ``+`` for one level and ``#`` for any number in it, matches a topic's.

    >>> matches("price/+/oil/#", "price/fruit/oil"), matches("price/+", "price/fruit/oil")
    (True, False)
    """
    levels = string.split("/")
    pieces: list[list[str]] = [[]]  # the levels between the gaps
    for level in wanted.split("/"):
        if level == "#":
            pieces.append([])
        else:
            pieces[-1].append(level)
    first, *between = pieces
    if not between:
        return len(first) == len(levels) and _fits(first, levels, 0)
    last = between.pop()
    begin, end = len(first), len(levels) - len(last)
    if begin > end or not (_fits(first, levels, 0) and _fits(last, levels, end)):
        return False
    for piece in between:  # each gap takes as little as it can, which leaves most to the next ones
        while begin + len(piece) <= end and not _fits(piece, levels, begin):
            begin += 1
        begin += len(piece)
    return begin <= end


def _fits(piece: list[str], levels: list[str], begin: int) -> bool:
    """Whether the levels from one on are those of a piece without gaps."""
    found = levels[begin : begin + len(piece)]
    return found == piece or (
        "+" in piece and all(level in ("+", there) for level, there in zip(piece, found, strict=True))
    )


def like(wanted: str, string: str) -> bool:
    """As `matches` with WSCHEMA(CHAR): ``*`` for any characters, ``?`` for one, and ``%`` before one that is meant.

    >>> like("price/*l", "price/fruit/oil"), like("price/?", "price/oil"), like("50%%", "50%")
    (True, False, True)
    """
    pieces = [""]  # the patterns between asterisks
    for part in re.findall(r"%[*?%]|.", wanted, re.DOTALL):
        if part == "*":
            pieces.append("")
        else:
            pieces[-1] += "." if part == "?" else re.escape(part[-1])
    return between_gaps(pieces).fullmatch(string) is not None


def before_wildcard(wanted: str, by_character: bool) -> str:
    """The topic string of a subscription up to its first wildcard."""
    return re.split(r"[*?]" if by_character else r"(?:^|/)[+#](?:/|$)", wanted, maxsplit=1)[0]


def blocked_by(qmgr: Any, wanted: str, by_character: bool) -> tuple[str, ...]:
    """The topic strings with WILDCARD(BLOCK) now below the first wildcard of a subscription's topic string."""
    fixed = before_wildcard(wanted, by_character)
    blocks = (topic.attributes for topic in qmgr.objects.match(("TOPIC",)) if topic.attributes["WILDCARD"] == "BLOCK")
    strings = (has["TOPICSTR"] for has in blocks if len(has["TOPICSTR"]) > len(fixed))
    return tuple(string for string in strings if string.startswith(fixed)) if fixed != wanted else ()


def at_or_below(string: str, *branches: str) -> bool:
    """Whether a topic string is in one of these branches of the topic tree.

    >>> at_or_below("a/b", "a"), at_or_below("ab", "a")
    (True, False)
    """
    return any(string == branch or string.startswith(f"{branch}/") for branch in branches)


def topic_values(qmgr: Any, string: str, keywords: Iterable[str]) -> dict[str, Any]:
    """Return these attributes as they come down to a topic string from the topic objects above it."""
    cap = cap_at(qmgr, string)
    values = {keyword: inherited(qmgr, string, keyword, "")[0] for keyword in keywords}
    return values | {"CAPEXPRY": "NOLIMIT" if cap is None else cap}


def governing(qmgr: Any, string: str) -> Definition | None:
    """Return the topic object that governs a topic string, the nearest above it; None if there is none."""
    return next(above(qmgr, string), None)


def from_others(qmgr: Any) -> dict[str, Definition]:
    """The topic objects of other queue managers that are also this one's, by topic string."""
    state = qmgr.kept.get("pubsub")
    return {} if state is None else state.topics


def topic_named(qmgr: Any, name: str) -> Definition | None:
    """The topic object of this name; None if there is none."""
    own: Definition | None = qmgr.objects.get("TOPIC", name)
    return own or next((one for one in from_others(qmgr).values() if one.name == name), None)


def above(qmgr: Any, string: str) -> Iterator[Definition]:
    """The topic objects that govern a topic string, the nearest first, SYSTEM.BASE.TOPIC last if it is there. One of
    this queue manager hides one of another with the same topic string."""
    others, lengths = from_others(qmgr), qmgr.objects.lengths("TOPIC")
    if others:
        lengths = sorted({*lengths, *map(len, others)}, reverse=True)
    for length in lengths:  # not each level of the string: it may have thousands
        if length and (length == len(string) or string.startswith("/", length)):
            own = qmgr.objects.having("TOPIC", string[:length])[:1]
            yield from own or [others[string[:length]]] if own or string[:length] in others else []
    root = qmgr.objects.get("TOPIC", ROOT)
    if root is not None:
        yield root


def inherited(qmgr: Any, string: str, keyword: str, otherwise: Any) -> tuple[Any, Definition | None]:
    """The value that the nearest topic object above sets, and that object; `otherwise` and None if none does."""
    for topic in above(qmgr, string):
        if topic.attributes[keyword] not in ASPARENT:
            return topic.attributes[keyword], topic
    return otherwise, None


def cap_at(qmgr: Any, string: str) -> int | None:
    """CAPEXPRY of the topic object that governs a string: the nearest that does not leave it to its parent."""
    for topic in above(qmgr, string):
        cap = cap_of(topic.attributes, qmgr.level)
        if cap is not None or (qmgr.level >= 931 and topic.attributes["CAPEXPRY"] == NOLIMIT):
            return cap
    return None


def require_topic_string(application: Any, target: Any, call: str) -> None:
    """2425 for a topic string that nobody can publish to: empty, or with a wildcard; 2598 for one of $SYS/MQ."""
    string = target.string
    if string.startswith(f"{SYSTEM_BRANCH}/") and application.qmgr.objects.get("TOPIC", SYSTEM_TOPIC) is not None:
        application.refuse(mq.MQRC_ADMIN_TOPIC_STRING_ERROR, "system-branch", target, call, string=string)
    if not string or {"+", "#"} & set(string.split("/")):
        application.refuse(mq.MQRC_TOPIC_STRING_ERROR, "bad-topic-string", target, call, string=string)


def require_enabled(application: Any, target: Any, call: str) -> None:
    """2531 where the queue manager has PSMODE(DISABLED)."""
    if application.qmgr.attributes.get("PSMODE") == "DISABLED":
        application.refuse(mq.MQRC_PUBSUB_INHIBITED, "psmode-disabled", target, call)
