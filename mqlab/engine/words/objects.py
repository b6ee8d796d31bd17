"""Object definitions: what DEFINE makes, by kind and name."""

from __future__ import annotations

import re
from difflib import get_close_matches

from ..extra import of_extras
from .catalog import QUEUE_KINDS
from .shown import shown

_LEGAL = re.compile(r"[A-Za-z0-9._/%]{1,48}")


def legal_name(name: object) -> bool:
    """Whether this can be the name of an MQ object: 1 to 48 of A-Z a-z 0-9 . _ / %.

    >>> legal_name("ORDERS.IN"), legal_name("<script>")
    (True, False)
    """
    return isinstance(name, str) and _LEGAL.fullmatch(name) is not None


def folder_of(qmgr: str) -> str:
    """The name of a queue manager's folder below /var/mqm.

    >>> folder_of("QM.1")
    'QM!1'
    """
    return qmgr.replace(".", "!").replace("/", "&")


@shown
class Definition:
    """One object as defined: its kind ("QLOCAL"), name, and attributes (MQSC keyword to value)."""

    __slots__ = ("attributes", "kind", "name")

    def __init__(self, kind: str, name: str, attributes: dict):
        self.kind, self.name, self.attributes = kind, name, attributes

    @property
    def key(self) -> str:
        """Its name, or the SUBID of one without a name."""
        key: str = self.name or self.attributes.get("SUBID", "")
        return key

    def __repr__(self) -> str:
        return f"Definition({self.kind}, {self.name!r})"


def base_kind(alias: Definition) -> str:
    """The kind of object that an alias is one of: QLOCAL for queues of all kinds."""
    sort: str = alias.attributes.get("TARGTYPE", "QUEUE")
    return "QLOCAL" if sort == "QUEUE" else sort


_FOUND_BY = {"CHANNEL": "CHLTYPE", "QALIAS": "TARGET"}
"""Kind -> the attribute by whose value its objects are found, besides their name; extras have more (`found_by`)."""


class ObjectTable:
    """The definitions of one queue manager. Queues of every kind share one name space."""

    def __init__(self) -> None:
        self._found_by = {**_FOUND_BY, **of_extras("found_by")}
        self._by_space: dict[str, dict[str, Definition]] = {}
        self._by_value: dict[tuple[str, str], dict[str, Definition]] = {}  # kind, value -> the objects, by name
        self._indexed: dict[tuple[str, str], str] = {}  # kind, name -> the value that the object is found by
        self._lengths: dict[str, set[int]] = {}  # kind -> the lengths that such values have or had
        self._followed: dict[str, list[Definition]] = {}  # kind -> the objects that came, changed, or went
        self._sorted: dict[tuple[str, ...], list[Definition]] = {}  # kinds -> their objects, until one comes or goes

    def _space(self, kind: str) -> dict[str, Definition]:
        return self._by_space.setdefault("QUEUE" if kind in QUEUE_KINDS else kind, {})

    def named(self, kind: str, name: str) -> Definition | None:
        """The object that holds this name among objects of its sort: for queues, whatever its kind of queue."""
        return self._space(kind).get(name)

    def get(self, kind: str, name: str) -> Definition | None:
        """The object of just this kind and name, None if there is none."""
        found = self.named(kind, name)
        return found if found is not None and found.kind == kind else None

    def add(self, definition: Definition) -> None:
        """Enter a definition, in the place of one with the same name."""
        self._space(definition.kind)[definition.key] = definition
        self._sorted.clear()
        self.index(definition)

    def remove(self, definition: Definition) -> None:
        """Take a definition out."""
        del self._space(definition.kind)[definition.key]
        self._sorted.clear()
        self._unindex(definition)
        self._followed.get(definition.kind, []).append(definition)

    def index(self, definition: Definition) -> None:
        """Find an alias by its TARGET, a channel by its CHLTYPE, ...; call this whenever that may have changed."""
        self._followed.get(definition.kind, []).append(definition)
        if definition.kind in self._found_by:
            self._unindex(definition)
            value = definition.attributes[self._found_by[definition.kind]]
            self._indexed[definition.kind, definition.name] = value
            self._by_value.setdefault((definition.kind, value), {})[definition.name] = definition
            self._lengths.setdefault(definition.kind, set()).add(len(value))

    def _unindex(self, definition: Definition) -> None:
        if (value := self._indexed.pop((definition.kind, definition.name), None)) is not None:
            del self._by_value[definition.kind, value][definition.name]

    def changed(self, kind: str) -> list[Definition]:
        """The objects of this kind that came, changed, or went since the last call; at first, all of them."""
        changed = self._followed.get(kind) if kind in self._followed else list(self.match((kind,)))
        self._followed[kind] = []
        return changed or []

    def having(self, kind: str, value: str) -> list[Definition]:
        """The aliases with this TARGET, or channels of this CHLTYPE, ..., by name. Cost: their number, however many
        objects there are."""
        return [definition for _, definition in sorted(self._by_value.get((kind, value), {}).items())]

    def lengths(self, kind: str) -> list[int]:
        """The lengths of the values by which `having` finds, or found, objects of this kind, the longest first."""
        return sorted(self._lengths.get(kind, ()), reverse=True)

    def match(self, kinds: tuple[str, ...], generic: str = "*") -> list[Definition]:
        """Objects of these kinds whose name is `generic`, or begins with it where it ends in ``*``; sorted by name."""
        if not generic.endswith("*"):
            return [*filter(None, (self.get(kind, generic) for kind in sorted(kinds)))]
        if kinds not in self._sorted:
            spaces = {id(space): space for space in map(self._space, kinds)}.values()
            found = (d for space in spaces for d in space.values() if d.kind in kinds)
            self._sorted[kinds] = sorted(found, key=lambda d: (d.name, d.kind))
        return [d for d in self._sorted[kinds] if generic == "*" or d.name.startswith(generic[:-1])]

    def clusters_of(self, definition: Definition | None) -> tuple[str, ...]:
        """The clusters that a definition names: CLUSTER, and the names in the namelist of CLUSNL."""
        has = {} if definition is None else definition.attributes
        listed = self.get("NAMELIST", has.get("CLUSNL", ""))
        return (*filter(None, [has.get("CLUSTER")]), *(listed.attributes["NAMES"] if listed else ()))

    def everything(self) -> list[Definition]:
        """Every definition, by kind and name."""
        found = [definition for space in self._by_space.values() for definition in space.values()]
        return sorted(found, key=lambda d: (d.kind, d.name))

    def near(self, kind: str, name: str) -> list[str]:
        """Other names like this name, for a hint; a name that differs only in case is first."""
        names = sorted(n for n in self._space(kind) if n != name)
        same = [n for n in names if n.upper() == str(name).upper()]
        return same or get_close_matches(str(name), names, n=3)
