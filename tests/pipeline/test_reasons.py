"""The sentences of reasons: Spark makes those that Python makes."""

import json

import pytest
from pyspark.sql import functions as F
from reasons import reasons

from mqlab.engine.words.because import because
from mqlab.engine.words.whys import Again, OfChannel, OfTrigger
from mqlab.pipeline.questions import whys
from mqlab.sharing.whys import FirstWhileOpen


@pytest.mark.parametrize(
    ("group", "then"), [(OfChannel, Again(10, "SHORTTMR")), (OfTrigger, FirstWhileOpen(["A", "B"]))]
)
def test_spark_makes_every_sentence_that_python_makes(spark, group, then):
    flat = group is OfTrigger
    found = [why.facts for why in reasons() if isinstance(why, group)]
    details = [{"fired": True, **facts} if flat else {"state": "A", "was": "B", "why": facts} for facts in found]
    details += [details[0] | {"then": then.facts}, {"because": "of version 1"}, {"state": "A"}]
    texts = [(number, json.dumps(each)) for number, each in enumerate(details)]
    rows = spark.createDataFrame(texts, "n INT, detail STRING").withColumn("told", whys.parsed(group, flat=flat))
    words = F.coalesce(whys.because(group, F.col("told"), flat=flat), F.lit("")).alias("words")
    assert [row["words"] for row in rows.select("n", words).orderBy("n").collect()] == [
        because(each) for each in details
    ]
