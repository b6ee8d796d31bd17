"""Packages that notebooks use and a page cannot have, as a notebook (lite.py) and a cell (lite_kernel.py) say it."""

from typing import NamedTuple


class Absent(NamedTuple):
    """Something that a page cannot have: its name, a pattern of the text of notebooks that need it, the modules that
    are missing, and what works without it, as a sentence."""

    name: str
    needed: str
    modules: tuple[str, ...]
    instead: str


SPARK = Absent(
    "Spark",
    r"(from|import) (pyspark|mqlab\.pipeline)",
    ("pyspark", "mqlab.pipeline"),
    'Small questions work without it: lab.events.where(kind="put") lists rows of the log of a lab',
)
IBMMQ = Absent(
    "IBM's library for Python",
    r"import ibmmq|require_ibmmq|Y0\d",
    ("ibmmq",),
    "Programs that call a queue manager of a lab work without it: qm.put(queue, body), qm.get(queue), and "
    "qm.run_program(name, function)",
)
ABSENT = (SPARK, IBMMQ)
