"""The catalog: one row for each kind of object and for each attribute, the only source of MQSC's keywords.

Each says by itself what it is called, who has it since when, and whether the lab acts on it. How a row is written is
in kinds.txt for kinds of object, in attributes.txt for attributes, and in commands.txt for other commands.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .attribute import ALL_PLATFORMS, Attribute, CatalogError, Value, Word, nearest, read_rows, table
from .commands import goes_with, keywords, options, others
from .kinds import (
    DEFINABLE,
    END_WORDS,
    KINDS,
    OBJECTS,
    QUEUE_KINDS,
    SYSTEM,
    VERBS,
    Kind,
    answer,
    check_name,
    default_object,
    family,
    headline,
    object_word,
    verb_word,
)

AUTHINFO_NEEDS = {"OCSP": ("OCSPURL",), "CRLLDAP": ("CONNAME",)}
"""Attributes that DEFINE AUTHINFO of a type needs, unless LIKE gives them."""
CHANNEL_NEEDS = {
    "SDR": ("CONNAME", "XMITQ"),
    "SVR": ("XMITQ",),
    **dict.fromkeys(("RQSTR", "CLNTCONN", "CLUSSDR"), ("CONNAME",)),
}
"""Attributes that DEFINE CHANNEL of a type needs, unless LIKE or the SYSTEM.DEF channel gives them."""
CHANNEL_TYPES = ("SDR", "SVR", "RCVR", "RQSTR", "CLNTCONN", "SVRCONN", "CLUSSDR", "CLUSRCVR", "AMQP", "MQTT")
QMGR_GROUPS = {word: tuple(group.split()) for word, group in KINDS["QMGR"].grouped("groups")}
"""DISPLAY QMGR's words for groups of attributes."""


def kinds() -> tuple[str, ...]:
    """Every kind of object the catalog has attributes of; client-connection channels are a kind of their own."""
    return tuple(row.keyword for row in KINDS.values() if row.rows is not None)


@cache
def attributes(kind: str, chltype: str | None = None) -> dict[str, Attribute]:
    """Keyword -> `Attribute` of this kind of object, in DISPLAY's order.

    `kind` is one of `kinds()` ("QLOCAL", "QMGR", "CHANNEL" ...), or "QUEUE" for what any kind of queue has. With
    `chltype` a channel's attributes are those of that type of channel, without it those of any type. CatalogError for
    any other kind.
    """
    if kind in ("CHANNEL", "CLNTCONN"):
        chltype = "CLNTCONN" if kind == "CLNTCONN" else chltype
        rows = table()["CHANNEL"]
        return read_rows(row for row in rows if chltype is None or not row[6] or chltype in row[6].split())
    if kind == "QUEUE":
        by_keyword = {}
        for queue in QUEUE_KINDS:
            by_keyword.update({k: a for k, a in attributes(queue).items() if k not in by_keyword})
        return by_keyword
    row = KINDS.get(kind)
    if row is None or row.rows is None:
        raise CatalogError("keyword", f"kind of object: wanted one of {', '.join(kinds())}; got {kind!r}")
    return read_rows(row.rows)


@cache
def own(kind: str) -> tuple[Attribute, ...]:
    """The attributes of this kind that LIKE does not copy."""
    return tuple(attribute for attribute in attributes(kind).values() if attribute.own)


def defaults(kind: str, platform: str = "distributed", chltype: str | None = None) -> dict[str, object]:
    """Every attribute that platform has for this kind, with the value a new object gets; a new dict each time.

    A channel's depend on its type: without `chltype`, those that every type has.

    >>> defaults("QLOCAL")["MAXDEPTH"], defaults("QLOCAL", "zos")["MAXDEPTH"]
    (5000, 999999999)
    """
    every = attributes(kind, chltype)
    if kind == "CHANNEL" and chltype is None:
        every = {k: a for k, a in every.items() if all(k in attributes(kind, one) for one in CHANNEL_TYPES)}
    values = {keyword: a.default for keyword, a in every.items() if a.default is not None and platform in a.platforms}
    if platform == "zos":
        values.update({keyword: value for keyword, value in KINDS[kind].on_zos.items() if keyword in values})
    return values


@cache
def _unacted(kind: str, platform: str, chltype: str | None) -> dict[str, object]:
    """The attributes that nothing acts on, here or in IBM MQ, with the values of a new object."""
    has, usual = attributes(kind, chltype), defaults(kind, platform, chltype)
    acting = {keyword for keyword, one in has.items() if one.acts or one.inert or not one.settable}
    return {keyword: value for keyword, value in usual.items() if keyword not in acting}


def unacted(kind: str, values: dict[str, object], platform: str, chltype: str | None = None) -> list[str]:
    """What an object with these values has beside a new one, and nothing in the lab acts on, as MQSC.

    >>> unacted("QLOCAL", {"MAXDEPTH": 5, "SCOPE": "CELL"}, "distributed")
    ['SCOPE(CELL)']
    """
    usual = _unacted(kind, platform, chltype)
    return [f"{word}({value})" for word, value in values.items() if word in usual and value != usual[word]]


@cache
def system_objects(platform: str, level: int) -> dict[tuple[str, str], tuple[dict[str, object], bool]]:
    """(kind, name) -> attributes of each SYSTEM object of a new queue manager, and whether its queue is set up at once.

    >>> system_objects("zos", 940)["QALIAS", "SYSTEM.ADMIN.COMMAND.QUEUE"][0]["TARGET"]
    'SYSTEM.COMMAND.INPUT'
    """
    by_name = {}
    describes = dict(KINDS["QLOCAL"].grouped("described"))
    for row in SYSTEM:
        if platform in row.platforms and level >= row.since:
            values = defaults(row.kind, platform, row.values.get("CHLTYPE"))
            has = attributes(row.kind, row.values.get("CHLTYPE"))
            for keyword, text in row.values.items():
                if platform in has[keyword].platforms:
                    values[keyword] = text == "yes" or has[keyword].check(
                        text.split(",") if has[keyword].shape == "names" else text
                    )
            described = describes.get(row.name.removeprefix("SYSTEM."))
            if described and platform == "distributed" and level >= 900:
                values["DESCR"] = f"IBM MQ {described}"
            by_name[row.kind, row.name] = values, row.made
    return by_name


@cache
def spelled(kind: str, chltype: str | None = None) -> dict[str, str]:
    """Every spelling of every keyword of this kind -> the keyword; flags also with NO before them.

    >>> spelled("QALIAS")["TARGQ"], spelled("QLOCAL")["NOTRIGGER"]
    ('TARGET', 'TRIGGER')
    """
    shortest = {}
    for keyword, attribute in attributes(kind, chltype).items():
        for word in (keyword, *attribute.synonyms, *([f"NO{keyword}"] if attribute.shape == "flag" else [])):
            shortest[word] = keyword
    return shortest


def check(kind: str, keyword: str, value: object, platform: str | None = "distributed") -> Value:
    """Give the value as an object of this kind stores it.

    >>> check("QLOCAL", "maxdepth", "10")
    10

    CatalogError, a `ValueError`, states the expected value, the actual value, and a remedy.
    """
    word = keyword.upper() if isinstance(keyword, str) else keyword
    known = spelled(kind)
    if word not in known:
        guess = nearest(str(word), known)
        do = f"Did you mean {guess}?" if guess else f"It has {', '.join(attributes(kind))}"
        raise CatalogError("keyword", f"{kind} has no attribute {keyword!r}. {do}")
    attribute = attributes(kind)[known[word]]
    if not attribute.settable:
        raise CatalogError(
            "keyword", f"{attribute.keyword} is only displayed: the queue manager keeps it itself. Leave it out"
        )
    return attribute.check(value, platform)


def certificate_label(name: str, platform: str) -> str:
    """Return the CERTLABL that a new queue manager has, "" on z/OS.

    >>> certificate_label("QM1", "distributed")
    'ibmwebspheremqqm1'
    """
    return f"ibmwebspheremq{name.lower()}" if platform == "distributed" else ""


def version(level: int) -> str:
    """Write a command level as VERSION has it.

    >>> version(942)
    '09040200'
    """
    return f"{level // 100:02}{level // 10 % 10:02}{level % 10:02}00"
