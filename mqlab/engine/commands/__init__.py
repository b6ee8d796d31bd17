"""MQSC: the command language of MQ, read as runmqsc reads it and answered as runmqsc answers.

`run(qmgr, text)` runs commands on a queue manager; `parse(text)` checks them without one; `read_script(text)` reads
a script, with its commands and what it says of itself.
"""

from typing import TYPE_CHECKING

from .command import Command, Where
from .parser import parse
from .replies import CommandReply, Refused, Reply
from .running import run

if TYPE_CHECKING:
    from .script import Script, read_script


def __getattr__(name: str) -> object:
    if name not in ("Script", "read_script"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import script

    found: object = getattr(script, name)
    return found
