"""A lab with the retailer's estate, and the whole day replayed on it once."""

from pathlib import Path

import pytest

from mqlab import Lab
from mqlab.pipeline import traffic

DATASETS = Path(__file__).parents[3] / "datasets"


def _new_lab():
    """A lab at midnight whose QM1 has the estate."""
    lab = Lab(seed=0, start=traffic.DAY_START)
    lab.queue_manager("QM1", expiry_interval=0).mqsc(
        (DATASETS / "retail-estate.mqsc").read_text(encoding="utf-8")
    ).require()
    return lab


@pytest.fixture
def lab():
    return _new_lab()


@pytest.fixture
def new_lab():
    """Makes another lab like `lab`."""
    return _new_lab


@pytest.fixture(scope="session")
def played():
    """The lab after the day, and the counts of its replay."""
    lab = _new_lab()
    return lab, traffic.replay(lab, traffic.load(DATASETS / "retail-day.parquet"))
