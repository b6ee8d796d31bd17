"""A Spark session for the tests of the generator."""

import pytest


@pytest.fixture(scope="session")
def spark():
    """The session the notebooks use."""
    from mqlab.pipeline import session

    return session(**{"spark.driver.memory": "1g"})
