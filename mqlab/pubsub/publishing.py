"""Publish and subscribe: a publication goes, one copy each, to the queues of the subscriptions whose topic string
matches, and a retained one stays for subscriptions to come.

Of PSPROP, only NONE differs from MSGPROP. DEFINE SUB keeps a DEST that no queue has and says so, where IBM MQ refuses
it. A SUBUSER that is not given stays blank, where IBM MQ has the user who made the subscription.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from ..engine.queues.dead_letter import dead_letter
from ..engine.queues.message import Context, Descriptor, Message, QueuedMessage
from ..engine.queues.options import names_of
from ..engine.queues.properties import Values
from ..engine.queues.put import Put, check_fields, put
from ..engine.queues.put_options import UNACTED
from ..engine.queues.target import NOWHERE, Opened, Target, full_name
from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.arguments import checked
from ..engine.words.errors import LabError, MQError, NotSimulated
from ..engine.words.objects import Definition
from ..engine.words.structures import as_body, as_identifier
from ..engine.world.clock import TENTH
from .state import kept_of, made, state_of
from .topics import (
    ROOT,
    above,
    at_or_below,
    before_wildcard,
    cap_at,
    inherited,
    like,
    matches,
    require_enabled,
    require_topic_string,
)

RETAINED = "SYSTEM.RETAINED.PUB.QUEUE"
ASPUB, ASQDEF = -3, -1


class Publications(list[Message]):
    """The copies of a publication as put, in the order of the subscriptions' names; `warning` is 2550 if none was
    put and the publisher asked for that warning, else 0."""

    warning = 0


class Published(Message):
    """A publication as its publisher put it. `copies` are the messages that subscribers have of it; `number` and
    `msg_id` are those of the first copy, if there is one."""

    __slots__ = ("copies",)

    def __init__(self, record: QueuedMessage, left: int | None, qmgr: Any, copies: Publications):
        self._of, self._expiry, self._qmgr, self._backout_count = record, left, qmgr, 0
        self.copies = copies

    @property
    def warning(self) -> int:  # type: ignore[override]  # a value for other messages
        """2550 if no subscription matched and the publisher asked for that warning, else 0."""
        return self.copies.warning


class Topic(Target, Opened):
    """A target whose puts are published; it counts its own opens, and has no messages."""

    queue = None

    @property
    def string(self) -> str:
        """The topic string."""
        raise NotImplementedError

    def no_input_case(self) -> tuple[str, dict[str, Any]]:
        """The case of the 2045 of an open for input: a topic has no messages."""
        return "topic", {}

    def defaults(self) -> tuple[int | None, bool | None]:
        """The priority and persistence that it gives a publication, None if the topic gives them."""
        return None, None

    def put(self, request: Put) -> Published:
        """Publish one message."""
        return publish(request, self)


@dataclass(slots=True, eq=False)
class Publication(Put):
    """A put to a topic with `options` of publications, a sum of MQPMO values, and its `level`, the PubLevel.

    `came` is the message with which another queue manager sent it to this one.
    """

    options: int = 0
    level: int = 9
    came: QueuedMessage | None = None


class Copied(NamedTuple):
    """The common part of a publication's copies: `left` is their lifetime in tenths of a second, -1 unlimited."""

    body: bytes
    left: int
    priority: int
    persistent: bool
    msg_id: bytes | None
    correl_id: bytes | None
    descriptor: Descriptor
    kind: str = "put"
    rule: str | None = None
    is_retained: bool = False
    was_retained: bool = False


def publish(request: Put, target: Topic) -> Published:
    """Put a copy on the queue of every subscription that matches the target.

    Returns it with its copies; none is no error, and with WARN_IF_NO_SUBS_MATCHED a warning. Each is a message of its
    own, put by the queue manager, and the `publish` row is its cause. Its CorrelId is DESTCORL of the subscription, the
    publisher's where that is all zeros. In a unit of work it becomes visible at the commit. Its lifetime is lowered by
    CAPEXPRY of the topic object that governs the string, of the alias, and of the queue it goes to (EXP-31). Priority
    and persistence that the publisher leaves open are the alias's defaults, else the topic's; PUBPRTY of the
    subscription wins. A copy that cannot be put goes to the dead-letter queue, unless USEDLQ of the topic is NO. Where
    that does not take it either, PMSGDLV or NPMSGDLV decides: with ALLAVAIL the copy is lost; with ALL, and with ALLDUR
    for a durable subscription, the call fails, nobody gets a copy, and the puts, with those to the dead-letter queue,
    are in one unit of work, the queue manager's where the publisher has none. With RETAIN the publication takes the
    place of the one retained for its topic string (MQI-36).

    MQError: 2013, 2024, 2050, 2051 (PUT of the alias or PUB of the topic is DISABLED), 2425 for a topic string that is
    empty or holds a wildcard, 2479, 2502, 2531. NotSimulated when a subscription that matches has a SELECTOR
    with another syntax than MQ's own (PRP-07).
    """
    application, unit = request.application, request.unit
    options = request.options if isinstance(request, Publication) else 0
    came = request.came if isinstance(request, Publication) else None
    qmgr, string = application.qmgr, target.string
    body = as_body(request.body)
    priority, persistent = _checked(request, target)
    correl_id, msg_id = as_identifier(request.correl_id, "correl_id"), as_identifier(request.msg_id, "msg_id")
    _require_allowed(request, target)
    left, rule = _lifetime(qmgr, target, request.expiry)
    descriptor = request.descriptor.copied(mq.MQCOPY_PUBLISH)
    if options & mq.MQPMO_SUPPRESS_REPLYTO:
        descriptor = descriptor._replace(reply_to_q="", reply_to_qmgr="")
    copied = Copied(body, left, priority, persistent, msg_id, correl_id, descriptor, request.kind, rule)
    subscriptions = list(_selecting(application, _subscriptions(qmgr, string), copied))
    if options & mq.MQPMO_NOT_OWN_SUBS:
        own = [opened.definition for opened in state_of(qmgr).subscriptions if opened.application is application]
        subscriptions = [candidate for candidate in subscriptions if candidate not in own]
    level, matching = request.level if isinstance(request, Publication) else 9, len(subscriptions)
    levels = [candidate.attributes["SUBLEVEL"] for candidate in subscriptions]
    top = max((sublevel for sublevel in levels if sublevel <= level), default=0)
    subscriptions = [candidate for candidate in subscriptions if candidate.attributes["SUBLEVEL"] == top]
    if state_of(qmgr).grouped:
        subscriptions = _one_of_each_group(qmgr, subscriptions)
    if (network := state_of(qmgr).network) is not None:
        scope = bool(options & mq.MQPMO_SCOPE_QMGR) or inherited(qmgr, string, "PUBSCOPE", "ALL")[0] == "QMGR"
        came_from = came.context.put_appl_name if came is not None else ""
        subscriptions = network.sends(string, subscriptions, scope, came_from)
    retains = bool(options & mq.MQPMO_RETAIN)
    if retains:
        _require_retainable(request, copied)
        copied = copied._replace(is_retained=True)
    if unit is not None:
        unit.require_room(target, "put", len(subscriptions) + 2 * retains)
    keys = [candidate.key for candidate in subscriptions]
    detail: dict[str, Any] = {"topic": string, "expiry": left, "subscriptions": keys}
    topic = next(above(qmgr, string), None)
    kept = [*names_of("MQPMO_", options & UNACTED, " ").split(), *target.kept]
    if topic is not None and topic.name != ROOT:
        kept += catalog.unacted("TOPIC", topic.attributes, qmgr.platform)
    if kept := [*kept, *(word for each in subscriptions for word in kept_of(each, qmgr.platform))]:
        detail["kept_only"] = list(dict.fromkeys(kept))
    if retains:
        detail["retained"] = True
    copies = Publications()
    if options & mq.MQPMO_WARN_IF_NO_SUBS_MATCHED and not subscriptions:
        copies.warning = detail["warning"] = mq.MQRC_NO_SUBS_MATCHED
    number = None if unit is None else unit.number
    why = "MQI-36" if retains else "MQI-42" if len(subscriptions) < matching else "MQI-34"
    about = {"uow": number, "detail": detail} | ({} if came is None else {"cause": came.seq})
    seq = application.record("publish", target.subject, why, **about)
    sender = qmgr.reporter(seq)
    modes = inherited(qmgr, string, "NPMSGDLV", "ALLAVAIL"), inherited(qmgr, string, "PMSGDLV", "ALLAVAIL")
    mode = modes[persistent][0]
    all_or_none = mode != "ALLAVAIL"
    work = sender.unit_of_work() if unit is None and all_or_none and subscriptions else unit
    before = (0, 0) if work is None else (len(work.puts), len(work.triggers))
    for subscription in subscriptions:
        must = mode == "ALL" or (mode == "ALLDUR" and subscription.attributes["DURABLE"] == "YES")
        copy, refused = send_copy(sender, subscription, string, copied, work, all_or_none)
        if copy is not None:
            copies.append(copy)
        elif refused is not None and work is not None and must:
            work.undo_since(*before, refused.seq)
            if work is not unit:
                work.dissolve()
            fields = {"key": subscription.key, "code": refused.reason, "dest": subscription.attributes["DEST"]}
            request.refuse(mq.MQRC_PUBLICATION_FAILURE, "nobody-took-it", **fields)
    if retains:
        _retain(sender, string, copied, work)
    if work is not None and work is not unit:
        work.commit("MQI-34")
    number, first_id = (copies[0].number, copies[0].msg_id) if copies else (0, msg_id or mq.MQMI_NONE)
    context = request.context or application.context
    record = _as_published(copied, number, first_id, request.descriptor, context, qmgr.clock.time_us)
    return Published(record, None if left == mq.MQEI_UNLIMITED else left, qmgr, copies)


def send_copy(
    sender: Any, subscription: Definition, string: str, copied: Copied, work: Any, all_or_none: bool = False
) -> tuple[Message | None, MQError | None]:
    """Put the copy of a publication for one subscription, or put it on the dead-letter queue: the copy if the
    subscription has it, and the refusal if neither took it."""
    attributes, qmgr = subscription.attributes, sender.qmgr
    wanted = {ASPUB: copied.priority, ASQDEF: None}.get(attributes["PUBPRTY"], attributes["PUBPRTY"])
    own = bytes.fromhex(attributes["DESTCORL"] or attributes["SUBID"]).ljust(24, b"\0")
    correl_id = copied.correl_id if own == mq.MQCI_NONE else own
    try:
        queue = sender.resolve(full_name(qmgr, attributes["DEST"], attributes["DESTQMGR"]), "put")
        lasting = copied.persistent and not (attributes["DESTCLAS"] == "MANAGED" and queue.queue.temporary)
        request = Put(sender, queue, copied.body, copied.left, wanted, lasting, copied.msg_id, correl_id)
        request.descriptor = _described(qmgr, attributes, string, copied)
        request.unit, request.kind, request.rule = work, copied.kind, copied.rule
        request.context = _context(qmgr, attributes)
        return queue.put(request), None
    except MQError as refused:
        about = Descriptor(format=copied.descriptor.format, properties=copied.descriptor.properties)
        letter = Put(sender, NOWHERE, copied.body, mq.MQEI_UNLIMITED, wanted, copied.persistent, None, correl_id, about)
        letter.rule, letter.unit = "MQI-34", work if all_or_none else None
        wanted_at = attributes["DEST"], attributes["DESTQMGR"]
        use_dlq = inherited(qmgr, string, "USEDLQ", "YES")[0] == "YES"
        return None, None if dead_letter(letter, refused.reason, *wanted_at, use_dlq) else refused


def _described(qmgr: Any, attributes: dict, string: str, copied: Copied) -> Descriptor:
    """The descriptor of the copy for a subscription, with the properties that describe the original."""
    # MQTopicString, MQSubUserData, and MQIsRetained, unless PSPROP is NONE
    kept = tuple(each for each in copied.descriptor.properties if each.folder != "mqps")
    if qmgr.level >= 700 and attributes["PSPROP"] != "NONE":
        describing: dict[str, Any] = {"mqps.Top": string}
        if attributes["USERDATA"]:
            describing["mqps.Sud"] = attributes["USERDATA"]
        if copied.was_retained or (copied.is_retained and attributes["SUBTYPE"] == "PROXY"):
            describing["mqps.Ret"] = True
        kept += qmgr.properties.made(describing)
    return copied.descriptor._replace(properties=kept)


def _context(qmgr: Any, attributes: dict) -> Context:
    """The context of the copies for a subscription: put by the queue manager, in the name of the subscriber."""
    token = bytes.fromhex(attributes["PUBACCT"]).ljust(32, b"\0")
    whose = {"user": attributes["SUBUSER"], "accounting_token": token, "appl_identity_data": attributes["PUBAPPID"]}
    context: Context = qmgr.own_context._replace(put_appl_type=mq.MQAT_QMGR_PUBLISH, **whose)
    return context


@checked
def retained(
    qmgr: Any, wanted: str, by_character: bool = False, selector: str = "", blocked: Iterable[str] = ()
) -> list[tuple[str, QueuedMessage]]:
    """The topic strings that a subscription's topic string matches, none of them in a `blocked` branch, and the
    publications retained for them that its selector selects, by topic string."""
    topics, match = state_of(qmgr).retained_topics, like if by_character else matches
    if not any(sign in wanted for sign in ("*?%" if by_character else "+#")):
        topics = topics & {wanted}
    publications = []
    for string in sorted(string for string in topics if match(wanted, string)):
        if not at_or_below(string, *blocked):
            publications += [(string, message) for message in _retained(qmgr, string)]
    if selector:
        chosen = qmgr.properties.compiled(selector)
        if chosen is None:
            raise LabError(f"selector must have MQ's own syntax; got {selector!r:.100}")
        values = qmgr.properties.values
        publications = [(topic, message) for topic, message in publications if chosen.matches(values(message, qmgr))]
    return publications


def send_retained(sender: Any, subscription: Definition, string: str, message: QueuedMessage) -> bool:
    """Put a copy of a retained publication for a subscription; whether it or the dead-letter queue took it."""
    kept = (message.priority, message.persistent, None, message.correl_id, message.descriptor, "put", "MQI-36")
    copied = Copied(message.body, message.expiry(sender.qmgr.clock.time_us), *kept, was_retained=True)
    return send_copy(sender, subscription, string, copied, None)[1] is None


@checked
def forget_retained(application: Any, string: str) -> bool:
    """Remove the publication that is retained for a topic string; whether there was one."""
    existed = bool(_retained(application.qmgr, string))
    if existed:
        application.get(RETAINED, msg_id=_retained_id(string))
    state_of(application.qmgr).retained_topics.discard(string)
    return existed


def _retained(qmgr: Any, string: str) -> list[QueuedMessage]:
    """The publication retained for a topic string, in a list, if there is one that has not expired."""
    queue = qmgr.targets.get(RETAINED)
    found = [] if queue is None else queue.store.matching(_retained_id(string), None)
    now = qmgr.clock.time_us
    return [message for message in found if message.expires_us is None or now < message.expires_us][-1:]


def _retained_id(string: str) -> bytes:
    """The MsgId of the publication retained for a topic string."""
    return blake2b(string.encode(), digest_size=24).digest()


def _require_retainable(request: Put, copied: Copied) -> None:
    """2479 where SYSTEM.RETAINED.PUB.QUEUE cannot take the publication; then nobody gets a copy."""
    queue = request.application.qmgr.targets.get(RETAINED)
    if queue is None or queue.get_inhibited or queue.depth >= queue.room or len(copied.body) > queue.longest:
        request.refuse(mq.MQRC_PUT_NOT_RETAINED, "not-retainable", RETAINED=RETAINED)


def _retain(sender: Any, string: str, copied: Copied, work: Any) -> None:
    """Keep a publication for its topic string, in the place of the one before."""
    queue, id = sender.qmgr.targets[RETAINED], _retained_id(string)
    if _retained(sender.qmgr, string):
        sender.get(RETAINED, msg_id=id, unit=work)
    kept = (copied.left, copied.priority, copied.persistent, id, copied.correl_id)
    put(Put(sender, queue, copied.body, *kept, copied.descriptor, work, rule="MQI-36"), queue.queue)
    state_of(sender.qmgr).retained_topics.add(string)


def _lifetime(qmgr: Any, target: Topic, expiry: int) -> tuple[int, str | None]:
    """The publication's lifetime in tenths, and the rule if the topic or the alias lowered it."""
    caps = [cap for cap in (cap_at(qmgr, target.string), target.cap) if cap is not None]
    if caps and (expiry == mq.MQEI_UNLIMITED or expiry > min(caps)):
        return min(caps), "EXP-31"
    return expiry, None


def _checked(request: Put, target: Topic) -> tuple[int, bool]:
    """Priority and persistence, checked with the lifetime, and filled in where the publisher leaves them open."""
    qmgr, string = request.application.qmgr, target.string
    require_topic_string(request.application, target, request.kind)
    check_fields(request)
    (priority, persistent), (default, lasting) = (request.priority, request.persistent), target.defaults()
    if priority is None:
        priority = inherited(qmgr, string, "DEFPRTY", 0)[0] if default is None else default
    if persistent is None:
        persistent = inherited(qmgr, string, "DEFPSIST", "NO")[0] == "YES" if lasting is None else lasting
    return priority, persistent


def _require_allowed(request: Put, target: Topic) -> None:
    """2051 where the alias has PUT(DISABLED) or the topic PUB(DISABLED), 2531 where PSMODE is DISABLED."""
    require_enabled(request.application, target, request.kind)
    pub, topic = inherited(request.application.qmgr, target.string, "PUB", "ENABLED")
    if target.put_inhibited:
        request.refuse(mq.MQRC_PUT_INHIBITED, "alias-disabled", alias=target.name)
    if topic is not None and pub == "DISABLED":
        request.refuse(mq.MQRC_PUT_INHIBITED, "topic-disabled", topic=topic.name)


def _subscriptions(qmgr: Any, string: str) -> list[Definition]:
    """The subscriptions that a publication to a topic string goes to, by name."""
    subscriptions = []
    for subscription in state_of(qmgr).index.candidates(qmgr, string):
        attributes = subscription.attributes
        if attributes["REQONLY"] == "YES":
            continue
        wanted, blocked = made(qmgr, subscription)
        if not wanted or at_or_below(string, *blocked):
            continue
        if (like if attributes["WSCHEMA"] == "CHAR" else matches)(wanted, string):
            subscriptions.append(subscription)
    return subscriptions


GROUPS = ("DEST", "DESTQMGR", "DESTCORL")
"""The attributes that subscriptions of one group share (MQSO_GROUP_SUB)."""


def _one_of_each_group(qmgr: Any, subscriptions: list[Definition]) -> list[Definition]:
    """The subscriptions without those of a group that has a more significant one: with more before its wildcard."""
    best: dict[tuple, Definition] = {}
    grouped = [candidate for candidate in subscriptions if candidate.attributes["SUBID"] in state_of(qmgr).grouped]
    for subscription in grouped:
        key = tuple(subscription.attributes[keyword] for keyword in GROUPS)
        other = best.setdefault(key, subscription)
        if _before_wildcard(qmgr, subscription) > _before_wildcard(qmgr, other):
            best[key] = subscription
    less = [subscription for subscription in grouped if subscription not in best.values()]
    return [subscription for subscription in subscriptions if subscription not in less]


def _before_wildcard(qmgr: Any, subscription: Definition) -> int:
    """The length of the topic string of a subscription up to its first wildcard."""
    return len(before_wildcard(made(qmgr, subscription).string, subscription.attributes["WSCHEMA"] == "CHAR"))


def _selecting(application: Any, subscriptions: list[Definition], copied: Copied) -> Iterator[Definition]:
    """Those of the subscriptions whose SELECTOR, if they have one, selects the publication (PRP-07)."""
    values: Any = None
    for subscription in subscriptions:
        if text := subscription.attributes["SELECTOR"]:
            if values is None:
                values = _values(application, copied)
            selector = application.qmgr.properties.compiled(text)
            if selector is None:
                said = f"SUB({subscription.key}) has a SELECTOR with another syntax than MQ's own: {text!r:.100}"
                raise NotSimulated(f"{said}. mqlab does not simulate extended selection. DELETE it")
            if not selector.matches(values):
                continue
        yield subscription


def _values(application: Any, copied: Copied) -> Values:
    """The values of a publication's properties and of the fields of its descriptor, by name."""
    now, descriptor, context = application.qmgr.clock.time_us, copied.descriptor, application.context
    message = _as_published(copied, 0, copied.msg_id or mq.MQMI_NONE, descriptor, context, now)
    return application.qmgr.properties.values(message, application.qmgr)


def _as_published(
    copied: Copied, number: int, msg_id: bytes, descriptor: Descriptor, context: Context, now: int
) -> QueuedMessage:
    """A publication, on no queue."""
    identity = (number, msg_id, copied.correl_id, copied.body, context, descriptor)
    message = QueuedMessage(*identity, copied.priority, copied.persistent, now, now)
    message.expires_us = None if copied.left == mq.MQEI_UNLIMITED else now + copied.left * TENTH
    return message
