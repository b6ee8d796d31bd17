"""The probable meaning of text that MQSC does not accept: the case of its refusal, and the fields."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from ..words import catalog

_PLACEHOLDERS = {
    "braces": re.compile(r"\{\{.*?\}\}|\{\{.*|\$\{[^}]*\}?|\$\([^)]*\)?|\{%.*?%\}", re.DOTALL),
    "angles": re.compile(r"(?<![</])<[A-Za-z_][^<>()'/]{0,60}>(?!.*</)", re.DOTALL),
    "percents": re.compile(r"%[A-Za-z_][A-Za-z0-9_]+%"),
    "dollar": re.compile(r"(?<![A-Za-z0-9$])\$(?!SYS\b)(?:[A-Za-z_][A-Za-z0-9_]*|[0-9])"),
    "at": re.compile(r"@[A-Z_]{3,}@"),
}
_COMMENT = re.compile(r"--|//|/\*|\*/|#|!|\*|rem\b|;;", re.IGNORECASE)
_SHELL = """AMQSPUT AMQSGET BASH CAT CHMOD CRTMQM DLTMQM DSPMQ ECHO EOF ENDMQM EXPORT IF DOCKER RUNMQSC RUNMQTRM
    SETMQAUT STRMQM SUDO MQSC"""
_ODD = {
    "\u00a0": "a no-break space", "\u2018": "a typographic quote", "\u2019": "a typographic quote",
    "\u201c": "a typographic quote", "\u201d": "a typographic quote", "\u2013": "a dash", "\u2014": "a dash",
    "\u200b": "a zero-width space", "\ufeff": "a byte order mark",
}  # fmt: skip  # a table
_QUOTES = "\u2018\u2019\u201c\u201d"
_VERB_MEANT = {
    "DEL": "DELETE; it has no short form, so that nobody deletes who meant DEF", "DELE": "DELETE", "CREATE": "DEFINE",
    "CRT": "DEFINE", "ADD": "DEFINE or SET", "REMOVE": "DELETE", "DROP": "DELETE", "SHOW": "DISPLAY", "DISP": "DISPLAY",
    "DSP": "DISPLAY", "LIST": "DISPLAY", "INQUIRE": "DISPLAY", "CHANGE": "ALTER", "UPDATE": "ALTER", "MODIFY": "ALTER",
    "DEFI": "DEFINE, or DEF for short",
}  # fmt: skip  # a table
_OBJECT_MEANT = {
    "TRIGMON": "a trigger monitor is a program, not an object: start runmqtrm, or DEFINE SERVICE to have it started",
    "TRIGGER": "a trigger is an attribute of a queue: ALTER QLOCAL(...) TRIGGER",
    "QUEUE": "say which kind of queue: QLOCAL, QALIAS, QREMOTE or QMODEL",
    "Q": "say which kind of queue: QL, QA, QR or QM",
    "DLQ": "a dead-letter queue is a QLOCAL, named by ALTER QMGR DEADQ(...)",
    "XMITQ": "a transmission queue is a QLOCAL with USAGE(XMITQ)",
    "INITQ": "an initiation queue is a QLOCAL; name it in INITQ(...) of the triggered queue",
    **{each: f"DEFINE CHANNEL(...) CHLTYPE({each})" for each in ("SVRCONN", "CLNTCONN", "SDR", "RCVR")},
    "SUBSCRIPTION": "SUB",
    **{each: f"Q{each}" for each in ("ALIAS", "LOCAL", "REMOTE", "MODEL")},
    "QMANAGER": "QMGR",
    "STATUS": "CHSTATUS, QSTATUS ...",
    "TYPE": "TYPE has no place before the object",
}
_KEYWORD_MEANT = {
    "DESC": "DESCR", "DESCRIPTION": "DESCR", "DEPTH": "CURDEPTH or MAXDEPTH", "CURRENTDEPTH": "CURDEPTH",
    "PERSISTENCE": "DEFPSIST", "TARGETQ": "TARGET", "QDEPTHMAXEV": "QDPMAXEV", "QDEPTHHIEV": "QDPHIEV",
    "QDEPTHLOEV": "QDPLOEV", "APPLID": "APPLICID", "FAILEDDLAY": "FAILDLAY", "SSLCIPHER": "SSLCIPH", "REMOTEQ": "RNAME",
    "NAME": "the name goes in the object's own parentheses",
}  # fmt: skip  # a table


def placeholder(raw: str, quoted: bool, free: str = "") -> str | None:
    """The first placeholder of a template in this text, None if there is none.

    `quoted` is True if the text was in quotes, in which MQ itself accepts every character. `free` is "prose" for a
    description, where ``<name>`` and ``%`` may be meant, and "shell" for a command line or a password, where
    ``${HOME}`` may be too.
    """
    for sort, pattern in _PLACEHOLDERS.items():
        if quoted and free and (sort != "braces" or (free == "shell" and "{{" not in raw)):
            continue
        found = pattern.search(raw)
        if found:
            return found.group().strip()
    return None


class Advice(NamedTuple):
    """The case of the refusal of a text, and its fields."""

    case: str
    fields: dict[str, object]


def unfilled(placeholder: str, before: str = "") -> Advice:
    """About a placeholder, with the keyword `before` it."""
    return Advice("placeholder", {"before": before, "placeholder": placeholder})


def _character(word: str) -> Advice | None:
    for char, name in _ODD.items():
        if char in word:
            fields: dict[str, object] = {"word": word, "character": name, "code": f"{ord(char):04X}"}
            return Advice("odd-quote" if char in _QUOTES else "odd-character", fields)
    return None


def _comment(word: str) -> Advice | None:
    if word.startswith("//") and word[2:3].isupper():
        return Advice("jcl", {"word": word})
    found = _COMMENT.match(word)
    return Advice("comment", {"sign": found.group()}) if found else None


def for_verb(word: str, rest: str) -> Advice:
    """About a command that does not begin with a verb."""
    upper = word.upper()
    if not re.match(r"\w", word) and word in "()'\"":
        return Advice("no-verb-first", {"word": word})
    found = placeholder(f"{word} {rest.strip()}", quoted=False) if not catalog.verb_word(word) else None
    if meant := _comment(word) or _character(word) or (unfilled(found) if found else None):
        return meant
    if upper in _VERB_MEANT:
        return Advice("other-verb", {"word": word, "meant": _VERB_MEANT[upper]})
    if upper in ("REPLACE", "NOREPLACE", "LIKE", "WHERE", "FORCE", "PURGE") or _kinds_with(upper):
        return Advice("attribute-first", {"word": word})
    if catalog.object_word(word):
        return Advice("object-first", {"word": word})
    if upper.rstrip(":") in _SHELL.split() or "=" in word or word.startswith(("$", ".", "<<")):
        return Advice("shell", {"word": word})
    if re.match(r"(AMQ|CSQ)[A-Z0-9]{4}|Starting$|[0-9]+(-|$)", word):
        return Advice("printed", {"word": word})
    near = catalog.nearest(word, catalog.VERBS)
    if near:
        return Advice("no-verb-but-near", {"word": word, "near": near})
    return Advice("no-verb", {"word": word, "verbs": ", ".join(catalog.VERBS)})


def for_object(verb: str, word: str, able: Collection[str]) -> Advice:
    """About a verb that is not followed by a sort of object it can act on; `able` are those it can."""
    upper = word.upper()
    found = placeholder(word, quoted=False)
    if meant := (unfilled(found) if found else None) or _character(word):
        return meant
    if upper in _OBJECT_MEANT and (verb, upper[0]) != ("CLEAR", "Q"):
        return Advice("other-object", {"verb": verb, "word": word, "meant": _OBJECT_MEANT[upper]})
    known = catalog.object_word(word)
    fields: dict[str, object] = {"verb": verb, "objects": ", ".join(able)}
    if known:
        return Advice("not-acted-on", {"object": known, **fields})
    if near := catalog.nearest(word, able):
        return Advice("no-sort-but-near", {"word": word, "near": near, "verb": verb})
    return Advice("no-sort", {"word": word, **fields})


def for_keyword(command: str, word: str, following: str, keywords: Collection[str]) -> Advice:
    """About a word that is not a keyword of this command.

    `command` is its verb and object, as "DEFINE QLOCAL", `following` the next word, for a keyword that was torn in two,
    and `keywords` has every spelling of every keyword of the command.
    """
    upper = word.upper()
    found = placeholder(word, quoted=False)
    if meant := _comment(word) or (unfilled(found) if found else None) or _character(word):
        return meant
    if "=" in word:
        name, _, value = word.partition("=")
        return Advice("equals-sign", {"word": word, "keyword": name, "value": value})
    whole = upper + following.upper()
    if whole in keywords:
        return Advice("torn", {"word": word, "following": following, "whole": whole})
    for cut in range(2, len(upper) - 1):
        if upper[:cut] in keywords and upper[cut:] in keywords:
            return Advice("run-together", {"word": word, "first": upper[:cut], "second": upper[cut:]})
    if catalog.verb_word(word):
        return Advice("new-command", {"word": word})
    fields: dict[str, object] = {"word": word, "command": command}
    if upper in _KEYWORD_MEANT:
        return Advice("other-keyword", {"meant": _KEYWORD_MEANT[upper], **fields})
    if elsewhere := _kinds_with(upper):
        return Advice("keyword-of-others", {"objects": ", ".join(elsewhere[:4]), **fields})
    if near := catalog.nearest(word, keywords):
        return Advice("other-keyword", {"meant": near, **fields})
    return Advice("no-keyword", fields)


def _kinds_with(word: str) -> list[str]:
    return [kind for kind in catalog.kinds() if word in catalog.spelled(kind)]
