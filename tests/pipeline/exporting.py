"""Takes 560 MB of pieces of a log into a driver of 512 MB, which collects 64 MB at most: run by test_formats.py.

python exporting.py FOLDER
"""

import sys
from pathlib import Path

from mqlab.formats import moment, source
from mqlab.lab.lab import Lab
from mqlab.pipeline import formats, session
from mqlab.pipeline.read import read_events

SIZE = 4_600_000
CONF = {"spark.driver.memory": "512m", "spark.driver.maxResultSize": "64m", "spark.master": "local[2]"}


def main(folder: str) -> None:
    """Print whether every piece came, in order."""
    source.PART, formats.ROWS_A_TASK = 1, 4
    lab = Lab()
    lab.scenario("poison")
    lab.events.write_parquet(Path(folder, "log.parquet"))
    rows = formats.SparkRows(read_events(session(**CONF), Path(folder, "log.parquet")), moment(""))
    pieces = rows.each(lambda some: [str(row.event.seq).zfill(SIZE) for row in some])
    print([int(piece[-9:]) for piece in pieces if len(piece) == SIZE] == [event.seq for event in lab.events])


if __name__ == "__main__":
    main(*sys.argv[1:])
