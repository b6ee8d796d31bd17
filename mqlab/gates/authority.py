"""Authority over objects (OAM): which records give a user what, and the doors of an open, where it is asked for (G5).

Authority acts where the queue manager has a record for anybody but mqm; on z/OS, and with MQSNOAUT in the environment,
it never does. The name that is opened counts, as it is written, and not the name that it resolves to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..admin.security_records import covers, expanded, generic_last, in_order, keep
from ..admin.whys import GateRefused
from ..engine.queues.caller import Guard
from ..engine.words import constants as mq
from ..engine.words.because import refused_on
from ..engine.words.objects import QUEUE_KINDS
from ..engine.words.refusals import Grounds
from . import kept
from .attempt import Attempt, Condition, Opening, Outcome, Passed, Refusal

if TYPE_CHECKING:
    from ..engine.commands.command import Command
    from ..engine.queues.options import Uses

_USES = (("browse", "BROWSE"), ("output", "PUT"), ("inquire", "INQ"), ("set", "SET"))
_CONTEXTS = (("PASS_IDENTITY", "PASSID"), ("PASS_ALL", "PASSALL"), ("SET_IDENTITY", "SETID"), ("SET_ALL", "SETALL"))
_SHELL = {"QUEUE": "queue", "QMGR": "qmgr", "TOPIC": "topic", "PROCESS": "prcs", "NAMELIST": "nl", "RQMNAME": "rqmname",
          "CHANNEL": "chl", "LISTENER": "lstr", "SERVICE": "srvc"}  # fmt: skip  # a table
"""Types of object, as SET AUTHREC has them -> as setmqaut and AMQ8077 have them."""


def groups_of(qmgr: Any, user: str) -> list[str]:
    """The groups of a user as last read, the primary group first; a user that no group lists has one of his own."""
    listed = [group for group, members in kept(qmgr).members.items() if user in members]
    return listed or [user]


def _by_user(qmgr: Any) -> bool:
    """Whether records of a principal are his alone; else they are those of his primary group (OAM-07)."""
    return qmgr.environment.get("SecurityPolicy", "group").lower() in ("user", "userexternal")


def entities(qmgr: Any, user: str) -> list[tuple[str, str]]:
    """The entities whose records count for a user: ("PRINCIPAL", name) and ("GROUP", name)."""
    groups = groups_of(qmgr, user)
    alike = [user]
    if not _by_user(qmgr):
        known = {member for members in kept(qmgr).members.values() for member in members}
        alike += [other for other in sorted(known - {user}) if groups_of(qmgr, other)[0] in groups]
        alike += [group for group in groups if group not in alike and group not in kept(qmgr).members]
    return [("PRINCIPAL", each) for each in alike] + [("GROUP", group) for group in groups]


def deciding(qmgr: Any, user: str, kind: str, name: str) -> list[dict[str, Any]]:
    """The record that counts of each entity of a user: its most specific profile that covers the name (OAM-06)."""
    about = "self" if kind == "QMGR" else name
    rows = [row for row in in_order(qmgr, "AUTHREC") if row["OBJTYPE"] == kind]
    rows = [row for row in rows if row["PROFILE"] == about or covers(row["PROFILE"], about)]
    counting = []
    for entity in entities(qmgr, user):
        own = [row for row in rows if (row["ENTTYPE"], row["ENTITY"]) == entity]
        counting += sorted(own, key=lambda row: generic_last(row["PROFILE"]))[:1]
    return counting


def authorities(qmgr: Any, user: str, kind: str, name: str) -> set[str]:
    """What a user may do with an object, in the words of SET AUTHREC."""
    if user in qmgr.administrators or (kind == "QUEUE" and kept(qmgr).owned.get(name) in (user, "")):
        return {*expanded(kind, ("ALL",)), "CRT"}
    return {word for row in deciding(qmgr, user, kind, name) for word in row["AUTHLIST"]} - {"NONE"}


def keep_record(qmgr: Any, command: Command) -> str:
    """Carry out SET or DELETE AUTHREC, which acts at once (OAM-08)."""
    answer = keep(qmgr, command)
    set_guard(qmgr)
    return answer


def set_guard(qmgr: Any) -> None:
    """Ask for authority from now on where a record is for anybody but mqm, and neither z/OS nor MQSNOAUT forbids it."""
    acts = any(row["ENTITY"] != "mqm" for row in in_order(qmgr, "AUTHREC"))
    off = qmgr.platform == "zos" or qmgr.environment.get("MQSNOAUT")
    qmgr.guard = Doors(qmgr) if acts and not off else None


def may_connect(attempt: Attempt) -> Outcome | None:
    """Whether the user that a connection runs as has CONNECT (OAM-02)."""
    qmgr, user = attempt.qmgr, attempt.runs_as
    if qmgr.guard is None:
        return None
    if "CONNECT" in authorities(qmgr, user, "QMGR", qmgr.name):
        records = _listed(qmgr, user, "QMGR", qmgr.name)
        return Passed("may-connect", {"user": user, "qmgr": qmgr.name, "records": records})
    found = refusal(qmgr, user, Opening("connect", "QMGR", qmgr.name, ("CONNECT",), user))
    codes = ("AMQ8077W", *(["AMQ9557E"] if attempt.channel is not None else []))
    return found._replace(codes=codes, event=("connect", mq.MQRQ_CONN_NOT_AUTHORIZED))


def may_open(attempt: Attempt) -> None:
    """Let the user that an attempt has now open what it opened."""
    opening = attempt.opening
    assert opening is not None
    user = attempt.runs_as if opening.own else opening.user
    has = authorities(attempt.qmgr, user, opening.kind, opening.name)
    lacks = attempt.qmgr.guard is not None and {*opening.needs} - has
    found = refusal(attempt.qmgr, user, opening) if lacks else Passed("may-open", {"user": user})
    attempt.outcomes.append((OPENS, found))


OPENS = Condition("open", "OAM-02", lambda _: None)
"""The gate of an open: it has no place among those of a connect, for a program may open many objects."""


def refusal(qmgr: Any, user: str, opening: Opening) -> Refusal:
    """The refusal of a user who lacks authority, with the record that gives exactly what is missing."""
    has = authorities(qmgr, user, opening.kind, opening.name)
    missing = [word for word in opening.needs if word not in has]
    own = next((row for row in deciding(qmgr, user, opening.kind, opening.name)
                if (row["ENTTYPE"], row["ENTITY"]) == ("PRINCIPAL", user)), None)  # fmt: skip
    # a record of the exact name hides a wider one of the same user: what that one gives is given again
    kept_words = [word for word in own["AUTHLIST"] if word != "NONE"] if own is not None else []
    words_given = [*kept_words, *missing]
    profile = "" if opening.kind == "QMGR" else f"PROFILE('{opening.name}') "
    opens = f"SET AUTHREC {profile}OBJTYPE({opening.kind}) PRINCIPAL('{user}') AUTHADD({','.join(words_given)})"
    name = "" if opening.kind == "QMGR" else f"-n {opening.name} "
    words = " ".join(f"+{word.lower()}" for word in words_given)
    shell = f"setmqaut -m {qmgr.name} {name}-t {_SHELL.get(opening.kind, opening.kind.lower())} -p {user} {words}"
    fields = {"user": user, "groups": ", ".join(groups_of(qmgr, user)), "missing": " and ".join(missing),
              "object": opening.name, "kind": opening.kind, "opens": opens,
              "records": _listed(qmgr, user, opening.kind, opening.name)}  # fmt: skip
    grounds = Grounds(mq.MQRC_NOT_AUTHORIZED, "no-authority", fields)
    return Refusal(grounds, ("AMQ8077W",), "", ("open", mq.MQRQ_OPEN_NOT_AUTHORIZED), fields["records"], opens, shell)


def _listed(qmgr: Any, user: str, kind: str, name: str) -> str:
    """The records that count for a user, in words."""
    rows = deciding(qmgr, user, kind, name)
    if user in qmgr.administrators:
        return "an administrator"
    shown = [f"{row['ENTTYPE']}({row['ENTITY']}) has {', '.join(row['AUTHLIST'])} on {row['PROFILE']}" for row in rows]
    return "; ".join(shown) or "no record"


_COMMANDS = {
    "DEFINE": "CRT", "ALTER": "CHG", "DELETE": "DLT", "DISPLAY": "DSP", "CLEAR": "CLR", "SET": "CHG",
    **dict.fromkeys(("START", "STOP", "PING"), "CTRL"), **dict.fromkeys(("RESET", "RESOLVE"), "CTRLX"),
}  # fmt: skip  # a table
"""The authority over its object that a command needs."""


class Doors(Guard):
    """The doors of an open: each asks for the authority of the user that the program runs as."""

    def __init__(self, qmgr: Any):
        self.qmgr = qmgr

    def allowed(self, user: str, kind: str, name: str) -> set[str]:
        """What a user may do with an object."""
        return authorities(self.qmgr, user, kind, name)

    def opened(self, caller: Any, name: str, target: Any, uses: Uses, alternate: str | None) -> None:
        """Ask for what an open needs (OAM-02)."""
        if not self._asks(caller):
            return
        needs = ["GET"] if uses.input is not None else []
        needs += [word for use, word in _USES if getattr(uses, use)]
        contexts = [word for name_, word in _CONTEXTS if uses.context & getattr(mq, f"MQOO_{name_}_CONTEXT")]
        user = caller.runs_as
        if alternate is not None:
            self._require(caller, "open", Opening("open", "QMGR", caller.qmgr.name, ("ALTUSR",), user))
            user = alternate
        if target is None:  # a model queue
            needs += ["DSP"]
        self._queue(caller, "open", name, target, [*needs, *contexts], user)

    def named(self, caller: Any, call: str, name: str, target: Any, need: str, options: int = 0) -> None:
        """Ask for what a call needs that opens by name; `options` is a sum of MQPMO options."""
        if not self._asks(caller):
            return
        if target.kind == "TOPIC":
            self.other(caller, call, "TOPIC", target.string, "PUB")
            return
        contexts = [word for name_, word in _CONTEXTS if options & getattr(mq, f"MQPMO_{name_}_CONTEXT")]
        self._queue(caller, call, str(name), target, [need, *contexts], caller.runs_as)

    def other(self, caller: Any, call: str, kind: str, name: str, need: str) -> None:
        """Ask for authority over an object that is no queue; a topic string needs it of an object at or above it."""
        if not self._asks(caller):
            return
        if kind == "TOPIC":
            from ..pubsub.topics import above

            names = [definition.name for definition in above(caller.qmgr, name)] or ["SYSTEM.BASE.TOPIC"]
            giving = (each for each in names if need in authorities(caller.qmgr, caller.runs_as, "TOPIC", each))
            name = next(giving, names[0])  # it is enough if one of them gives it (OAM-05)
        self._require(caller, call, Opening(call, kind, name, (need,), caller.runs_as))

    def commanded(self, caller: Any, verb: str, kind: str, name: str, user: str) -> None:
        """Ask for authority over the object of a command, unless it names several (OAM-12)."""
        sort = "QUEUE" if kind in (*QUEUE_KINDS, "QUEUE") else kind
        if verb in _COMMANDS and sort in _SHELL and "*" not in name:
            opening = Opening("command", sort, name or caller.qmgr.name, (_COMMANDS[verb],), user, False)
            self._require(caller, "command", opening)

    def created(self, caller: Any, name: str) -> None:
        """Who creates a dynamic queue may do everything with it; a managed one belongs to its subscription."""
        if caller.runs_as is not None:
            kept(caller.qmgr).owned[name] = "" if name.startswith("SYSTEM.MANAGED.") else caller.runs_as

    def arrived(self, caller: Any, channel: Any, user: str, name: str) -> None:
        """Ask for the authority of the channel's user, or of the message's, to put what a channel brings (OAM-11)."""
        own = channel.columns.get("MCAUSER") or channel.attributes["MCAUSER"] or "mqm"
        who, needs = (user, ("PUT",)) if channel.attributes["PUTAUT"] == "CTX" else (own, ("PUT", "SETALL"))
        self._require(caller, "put", Opening("put", "QUEUE", name, needs, who))

    @staticmethod
    def _asks(caller: Any) -> bool:
        """Whether anything is asked of a caller: a person, and programs of MQ's own, may do everything."""
        return caller.runs_as is not None and caller.discard_rule is None

    def _queue(self, caller: Any, call: str, name: str, target: Any, needs: list[str], user: str) -> None:
        """Ask for authority over a queue by the name as it is written (OAM-03, OAM-04)."""
        qmgr, (queue, _, qmgr_name), kind = caller.qmgr, name.partition("@"), "QUEUE"
        elsewhere = qmgr_name not in ("", qmgr.name) and target is not None
        if target is not None and target.chooses and (elsewhere or qmgr.objects.named("QLOCAL", queue) is None):
            if qmgr.environment.get("ClusterQueueAccessControl", "Xmitq").lower() != "rqmname":
                queue = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
            elif elsewhere:
                kind, queue = "RQMNAME", qmgr_name
        elif elsewhere:
            queue = target.queue.name if target.queue is not None else queue
        transmits = target is not None and target.kind == "QLOCAL" and target.definition.attributes["USAGE"] == "XMITQ"
        if transmits and not elsewhere and "PUT" in needs:
            needs = ["SETALL" if need == "PUT" else need for need in needs]
        also = tuple(word for word in needs if word in ("SETID", "SETALL"))
        own = user == caller.runs_as
        self._require(caller, call, Opening(call, kind, queue, tuple(dict.fromkeys(needs)), user, own))
        if also:
            self._require(caller, call, Opening(call, "QMGR", qmgr.name, also, user, own))

    def _require(self, caller: Any, call: str, opening: Opening) -> None:
        """Refuse a call with 2035 if its user lacks an authority that it needs."""
        qmgr, user = caller.qmgr, opening.user
        has = authorities(qmgr, user, opening.kind, opening.name)
        if {*opening.needs} <= has:
            return
        closed = refusal(qmgr, user, opening)
        missing = "/".join(word.lower() for word in opening.needs if word not in has)
        opened = f"{opening.name} [{_SHELL.get(opening.kind, opening.kind.lower())}]"
        detail: dict[str, Any] = {"gate": "open", "code": "AMQ8077W", "user": user, "entity": user, "opened": opened}
        detail["missing"] = missing
        detail["why"] = GateRefused(refused_on(closed.grounds)).facts
        before = caller.admission if isinstance(caller.admission, Attempt) else None
        before = before or Attempt(qmgr, caller.caller or "", None, user, runs_as=user)
        outcomes = [*before.outcomes, (OPENS, closed)]
        error = caller.refusal(closed.grounds, None, call, opening.name, detail=detail)
        now = {"time_us": qmgr.clock.time_us, "seq": error.seq}
        kept(qmgr).attempts[caller.caller or ""] = replace(before, opening=opening, outcomes=outcomes, **now)
        if qmgr.attributes.get("AUTHOREV", "DISABLED") == "ENABLED":
            _tell(caller, opening, error.seq)
        raise error


_QUALIFIERS = {
    "close": mq.MQRQ_CLOSE_NOT_AUTHORIZED,
    "subscribe": mq.MQRQ_SUB_NOT_AUTHORIZED,
    "command": mq.MQRQ_CMD_NOT_AUTHORIZED,
}


def _tell(caller: Any, opening: Opening, cause: int | None) -> None:
    """Put the event message of a refused open, close, subscription, or command (EVT-13)."""
    from ..admin.event_messages import not_authorized

    qualifier = _QUALIFIERS.get(opening.call, mq.MQRQ_OPEN_NOT_AUTHORIZED)
    if opening.call == "subscribe" and opening.kind == "QUEUE":
        qualifier = mq.MQRQ_SUB_DEST_NOT_AUTHORIZED
    not_authorized(caller, qualifier, opening.user, opening.kind, opening.name, cause)
