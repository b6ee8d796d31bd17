"""The sentences of reasons: a question has those that Python makes."""

import json

from pyspark.sql import functions as F
from reasons import reasons

from mqlab.engine.words.because import because
from mqlab.engine.words.whys import Again, OfChannel, OfTrigger
from mqlab.pipeline.questions import stays


def test_every_reason_has_its_sentence(spark):
    details = [{"fired": True, **why.facts} for why in reasons() if isinstance(why, OfTrigger)]
    details += [{"state": "A", "was": "B", "why": why.facts} for why in reasons() if isinstance(why, OfChannel)]
    details += [details[-1] | {"then": Again(10, "SHORTTMR").facts}, {"because": "of version 1"}, {"state": "A"}]
    texts = [*enumerate(map(json.dumps, details)), (len(details), None)]
    rows = spark.createDataFrame(texts, "n INT, detail STRING").select(
        "n", stays.reason(F.col("detail")).alias("words")
    )
    assert [row["words"] for row in rows.orderBy("n").collect()] == [*(because(each) or None for each in details), None]
