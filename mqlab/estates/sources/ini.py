"""qm.ini: the settings of a queue manager that a lab has, and the name of the queue manager in the path of its log."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from ...engine.words.objects import legal_name
from .piece import TABLES, Damaged, Lines, Note, Piece, Source, note

_USED = {key.lower(): (key.partition(".")[2], values) for key, values in TABLES["qm.ini"].items()}


def read(file: Path, text: str) -> Source:
    """Read a qm.ini."""
    piece, notes = settings(file, [*enumerate(text.split("\n"), 1)])
    return Source(file, text, [piece], notes)


def settings(file: Path, lines: Lines) -> tuple[Piece, list[Note]]:
    """The settings in the lines of a qm.ini, and a note about those that no lab has."""
    stanza, qmgr, used, unused = "", "", dict[str, str](), dict[str, int]()
    for number, line in lines:
        key, equals, value = (part.strip(" \t\"'") for part in line.partition("="))
        if key.endswith(":") and not equals:
            stanza = key[:-1]
        elif key and key[0] not in "#;":
            if not (equals and stanza):
                raise Damaged(file, number, f"qm.ini has stanzas, as Channels:, and lines Key=Value; got {line!r:.60}")
            setting, values = _USED.get(f"{stanza}.{key}".lower(), ("", ""))
            known = value if values == "number" and re.fullmatch(r"[1-9][0-9]{0,8}", value) else ""
            known = known or next((word for word in values.split("|") if word.lower() == value.lower()), "")
            if setting == "LogPath":
                folder = PurePosixPath(value.replace("\\", "/")).name.replace("!", ".").replace("&", "/")
                qmgr = folder if legal_name(folder) else ""
            elif known:
                used[setting] = known
            else:
                unused.setdefault(f"{stanza}.{key}", number)
    notes = [note(min(unused.values()), "unused", unused)] if unused else []
    return Piece(qmgr=qmgr, guess="" if file.stem.lower() == "qm" else file.name, settings=used), notes
