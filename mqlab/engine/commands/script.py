"""A script as a file: the text of its characters, and what the header of a dump says of its queue manager.

Files come as UTF-8, UTF-16, cp1252 (Latin-1, and more), or cp850 of a Windows console, and from z/OS as EBCDIC 037 or
1047, in lines or in records of 80 characters. A byte order mark says which; else the encoding of a script is the first
of these that its bytes allow. The two EBCDIC pages differ in six characters, none of MQSC's own: the page is the one
that makes more of them [ ] and ^.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ..words.arguments import checked
from ..words.errors import LabError
from ..words.lexer import without_end_mark
from ..words.objects import legal_name

_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_1047 = str.maketrans("Ý¨[]¬^", "[]Ý¨^¬")  # what page 037 makes of the bytes, to what page 1047 does
_PLAIN = str.maketrans({"\x85": "\n", "\f": " ", "\v": " ", "\ufeff": None})
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U0010ffff]")
_HEADER = re.compile(r"(?im)(?:^|\r)\*[ \t]*Queue manager (?:command (?=level))?(name|platform|level):[ \t(]*([^\s)]*)")
_ZOS = re.compile(r"(?i)MVS|Z/?OS|OS/?390")


class Script(NamedTuple):
    """A script that was read: its `text`, the `encoding` it was in, and of a dump `qmgr`, `platform` and `level`, each
    None if no header line says it; records in EBCDIC are of platform "zos" then."""

    text: str
    encoding: str
    qmgr: str | None = None
    platform: str | None = None
    level: int | None = None


@checked
def read_script(file: str | Path | bytes) -> Script:
    """Read MQSC from a file, or from the bytes of one: a `Script`. LabError, in one sentence, if it is no text.

    Of a header's two levels the first is the queue manager's, the second what dmpmqcfg itself knows.
    """
    try:
        data = file if isinstance(file, bytes) else Path(file).read_bytes()
    except OSError as error:
        raise LabError(f"the file must be readable; got {error.filename} ({error.strerror})") from None
    name = "the input" if isinstance(file, bytes) else str(file)
    encoding = _encoding(data)
    try:
        text = data.decode("cp037" if encoding == "cp1047" else encoding)
    except UnicodeDecodeError as error:
        raise LabError(f"{name} must be text; got {encoding} that is damaged at byte {error.start}") from None
    if encoding == "cp1047":
        text = text.translate(_1047)
    text = text.translate(_PLAIN)
    records = encoding in ("cp037", "cp1047") and "\n" not in text and "\r" not in text
    if records:
        text = "\n".join(text[at : at + 80].rstrip(" ") for at in range(0, len(text), 80))
    text = without_end_mark(text)
    if found := _CONTROL.search(text):
        where = f"line {text.count(chr(10), 0, found.start()) + 1}"
        raise LabError(f"{name} must be text; got {found[0]!r} in {where}. Save it as UTF-8 text and try again")
    facts = header(text)
    level, system = facts.get("level", "").partition("/")[0], facts.get("platform", "MVS" if records else None)
    platform = system and ("zos" if _ZOS.match(system) else "vse" if system.upper() == "VSE" else "distributed")
    return Script(text, encoding, facts.get("name"), platform, int(level) if level.isdecimal() else None)


def header(text: str) -> dict[str, str]:
    """The facts in the header lines of a dump: "name", "platform", "level".

    A name that no queue manager can have was taken out by someone, and is none.
    """
    said = {what.lower(): value for what, value in reversed(_HEADER.findall(text)) if value}
    return said if legal_name(said.get("name")) else {key: value for key, value in said.items() if key != "name"}


def _encoding(data: bytes) -> str:
    """The encoding that the bytes of a text are most likely in."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return encoding
    body = data.rstrip(b"\x1a\0")
    if body.count(0) * 3 > len(body):
        return "utf-16-be" if body[:1] == b"\0" else "utf-16-le"
    if data.count(0x40) > data.count(0x20):  # a blank of EBCDIC, and of all others
        brackets = sum(data.count(byte) for byte in b"\xba\xbb\xb0") - sum(data.count(byte) for byte in b"\xad\xbd\x5f")
        return "cp037" if brackets > 0 else "cp1047"
    for encoding in ("utf-8", "cp1252"):  # the latter fails for bytes that Latin-1 makes controls of
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "cp850"
