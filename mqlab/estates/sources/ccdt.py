"""The client channel definition table (CCDT) in JSON: each entry is a definition of a client-connection channel."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import kubernetes
from .kubernetes import Text, under
from .piece import TABLES, Damaged, Piece, Source, note

_FIRST = ("name", "type", "clientConnection.queueManager")


def read(file: Path, text: str) -> Source:
    """Read a CCDT, or a resource of Kubernetes in JSON."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        problem = getattr(error, "msg", "it is nested too deep, or a number is too long")
        raise Damaged(file, getattr(error, "lineno", 1), f"the JSON is damaged: {problem}") from None
    if not isinstance(parsed, dict) or not (isinstance(parsed.get("channel"), list) or "kind" in parsed):
        return Source(file, text)
    # YAML has the same values with their lines, and no text of JSON has a tab
    table = kubernetes.values(file, text.replace("\t", " "))
    if "kind" in parsed:
        return kubernetes.read(file, text, table)
    notes, unknown, seen = [], dict[str, int](), set[tuple[str, str | None]]()
    served: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for entry in table[0]["channel"]:
        leaves: dict[str, list[Text]] = defaultdict(list)
        for path, value in _leaves(entry):
            leaves[path].append(value)
        name, kind, qmgr = (next(iter(leaves.get(path, ())), None) for path in _FIRST)
        line = min((each.line for every in leaves.values() for each in every), default=1)
        if name is None or kind != "clientConnection" or (name, qmgr) in seen:
            notes.append(note(line, "again" if (name, qmgr) in seen else "not-a-client", [name or ""]))
            continue
        seen.add((name, qmgr))
        rows = [(name.line, f"DEFINE CHANNEL({_quoted(name)}) CHLTYPE(CLNTCONN) REPLACE")]
        for path, every in leaves.items():
            if keyword := TABLES["ccdt"].get(path):
                rows.append((max(name.line, every[0].line), f" {keyword}({_in_mqsc(every, keyword)})"))
            elif path not in _FIRST:
                unknown.setdefault(path, every[0].line)
        *others, last = sorted(rows, key=lambda row: row[0])
        served[qmgr or ""] += [*((number, f"{words} +") for number, words in others), last]
    notes += [note(min(unknown.values()), "no-keyword", unknown)] if unknown else []
    return Source(file, text, [Piece(lines, serves=qmgr) for qmgr, lines in served.items()], notes)


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _in_mqsc(every: list[Text], keyword: str) -> str:
    """The values of an attribute in parentheses: one text of addresses, a number, or a list of words."""
    words = [TABLES["words"].get(each, each).replace("\n", " ") for each in every]
    if keyword in ("CONNAME", "LOCLADDR"):
        return _quoted(",".join(words))
    return ",".join(_quoted(word) if value.style else word for word, value in zip(words, every, strict=True))


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Text]]:
    """The values of an entry, each with the names that lead to it; an address is one value, and null is left out."""
    if isinstance(value, dict) and "host" in value:
        ports = under(value, "port") or ",".join(under(value, "portRange", key) for key in ("low", "high"))
        address = Text(under(value, "host") + (f"({ports})" if ports.strip(",") else ""))
        address.line, address.style = next(iter(value)).line, '"'
        yield path, address
    elif isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else (("", item) for item in value):
            yield from _leaves(child, f"{path}.{key}".strip("."))
    elif value.style or value != "null":
        yield path, value
