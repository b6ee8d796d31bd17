"""The lives of subscriptions: their managed queues, their expiry, and their ends (MQI-38).

A subscription expires on time, where IBM MQ may notice it later; while its queue manager is ended, it waits for the
start.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from ..engine.queues import administration, dynamic_queues
from ..engine.queues.administration import origin, stamp
from ..engine.words import constants as mq
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds
from ..engine.words.whys import Why
from ..engine.world.clock import TENTH
from .state import made, state_of
from .topics import inherited, wanted_string
from .whys import Expired

KEPT_ON = "SYSTEM.DURABLE.SUBSCRIBER.QUEUE"
"""The queue on which a queue manager keeps its durable subscriptions."""


def prepared(qmgr: Any, name: str, attributes: dict[str, Any], like: str | None) -> dict[str, Any]:
    """The attributes of a subscription that is defined; with DESTCLAS(MANAGED), and the name of its queue. MQError 2522
    if the model queue of such a queue cannot be used."""
    model_of = qmgr.objects.get("SUB", like) if like is not None else None
    if model_of is not None:
        attributes = {"DESTCLAS": model_of.attributes["DESTCLAS"], **attributes}
    if attributes.get("DESTCLAS") != "MANAGED":
        return attributes
    present = qmgr.objects.get("SUB", name)
    if present is not None and present.attributes["DESTCLAS"] == "MANAGED":
        return {**attributes, **{key: present.attributes[key] for key in ("DEST", "DESTQMGR")}}
    _model(qmgr, name, attributes)
    return {**attributes, "DEST": managed_name(qmgr, True), "DESTQMGR": qmgr.name}


def _model(qmgr: Any, name: str, attributes: dict[str, Any]) -> Definition:
    about = {"TOPICSTR": "", "TOPICOBJ": "", **attributes}
    return managed_model(qmgr, name, wanted_string(qmgr, about), True, "define")


def changed(qmgr: Any, definition: Definition, verb: str, attributes: dict[str, Any]) -> None:
    """A subscription was defined, altered, or deleted: its managed queue comes and goes with it."""
    has = definition.attributes
    if verb == "delete":
        forget(qmgr, definition)
    elif "SUBID" in has:  # SYSTEM.DEFAULT.SUB subscribes to nothing
        made(qmgr, definition)
    if verb == "alter":
        has["SUBTYPE"] = "ADMIN"
    if verb == "define" and has["DESTCLAS"] == "MANAGED" and has["DEST"] not in qmgr.targets:
        dynamic_queues.create(qmgr, _model(qmgr, definition.name, has), has["DEST"])
    if "EXPIRY" in attributes:
        arm(qmgr, definition)
    tell(qmgr)


def made_by_program(qmgr: Any, name: str, attributes: dict) -> Definition:
    """Enter a subscription that a program makes, without an event; what `attributes` leave open is the default's."""
    values = {**origin(qmgr, "SUB", None, {}), **attributes, **stamp(qmgr, created=True)}
    own, correl_id = {"DURABLE": values["DURABLE"], "SUBTYPE": attributes.get("SUBTYPE", "API")}, values.get("DESTCORL")
    identify(qmgr, name or f"\0{qmgr.next_dynamic()}", values)
    definition = Definition("SUB", name, {**values, **own, "DESTCORL": correl_id or values["SUBID"]})
    qmgr.objects.add(definition)
    made(qmgr, definition)
    tell(qmgr)
    return definition


def identify(qmgr: Any, name: str, attributes: dict) -> None:
    """Give a subscription its SUBID, also used as DESTCORL if the definition has none."""
    # the SUBID comes from the name, so that each run gives a subscription the same one
    number = int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
    id = qmgr.new_id(number).hex().upper()
    if attributes["DESTCORL"] in ("", attributes.get("SUBID")):
        attributes["DESTCORL"] = id
    attributes["SUBID"] = id


def remove(qmgr: Any, definition: Definition, program: str | None, cause: int | None, why: Why | None = None) -> None:
    """End a subscription that nobody deletes by a command: with its handle, or when it expires."""
    qmgr.objects.remove(definition)
    detail = {"why": why.facts} if why else None
    qmgr.record("delete", place_of(qmgr, definition), "MQI-38", program=program, cause=cause, detail=detail)
    forget(qmgr, definition)
    tell(qmgr)


def tell(qmgr: Any) -> None:
    """The subscriptions of a queue manager have changed, of which a network of queue managers may have to know."""
    if (network := state_of(qmgr).network) is not None:
        network.subscribed()


def durable(qmgr: Any) -> int:
    """The number of durable subscriptions, which a queue manager keeps as messages on a SYSTEM queue."""
    every = (one.attributes for one in qmgr.objects.match(("SUB",)))
    return sum("SUBID" in has and has["DURABLE"] == "YES" for has in every)


def keeper(qmgr: Any) -> Any:
    """The queue that keeps durable subscriptions, as it is and without setting it up; None if it is not there."""
    return qmgr.targets.look(KEPT_ON) if KEPT_ON in qmgr.targets else None


def why_not_kept(qmgr: Any) -> Grounds | None:
    """The grounds on which another durable subscription is refused with 2436: the queue that keeps them is not there,
    inhibits puts, or is full. None if it is not."""
    queue = keeper(qmgr)
    if queue is None or queue.put_inhibited:
        case, fields = "keeper-inhibited" if queue is not None else "keeper-gone", {}
    elif (number := durable(qmgr)) + queue.depth >= queue.maxdepth:
        case, fields = "keeper-full", {"number": number, "maxdepth": queue.maxdepth}
    else:
        return None
    return Grounds(mq.MQRC_DURABILITY_NOT_ALLOWED, case, fields)


def place_of(qmgr: Any, definition: Definition) -> tuple[str, str, str]:
    """The place of the rows about a subscription."""
    return qmgr.name, definition.key, "SUB"


def managed_model(qmgr: Any, name: str, string: str, durable: bool, call: str) -> Definition:
    """The model queue that a managed queue for a topic string is made from: MDURMDL or MNDURMDL of the topic. MQError
    2522 if there is none, or if a durable subscription would get a temporary queue."""
    keyword = "MDURMDL" if durable else "MNDURMDL"
    wanted = inherited(qmgr, string, "MDURMDL", "")[0] if durable else inherited(qmgr, string, "MNDURMDL", "")[0]
    model: Definition | None = qmgr.objects.get("QMODEL", wanted)
    temporary = model is not None and model.attributes["DEFTYPE"] == "TEMPDYN"
    if model is None or (durable and temporary):
        case = "temporary-model" if model is not None else "no-model-durable" if durable else "no-model"
        grounds = Grounds(mq.MQRC_INVALID_DESTINATION, case, {"keyword": keyword, "model": wanted})
        raise qmgr.refusal(grounds, None, call, name)
    return model


def managed_name(qmgr: Any, durable: bool) -> str:
    """The name of the next managed queue."""
    return dynamic_queues.complete(qmgr, f"SYSTEM.MANAGED.{'DURABLE' if durable else 'NDURABLE'}.*")


def forget(qmgr: Any, definition: Definition) -> None:
    """Delete the managed queue of a subscription that has ended, with its messages: at once, or when the last handle
    on it is closed."""
    state_of(qmgr).made.pop(definition, None)
    queue = qmgr.targets.get(definition.attributes["DEST"]) if definition.attributes["DESTCLAS"] == "MANAGED" else None
    if queue is not None:
        queue.deleted_when_closed = True
        qmgr.targets.pop(queue.name)
        if not queue.opens:
            administration.remove_dynamic(queue)


def arm(qmgr: Any, definition: Definition) -> None:
    """Let a subscription expire when its EXPIRY (tenths of a second from now) has passed."""
    state_of(qmgr).expiring.pop(definition, None)
    expiry, clock = definition.attributes["EXPIRY"], qmgr.clock
    if expiry > 0 and "SUBID" in definition.attributes:
        state_of(qmgr).expiring[definition] = clock.time_us + expiry * TENTH
        due = clock.timeout(expiry * TENTH)
        due.callbacks.append(lambda _: expire(qmgr))
        clock.idle(due)


def expire(qmgr: Any) -> None:
    """End the subscriptions that have expired."""
    due = [one for one, deadline in state_of(qmgr).expiring.items() if deadline <= qmgr.clock.time_us]
    for definition in due if qmgr.running else ():
        del state_of(qmgr).expiring[definition]
        if qmgr.objects.named("SUB", definition.key) is definition:
            remove(qmgr, definition, None, None, Expired())
