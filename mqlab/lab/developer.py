"""Developer defaults: the objects and users of IBM's container for developers, for code that expects them.

`developer.mqsc` beside this module is the script. The container has a user app, or admin, only if it is given a
password for it (the secret mqAppPassword, before MQ_APP_PASSWORD), and with one for app, DEV.APP.SVRCONN asks each
program for a user and a password. `users={}` is the container without these passwords; the passwords here are those
that IBM's own tests of its Python library use. Source: the repository ibm-messaging/mq-container.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..engine.words.errors import LabError

if TYPE_CHECKING:
    from .queue_manager import QueueManager

USERS = {"app": "password", "admin": "password"}
"""The users of a queue manager for developers, unless others are given."""
GROUPS = {"mqclient": ["app"], "mqm": ["admin"]}
"""Their groups, unless others are given: the script gives mqclient its authority."""


def developer_settings(platform: str, level: int, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a queue manager for developers; LabError if its platform or level lacks their objects."""
    if platform != "distributed" or type(level) is not int or level < 800:
        needs = 'platform "distributed" and level 800 or higher'
        raise LabError(f"developer=True needs {needs}; got {platform!r}, {level!r}")
    environment = {"SecurityPolicy": "user", **(settings.get("environment") or {})}
    return {"users": USERS, "groups": GROUPS, **settings, "environment": environment}


def define_developer_objects(qmgr: QueueManager) -> None:
    """Run the script of developer defaults on a new queue manager, whose event of its start is on its queue."""
    qmgr.resolve("SYSTEM.ADMIN.QMGR.EVENT", "inquire")
    script = files(__package__).joinpath("developer.mqsc").read_text("utf-8")
    reply = qmgr.mqsc(script.format(check="REQUIRED" if "app" in qmgr.users else "ASQMGR"))
    assert reply.ok, reply
