"""Checks of names: what an object names must exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...qmgr.clusters import elsewhere, joined
from ..findings import ERROR, OPEN, Found, check
from ..proofs import Proof, put_to

if TYPE_CHECKING:
    from ..definitions import Definitions


@check("alias-target-missing", ERROR, "An alias leads to nothing", "MQI-14")
def alias_target_missing(estate: Definitions) -> Iterator[Found]:
    """The TARGET of an alias is not defined."""
    for qmgr in estate.queue_managers:
        for alias in estate.own(qmgr, "QALIAS"):
            target, kind = alias.attributes["TARGET"], "TOPIC" if alias.attributes["TARGTYPE"] == "TOPIC" else "QLOCAL"
            if qmgr.objects.named(kind, target) is not None:
                continue
            said = (
                f"alias {alias.name} leads to {target or 'nothing'}, which is not defined: a put to it fails with 2082"
            )
            if joined(qmgr) or elsewhere(qmgr, kind, target):
                said = f"cannot judge: cluster; no script defines {target}, to which alias {alias.name} leads"
                yield Found(qmgr.name, "QALIAS", alias.name, said, keyword="TARGET", severity=OPEN)
                continue
            proof = Proof(put_to(qmgr.name, alias.name), "2082 MQRC_UNKNOWN_ALIAS_BASE_Q")
            mend = f"DEFINE {kind}({target})" if target else f"DELETE QALIAS({alias.name})"
            yield Found(qmgr.name, "QALIAS", alias.name, said, mend, proof, "TARGET")
