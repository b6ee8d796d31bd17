"""The reasons in a log as sentences, which Python makes of the facts in `detail`."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ... import lab  # noqa: F401 - the extras have reasons, too
from ...engine.words.because import because

if TYPE_CHECKING:
    from pyspark.sql import Column


@lru_cache(10_000)
def _told(detail: str | None) -> str | None:
    return because(json.loads(detail)) or None if detail else None


def reason(detail: Column) -> Column:
    """Why a row happened, from its `detail`; null for no reason."""
    return F.udf(_told, "string")(detail)
