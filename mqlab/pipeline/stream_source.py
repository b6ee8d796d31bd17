"""One running lab as a Spark stream: `spark.readStream.format("mqlab")`, a slice of simulated time in each batch.

Options, besides those of `mqlab.pipeline.source`: `rate`, simulated seconds in each micro-batch (1), and `until`, the
simulated second at which the stream ends, which is otherwise when the lab does. Nothing waits for the wall clock: a
trigger such as `trigger(processingTime="1 second")` with rate 60 shows a minute each second.

An offset is a simulated time. The lab is kept between batches; where a query starts again from its checkpoint, it is
simulated anew up to the offset, which gives the same rows because it comes from its seed alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql.datasource import SimpleDataSourceStreamReader
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow

from mqlab.mq.errors import LabError
from mqlab.pipeline.workloads import Workload
from mqlab.sim.clock import microseconds

__all__ = ["LabStream"]

OFFSET = "time_us"
BEFORE = {OFFSET: -1}


class LabStream(SimpleDataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads the events of one lab, slice by slice. An offset is the last microsecond that was read."""

    def __init__(self, workload: Workload, seed: int, parameters: dict, options: dict[str, str]):
        self._workload, self._seed, self._parameters = workload, seed, parameters
        self._slice_us = _seconds("rate", options.get("rate", "1"))
        self._until_us = _seconds("until", options["until"]) if "until" in options else None
        self._lab = self._end_us = None

    def initialOffset(self) -> dict:
        return BEFORE

    def prepareForTriggerAvailableNow(self) -> None:
        """All that there is to be had is known: the lab up to its end. The batches stay slices."""

    def read(self, start: dict) -> tuple[Iterator[tuple], dict]:
        """The next slice, and the offset behind it; nothing, and the same offset, when the lab has ended."""
        self._begin()
        end = {OFFSET: min(max(start[OFFSET], 0) + self._slice_us, self._end_us)}
        if end[OFFSET] <= start[OFFSET]:
            return iter(()), start
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(self, start: dict, end: dict) -> Iterator[tuple]:
        """The rows after `start` up to and including `end`."""
        self._begin()
        lab = self._lab
        if lab.now_us < end[OFFSET]:
            lab.advance_to(end[OFFSET])
        first, last = (lab.events.count_until(each[OFFSET]) for each in (start, end))
        return iter([(*row, 0, self._seed) for row in lab.events.span(first, last)])

    def _begin(self) -> None:
        """Set up the lab, and find out when it ends."""
        if self._lab is not None:
            return
        self._lab, end_us = self._workload.begin(self._seed, **self._parameters)
        self._end_us = self._lab.now_us if end_us is None else end_us
        if self._until_us is not None:
            self._end_us = min(self._end_us, self._until_us)


def _seconds(name: str, text: str) -> int:
    """An option in seconds as microseconds; LabError unless it is a number greater than 0."""
    try:
        found = microseconds(float(text), f"option {name!r}")
    except ValueError:
        found = 0
    if found <= 0:
        raise LabError(f"option {name!r} wanted: a number of seconds, more than 0; got {text!r}")
    return found
