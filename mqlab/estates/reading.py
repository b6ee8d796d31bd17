"""From files to the scripts of an estate: which queue manager each piece of a file is of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..engine.commands import Script, read_script
from ..engine.words.errors import LabError
from ..engine.words.objects import legal_name
from .definitions import Part
from .sources import ccdt, ini, jcl, kubernetes
from .sources.piece import Damaged, Note, Piece, Source, laid_out, note

_READERS = {".yaml": kubernetes.read, ".yml": kubernetes.read, ".json": ccdt.read, ".jcl": jcl.read, ".ini": ini.read}
SUFFIXES = (".mqsc", ".mqs", ".txt", *_READERS)
"""The files of a folder that are read."""
_BEGINS = (
    (r"\s*//[A-Z@#$*]", jcl.read),
    (r'\s*\{\s*"', ccdt.read),
    (r"(?:\s|#.*\n|---.*\n)*(?:apiVersion|kind):", kubernetes.read),
)
"""How the text of a file with another suffix begins, and what reads it."""

_ENDINGS = "mqsc?|txt|tpl|tst|in|out|log|cfg|bak|dump|dmpmqcfg|j2|ya?ml|json|jcl|cntl|ini|sh|md"
_NO_NAME = re.compile(rf"(?i)(?:\.(?:{_ENDINGS}))*$")
"""The endings of a file's name that are not of the name of a queue manager."""

_DEFINES = re.compile(r"(?im)^[ \t]*(?:DEF|DEFINE|ALT|ALTER|SET|DELETE)[ \t+-]+\w")
_COMMAND = re.compile(r"(?m)^[ \t]*[^\s*]")
_REFERRED = re.compile(r"(?i)\bRQMNAME\(\s*'?([A-Z0-9._/%]{1,48})'?\s*\)")


def parts(
    paths: str | Path | Sequence, qmgr: str = "", platform: str | None = None, level: int | None = None, group: str = ""
) -> list[Part]:
    """The scripts of files and folders, as `mqlab.estates.read` says; LabError if there are none."""
    asked = [paths] if isinstance(paths, str | Path) else list(paths)
    named = {Path(str(path)) for path in asked}
    files = {file.resolve(): file for path in asked for file in _files(Path(str(path)))}
    sources = [_read(file, file in named) for file in files.values()]
    sources = [one for one in sources if one.file in named or one.file.suffix.lower() != ".txt" or _defines(one)]
    scripts = [(source, piece, _script(source, piece)) for source in sources for piece in source.pieces]
    known = list(dict.fromkeys(name for _, piece, script in scripts if (name := script.qmgr or piece.qmgr)))
    if qmgr and len(known) > 1:
        got = f"{qmgr} for dumps of {', '.join(known)}"
        raise LabError(f"qmgr must be left out for dumps of several queue managers; got {got}")
    mounts = [mount for source in sources for mount in source.mounts]
    referred = {name.upper(): name for _, _, script in scripts for name in _REFERRED.findall(script.text)}
    every: list[Part] = []
    full: dict[str, None] = {}  # the queue managers of scripts with commands
    # client channels, and then a qm.ini, belong to one of them
    scripts.sort(key=lambda script: (script[1].settings is not None, script[1].serves is not None))
    for source, piece, script in scripts:
        likely = piece.guess.replace("-", ".") or source.file.name
        runs = [name for resource, key, name in mounts if (resource, key or piece.mounted[1]) == piece.mounted]
        owners = [qmgr] if qmgr else [piece.qmgr] if piece.qmgr else runs
        left = ""
        if piece.settings is not None:
            owners = owners or ([_guessed(likely, referred)] if piece.guess else [*full][: len(full) == 1])
            left = "" if not piece.settings or (owners and full.keys() >= {*owners}) else "whose"
        elif piece.serves is not None:
            alone = piece.serves if legal_name(piece.serves) else _guessed(source.file.name, referred)
            owners = owners or [piece.serves if piece.serves in full else next(iter(full), alone)]
        elif not owners and any(piece.mounted[0] == resource for resource, *_ in mounts):
            left = "not-run"
        else:
            owners = owners or [script.qmgr or _guessed(likely, referred)]
            full |= dict.fromkeys(owners if _COMMAND.search(script.text) else ())
        source.notes += [note(piece.lines[0][0] if piece.lines else 1, left, [piece.mounted[1]])] if left else []
        for name in owners if not left and piece.settings != {} else ():
            about = (source.text, piece.settings or {}, (), not qmgr and bool(piece.qmgr or runs))
            which = platform or script.platform or piece.platform
            every.append(Part(str(source.file), script, name, which, level or script.level, group, *about))
    first = every[0].qmgr if every else ""
    for file, text, notes in ((str(source.file), source.text, source.notes) for source in sources if source.notes):
        owner = next((part.qmgr for part in every if part.file == file), first)
        every.append(Part(file, Script("", "utf-8"), owner, text=text, notes=notes))
    if not first:
        suffixes, got = ", ".join(SUFFIXES), ", ".join(map(str, asked)) or "none"
        raise LabError(
            next((f"{part.file}:{part.notes[0].line}: {part.notes[0].why}" for part in every), "")
            or f"paths must name files of MQSC, or folders with files that end in {suffixes}; got {got}"
        )
    # a script without commands has no queue manager of its own if there is another
    return [part if part.qmgr in full or not full else part._replace(qmgr=next(iter(full))) for part in every]


def _read(file: Path, named: bool) -> Source:
    """A file as its suffix or its begin says; one that is damaged in a folder, where it is not `named`, as a note."""
    script = read_script(file)
    text = re.sub(r"\r\n?", "\n", script.text)
    begun = next((reader for begin, reader in _BEGINS if re.match(begin, text)), None)
    reader = _READERS.get(file.suffix.lower(), begun)
    try:
        lines = [*enumerate(text.split("\n"), 1)]
        return reader(file, text) if reader else Source(file, text, [Piece(lines)], script=script)
    except Damaged as damaged:
        if named:
            raise
        return Source(file, text, notes=[Note(damaged.line, damaged.problem, True)])


def _script(source: Source, piece: Piece) -> Script:
    """A piece as a script, with the facts of its header."""
    try:
        header = read_script(("\ufeff" + "\n".join(line for _, line in piece.lines)).encode())
    except LabError as problem:
        raise Damaged(source.file, piece.lines[0][0], str(problem)) from None
    return source.script or header._replace(text=laid_out(piece.lines))


def _guessed(name: str, referred: Mapping[str, str]) -> str:
    """The queue manager that the name of a file or a resource means: without its usual endings, or shorter."""
    words = re.sub(r"[^A-Za-z0-9._/%]", "\0", (_NO_NAME.sub("", name) or name)).upper().split(".")
    stems = [".".join(words[:many]).replace("\0", ".")[:48] for many in range(len(words), 0, -1)]
    stem = next((stem for stem in stems if stem in referred), stems[0])
    return referred.get(stem, stem) if legal_name(stem) else "QM1"


def _defines(source: Source) -> bool:
    """Whether a text is more than a script, or a script that defines something."""
    return source.script is None or bool(source.script.qmgr or _DEFINES.search(source.text))


def _files(path: Path) -> list[Path]:
    """The files that a path means."""
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES and each.is_file())
