"""The sentences of reasons: Spark makes those that Python makes."""

import json

import pytest
from pyspark.sql import functions as F
from reasons import reasons

from mqlab.engine.words.because import because, refused_call
from mqlab.engine.words.constants import REASONS
from mqlab.engine.words.errors import MQError
from mqlab.engine.words.refusals import ANY, Grounds, cases
from mqlab.engine.words.templates import fields_of
from mqlab.engine.words.whys import Again, OfChannel, OfTrigger, UnexpectedError
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


def test_spark_makes_the_sentence_of_every_refusal(spark):
    details = []
    of_calls = {key: has for key, has in cases().items() if key[0] in (ANY, *REASONS)}  # the others refuse commands
    for number, ((reason, case), has) in enumerate(of_calls.items()):
        names = sorted(fields_of(has.said) | fields_of(has.hint))
        texts = {name for name in names if number % 2 or f"{{{name}!r" in has.said + has.hint}  # quotes are for texts
        fields = {name: f"{name.upper()}.{number}" if name in texts else number % 3 for name in names}
        error = MQError(reason or 2085, "Q", "QM1", grounds=Grounds(reason or 2085, case, fields))
        details.append({"state": "A", "was": "B", "why": UnexpectedError(refused_call(error)).facts})
    texts = [(number, json.dumps(each)) for number, each in enumerate(details)]
    rows = spark.createDataFrame(texts, "n INT, detail STRING").withColumn("told", whys.parsed(OfChannel))
    words = rows.select("n", whys.because(OfChannel, F.col("told")).alias("words")).orderBy("n").collect()
    assert len(details) > 300
    assert [row["words"] for row in words] == [because(each) for each in details]
