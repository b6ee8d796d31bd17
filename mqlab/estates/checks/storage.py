"""Checks of the storage of z/OS: storage classes, page sets, and buffer pools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..findings import NOTE, Found, check
from .objects import each

if TYPE_CHECKING:
    from ..definitions import Definitions


@check("page-set-zero", NOTE, "Messages of applications are on page set 0", "IBM MQ: Page sets for IBM MQ for z/OS")
def page_set_zero(estate: Definitions) -> Iterator[Found]:
    replies = zip(estate.parts, estate.replies, strict=True)
    sets = {
        (part.qmgr, reply.name) for part, all in replies for reply in all.replies if "PSID" in reply.command.upper()
    }
    for qmgr, storage in each(estate, "STGCLASS"):
        users = (queue for queue in estate.own(qmgr, "QLOCAL") if queue.attributes.get("STGCLASS") == storage.name)
        queues = [queue.name for queue in users if queue.attributes.get("QSGDISP") != "SHARED"]
        if storage.attributes["PSID"] == 0 and queues and (qmgr.name, storage.name) in sets:
            more = f" and {len(queues) - 1} more" if queues[1:] else ""
            sentence = f"storage class {storage.name} of {queues[0]}{more} has PSID(0): page set 0 is for definitions, "
            sentence += "and messages fill it"
            yield Found(qmgr.name, "STGCLASS", storage.name, sentence, keyword="PSID")
