"""The pipeline's questions in DuckDB's SQL, for bench_pipeline.py: those that the tests prove equal to Spark's."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import duckdb

__all__ = ["DEPTH", "ENDED", "FATE", "connect"]

ORACLE = Path(__file__).parents[2] / "tests" / "pipeline" / "oracle.sql"
NAMES = """
CREATE TABLE reasons (reason INT, name TEXT); CREATE TABLE titles (rule TEXT, title TEXT);
CREATE TABLE sentences (seq BIGINT, because TEXT)
"""
"""What the oracle joins; none of the questions here asks for a sentence."""
FATE, DEPTH, ENDED = "FROM fate_summary", "FROM depth", "FROM time_on_queue"


@cache
def connect(folder, threads: int) -> duckdb.DuckDBPyConnection:
    """DuckDB with so many threads, the files of `folder` as the view events, and a view for each question."""
    connection = duckdb.connect(config={"threads": threads})
    connection.execute(f"CREATE VIEW events AS FROM read_parquet('{folder}/*.parquet'); {NAMES}")
    connection.execute(ORACLE.read_text("utf-8"))
    return connection
