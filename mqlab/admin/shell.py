"""Commands of the shell about authority: setmqaut, dspmqaut, and dmpmqaut, as the MQSC commands that do the same."""

from __future__ import annotations

import shlex
from typing import Any

from ..engine.words.errors import LabError

_TYPES = {
    "QUEUE": "q queue", "QMGR": "qmgr", "TOPIC": "top topic", "PROCESS": "prcs process", "NAMELIST": "nl namelist",
    "CHANNEL": "chl channel", "CLNTCONN": "clcn clntconn", "LISTENER": "lstr listener", "SERVICE": "srvc service",
    "AUTHINFO": "authinfo", "COMMINFO": "comminfo", "RQMNAME": "rqmname",
}  # fmt: skip  # a table
_OBJTYPES = {word: kind for kind, words in _TYPES.items() for word in words.split()}
_OPTIONS = {"-m": "qmgr", "-t": "type", "-n": "name", "-x": "name", "-p": "PRINCIPAL", "-g": "GROUP"}
_WANTED = "setmqaut, dspmqaut, or dmpmqaut, such as setmqaut -m QM1 -t queue -n ORDERS -g tills +put"


def shell(qmgr: Any, text: str) -> str:
    """Run a command of the shell and return what it prints; see `mqlab.lab.queue_manager.QueueManager.shell`."""
    words = shlex.split(text)
    program = words.pop(0) if words else ""
    if program not in ("setmqaut", "dspmqaut", "dmpmqaut"):
        raise LabError(f"the command must be {_WANTED}; got {program or 'nothing'}")
    options: dict[str, Any] = {"PRINCIPAL": [], "GROUP": []}
    signed: list[str] = []
    while words:
        word = words.pop(0)
        if word in _OPTIONS and words:
            name, value = _OPTIONS[word], words.pop(0)
            options[name] = [*options[name], value] if name in ("PRINCIPAL", "GROUP") else value
        elif word[0] in "+-" and program == "setmqaut" and word not in _OPTIONS:
            signed.append(word)
        else:
            raise LabError(f"{program} must be given {_WANTED}; got {word}")
    if options.get("qmgr", qmgr.name) != qmgr.name:
        raise LabError(f"-m must name this queue manager, {qmgr.name}; got {options['qmgr']}")
    kind = _OBJTYPES.get(options.get("type", "").lower(), "")
    if not kind and (program != "dmpmqaut" or "type" in options):
        raise LabError(f"-t must be one of {', '.join(sorted(_OBJTYPES))}; got {options.get('type', 'nothing')}")
    if kind not in ("", "QMGR") and "name" not in options and program != "dmpmqaut":
        raise LabError(f"{program} of a {kind} must name it with -n")
    command = {"setmqaut": _set, "dspmqaut": _displayed, "dmpmqaut": _dumped}[program]
    return command(qmgr, kind, options, signed)


def _set(qmgr: Any, kind: str, options: dict[str, Any], signed: list[str]) -> str:
    """SET AUTHREC, or DELETE AUTHREC for -remove."""
    entities = [f"{word}('{text}')" for word in ("PRINCIPAL", "GROUP") for text in options[word]]
    if not entities or not signed:
        raise LabError("setmqaut must name entities (-p, -g) and authorities, such as +put; one of these is missing")
    profile = "" if kind == "QMGR" else f"PROFILE('{options['name']}') "
    words = {sign: ",".join(text[1:].upper() for text in signed if text[0] == sign) for sign in "+-"}
    changes = [f"{keyword}({words[sign]})" for sign, keyword in (("-", "AUTHRMV"), ("+", "AUTHADD")) if words[sign]]
    for entity in entities:
        start = f"AUTHREC {profile}OBJTYPE({kind}) {entity}"
        # each word is done in its turn, so that -all +put leaves PUT alone
        commands = [f"DELETE {start}"] if signed == ["-remove"] else [f"SET {start} {change}" for change in changes]
        qmgr.mqsc("\n".join(commands)).require()
    return f"setmqaut: {qmgr.name} has the change."


def _displayed(qmgr: Any, kind: str, options: dict[str, Any], signed: list[str]) -> str:
    """DISPLAY ENTAUTH."""
    entities = [(word, each) for word in ("PRINCIPAL", "GROUP") for each in options[word]]
    if len(entities) != 1:
        raise LabError(f"dspmqaut must name one entity with -p or -g; got {len(entities)}")
    about = "" if kind == "QMGR" else f" OBJNAME('{options['name']}')"
    rows = qmgr.mqsc(f"DISPLAY ENTAUTH {entities[0][0]}('{entities[0][1]}') OBJTYPE({kind}){about}").require().rows
    names = [word.lower() for word in rows[0]["AUTHLIST"] if word != "NONE"]
    return "\n".join([f"{entities[0][1]} and {options.get('name', qmgr.name)} ({kind}):", *(names or ["nothing"])])


def _dumped(qmgr: Any, kind: str, options: dict[str, Any], signed: list[str]) -> str:
    """DISPLAY AUTHREC."""
    parts = [f"PROFILE('{options['name']}')"] if "name" in options else []
    parts += [f"OBJTYPE({kind})"] if kind else []
    parts += [f"{word}('{each}')" for word in ("PRINCIPAL", "GROUP") for each in options[word]]
    rows = qmgr.mqsc(f"DISPLAY AUTHREC {' '.join(parts)} ALL").require().rows
    lines = [
        f"profile: {row['PROFILE']}\nobject type: {row['OBJTYPE']}\nentity: {row['ENTITY']}\n"
        f"entity type: {row['ENTTYPE']}\nauthority: {' '.join(row['AUTHLIST']).lower()}"
        for row in rows
    ]
    return "\n- - - -\n".join(lines)
