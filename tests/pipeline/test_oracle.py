"""Every question's answer on Spark is that of DuckDB (oracle.sql) about the log of several dozen random labs.

The answer of `lazy_expiry` is in the log; test_agreement.py compares the two.
"""

import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from mqlab.engine.words.because import because
from mqlab.engine.words.constants import REASONS
from mqlab.engine.words.rulebook import RULES
from mqlab.pipeline import questions

OF = {
    "time_on_queue": "ends",
    "journeys": "fate",
    "latency_by_route": "journeys",
    "expiry_over_time": "discarded",
    "lag_histogram": "discarded",
    "why_expired": "discarded",
    "dead_letter_reasons": "dead_letters",
    "batch_summary": "batches",
    "trigger_summary": "trigger_audit",
}
"""Questions that ask about the rows of another."""
ALONE = sorted({name for name, each in vars(questions).items() if callable(each)} - {"lazy_expiry"})


@pytest.fixture(scope="module")
def duck(labs, crowd):
    log = labs.one_log(crowd)
    with duckdb.connect() as connection:
        connection.register("events", log)
        connection.execute("CREATE TABLE reasons (reason INT, name TEXT); CREATE TABLE titles (rule TEXT, title TEXT)")
        connection.execute("CREATE TABLE sentences (seq BIGINT, because TEXT)")
        told = connection.execute("SELECT seq, detail FROM events WHERE kind IN ('channel', 'trigger')").fetchall()
        sentences = [(seq, because(json.loads(detail)) or None) for seq, detail in told if detail]
        connection.executemany("INSERT INTO sentences VALUES (?, ?)", sentences)
        connection.executemany("INSERT INTO reasons VALUES (?, ?)", list(REASONS.items()))
        connection.executemany("INSERT INTO titles VALUES (?, ?)", [(id, rule.title) for id, rule in RULES.items()])
        connection.execute(Path(__file__).with_name("oracle.sql").read_text("utf-8"))
        yield connection


@pytest.fixture(scope="module")
def ask(together):
    """The answer to a question, kept where others ask about it."""
    answers = {}

    def answer(name):
        if name not in answers:
            of = [answer(OF[name])] if name in OF else [together]
            of += [answer("discarded")] if name == "slow_readers" else []
            answers[name] = getattr(questions, name)(*of)
            if name in (*OF.values(), "discarded"):
                answers[name].cache()
        return answers[name]

    return answer


def rows(table, columns):
    """The rows of an arrow table, however often each is there; a rate to nine digits."""
    values = (table[name].to_pylist() for name in columns)
    return Counter(
        tuple(float(f"{each:.9g}") if isinstance(each, float) else str(each) for each in row)
        for row in zip(*values, strict=True)
    )


@pytest.mark.parametrize("name", ALONE)
def test_spark_answers_as_duckdb(ask, duck, name):
    answer, wanted = ask(name).toArrow(), duck.sql(f"FROM {name}").to_arrow_table()
    assert answer.num_rows > 0
    assert rows(answer, answer.column_names) == rows(wanted, answer.column_names)
