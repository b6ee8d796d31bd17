"""YAML with MQSC: ConfigMaps, Secrets, QueueManager resources, values of a Helm chart, and other blocks of text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from ...engine.words.errors import LabError
from ...engine.words.objects import legal_name
from . import ini
from .piece import Damaged, Lines, Piece, Source, note

_MOST_ALIASES = 100
_IS_MQSC = re.compile(
    r"(?i)(?:[ \t]*(?:\*.*)?\n)*[ \t]*(?:DEF|DEFINE|ALT|ALTER|SET|DELETE|DIS|DISPLAY|STA|START|REFRESH)"
    r"(?:\s+(?:NO)?REPLACE)?(?:[ \t]|[+-][ \t]*\n)+(?:\w+[ \t]*\(|QMGR\b)"
)
"""A text whose first command names an object, or the queue manager."""
_FILES = ("mqsc", ".mqs", ".ini")
_RUNS = ("mqsc", "ini", "mqscConfigMaps", "mqscSecrets", "qminiConfigMaps", "qminiSecrets")
"""The lists of ConfigMaps and Secrets that a queue manager runs."""


class Text(str):
    """A value of YAML: its first line in the file, its style ("|", '"', ...), and how it is written there."""

    line: int
    style: str | None
    written: str

    @property
    def lines(self) -> Lines:
        """The lines of the value, each with the line of the file in which it begins."""
        if self.style == "|":
            return [*enumerate(self.split("\n"), self.line + 1)]
        numbered, line = [], self.line
        if self.style == '"':
            numbers = [line]
            for mark in re.finditer(r"\\n(?:\\?\n\s*)?|\\?\n\s*|\\.", self.written):
                breaks = mark[0].count("\n")
                line += breaks
                numbers += [line] * (max(0, breaks - 1) + mark[0].startswith("\\n"))
            return list(zip(chain(numbers, repeat(line)), self.split("\n"), strict=False))
        # each line of the value begins as one of the file does, after a few that are empty
        rows = [row.strip().strip("'").replace("''", "'") for row in self.written.split("\n")]
        for text in self.split("\n"):
            near = range(line - self.line, min(line - self.line + 99, len(rows)))
            begins = (row for row in near if rows[row] and text.strip().startswith(rows[row]))
            line = self.line + next(begins, near.start)
            numbered.append((line, text))
        return numbered


def values(file: Path, text: str) -> list[Any]:
    """The documents of a YAML text as dicts, lists, and `Text`. LabError as in `read`."""
    try:
        import yaml
    except ImportError:
        raise LabError(f"{file} needs PyYAML: pip install pyyaml") from None

    class Loader(yaml.BaseLoader):
        def construct_scalar(self, node: Any) -> Text:
            value = Text(super().construct_scalar(node).encode("utf-8", "replace").decode())
            value.line, value.style = node.start_mark.line + 1, node.style
            value.written = text[node.start_mark.index : node.end_mark.index]
            return value

    try:
        if re.search(r"(?:[\[{]\s*){200}", text):
            raise RecursionError
        return list(yaml.load_all(re.sub("[\u2028\u2029]", " ", text), Loader))  # ends of lines to YAML only
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        if (place := text.find("{{")) >= 0:
            raise Damaged(file, text.count("\n", 0, place) + 1, note(1, "template").why) from None
        mark = getattr(error, "problem_mark", None)
        line = min(mark.line + 1, text.count("\n") + 1) if mark else 1
        deep = "it is nested too deep" if isinstance(error, RecursionError) else "YAML does not allow a character in it"
        raise Damaged(file, line, f"the YAML is damaged: {getattr(error, 'problem', None) or deep}") from None


def read(file: Path, text: str, documents: list[Any] | None = None) -> Source:
    """Read the documents of a YAML file. LabError for YAML that is damaged, or a template."""
    source, seen = Source(file, text), Counter[int]()
    for document in values(file, text) if documents is None else documents:
        _gather(source, document, Piece(), "", seen)
    source.notes += [] if source.pieces or source.notes or source.mounts else [note(1, "nothing")]
    return source


def _gather(source: Source, value: Any, where: Piece, key: str, seen: Counter[int]) -> None:
    """Gather the pieces, notes, and mounts in a value; `where` has the names of the resource around it."""
    seen[id(value)] += 1
    if seen[id(value)] > _MOST_ALIASES:  # they multiply
        raise Damaged(source.file, 1, f"the YAML has more than {_MOST_ALIASES} aliases of one value")
    if isinstance(value, Text):
        if (value.style in ("|", ">") or key.lower().endswith("mqsc")) and _IS_MQSC.match(value):
            _take(source, value, where, key)
    elif isinstance(value, list):
        for child in value:
            _gather(source, child, where, key, seen)
    elif isinstance(value, dict):
        kind, managed = under(value, "kind"), under(value, "queueManager", kind=dict)
        where = Piece(guess=under(value, "metadata", "name")) if kind else where
        source.text = "" if kind == "Secret" else source.text  # no page shows the lines around
        if managed:
            name = re.sub(r"[^A-Za-z0-9._/%]", "", under(managed, "name") or where.guess)  # as the container does
            where = where._replace(qmgr=name if legal_name(name) else "")
            for item in (item for runs in _RUNS for item in under(managed, runs, kind=list)):
                mounted = under(item, "configMap", kind=dict) or under(item, "secret", kind=dict) or item
                keys = under(mounted, "items", kind=list) or [""]
                resource = under(mounted, "name")
                source.mounts += ((resource, str(file), where.qmgr) for file in keys if resource and where.qmgr)
        for part, child in value.items():
            if kind not in ("ConfigMap", "Secret") or part not in ("data", "stringData"):
                _gather(source, child, where, part, seen)
                continue
            # a container runs the files in the order of their names
            for file, content in sorted(child.items()) if isinstance(child, dict) else ():
                if isinstance(content, Text) and (file.lower().endswith(_FILES) or _IS_MQSC.match(content)):
                    if (kind == "Secret") == (part == "stringData"):
                        _take(source, content, where._replace(mounted=(where.guess, file)), file)
                    else:
                        source.notes.append(note(content.line, "encoded", [file]))


def _take(source: Source, value: Text, where: Piece, key: str) -> None:
    """Take the MQSC, or the qm.ini, in a text."""
    if re.search(r"(?m)^[ \t]*\{\{", value):
        source.notes.append(note(value.line, "template"))
    elif key.lower().endswith(".ini"):
        piece, notes = ini.settings(source.file, value.lines)
        source.pieces.append(piece._replace(mounted=where.mounted, guess=""))
        source.notes += notes
    else:
        source.pieces.append(where._replace(lines=value.lines))


def under(value: Any, *keys: str, kind: type = Text) -> Any:
    """The text under some keys, or the value of another type; an empty one if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, kind) else kind()
