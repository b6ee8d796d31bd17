"""Two estates compared: what their definitions say differently, what behaves differently, and one story on both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..admin.export import definitions
from ..engine.commands.display import PASSWORDS
from ..engine.queues.target import cap_of
from ..engine.words import catalog
from ..engine.words.arguments import checked
from ..engine.words.errors import MQError, visible
from ..engine.words.lexer import quoted
from ..engine.words.objects import Definition
from ..lab.lab import Lab
from ..lab.queue_manager import QueueManager
from ..pubsub.state import made
from .answers import Answer
from .estate import Estate, from_lab, part_of, read
from .proofs import Proof, Proved, prove_all, put_to
from .routes import UNKNOWN, Route, routes_of

if TYPE_CHECKING:
    from ..views.player.duel import Futures

ADDED, CHANGED, REMOVED, BEHAVES = "added", "changed", "removed", "behaves"
OWN = ("QLOCAL", "QALIAS", "QREMOTE")


class Difference(NamedTuple):
    """One difference between two estates.

    `what` is added, changed, removed, or behaves; `about` is then route, trigger, expiry, dead letters, or
    subscription, else the attribute, "" for a whole object. `old` and `new` are the values of both sides as text,
    `said` is a sentence, and `place` the line of the new script, or of the old one if it was removed. `programs` show
    a behavior on a lab of each side, and `shown` is what they showed, both None before `Differences.proved`.
    """

    what: str
    qmgr: str
    kind: str
    name: str
    about: str
    old: str
    new: str
    said: str
    place: str = ""
    programs: tuple[str, str] | None = None
    shown: tuple[str, str] | None = None

    @property
    def proved(self) -> bool | None:
        """Whether its programs showed different outcomes; None if they did not run."""
        return None if self.shown is None else self.shown[0] != self.shown[1]

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return visible(f"{where}{self.what}: {self.qmgr}: {self.said}")


class Differences(Answer):
    """The differences between two estates, `old` and `new`: first those of definitions, then those of behavior.

    - `routes`: the routes of each name on both sides, by the new name of the queue manager, and the name.
    - `pairs`: the two queue managers of each comparison; None in place of a queue manager that one side does not have.
    - `found`: every `Difference`.
    - `refused`: commands of either side that its queue manager refused, as text; they are not compared.
    """

    what = "Differences"
    columns = ("what", "queue manager", "object", "about", "old", "new", "place", "proved")

    def __init__(
        self,
        old: Estate,
        new: Estate,
        found: Sequence[Difference],
        pairs: Sequence[Pair],
        routes: Mapping[tuple[str, str], TwoRoutes],
    ):
        super().__init__(new)
        self.old, self.new, self.found, self.pairs, self.routes = old, new, tuple(found), tuple(pairs), routes
        self.failed = any(one.what == BEHAVES for one in found)

    @property
    def title(self) -> str:  # type: ignore[override]
        counts = {what: sum(one.what == what for one in self.found) for what in (ADDED, CHANGED, REMOVED, BEHAVES)}
        if not self.found:
            return "no differences" + self._refusals()
        behaves = counts.pop(BEHAVES)
        told = ", ".join(f"{number} {what}" for what, number in counts.items() if number) or "no definitions differ"
        differently = f"{behaves or 'nothing'} behave{'' if behaves > 1 else 's'} differently"
        return f"{told}; {differently}{self._refusals()}"

    def _refusals(self) -> str:
        number = len(self.refused)
        return f"; {number} refused {'command is' if number == 1 else 'commands are'} not compared" if number else ""

    @property
    def rows(self) -> list[tuple]:
        return [
            (one.what, one.qmgr, f"{one.kind} {one.name}".strip(), one.about, one.old, one.new, one.place, one.proved)
            for one in self.found
        ]

    @property
    def facts(self) -> Mapping[str, Any]:
        proofs = [{"programs": one.programs, "shown": one.shown} for one in self.found if one.programs]
        return {"refused": self.refused, "proofs": proofs}

    @cached_property
    def refused(self) -> list[str]:
        """The commands of both that were refused, without those that both sides have."""
        sides = [_refused(estate) for estate in (self.old, self.new)]
        return [line for side, other in (sides, sides[::-1]) for text, line in side.items() if text not in other]

    def proved(self) -> Differences:
        """The same differences, each of behavior with what its programs showed on new labs of the two estates."""
        sides = shown_by((self.old, self.new), self.found)
        showed = [{proof.program: proved.shown for proof, proved in side.items()} for side in sides]
        found = [
            one._replace(shown=(showed[0][one.programs[0]], showed[1][one.programs[1]])) if one.programs else one
            for one in self.found
        ]
        return Differences(self.old, self.new, found, self.pairs, self.routes)

    def __str__(self) -> str:
        lines = [self.title]
        for one in self.found:
            lines.append(str(one))
            if one.programs and one.shown:
                lines += [f"  {line}" for line in one.programs[1].splitlines()]
                lines.append(f"  # old: {one.shown[0]}; new: {one.shown[1]}" + ("" if one.proved else " (NOT shown)"))
        return visible("\n".join([*lines, *(f"not compared: {line}" for line in self.refused)]))


class Pair(NamedTuple):
    """A queue manager of the old estate, and the one of the new estate that it is compared with; None for none."""

    old: QueueManager | None
    new: QueueManager | None


def renamed_by(pairs: Sequence[Pair]) -> dict[str, str]:
    """The name in the old estate -> the name in the new one."""
    return {pair.old.name: pair.new.name for pair in pairs if pair.old and pair.new}


def shown_by(sides: Sequence[Estate], found: Sequence[Difference]) -> list[dict[Proof, Proved]]:
    """The results of the programs of some differences on each of the two sides."""
    programs = ([Proof(one.programs[side], "") for one in found if one.programs] for side in (0, 1))
    return [prove_all(estate, proofs) for estate, proofs in zip(sides, programs, strict=True)]


@checked
def diff(
    old: str | Path | Sequence | Estate | Lab | QueueManager, new: str | Path | Sequence | Estate | Lab | QueueManager
) -> Differences:
    """The differences of two estates in definitions and behavior.

    Each is an `Estate`, what `read` takes, a lab, or a queue manager of one. Values are compared as the lab has them:
    an attribute at its default is the same whether a script writes it or not. Dates, depths, dynamic queues, and what a
    new queue manager of that platform and level has by itself are left out. Queue managers of one name are compared; of
    the others, those that share the most objects, and the last one of either side.
    """
    one, other = estate_of(old), estate_of(new)
    found: list[Difference] = []
    pairs = pairs_of(one, other)
    for pair in pairs:
        found += _of_definitions(one, other, pair)
    routes = _both_routes(one, other, pairs)
    found += _routes(one, other, pairs, routes)
    for pair in pairs:
        if pair.old is not None and pair.new is not None:
            found += (each for ask in BEHAVIORS for each in ask(pair.old, pair.new))
    return Differences(one, other, list(_once(found, pairs)), pairs, routes)


def _once(found: Iterable[Difference], pairs: Sequence[Pair]) -> Iterator[Difference]:
    """Differences without those of a group's object that another member has shown already."""
    # an object of which a member has one of its own on either side is shown for each
    by = {pair.new.name if pair.new else pair.old.name if pair.old else "": pair for pair in pairs}
    told = set()
    for one in found:
        sides = [side for side in by[one.qmgr] if side is not None and _has_it(side, one)]
        of_group = all(_of_group(side, one) for side in sides)
        group = next((side.group.name for side in sides if side.group is not None), "")
        key = (one.qmgr if not of_group else group, *one[:1], *one[2:7])
        if key not in told:
            told.add(key)
            yield one


def _has_it(qmgr: QueueManager, one: Difference) -> bool:
    """Whether a queue manager has the object of a difference; the queue manager itself and its records are its own."""
    return one.kind not in catalog.kinds() or qmgr.objects.get(one.kind, one.name) is not None


def _of_group(qmgr: QueueManager, one: Difference) -> bool:
    """Whether a queue manager has the object of a difference as a member of its group."""
    # a structure, a shared object, or a copy; a copy's definition is the group's, and its behavior its own
    found = qmgr.objects.get(one.kind, one.name) if one.kind in catalog.kinds() else None
    if found is None or qmgr.group is None:
        return False
    copy = "" if one.what == BEHAVES else "COPY"
    return one.kind == "CFSTRUCT" or found.attributes.get("QSGDISP") in ("SHARED", copy)


def estate_of(side: Any) -> Estate:
    """An estate, that of these paths, or that of the definitions that a lab, or a queue manager of one, has now."""
    if isinstance(side, Estate):
        return side
    if isinstance(side, QueueManager):
        return Estate([part_of(side)])
    return from_lab(side) if isinstance(side, Lab) else read(side)


def pairs_of(old: Estate, new: Estate) -> list[Pair]:
    """The queue managers of two estates that are compared with each other."""
    theirs = {each.name: each for each in new.queue_managers}
    pairs = [Pair(each, theirs.pop(each.name)) for each in old.queue_managers if each.name in theirs]
    left = [each for each in old.queue_managers if each.name not in new.names]
    names = {each: {(d.kind, d.name) for d in each.objects.everything()} for each in (*left, *theirs.values())}
    born = {(kind, name) for m in names for kind, name in catalog.system_objects(m.platform, m.level)}
    alike = [(len(names[one] & names[other] - born), one, other) for one in left for other in theirs.values()]
    for shared, one, other in sorted(alike, key=lambda each: -each[0]):
        if one in left and other.name in theirs and (shared or len(left) == len(theirs) == 1):
            pairs.append(Pair(one, theirs.pop(other.name)))
            left.remove(one)
    return pairs + [Pair(each, None) for each in left] + [Pair(None, each) for each in theirs.values()]


def _refused(estate: Estate) -> dict[str, str]:
    """The refused commands of an estate -> where each is, and the reply."""
    refused = ((part, one, one.command) for part, one in estate.ran() if not one.ok)
    return {f"{part.qmgr} {text}": f"{part.file}:{one.line}: {text}: {one.headline}" for part, one, text in refused}


def _of_definitions(old: Estate, new: Estate, pair: Pair) -> Iterator[Difference]:
    """The differences between the definitions of two queue managers, by kind and name."""
    if pair.old is None or pair.new is None:
        alone, what = (pair.new, ADDED) if pair.old is None else (pair.old, REMOVED)
        assert alone is not None
        values = ("", alone.name) if what == ADDED else (alone.name, "")
        yield Difference(what, alone.name, "QMGR", "", "", *values, f"queue manager {alone.name} is {what}")
        return
    name = pair.new.name
    for about, one, other in (
        ("name", pair.old.name, name),
        ("platform", pair.old.platform, pair.new.platform),
        ("command level", str(pair.old.level), str(pair.new.level)),
    ):
        if one != other:
            said = f"the {about} of the queue manager is {other}; it was {one}"
            yield Difference(CHANGED, name, "QMGR", "", about, one, other, said)
    before, now, born_before, born_now = (definitions(m, born) for born in (False, True) for m in (pair.old, pair.new))
    for kind, object_name in sorted({*before, *now}):
        key = kind, object_name
        has, gets = before.get(key), now.get(key)
        if has == gets or (has == born_before.get(key) and gets == born_now.get(key)):
            continue
        if has is None or gets is None:
            what, own, at = (ADDED, gets or {}, new) if has is None else (REMOVED, has, old)
            owner = pair.new if has is None else pair.old
            usual, there = _defaults(owner, kind, own), at.place(owner.name, kind, object_name)
            told = " ".join(written(kind, k, v) for k, v in own.items() if v != usual.get(k))
            values = ("", told) if what == ADDED else (told, "")
            yield Difference(what, name, kind, object_name, "", *values, f"{kind} {object_name} is {what}", str(there))
            continue
        yield from _of_attributes(new, (pair.old, pair.new), key, has, gets)


def _of_attributes(
    new: Estate, pair: tuple[QueueManager, QueueManager], key: tuple[str, str], has: dict, gets: dict
) -> Iterator[Difference]:
    """The attributes that differ between two definitions; one that a side does not have is at its default there."""
    (kind, name), defaults = key, [_defaults(*each) for each in ((pair[0], key[0], has), (pair[1], key[0], gets))]
    for keyword in dict.fromkeys((*has, *gets)):
        one = has.get(keyword, defaults[1].get(keyword))
        other = gets.get(keyword, defaults[0].get(keyword))
        if one != other:
            was, value = shown(kind, keyword, one), shown(kind, keyword, other)
            is_now = value if isinstance(other, bool) else f"{keyword} is {value}"
            said = f"{f'{kind} {name}'.strip()}: {is_now}; it was {was}"
            place = new.place(pair[1].name, kind, name, keyword)
            yield Difference(CHANGED, pair[1].name, kind, name, keyword, was, value, said, str(place))


def _defaults(qmgr: QueueManager, kind: str, values: Mapping) -> Mapping[str, Any]:
    """The values that an object of a kind, or a record, is given by itself."""
    if kind not in catalog.kinds():
        return {"WARN": "NO", "CHCKCLNT": "ASQMGR"} if kind == "CHLAUTH" else {}
    return catalog.defaults(kind, qmgr.platform, values.get("CHLTYPE"))


def shown(kind: str, keyword: str, value: Any) -> str:
    """The value of an attribute as text, a flag as TRIGGER or NOTRIGGER; a password as asterisks, and nothing as ''."""
    if value and keyword in PASSWORDS:
        return "********"
    if isinstance(value, bool):
        return keyword if value else f"NO{keyword}"
    if isinstance(value, tuple):
        return ",".join(value) or "''"
    attribute = catalog.attributes(kind).get(keyword) if kind in catalog.kinds() else None
    text = str(attribute.shown(value)) if attribute is not None and value not in (None, "") else str(value or "")
    return text.strip() or "''"


def written(kind: str, keyword: str, value: Any) -> str:
    """An attribute as MQSC writes it."""
    text = shown(kind, keyword, value)
    return text if isinstance(value, bool) else f"{keyword}({text})"


def _own_of_both(old: QueueManager, new: QueueManager, *kinds: str) -> list[tuple[str, Definition, Definition]]:
    """The queues of both that are not named SYSTEM, by name."""
    ours, theirs = ({definition.name: definition for definition in m.objects.match(kinds)} for m in (old, new))
    names = sorted(name for name in ours.keys() & theirs.keys() if not name.startswith("SYSTEM."))
    return [(name, ours[name], theirs[name]) for name in names]


def _behavior(
    about: str, qmgrs: tuple[QueueManager, QueueManager], key: tuple[str, str], states: tuple[str, str], said: str,
    program: str, *facts: object,
) -> Difference:  # fmt: skip
    """A difference of behavior, with its program for each side, a template that takes the queue manager and facts."""
    old, new = (program.format(each.name, *facts) for each in qmgrs)
    return Difference(BEHAVES, qmgrs[1].name, *key, about, *states, said, "", (old, new))


class TwoRoutes(NamedTuple):
    """The route of a name in the old estate and in the new one, None for an estate without it; the states by which they
    are compared, and whether the scripts alone cannot judge them."""

    old: Route | None
    new: Route | None
    states: tuple[tuple, tuple]
    unsure: bool


def _both_routes(old: Estate, new: Estate, pairs: Sequence[Pair]) -> dict[tuple[str, str], TwoRoutes]:
    """The routes of every name of either estate, by the new name of the queue manager, and the name."""
    before, after, renamed = routes_of(old), routes_of(new), renamed_by(pairs)
    original = {name: was for was, name in renamed.items()}
    ours = {(renamed.get(qmgr, qmgr), name): route for (qmgr, name), route in before.items()}
    routes = {}
    for qmgr, name in sorted({*ours, *after}):
        two = ours.get((qmgr, name)), after.get((qmgr, name))
        unsure = any(each is not None and each.verdict == UNKNOWN for each in two) or qmgr not in original
        # or the scripts of a side without the name do not show that it has none
        unsure = unsure or (two[0] is None and bool(old.unsure(old.lab[original[qmgr]], name)))
        unsure = unsure or (two[1] is None and bool(new.unsure(new.lab[qmgr], name)))
        routes[qmgr, name] = TwoRoutes(*two, (_state(two[0], renamed), _state(two[1], {})), unsure)
    return routes


def _routes(
    old: Estate, new: Estate, pairs: Sequence[Pair], routes: Mapping[tuple[str, str], TwoRoutes]
) -> Iterator[Difference]:
    """The names of both whose messages end elsewhere, end otherwise, or now need an operator."""
    # none that the scripts alone cannot judge
    renamed = renamed_by(pairs)
    original = {name: was for was, name in renamed.items()}
    for (at, name), (one, other, states, unsure) in routes.items():
        if states[0] == states[1] or unsure:
            continue
        both = [each for each in (one, other) if each is not None]
        was, now = (_told(route) for route in (one, other))
        kind = (new if other else old).lab[at if other else original[at]].objects.named("QLOCAL", name).kind
        said = f"a put to {name}: {now}; it was: {was}"
        starts = [(renamed.get(q, q), text) for q, text in one.starts] if one else []
        starts += other.starts if other else []
        if one and other and (one.verdict, states[0][1]) == (other.verdict, states[1][1]):
            starts = []  # what differs is who starts the channel
        round_ = any(each.loops for each in both)
        programs = tuple(
            _sends(names.get(at, at), name, [(names.get(q, q), text) for q, text in dict.fromkeys(starts)], slow)
            for names, slow in ((original, old.names if round_ else ()), ({}, new.names if round_ else ()))
        )
        yield Difference(BEHAVES, at, kind, name, "route", was, now, said, "", (programs[0], programs[1]))


def _state(route: Route | None, renamed: Mapping[str, str]) -> tuple:
    """The facts by which two routes are compared: the verdict, the end, and what an operator must start."""
    if route is None:
        return ("not defined", (), ())
    qmgr, name = route.end
    starts = tuple((renamed.get(at, at), command) for at, command in route.starts)
    return route.verdict, (renamed.get(qmgr, qmgr), name), starts


def _told(route: Route | None) -> str:
    """Where a route ends, in words."""
    if route is None:
        return "broken: the name is not defined"
    starts = ", ".join(f"{command} at {at}" for at, command in route.starts)
    return f"{route.verdict}: {route.why}" + (f", after {starts}" if starts else "")


def _sends(at: str, name: str, starts: Iterable[tuple[str, str]], slow: Sequence[str] = ()) -> str:
    """The program that puts a message, and shows the last queue that it came to."""
    # with slow links a message that goes round does so a few times only, and the program shows how many times it was
    # put
    lines = [f"lab.link({a!r}, {b!r}, latency=1)" for a in slow for b in slow if a < b]
    lines += [f"lab[{qmgr!r}].mqsc({command!r})" for qmgr, command in starts]
    put = f"number = {put_to(at, name)}.number"
    shown = '[f"{row.object} at {row.qmgr}" for row in lab.events.of_message(number) if row.kind == "put"][-1]'
    if slow:
        shown = 'len([row for row in lab.events.of_message(number) if row.kind == "put"]) > 5'
    return "\n".join((*lines, put, "lab.advance(60)", shown))


def _triggers(old: QueueManager, new: QueueManager) -> Iterator[Difference]:
    """The queues of both that trigger otherwise, by the lab's own conditions."""
    for name, *both in _own_of_both(old, new, "QLOCAL"):
        (fired, one), (fires, other) = trigger_of(old, name), trigger_of(new, name)
        if one != other:
            said = f"messages on {name} trigger otherwise: {other}; it was: {one}"
            was, now = (queue.attributes["INITQ"] for queue in both)
            initq = now or was
            if not fired or not fires:
                said = f"{name} {'triggers' if fires else 'no longer triggers'}: {other}; it was: {one}"
                initq = now if fires else was
            put = f"A.QUEUE@{name}" if all(queue.attributes["USAGE"] == "XMITQ" for queue in both) else name
            program = (TRIGGERS, initq, name, max(map(_needed, both)), put)
            yield _behavior("trigger", (old, new), ("QLOCAL", name), (one, other), said, *program)


TRIGGERS = """\
lab[{0!r}].connect("MONITOR").open({1!r}, input="shared")
for number in range({3}): lab[{0!r}].put({4!r}, b"a message", priority=number % 10)
[row.depth for row in lab.events.where(kind="trigger", object={2!r}) if row.facts["fired"]]"""
"""The program that shows at which depths a queue triggers: queue manager, initiation queue, queue, messages,
and the name that is put to."""

_NOT_AT_REST = "TRG-08"  # a trigger monitor runs: what a program does, not what a script defines


def trigger_of(qmgr: QueueManager, name: str) -> tuple[bool, str]:
    """Whether a queue triggers at all if a trigger monitor runs, and when, in words, or the first reason against it."""
    has = qmgr.objects.get("QLOCAL", name)
    if has is None or not has.attributes["TRIGGER"]:
        return False, "never: NOTRIGGER"
    first, _count, *conditions = qmgr.why_not_triggered(name).rows
    told_by_its_route = "TRG-05" if has.attributes["USAGE"] == "XMITQ" else ""
    for rule, _, holds, fact in (first, *conditions):
        if not holds and rule not in (_NOT_AT_REST, told_by_its_route):
            return False, f"never: {fact} ({rule})"
    kind, depth, least = (has.attributes[each] for each in ("TRIGTYPE", "TRIGDPTH", "TRIGMPRI"))
    only = (f" TRIGDPTH({depth})" if kind == "DEPTH" else "") + (f" TRIGMPRI({least})" if least else "")
    return True, f"TRIGTYPE({kind}){only}"


def _needed(queue: Definition) -> int:
    """How many messages show how a queue triggers: ten, for each priority one, or as many as TRIGDPTH asks for."""
    depth, kind = (queue.attributes[keyword] for keyword in ("TRIGDPTH", "TRIGTYPE"))
    return max(10, min(depth, 10_000) * (kind == "DEPTH"))


def _expiry(old: QueueManager, new: QueueManager) -> Iterator[Difference]:
    """The queues of both that limit lifetimes otherwise (EXP-31)."""
    for name, one, other in _own_of_both(old, new, *OWN):
        was, cap = (lifetime(m, d) for m, d in ((old, one), (new, other)))
        if was != cap:
            said = f"a message put to {name} lives {cap}; it lived {was}"
            yield _behavior("expiry", (old, new), (other.kind, name), (was, cap), said, EXPIRY, name)


EXPIRY = """lab[{0!r}].put({1!r}, b"a message").expiry"""
"""The program that shows the lifetime of a message in tenths of a second, -1 for unlimited: queue manager, queue."""


def lifetime(qmgr: QueueManager, definition: Definition) -> str:
    """How long a message put by a name lives at most by its definition, in words."""
    cap = None if qmgr.platform == "vse" else cap_of(definition.attributes, qmgr.level)
    return "as its program says" if cap is None else f"{cap / 10:g} s at most"


def _dead_letters(old: QueueManager, new: QueueManager) -> Iterator[Difference]:
    """Two queue managers that put undeliverable messages on different queues."""
    was, goes = dead_letters(old), dead_letters(new)
    if was != goes:
        said = f"an undeliverable message {goes}; before, it {was}"
        yield _behavior("dead letters", (old, new), ("QMGR", ""), (was, goes), said, DEAD_LETTERS)


DEAD_LETTERS = """\
lab[{0!r}].mqsc("DEFINE QLOCAL(A.NEW.QUEUE)")
lab[{0!r}].put("A.NEW.QUEUE", b"a message", report=256, reply_to_q="A.QUEUE.THAT.IS.NOT.DEFINED")
[f"{{row.kind}} {{row.object or ''}}" for row in lab.events if row.kind in ("put", "lost")][1:]"""
"""The program that shows where a report on arrival (MQRO_COA) goes that cannot be put: queue manager."""


def _subscriptions(old: QueueManager, new: QueueManager) -> Iterator[Difference]:
    """The topic strings whose publications go to other queues, by the definitions of subscriptions."""
    before, after = _subscribed(old), _subscribed(new)
    for string in sorted({*before, *after}):
        was, goes = (", ".join(sorted(each.get(string, {}).values())) or "no queue" for each in (before, after))
        if was != goes:
            name = sorted(before.get(string, {}).items() ^ after.get(string, {}).items())[0][0]
            said = f"a publication on {string} goes to {goes}, by subscriptions of its own; it went to {was}"
            yield _behavior("subscription", (old, new), ("SUB", name), (was, goes), said, PUBLISHES, string)


def _subscribed(qmgr: QueueManager) -> dict[str, dict[str, str]]:
    """The subscriptions that get every publication on one topic string: topic string -> subscription -> queue."""
    # those with a selector, a wildcard, or a managed queue, which has another name each time, are left out
    found: dict[str, dict[str, str]] = {}
    for one in qmgr.objects.match(("SUB",)):
        has, string = one.attributes, made(qmgr, one).string
        every = not has["SELECTOR"] and not any(sign in string for sign in "#+*?") and has["DESTCLAS"] == "PROVIDED"
        if every and string and not one.name.startswith("SYSTEM."):
            at = has["DESTQMGR"]
            found.setdefault(string, {})[one.name] = has["DEST"] + (f"@{at}" if at not in ("", qmgr.name) else "")
    return found


PUBLISHES = """\
lab[{0!r}].publish({1!r}, b"a message")
[row.object for row in lab.events.where(kind="put")]"""
"""The program that shows the queues to which a publication goes: queue manager, topic string."""

_NOWHERE = "is lost if it is a report or a fast message, and any other stops its channel"


def dead_letters(qmgr: QueueManager) -> str:
    """The fate of a message that a queue manager cannot deliver, in words."""
    name = qmgr.attributes["DEADQ"]
    found = qmgr.objects.named("QLOCAL", name) if name else None
    if not name:
        return f"{_NOWHERE}: DEADQ is blank"
    if found is None or found.kind != "QLOCAL":
        return f"{_NOWHERE}: DEADQ({name}) is no local queue"
    if found.attributes["PUT"] == "DISABLED":
        return f"{_NOWHERE}: {name} has PUT(DISABLED)"
    return f"goes to {name}"


BEHAVIORS: tuple[Callable[[QueueManager, QueueManager], Iterable[Difference]], ...] = (
    _triggers,
    _expiry,
    _dead_letters,
    _subscriptions,
)
"""The questions about every two queue managers, in this order."""


@checked
def duel(
    old: str | Path | Sequence | Estate | Lab | QueueManager,
    new: str | Path | Sequence | Estate | Lab | QueueManager,
    story: Callable[..., object] | None = None,
    *,
    names: tuple[str, str] = ("old", "new"),
) -> Futures:
    """One story on two estates, on one clock: see `mqlab.Lab.duel`, whose two sides are here the estates.

    `story` is a function of a lab that has the estate in it: it puts, cuts links, and lets time pass. Without one,
    every channel that calls is started, a message is put to each name whose messages take another way in the two (the
    first 20 of them), and a minute passes.
    """
    one, other = estate_of(old), estate_of(new)
    told = story or a_message_to_each(diff(one, other))

    rest: list[int] = []

    def tell(lab: Lab, estate: Estate) -> None:
        Estate(estate.parts, lab=lab)
        begin = len(lab.events)
        told(lab)
        puts = (row for row in lab.events[begin:] if row.kind == "put" and not (row.object or "").startswith("SYSTEM."))
        rest.append(next((row.seq for row in puts), begin))

    tell.__name__ = getattr(told, "__name__", "story")
    futures = Lab().duel(tell, {"estate": one}, {"estate": other}, names=names)
    futures.opens = (rest[0], rest[1])  # a page of both opens at the first message
    return futures


def a_message_to_each(differences: Differences) -> Callable[[Lab], None]:
    """A story: one message to each of the first 20 names whose route differs between two estates."""
    found = [one for one in differences.found if one.about == "route"][:20]
    known = {pair.new.name: pair.old.name for pair in differences.pairs if pair.old and pair.new}

    def one_message_to_each_name_whose_route_differs(lab: Lab) -> None:
        here = [each.name for each in lab.queue_managers]
        start_channels(lab)
        for one in found:
            at = one.qmgr if one.qmgr in here else known[one.qmgr]
            with suppress(MQError):  # its row says why
                lab[at].put(one.name, b"a message")
            lab.advance(1)
        lab.advance(60)

    return one_message_to_each_name_whose_route_differs


def start_channels(lab: Lab) -> None:
    """Start every sender and server channel that has a connection name, and let the channels meet."""
    for qmgr in lab.queue_managers:
        for one in qmgr.objects.match(("CHANNEL",)):
            has = one.attributes
            if not one.name.startswith("SYSTEM.") and has["CHLTYPE"] in ("SDR", "SVR") and has["CONNAME"]:
                qmgr.mqsc(f"START CHANNEL({quoted(one.name)})")
    lab.advance(1)
