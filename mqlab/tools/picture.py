"""The picture in the README: the sample day at its worst moment, drawn by the lab itself."""

from pathlib import Path

from mqlab.lab.checkout import checkout
from mqlab.lab.lab import Lab
from mqlab.pipeline import traffic
from mqlab.views import topology_svg

MOMENT_US = (18 * 60 + 45) * 60_000_000  # 18:45
FILE = Path("notebooks", "retail-day.svg")


def draw(datasets: Path) -> str:
    """The topology of the sample estate at MOMENT_US of its day, as SVG text."""
    lab = Lab(start=traffic.DAY_START)
    qm = lab.queue_manager("QM1", level=530)
    qm.mqsc((datasets / "retail-estate.mqsc").read_text(encoding="utf-8"))
    traffic.replay(lab, traffic.load(datasets / "retail-day.parquet"), until_us=MOMENT_US)
    return topology_svg(lab)


def main() -> None:
    """Draw it again: python -m mqlab.tools.picture."""
    root = checkout()
    (root / FILE).write_text(draw(root / "datasets") + "\n", encoding="utf-8")
    print(f"drew {FILE}")


if __name__ == "__main__":
    main()
