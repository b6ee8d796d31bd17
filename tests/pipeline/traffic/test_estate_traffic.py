"""Traffic on an estate of one's own, on Spark: the slices of a local run, as one event log."""

from estates.cases import estate_of

from mqlab.pipeline import traffic
from mqlab.pipeline.questions import fate

TEXT = "ORDERS 6 a minute, 20 % poison, expiry 60 s, read 3 a minute"


def test_slices_on_spark_are_those_of_a_local_run(spark):
    estate = estate_of("DEFINE QLOCAL(ORDERS) BOTHRESH(2) BOQNAME(BOQ)\nDEFINE QLOCAL(BOQ)")
    local = estate.traffic(TEXT, seconds=7200, seed=3)
    assert traffic.estate_traffic(spark, estate, TEXT, seconds=7200, seed=3).rows == local.rows
    events = traffic.estate_events(spark, estate, TEXT, seconds=7200, seed=3).cache()
    puts = events.where("kind = 'put' AND program = 'TRAFFIC.WRITER'")
    (row,) = local.to_frame().to_dict("records")
    assert [each.lab for each in puts.select("lab").distinct().orderBy("lab").collect()] == [0, 1]
    assert puts.count() == row["messages"]
    assert puts.where("time_us < lab * 3600000000 OR time_us >= (lab + 1) * 3600000000").isEmpty()
    assert fate(events).where("object = 'ORDERS' AND fate = 'discarded'").count() == row["discarded"] > 0
    events.unpersist()
