"""The rows of DISPLAY CHSTATUS for clients: for each client, the instance of its SVRCONN channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .display import moment

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager


def client_rows(qmgr: QueueManager) -> list[dict]:
    """Every column of the SVRCONN channel of each client that is connected: one instance for each."""
    # MSGS counts the MQI calls of a program in MQ's own words, and BYTSRCVD and BYTSSENT the bytes of their structures
    # and data, without the protocol around them; nothing is counted of clients that make Python calls
    clients = sorted(qmgr.connections, key=lambda client: client.connection)
    return [
        {
            "CHANNEL": channel[0],
            "CHLTYPE": "SVRCONN",
            "CONNAME": "127.0.0.1",  # it runs on the machine of its lab
            "CURRENT": True,
            "RQMNAME": "",
            "STATUS": "RUNNING",
            "SUBSTATE": "RECEIVE",
            **dict.fromkeys(("BUFSRCVD", "BUFSSENT"), ""),
            **dict(zip(("MSGS", "BYTSRCVD", "BYTSSENT"), client.client_traffic or ("", "", ""), strict=True)),
            **moment(qmgr, channel[1], "CHSTADA", "CHSTATI"),
            "MCASTAT": "RUNNING",
            "MCAUSER": client.context.user,
            "RAPPLTAG": client.caller,
            "STOPREQ": "NO",
        }
        for client in clients
        if (channel := client.client) is not None
    ]
