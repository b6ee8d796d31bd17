"""MQSUB and MQSUBRQ: the subscriptions that programs make, resume, alter, and ask for retained publications (MQI-37).

Of the subscriptions of a group (MQSO_GROUP_SUB: same queue, same CorrelId), only the most significant one gets a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

from ..engine.queues import dynamic_queues
from ..engine.queues.handle import Handle, until_none
from ..engine.queues.message import Message
from ..engine.queues.options import at_most_one, bits, like, names_of, never_with
from ..engine.queues.target import Target, full_name
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import MQError
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds
from . import streaming, subscriptions
from .publishing import GROUPS, retained, send_retained
from .state import kept_of, made, state_of
from .structures import SD, SRO
from .topics import joined, require_enabled, topic_named, topic_values

_HOW = bits("MQSO_", "CREATE RESUME ALTER")
_WILDCARDS = bits("MQSO_", "WILDCARD_CHAR WILDCARD_TOPIC")
_USERS = bits("MQSO_", "FIXED_USERID ANY_USERID")
_READS = bits("MQSO_", "READ_AHEAD NO_READ_AHEAD")
_OTHERS = bits(
    "MQSO_",
    "DURABLE GROUP_SUB MANAGED SET_IDENTITY_CONTEXT NO_MULTICAST PUBLICATIONS_ON_REQUEST NEW_PUBLICATIONS_ONLY "
    "FAIL_IF_QUIESCING ALTERNATE_USER_AUTHORITY SET_CORREL_ID SCOPE_QMGR",
)
_UNACTED = _READS | bits("MQSO_", "NO_MULTICAST ALTERNATE_USER_AUTHORITY")
_NEVER_WITH = ((mq.MQSO_NEW_PUBLICATIONS_ONLY, mq.MQSO_PUBLICATIONS_ON_REQUEST), (mq.MQSO_GROUP_SUB, mq.MQSO_MANAGED))
_WAYS = {
    "create": mq.MQSO_CREATE,
    "resume": mq.MQSO_RESUME,
    "create or resume": mq.MQSO_CREATE | mq.MQSO_RESUME,
    "alter": mq.MQSO_ALTER,
    "create or alter": mq.MQSO_CREATE | mq.MQSO_ALTER,
}
"""The options of MQSUB for each word of `Application.subscribe`."""
_SCHEMAS = {"topic": mq.MQSO_WILDCARD_TOPIC, "character": mq.MQSO_WILDCARD_CHAR}


class Subscription:
    """An open subscription (MQSUB gives it, `close` ends it); also a ``with`` block that closes.

    `queue` is the handle on the queue that its publications go to; `opened` is whether MQSUB opened it, so that
    `close` closes it too. `definition` is what DISPLAY SUB shows.
    """

    def __init__(self, application: Any, definition: Definition, queue: Handle, opened: bool):
        self.application, self.definition, self.queue, self.opened = application, definition, queue, opened
        self.qmgr, self.is_open = application.qmgr, True
        self._made = made(self.qmgr, definition)
        application.others_open += 1
        state_of(self.qmgr).subscriptions.append(self)

    @property
    def name(self) -> str:
        """SubName; empty for a subscription without a name."""
        return self.definition.name

    @property
    def topic_string(self) -> str:
        """The topic string that it subscribes to, wildcards included."""
        return self._made.string

    @like(Handle.get)
    def get(self, *args: Any, **options: Any) -> Message | None:
        """Get one publication (MQGET of its queue): as `mqlab.engine.queues.handle.Handle.get`."""
        return self.queue.get(*args, **options)

    @like(Handle.get)
    def get_each(self, **options: Any) -> Iterator[Message]:
        """Get and yield publications until none is left (2033). Options as `get`."""
        return until_none(partial(self.get, **options))

    @like(Handle.get)
    def drain(self, **options: Any) -> list[Message]:
        """Get until no publication is left (2033) and return them. Options as `get`."""
        return list(self.get_each(**options))

    def request(self, sro: SRO | None = None, action: int = mq.MQSR_ACTION_PUBLICATION) -> int:
        """Ask for the retained publications of its topics (MQSUBRQ); how many were sent, also in NumPubs of `sro`.

        MQError 2019 when closed, 2046, 2437 if none is retained, 2523 if the subscription has ended, 2526, 2535.
        """
        require("sro", sro, SRO | None, "an SRO, or None")
        application, attributes = self.application, self.definition.attributes
        application.require_running("request")
        self._require_open("request")
        if sro is not None and (unknown := sro.Options & ~mq.MQSRO_FAIL_IF_QUIESCING):
            fields = {"unknown": f"{unknown:#x}", "kind": "MQSRO"}
            self._refuse(mq.MQRC_OPTIONS_ERROR, "unknown-options", "request", **fields)
        if not self._is_there():
            self._refuse(mq.MQRC_INVALID_SUBSCRIPTION, "subscription-ended", "request")
        if action != mq.MQSR_ACTION_PUBLICATION or attributes["REQONLY"] != "YES":
            self._refuse(mq.MQRC_ACTION_ERROR, "not-on-request", "request")
        by_character, selector = attributes["WSCHEMA"] == "CHAR", attributes["SELECTOR"]
        publications = retained(self.qmgr, self.topic_string, by_character, selector, self._made.blocked)
        if not publications:
            self._refuse(mq.MQRC_NO_RETAINED_MSG, "nothing-retained", "request")
        detail = {"topic": self.topic_string, "publications": len(publications)}
        seq = application.record("request", self._place, "MQI-36", detail=detail)
        _send(application, self.definition, publications, seq, "request")
        if sro is not None:
            sro.NumPubs = len(publications)
        return len(publications)

    def unsubscribe(self, *, keep: bool = False, remove: bool = False) -> None:
        """Close the handle of the subscription alone (MQCLOSE of the Hsub), and leave that of its queue open.

        A durable subscription stays, unless `remove` is given (MQCO_REMOVE_SUB); one that is not durable ends. MQError
        2019 when closed, 2045 for `keep` (MQCO_KEEP_SUB) of a subscription that is not durable, 2046 for both.
        """
        for word, flag in (("keep", keep), ("remove", remove)):
            require(word, flag, bool)
        self.qmgr.clock.passing.require_here()
        self._require_open("close")
        durable = self.definition.attributes["DURABLE"] == "YES"
        if keep and remove:
            self._refuse(mq.MQRC_OPTIONS_ERROR, "keep-and-remove", "close")
        if keep and not durable:
            self._refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, "keep-not-durable", "close")
        self.is_open = False
        state_of(self.qmgr).subscriptions.remove(self)
        self.application.others_open -= 1
        kept = durable and not remove
        detail = {"topic": self.topic_string, "kept": kept}
        seq = self.application.record("unsubscribe", self._place, "MQI-38", detail=detail)
        if not kept and self._is_there():
            subscriptions.remove(self.qmgr, self.definition, self.application.caller, seq)

    def close(self, *, keep: bool = False, remove: bool = False) -> None:
        """As `unsubscribe`, and then close the handle of its queue if MQSUB opened that."""
        self.unsubscribe(keep=keep, remove=remove)
        if self.opened and self.queue.target is not None:
            self.queue.close()

    def _is_there(self) -> bool:
        """Whether the subscription has not ended meanwhile, by a command or because it expired."""
        found: bool = self.qmgr.objects.named("SUB", self.definition.key) is self.definition
        return found

    def _require_open(self, call: str) -> None:
        if not self.is_open:
            self._refuse(mq.MQRC_HOBJ_ERROR, "subscription-closed", call)

    def _refuse(self, reason: int, case: str, call: str, **fields: object) -> None:
        self.application.refuse(reason, case, None, call, self.definition.key, **fields)

    @property
    def _place(self) -> tuple[str, str, str]:
        return subscriptions.place_of(self.qmgr, self.definition)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        if self.is_open:
            self.close()

    def __repr__(self) -> str:
        return f"Subscription({self.definition.key!r} to {self.topic_string!r}, {'open' if self.is_open else 'closed'})"


def subscribe(application: Any, sd: SD, handle: Handle | None = None) -> Subscription:
    """Create, resume or alter the subscription that `sd` describes (MQSUB); `sd` is updated as MQ does.

    `handle` is the open queue that publications go to; with MQSO_MANAGED the queue manager makes a queue, and opens it.
    MQError 2013, 2017, 2019, 2046, 2050, 2085, 2424, 2425, 2428, 2429, 2432, 2434, 2436, 2440, 2503, 2509, 2510, 2512,
    2522 to 2524, 2526, 2531, 2533.
    """
    application.require_running("subscribe")
    qmgr, options, name = application.qmgr, sd.Options, sd.SubName
    _check_options(application, options)
    require_enabled(application, None, "subscribe")
    if options & mq.MQSO_DURABLE and application.admission is not None and application.admission.anywhere:
        _refuse(mq.MQRC_RECONNECT_Q_MGR_REQD, "durable-anywhere", application, sd)
    if not name and options & (mq.MQSO_DURABLE | mq.MQSO_RESUME | mq.MQSO_ALTER):
        _refuse(mq.MQRC_SUB_NAME_ERROR, "name-needed", application, sd)
    present = qmgr.objects.get("SUB", name) if name else None
    with _counted(application, handle is None):  # the handle of a managed queue
        application.require_handle(None, "subscribe", name or sd.ObjectString)
    if present is None:
        if not options & mq.MQSO_CREATE:
            _refuse(mq.MQRC_NO_SUBSCRIPTION, "no-subscription", application, sd)
        made = _create(application, sd, handle)
    else:
        made = _resume(application, sd, present, handle)
    _update(sd, made)
    return made


@contextmanager
def _counted(application: Any, number: int) -> Iterator[None]:
    """Count handles that are about to be opened as open."""
    application.others_open += number
    try:
        yield
    finally:
        application.others_open -= number


_FLAGS = (mq.MQSO_DURABLE, mq.MQSO_PUBLICATIONS_ON_REQUEST, mq.MQSO_NEW_PUBLICATIONS_ONLY, mq.MQSO_MANAGED)
_FIELDS: tuple[str, ...] = ("ObjectString", "ObjectName", "SubName", "SubExpiry", "PubPriority", "SubCorrelId")
_FIELDS += ("SubUserData", "SelectionString", "SubLevel")
"""The options and fields of an SD that keywords of `Application.subscribe` give, in order."""


def described(how: str, wildcards: str, flags: tuple[bool, ...], fields: tuple[Any, ...]) -> SD:
    """The SD that the keywords of `Application.subscribe` say; LabError for a value that is none of theirs."""
    require("how", how, str, f"one of {', '.join(_WAYS)}", _WAYS.__contains__)
    require("wildcards", wildcards, str, '"topic" or "character"', _SCHEMAS.__contains__)
    for flag in flags:
        require("durable, on_request and new_only", flag, bool)
    asked = dict(zip(_FLAGS, flags, strict=True))
    options = _WAYS[how] | _SCHEMAS[wildcards] | sum(option for option, flag in asked.items() if flag)
    values = dict(zip(_FIELDS, fields, strict=True))
    if values["SubCorrelId"] is None:
        del values["SubCorrelId"]
    else:
        options |= mq.MQSO_SET_CORREL_ID
    return SD(Options=options, **values)


def _check_options(application: Any, options: int) -> None:
    """2046 for options that MQ does not take together, or at all."""
    known = _HOW | _WILDCARDS | _USERS | _READS | _OTHERS
    if unknown := options & ~known:
        fields = {"unknown": f"{unknown:#x}", "kind": "MQSO"}
        application.refuse(mq.MQRC_OPTIONS_ERROR, "unknown-options", None, "subscribe", **fields)
    if not options & _HOW:
        application.refuse(mq.MQRC_OPTIONS_ERROR, "no-create-resume-alter", None, "subscribe")
    at_most_one(application, None, "subscribe", "MQSO_", options, _WILDCARDS, _USERS, _READS)
    never_with(application, None, "subscribe", "MQSO_", options, _NEVER_WITH)
    if options & mq.MQSO_NEW_PUBLICATIONS_ONLY and not options & mq.MQSO_CREATE:
        application.refuse(mq.MQRC_OPTIONS_ERROR, "new-publications-only", None, "subscribe")
    if options & mq.MQSO_GROUP_SUB and not options & mq.MQSO_SET_CORREL_ID:
        application.refuse(mq.MQRC_OPTIONS_ERROR, "group-sub-not-managed", None, "subscribe")


def _refuse(reason: int, case: str, application: Any, sd: SD, **fields: object) -> None:
    raise application.refusal(Grounds(reason, case, fields), None, "subscribe", sd.SubName or sd.ObjectString)


def _topic(application: Any, sd: SD) -> str:
    """The topic string of an SD: ObjectString, below that of the topic object. MQError 2085, 2425."""
    named = topic_named(application.qmgr, sd.ObjectName)
    if sd.ObjectName and named is None:
        _refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "no-topic-object", application, sd, topic=sd.ObjectName)
    string = joined("" if named is None else named.attributes["TOPICSTR"], sd.ObjectString)
    if not string:
        _refuse(mq.MQRC_TOPIC_STRING_ERROR, "no-topic-given", application, sd)
    return string


def _create(application: Any, sd: SD, handle: Any) -> Subscription:
    """Make the subscription, its managed queue, and its handle, and send it what is retained for its topics."""
    qmgr, options = application.qmgr, sd.Options
    string, durable = _topic(application, sd), bool(options & mq.MQSO_DURABLE)
    if qmgr.guard is not None:
        qmgr.guard.other(application, "subscribe", "TOPIC", string, "SUB")
        if handle is not None and isinstance(handle.target, Target):
            qmgr.guard.named(application, "subscribe", handle.name, handle.target, "PUT")
    topic = topic_values(qmgr, string, ("SUB", "DURSUB"))
    if topic["SUB"] == "DISABLED":
        _refuse(mq.MQRC_SUB_INHIBITED, "topic-disabled-for-subscribing", application, sd)
    if durable and topic["DURSUB"] == "NO":
        _refuse(mq.MQRC_DURABILITY_NOT_ALLOWED, "not-durable-here", application, sd)
    if durable and (grounds := subscriptions.why_not_kept(qmgr)) is not None:
        raise application.refusal(grounds, None, "subscribe", sd.SubName)
    if sd.SelectionString:
        qmgr.properties.selection(application, "subscribe", sd.SubName or sd.ObjectString, sd.SelectionString)
    attributes = _attributes(application, sd, {})
    wanted = {"TOPICSTR": sd.ObjectString, "TOPICOBJ": sd.ObjectName, "DURABLE": "YES" if durable else "NO"}
    wanted |= {"WSCHEMA": "CHAR" if options & mq.MQSO_WILDCARD_CHAR else "TOPIC", "SUBLEVEL": sd.SubLevel}
    wanted |= {"SUBSCOPE": "QMGR" if options & mq.MQSO_SCOPE_QMGR else "ALL", "SELECTOR": sd.SelectionString}
    wanted |= {"DESTCLAS": "MANAGED" if options & mq.MQSO_MANAGED else "PROVIDED", "SUBUSER": application.context.user}
    if options & mq.MQSO_MANAGED:
        model = subscriptions.managed_model(qmgr, sd.SubName, string, durable, "subscribe")
        dest = {"DEST": subscriptions.managed_name(qmgr, durable), "DESTQMGR": qmgr.name}
    else:
        dest = _provided(application, sd, handle, durable)
    if options & mq.MQSO_GROUP_SUB:
        _require_group(application, sd, string, {**attributes, **dest})
    definition = subscriptions.made_by_program(qmgr, sd.SubName, {**attributes, **wanted, **dest})
    if options & mq.MQSO_GROUP_SUB:
        state_of(qmgr).grouped.add(definition.attributes["SUBID"])
    publications = []
    if not options & (mq.MQSO_NEW_PUBLICATIONS_ONLY | mq.MQSO_PUBLICATIONS_ON_REQUEST) and sd.SubLevel <= 1:
        by_character, blocked = bool(options & mq.MQSO_WILDCARD_CHAR), made(qmgr, definition).blocked
        publications = retained(qmgr, string, by_character, sd.SelectionString, blocked)
    seq = _record(application, definition, "create", options)
    qmgr.record("define", subscriptions.place_of(qmgr, definition), "MQI-37", cause=seq, detail=definition.attributes)
    opened = None
    try:
        if options & mq.MQSO_MANAGED:
            dynamic_queues.create(application, model, dest["DEST"])
            handle = opened = application.open(dest["DEST"], input="as_q_def")
        _send(application, definition, publications, seq, "subscribe")
    except MQError as refused:
        subscriptions.remove(qmgr, definition, application.caller, refused.seq)
        if opened is not None:
            opened.close()
        raise
    subscriptions.arm(qmgr, definition)
    return Subscription(application, definition, handle, bool(options & mq.MQSO_MANAGED))


def _require_group(application: Any, sd: SD, string: str, attributes: dict) -> None:
    """2046 for a group without a CorrelId, 2514 for a second subscription of a group to the same topic string."""
    if sd.SubCorrelId == mq.MQCI_NONE:
        application.refuse(mq.MQRC_OPTIONS_ERROR, "group-sub-correl-id", None, "subscribe")
    objects, grouped = application.qmgr.objects, state_of(application.qmgr).grouped
    for subscription in objects.match(("SUB",)):
        has = subscription.attributes
        in_group = has.get("SUBID") in grouped and all(has[each] == attributes[each] for each in GROUPS)
        if in_group and made(application.qmgr, subscription).string == string:
            _refuse(mq.MQRC_DUPLICATE_GROUP_SUB, "same-topic-string", application, sd, key=subscription.key)


def _attributes(application: Any, sd: SD, has: dict) -> dict[str, Any]:
    """The attributes of a subscription that an ALTER may change too; `has` are those before."""
    # MQError 2013, 2050, 2424
    if sd.SubExpiry != mq.MQEI_UNLIMITED and sd.SubExpiry <= 0:
        _refuse(mq.MQRC_EXPIRY_ERROR, "subexpiry", application, sd, subexpiry=sd.SubExpiry)
    if sd.PubPriority not in (mq.MQPRI_PRIORITY_AS_PUBLISHED, mq.MQPRI_PRIORITY_AS_Q_DEF, *range(10)):
        _refuse(mq.MQRC_PRIORITY_ERROR, "pubpriority", application, sd, pubpriority=sd.PubPriority)
    if not 0 <= sd.SubLevel <= (1 if sd.Options & mq.MQSO_PUBLICATIONS_ON_REQUEST else 9):
        _refuse(mq.MQRC_SD_ERROR, "sublevel", application, sd, sublevel=sd.SubLevel)
    attributes = {"EXPIRY": sd.SubExpiry, "PUBPRTY": sd.PubPriority, "USERDATA": sd.SubUserData}
    attributes["REQONLY"] = "YES" if sd.Options & mq.MQSO_PUBLICATIONS_ON_REQUEST else "NO"
    attributes["VARUSER"] = "ANY" if sd.Options & mq.MQSO_ANY_USERID else "FIXED"
    if sd.Options & mq.MQSO_SET_CORREL_ID:
        attributes["DESTCORL"] = sd.SubCorrelId.hex().upper()
    if sd.Options & mq.MQSO_SET_IDENTITY_CONTEXT:
        attributes |= {"PUBACCT": sd.PubAccountingToken.hex().upper(), "PUBAPPID": sd.PubApplIdentityData}
    return has | attributes


def _provided(application: Any, sd: SD, handle: Any, durable: bool) -> dict[str, str]:
    """DEST and DESTQMGR of a queue that the program has open. MQError 2019, 2522."""
    target: Any = getattr(handle, "target", None)
    if not isinstance(handle, Handle) or target is None or handle.application is not application:
        _refuse(mq.MQRC_HOBJ_ERROR, "queue-not-open", application, sd, handle=f"{handle!r:.60}")
    remote = target.kind == "QREMOTE"
    if target.queue is None or not (handle.input or handle.can_browse or remote):
        _refuse(mq.MQRC_HOBJ_ERROR, "not-opened-to-get", application, sd, handle=handle.name)
    if durable and handle.queue.temporary:
        _refuse(mq.MQRC_INVALID_DESTINATION, "temporary-queue", application, sd, handle=handle.name)
    streaming.require_streamable(application.qmgr, "SUB", sd.SubName, {"DEST": handle.name}, None, "subscribe")
    queue, at = target.destination if remote else (handle.name, application.qmgr.name)
    return {"DEST": queue, "DESTQMGR": at}


def _resume(application: Any, sd: SD, present: Definition, handle: Handle | None) -> Subscription:
    """Open a subscription that exists, altered if the options say so."""
    qmgr, has, options = application.qmgr, present.attributes, sd.Options
    if not options & (mq.MQSO_RESUME | mq.MQSO_ALTER):
        _refuse(mq.MQRC_SUB_ALREADY_EXISTS, "name-taken", application, sd)
    if "SUBID" not in has:
        _refuse(mq.MQRC_INVALID_SUBSCRIPTION, "only-defaults", application, sd)
    if any(one.definition is present for one in state_of(qmgr).subscriptions):
        _refuse(mq.MQRC_SUBSCRIPTION_IN_USE, "in-use", application, sd)
    user = application.context.user
    if has["VARUSER"] == "FIXED" and has["SUBUSER"] not in ("", user):
        _refuse(mq.MQRC_IDENTITY_MISMATCH, "fixed-user", application, sd, user=user, owner=has["SUBUSER"])
    if qmgr.guard is not None:
        qmgr.guard.other(application, "subscribe", "TOPIC", made(qmgr, present).string, "RESUME")
    altered = _altered(application, sd, present, handle) if options & mq.MQSO_ALTER else {}
    seq = _record(application, present, "alter" if altered else "resume", options)
    if has["SUBUSER"] != user:  # the publications from now on are this user's
        altered["SUBUSER"] = user
    if altered:
        has.update(altered)
        qmgr.record("alter", subscriptions.place_of(qmgr, present), "MQI-37", cause=seq, detail=altered)
        subscriptions.arm(qmgr, present)
    if handle is None or has["DESTCLAS"] == "MANAGED":
        handle, opened = _open_destination(application, sd, has), True
    else:
        opened = False
    return Subscription(application, present, handle, opened)


def _open_destination(application: Any, sd: SD, has: dict) -> Handle:
    """The queue of a subscription, open for input. MQError 2522 if it is not there."""
    name = full_name(application.qmgr, has["DEST"], has["DESTQMGR"])
    try:
        handle: Handle = application.open(name, input="as_q_def")
    except MQError as refused:
        if refused.reason in (mq.MQRC_UNKNOWN_OBJECT_NAME, mq.MQRC_Q_DELETED):
            _refuse(mq.MQRC_INVALID_DESTINATION, "queue-gone", application, sd, queue=name)
        raise
    return handle


def _altered(application: Any, sd: SD, present: Definition, handle: Handle | None) -> dict[str, Any]:
    """The attributes that an ALTER changes. MQError 2509, 2510, 2512, 2524, 2533 for one that nobody can change."""
    has, options = present.attributes, sd.Options
    durable, managed = bool(options & mq.MQSO_DURABLE), bool(options & mq.MQSO_MANAGED)
    string = made(application.qmgr, present).string
    for differs, reason in (
        (bool(sd.ObjectString + sd.ObjectName) and _topic(application, sd) != string, mq.MQRC_TOPIC_NOT_ALTERABLE),
        (durable != (has["DURABLE"] == "YES"), mq.MQRC_DURABILITY_NOT_ALTERABLE),
        (sd.SubLevel != has["SUBLEVEL"], mq.MQRC_SUBLEVEL_NOT_ALTERABLE),
        (sd.SelectionString not in ("", has["SELECTOR"]), mq.MQRC_SELECTOR_NOT_ALTERABLE),
        (managed != (has["DESTCLAS"] == "MANAGED"), mq.MQRC_DEST_CLASS_NOT_ALTERABLE),
    ):
        if differs:
            _refuse(reason, "would-change", application, sd)
    wanted = _attributes(application, sd, {})
    if handle is not None and not managed:
        wanted |= _provided(application, sd, handle, durable)
    changed = {keyword: value for keyword, value in wanted.items() if has[keyword] != value}
    if has["SUBID"] in state_of(application.qmgr).grouped and changed.keys() & set(GROUPS):
        _refuse(mq.MQRC_GROUPING_NOT_ALTERABLE, "group-would-change", application, sd)
    return changed


def _record(application: Any, definition: Definition, how: str, options: int) -> int:
    """The row of an MQSUB."""
    qmgr, has = application.qmgr, definition.attributes
    detail: dict[str, Any] = {"how": how, "topic": made(qmgr, definition).string, "to": has["DEST"]}
    kept = [*names_of("MQSO_", options & _UNACTED, " ").split(), *kept_of(definition, qmgr.platform)]
    detail |= {"kept_only": kept} if kept else {}
    seq: int = application.record("subscribe", subscriptions.place_of(qmgr, definition), "MQI-37", detail=detail)
    return seq


def _send(application: Any, definition: Definition, publications: list, cause: int, call: str) -> None:
    """Send retained publications to a subscription."""
    # MQError 2526 if neither its queue nor the dead-letter queue accepts one
    qmgr = application.qmgr
    sender = qmgr.reporter(cause)
    for string, message in publications:
        if not send_retained(sender, definition, string, message):
            reason, key, dest = mq.MQRC_RETAINED_NOT_DELIVERED, definition.key, definition.attributes["DEST"]
            application.refuse(reason, "queue-takes-none", None, call, key, dest=dest)


def _update(sd: SD, made: Subscription) -> None:
    """Write what MQSUB returns into the SD."""
    has = made.definition.attributes
    flags = {
        mq.MQSO_DURABLE: has["DURABLE"] == "YES",
        mq.MQSO_MANAGED: has["DESTCLAS"] == "MANAGED",
        mq.MQSO_WILDCARD_CHAR: has["WSCHEMA"] == "CHAR",
        mq.MQSO_WILDCARD_TOPIC: has["WSCHEMA"] != "CHAR",
        mq.MQSO_PUBLICATIONS_ON_REQUEST: has["REQONLY"] == "YES",
    }
    sd.Options = (sd.Options & ~sum(flags)) | sum(option for option, flag in flags.items() if flag)
    sd.SubCorrelId = bytes.fromhex(has["DESTCORL"] or has["SUBID"])
    sd.ResObjectString, sd.SubUserData, sd.SelectionString = made.topic_string, has["USERDATA"], has["SELECTOR"]
    sd.PubPriority, sd.SubExpiry, sd.SubLevel = has["PUBPRTY"], has["EXPIRY"], has["SUBLEVEL"]
    sd.PubAccountingToken = bytes.fromhex(has["PUBACCT"])
    sd.PubApplIdentityData = has["PUBAPPID"]


def disconnect(qmgr: Any, application: Any = None) -> None:
    """Close the open subscriptions of an application, or everyone's, as the end of a connection does."""
    for one in [each for each in state_of(qmgr).subscriptions if application in (None, each.application)]:
        one.unsubscribe()
