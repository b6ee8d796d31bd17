"""The probable meaning of text that MQSC does not accept, in one sentence each."""

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
    "STATUS": "CHSTATUS, QSTATUS, QMSTATUS ...",
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
    """A sentence about a text, and the case and subject of its `Refused`."""

    sentence: str
    case: str = "in-words"
    subject: str = ""


def unfilled(placeholder: str) -> Advice:
    """The sentence about a placeholder."""
    said = f"{placeholder} is a placeholder that a template left behind: put the value in its place before running this"
    return Advice(said, "placeholder", placeholder)


def _character(word: str) -> Advice | None:
    for char, name in _ODD.items():
        if char in word:
            do = "write ' instead" if char in _QUOTES else "retype it as a plain blank or hyphen"
            return Advice(f"{word!r} holds {name} (U+{ord(char):04X}), which MQSC does not know: {do}")
    return None


def _comment(word: str) -> Advice | None:
    if word.startswith("//") and word[2:3].isupper():
        return Advice(f"{word} is a line of JCL, not of MQSC: leave it out", "no MQSC", "JCL")
    found = _COMMENT.match(word)
    do = "give a comment a line of its own, with * as its first character"
    said = f"{found.group()} does not start a comment in MQSC: {do}" if found else ""
    return Advice(said, "no MQSC", "a comment") if said else None


def for_verb(word: str, rest: str) -> Advice:
    """About a command that does not begin with a verb."""
    upper = word.upper()
    if not re.match(r"\w", word) and word in "()'\"":
        return Advice(f"a command begins with a verb, not with {word}")
    found = placeholder(f"{word} {rest.strip()}", quoted=False) if not catalog.verb_word(word) else None
    if told := _comment(word) or _character(word) or (unfilled(found) if found else None):
        return told
    if upper in _VERB_MEANT:
        return Advice(f"{word} is not an MQSC verb; did you mean {_VERB_MEANT[upper]}?")
    if upper in ("REPLACE", "NOREPLACE", "LIKE", "WHERE", "FORCE", "PURGE") or _kinds_with(upper):
        do = "the line before it must end with + (after a blank) for the command to go on here"
        return Advice(f"{word} is an attribute, not a verb: {do}")
    if catalog.object_word(word):
        return Advice(f"{word} is a type of object; a verb such as DEFINE or DISPLAY must precede it")
    if upper.rstrip(":") in _SHELL.split() or "=" in word or word.startswith(("$", ".", "<<")):
        return Advice(f"{word} belongs to a shell, not to MQSC: leave this line out", "no MQSC", "shell")
    if re.match(r"(AMQ|CSQ)[A-Z0-9]{4}|Starting$|[0-9]+(-|$)", word):
        return Advice(f"{word} begins a line that runmqsc printed: leave this line out", "no MQSC", "printed")
    guess, verbs = catalog.nearest(word, catalog.VERBS), ", ".join(catalog.VERBS)
    meant = f"did you mean {guess}?" if guess else f"the verbs are {verbs}"
    return Advice(f"{word!r} is not an MQSC verb; {meant}")


def for_object(verb: str, word: str, able: Collection[str]) -> Advice:
    """About a verb that is not followed by a sort of object it can act on; `able` are those it can."""
    upper = word.upper()
    found = placeholder(word, quoted=False)
    if told := (unfilled(found) if found else None) or _character(word):
        return told
    if upper in _OBJECT_MEANT and (verb, upper[0]) != ("CLEAR", "Q"):
        return Advice(f"{verb} {word}: {_OBJECT_MEANT[upper]}")
    known = catalog.object_word(word)
    guess = None if known else catalog.nearest(word, able)
    text = f"{verb} does not act on {known}" if known else f"MQ has no sort of object called {word!r}"
    return Advice(text + (f"; did you mean {verb} {guess}?" if guess else f"; {verb} takes {', '.join(able)}"))


def for_keyword(command: str, word: str, following: str, keywords: Collection[str]) -> Advice:
    """About a word that is not a keyword of this command.

    `command` is its verb and object, as "DEFINE QLOCAL", `following` the next word, for a keyword that was torn in two,
    and `keywords` has every spelling of every keyword of the command.
    """
    upper = word.upper()
    found = placeholder(word, quoted=False)
    if told := _comment(word) or (unfilled(found) if found else None) or _character(word):
        return told
    if "=" in word:
        name, _, value = word.partition("=")
        return Advice(f"{word}: write {name}({value}), not {name}={value}")
    whole = upper + following.upper()
    if whole in keywords:
        do = "leave no blank before the + or - that splits a word"
        return Advice(f"{word} {following} reads as {whole} torn in two: {do}")
    for cut in range(2, len(upper) - 1):
        if upper[:cut] in keywords and upper[cut:] in keywords:
            do = "leave a blank before the + at a line's end"
            return Advice(f"{word} is {upper[:cut]} and {upper[cut:]} run together: {do}")
    if catalog.verb_word(word):
        do = "the line before it must not end with + or -, or a ; is missing"
        return Advice(f"a new command begins at {word}, inside this one: {do}")
    if upper in _KEYWORD_MEANT:
        return Advice(f"{word} is not a keyword of {command}; did you mean {_KEYWORD_MEANT[upper]}?")
    if elsewhere := _kinds_with(upper):
        return Advice(f"{word} is a keyword of {', '.join(elsewhere[:4])}, not of {command}")
    guess, comment = catalog.nearest(word, keywords), "give it a line of its own with * as its first character"
    advice = f"; did you mean {guess}?" if guess else f". If it is a comment, {comment}"
    return Advice(f"{word} is not a keyword of {command}{advice}")


def _kinds_with(word: str) -> list[str]:
    return [kind for kind in catalog.kinds() if word in catalog.spelled(kind)]
