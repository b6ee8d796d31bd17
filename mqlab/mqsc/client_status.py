"""What DISPLAY CHSTATUS shows of clients: of each, the instance of its SVRCONN channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .display import moment

if TYPE_CHECKING:
    from ..qmgr.target import QueueManager


def client_rows(qmgr: QueueManager) -> list[dict]:
    """Every column of the SVRCONN channel of each client that is connected: one instance for each."""
    # MSGS counts the MQI calls of a program of IBM's library, and BYTSRCVD and BYTSSENT the bytes of their structures
    # and data, without the protocol around them; nothing is counted of clients that make Python calls
    clients = sorted((each for each in qmgr.connections if each.client), key=lambda each: each.connection)
    return [
        {
            "CHANNEL": each.client[0],
            "CHLTYPE": "SVRCONN",
            "CONNAME": "127.0.0.1",  # it runs on the machine of its lab
            "CURRENT": True,
            "RQMNAME": "",
            "STATUS": "RUNNING",
            "SUBSTATE": "RECEIVE",
            **dict.fromkeys(("BUFSRCVD", "BUFSSENT"), ""),
            **dict(zip(("MSGS", "BYTSRCVD", "BYTSSENT"), each.client_traffic or ("", "", ""), strict=True)),
            **moment(qmgr, each.client[1], "CHSTADA", "CHSTATI"),
            "MCASTAT": "RUNNING",
            "MCAUSER": each.context.user,
            "RAPPLTAG": each.caller,
            "STOPREQ": "NO",
        }
        for each in clients
    ]
