"""Publish and subscribe, as much of it as makes topics real: a publication goes, one copy each, to the queues of the
administrative subscriptions (DEFINE SUB) whose topic string matches.

Left out: subscriptions made by a program or MANAGED, retained publications, a subscription's own EXPIRY, COMMINFO,
clusters and hierarchies. A subscription with a SELECTOR that a publication could match is refused as not simulated.
WILDCARD is asked at each publication, in IBM MQ when the subscription is made. DEFINE SUB keeps a DEST that no queue
has and says so, where IBM MQ refuses it. A SUBUSER that is not given stays blank, where IBM MQ has the user who made
the subscription. Our reading: what IBM's pages say of PutApplType (26) and PutApplName of publications to queues that
register by a message is so of all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..mq import constants as mq
from ..mq.errors import LabError, MQError, NotSimulated
from ..mq.objects import Definition
from ..mq.structures import as_body, as_identifier, encoded
from .clusters import publishes_elsewhere
from .dead_letter import dead_letter
from .message import Descriptor, Message
from .put import Put, check_fields, put
from .queue import TopicAlias, cap_of
from .resolution import full_name
from .transmission import put_direct, transmit

ROOT = "SYSTEM.BASE.TOPIC"
NOLIMIT = -1
ASPARENT = ("ASPARENT", "", -1, -2)
ASPUB, ASQDEF = -3, -1


class TopicString:
    """A topic named by its string: what a publication that names no alias goes to."""

    kind, depth, put_inhibited, cap, defprty, defpsist = "TOPIC", None, False, None, None, None
    about: dict[str, Any] = {}

    def __init__(self, qmgr: Any, string: str):
        if not isinstance(string, str):
            raise LabError(f"topic string must be text such as 'price/fruit'; got {string!r}")
        encoded(string, "topic string")
        self.qmgr, self.name, self.string = qmgr, string, string
        self.queue = self
        topic = governing(qmgr, string)
        self.place = (qmgr.name, topic.name if topic is not None else None, "TOPIC")


TOPICS = (TopicString, TopicAlias)
"""The targets that are topics."""


def putter(target: Any) -> Callable[[Put], Any]:
    """The put for a target: published to a topic, behind a header for a queue elsewhere, checked for a transmission
    queue, with its duplicate for a queue that streams, else onto the queue."""
    if target.kind == "QREMOTE":
        return transmit
    if isinstance(target, TOPICS):
        return publish
    if target.is_xmitq:
        return put_direct
    return put if target.queue.stream is None else target.queue.stream.put


def publish(given: Put) -> list[Message]:
    """Put a copy on the queue of every subscription that matches the target, a TopicString or a TopicAlias.

    The copies as put, in the order of the subscriptions' names; none is no error. Each is a message of its own (our
    reading), put by the queue manager, and the `publish` row is its cause. Its CorrelId is DESTCORL of the
    subscription. In a unit of work it becomes visible at the commit. Its lifetime is lowered by CAPEXPRY of the
    topic object that governs the string, of the alias, and of the queue it goes to (EXP-31). Priority and
    persistence that the publisher leaves open are the alias's defaults, else the topic's; PUBPRTY of the
    subscription wins. A copy that cannot be put goes to the dead-letter queue, unless USEDLQ of the topic is NO. Where
    that does not take it either, PMSGDLV or NPMSGDLV decides: with ALLAVAIL the copy is lost; with ALL and ALLDUR
    (administrative subscriptions are durable) the call fails, nobody gets a copy, and the puts, with those to the
    dead-letter queue, are in one unit of work, the queue manager's where the publisher has none.

    MQError: 2013, 2024, 2050, 2051 (PUT of the alias or PUB of the topic is DISABLED), 2425 for a topic string that is
    empty or holds a wildcard, 2502. NotSimulated when a subscription that matches has a SELECTOR.
    """
    application, target, unit = given.application, given.target, given.unit
    qmgr, string = application.qmgr, target.string
    body = as_body(given.body)
    priority, persistent = _checked(given)
    as_identifier(given.correl_id, "correl_id")
    as_identifier(given.msg_id, "msg_id")
    _require_allowed(given)
    left, rule = _lifetime(qmgr, target, given.expiry)
    found = _subscriptions(qmgr, string)
    if unit is not None:
        unit.require_room(target, "put", len(found))
    detail = {"topic": string, "expiry": left, "subscriptions": [one.name for one in found]}
    topics = ((one, topic) for one in qmgr.lab.queue_managers for topic in _above(one, string))
    if clustered := publishes_elsewhere(qmgr, topics):
        detail["because"] = clustered
    number = None if unit is None else unit.number
    seq = application.record("publish", target.place, "MQI-34", uow=number, detail=detail)
    sender = qmgr.reporter(seq)
    by = qmgr.own_context._replace(put_appl_type=mq.MQAT_QMGR_PUBLISH)
    use_dlq = inherited(qmgr, string, "USEDLQ", "YES")[0] == "YES"
    modes = inherited(qmgr, string, "NPMSGDLV", "ALLAVAIL"), inherited(qmgr, string, "PMSGDLV", "ALLAVAIL")
    all_or_none = modes[persistent][0] != "ALLAVAIL"
    work = sender.unit_of_work() if unit is None and all_or_none and found else unit
    before = (0, 0) if work is None else (len(work.puts), len(work.triggers))
    copies = []
    for subscription in found:
        attributes = subscription.attributes
        wanted = {ASPUB: priority, ASQDEF: None}.get(attributes["PUBPRTY"], attributes["PUBPRTY"])
        correl_id = bytes.fromhex(attributes["DESTCORL"] or attributes["SUBID"]).ljust(24, b"\0")
        try:
            queue = _destination(sender, subscription)
            rest = (given.msg_id, correl_id, given.descriptor, work, given.kind, rule)
            copy = Put(sender, queue, body, left, wanted, persistent, *rest, context=by)
            copies.append(putter(queue)(copy))
        except MQError as refused:
            about = Descriptor(format=given.descriptor.format)
            letter = Put(
                sender, None, body, mq.MQEI_UNLIMITED, wanted, persistent, None, correl_id, about, rule="MQI-34"
            )
            letter.unit = work if all_or_none else None
            if not dead_letter(letter, refused.reason, attributes["DEST"], use_dlq) and all_or_none:
                work.undo_since(*before, refused.seq)
                if work is not unit:
                    work.dissolve()
                said = f"SUB({subscription.name}) cannot have it ({refused.reason}), nor can a dead-letter queue"
                hint = f"let {attributes['DEST']} take it, or set DEADQ"
                given.refuse(mq.MQRC_PUBLICATION_FAILURE, "MQI-34", said, hint)
    if work is not None and work is not unit:
        work.commit("MQI-34")
    return copies


def matches(wanted: str, string: str) -> bool:
    """Whether a subscription's topic string, ``+`` for one level and ``#`` for any number in it, matches a topic's.

    >>> matches("price/+/oil/#", "price/fruit/oil"), matches("price/+", "price/fruit/oil")
    (True, False)
    """
    levels, reached = string.split("/"), {0}
    for level in wanted.split("/"):
        if level == "#":
            reached = set(range(min(reached), len(levels) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(levels) and level in ("+", levels[at])}
        if not reached:
            return False
    return len(levels) in reached


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
    first, *rest = pieces
    # each asterisk takes as little as it can and no second try: no topic string makes this slow
    pattern = first + "".join(f"(?>.*?{piece})" for piece in rest[:-1]) + "".join(f".*{last}" for last in rest[-1:])
    return re.fullmatch(pattern, string, re.DOTALL) is not None


def topic_tree(qmgr: Any, wanted: str, published: Iterable[str]) -> dict[str, list[Definition]]:
    """Topic string of a node of the topic tree that `wanted` matches -> the subscriptions there, by topic string.

    A topic object, a subscription and a publication (`published`, their topic strings) make a node, and those above it.
    """
    made: dict[str, list[Definition]] = {}
    for subscription in qmgr.objects.match(("SUB",)):
        if "SUBID" in subscription.attributes:  # SYSTEM.DEFAULT.SUB is none
            made.setdefault(qmgr.objects.subscribed(subscription.attributes), []).append(subscription)
    nodes = {""}
    for string in (*made, *published, *(topic.attributes["TOPICSTR"] for topic in qmgr.objects.match(("TOPIC",)))):
        nodes |= {string, *(string[:at] for at, character in enumerate(string) if character == "/")}
    return {string: made.get(string, []) for string in sorted(nodes) if matches(wanted, string)}


def topic_values(qmgr: Any, string: str, keywords: Iterable[str]) -> dict[str, Any]:
    """Return these attributes as they come down to a topic string from the topic objects above it."""
    cap = _cap(qmgr, string)
    values = {keyword: inherited(qmgr, string, keyword, "")[0] for keyword in keywords}
    return values | {"CAPEXPRY": "NOLIMIT" if cap is None else cap}


def governing(qmgr: Any, string: str) -> Definition | None:
    """Return the topic object that governs a topic string, the nearest above it; None if there is none."""
    return next(_above(qmgr, string), None)


def _above(qmgr: Any, string: str) -> Iterator[Definition]:
    """The topic objects that govern a topic string, the nearest first, SYSTEM.BASE.TOPIC last if it is there."""
    while string:
        yield from qmgr.objects.having("TOPIC", string)[:1]
        string = string.rpartition("/")[0]
    root = qmgr.objects.get("TOPIC", ROOT)
    if root is not None:
        yield root


def inherited(qmgr: Any, string: str, keyword: str, otherwise: Any) -> tuple[Any, Definition | None]:
    """The value that the nearest topic object above sets, and that object; `otherwise` and None if none does."""
    for topic in _above(qmgr, string):
        if topic.attributes[keyword] not in ASPARENT:
            return topic.attributes[keyword], topic
    return otherwise, None


def _cap(qmgr: Any, string: str) -> int | None:
    """CAPEXPRY of the topic object that governs a string: the nearest that does not leave it to its parent."""
    for topic in _above(qmgr, string):
        cap = cap_of(topic.attributes, qmgr.level)
        if cap is not None or (qmgr.level >= 931 and topic.attributes["CAPEXPRY"] == NOLIMIT):
            return cap
    return None


def _lifetime(qmgr: Any, target: Any, expiry: int) -> tuple[int, str | None]:
    """The publication's lifetime in tenths, and the rule if the topic or the alias lowered it."""
    caps = [cap for cap in (_cap(qmgr, target.string), target.cap) if cap is not None]
    if caps and (expiry == mq.MQEI_UNLIMITED or expiry > min(caps)):
        return min(caps), "EXP-31"
    return expiry, None


def _checked(given: Put) -> tuple[int, bool]:
    """Priority and persistence, checked with the lifetime, and filled in where the publisher leaves them open."""
    target = given.target
    qmgr, string = given.application.qmgr, target.string
    if not string or {"+", "#"} & set(string.split("/")):
        said, hint = f"topic string {string!r}", "text of one level or more, none of them + or #"
        given.refuse(mq.MQRC_TOPIC_STRING_ERROR, "MQI-34", said, hint)
    check_fields(given)
    priority, persistent = given.priority, given.persistent
    if priority is None:
        priority = target.defprty if target.defprty is not None else inherited(qmgr, string, "DEFPRTY", 0)[0]
    if persistent is None:
        topics = inherited(qmgr, string, "DEFPSIST", "NO")[0] == "YES"
        persistent = target.defpsist if target.defpsist is not None else topics
    return priority, persistent


def _require_allowed(given: Put) -> None:
    """2051 where the alias has PUT(DISABLED) or the topic PUB(DISABLED)."""
    target = given.target
    pub, topic = inherited(given.application.qmgr, target.string, "PUB", "ENABLED")
    if target.put_inhibited:
        shut, mend = f"{target.name} has PUT(DISABLED)", f"ALTER QALIAS({target.name}) PUT(ENABLED)"
    elif topic is not None and pub == "DISABLED":
        shut, mend = f"{topic.name} has PUB(DISABLED)", f"ALTER TOPIC({topic.name}) PUB(ENABLED)"
    else:
        return
    given.refuse(mq.MQRC_PUT_INHIBITED, "MQI-11", shut, mend)


def _subscriptions(qmgr: Any, string: str) -> list[Definition]:
    """The subscriptions that a publication to a topic string goes to, by name."""
    found = []
    for subscription in qmgr.objects.match(("SUB",)):
        attributes = subscription.attributes
        if attributes["REQONLY"] == "YES" or attributes["DESTCLAS"] == "MANAGED":
            continue
        wanted = qmgr.objects.subscribed(attributes)
        if not wanted or not (like if attributes["WSCHEMA"] == "CHAR" else matches)(wanted, string):
            continue
        if _blocked(qmgr, wanted, attributes["WSCHEMA"] == "CHAR", string):
            continue
        if attributes["SELECTOR"]:
            raise NotSimulated(f"SUB({subscription.name}) has a SELECTOR: mqlab does not evaluate selectors. DELETE it")
        found.append(subscription)
    return found


def _blocked(qmgr: Any, wanted: str, by_character: bool, string: str) -> bool:
    """Whether a topic with WILDCARD(BLOCK) is below a subscription's first wildcard, and above or at `string`."""
    fixed = re.split(r"[*?]" if by_character else r"(?:^|/)[+#](?:/|$)", wanted, maxsplit=1)[0]
    below = (topic.attributes for topic in _above(qmgr, string) if len(topic.attributes["TOPICSTR"]) > len(fixed))
    return fixed != wanted and any(topic["WILDCARD"] == "BLOCK" for topic in below)


def _destination(sender: Any, subscription: Definition) -> Any:
    """The queue that a subscription's copies go to; MQError 2085 if there is none here."""
    attributes = subscription.attributes
    return sender.resolve(full_name(sender.qmgr, attributes["DEST"], attributes["DESTQMGR"]), "put")
