"""JCL: MQSC in the stream of a job for CSQUTIL (COMMAND), or of a queue manager's procedure for CSQINP1 and CSQINP2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...engine.words.objects import legal_name
from .piece import Damaged, Lines, Piece, Source, note

_OPERANDS = r" +((?:'[^']*'|[^\s'])*+)"
_STATEMENT, _MORE = re.compile(rf"//(?!\*)(\S*)(?: +([A-Z]+)(?:{_OPERANDS})?)?"), re.compile(rf"//{_OPERANDS}")
_DELIMITER = re.compile(r"\bDLM=(?:'((?:[^']|'')+)'|([^,]+))")
_INPUTS = ("CSQINP1", "CSQINP2", "CSQINPT", "CSQINPX")
_NAME = "[A-Z][A-Z0-9]{0,3}"
_QMGR = re.compile(rf"\b(?:PARM|SSID|QMGR)=\(?'?({_NAME})(?![^,')])|'\W?({_NAME}) +[A-Z]")
"""The queue manager of a step, or of a command of the console with its prefix."""
_FUNCTION = re.compile(r"(?im)^[ \t]*COMMAND\b(.*)")


def read(file: Path, text: str) -> Source:
    """Read jobs and procedures."""
    pieces, notes, symbols = [], [], dict[str, str]()
    qmgr = started = program = ""
    streams: dict[str, list[tuple[int, Lines | None]]] = {}
    for line, name, operation, operands, stream in _statements(file, text.split("\n")):
        if operation == "DD":  # without a name, it is one more of the DD statement before it
            streams.setdefault(name.rpartition(".")[2] or next(reversed(streams), ""), []).append((line, stream))
        if operation in ("JOB", "PROC", "EXEC"):
            inputs = dict.fromkeys(_INPUTS, qmgr) | _functions(qmgr, streams if program in ("", "CSQUTIL") else {})
            for data, target in inputs.items():
                for number, lines in streams.get(data, ()):
                    notes += [note(number, "data-set", [data])] if lines is None else []
                    pieces += [Piece(lines, target, platform="zos")] if lines else []
            streams = {}
        operands = re.sub(r"&(\w+)\.?", lambda mark: symbols.get(mark[1], ""), operands)
        called, master = _QMGR.search(operands), re.fullmatch(rf"({_NAME})(?:MSTR|CHIN)", name)
        started = master[1] if master else called[2] if called and operation == "COMMAND" else started
        if operation == "EXEC":
            qmgr, program = (called and called[1]) or started, (re.findall(r"\bPGM=([^,]*)", operands) or [""])[0]
        elif operation in ("SET", "PROC"):
            symbols.update({key: value.strip("'") for key, value in re.findall(r"(\w+)=('[^']*'|[^,]*)", operands)})
    return Source(file, text, pieces, notes or ([] if pieces else [note(1, "no-step")]))


def _functions(qmgr: str, streams: dict[str, list[tuple[int, Lines | None]]]) -> dict[str, str]:
    """The DD statements of the functions COMMAND of CSQUTIL, each with the queue manager that runs its commands."""
    text = "\n".join(line[:72] for _, lines in streams.get("SYSIN", ()) for _, line in lines or ())
    readers = {}
    for words in _FUNCTION.findall(re.sub(r"[+-] *\n", " ", text)):
        data, target = (re.search(rf"(?i)\b{key}\( *'?([\w.%/@#$]{{1,48}})", words) for key in ("DDNAME", "TGTQMGR"))
        readers[data[1].upper() if data else "CSQUCMD"] = target[1] if target and legal_name(target[1]) else qmgr
    return readers


def _statements(file: Path, lines: list[str]) -> Iterator[tuple[int, str, str, str, Lines | None]]:
    """The line, name, operation, operands, and lines in the stream of each statement, and of an EXEC at the end."""
    next_line = 0
    while next_line < len(lines):
        line, first = lines[next_line], next_line + 1
        statement = _STATEMENT.match(line[:71])
        if statement is None and (line.startswith(("//", "/*")) or not line.strip()):
            next_line += 1
            continue
        # lines without a DD are SYSIN
        name, operation, operands = statement.groups("") if statement else ("SYSIN", "DD", "*")
        next_line += statement is not None
        while operands.endswith(","):
            while next_line < len(lines) and lines[next_line].startswith("//*"):
                next_line += 1
            more = _MORE.match(lines[next_line][:71]) if next_line < len(lines) else None
            if more is None or not more[1]:
                problem = "this statement ends with a comma, and has no continuation"
                raise Damaged(file, first, f"the JCL is damaged: {problem}")
            operands, next_line = operands + more[1], next_line + 1
        kind, stream = operands.partition(",")[0], None
        if operation == "DD" and kind in ("*", "DATA"):
            mark = _DELIMITER.search(operands)
            delimiter = (mark[1] or mark[2]).replace("''", "'") if mark else ""
            ends = (delimiter,) if delimiter else ("/*", "//") if kind == "*" else ("/*",)
            end = next(
                (number for number in range(next_line, len(lines)) if lines[number].startswith(ends)), len(lines)
            )
            if delimiter and end == len(lines):
                raise Damaged(file, first, f"the JCL is damaged: the data in the stream have no end (DLM={delimiter})")
            stream = list(enumerate(lines[next_line:end], next_line + 1))
            next_line = end + (end < len(lines) and not ("//" in ends and lines[end].startswith("//")))
        yield first, name, operation, operands, stream
    yield len(lines), "", "EXEC", "", None
