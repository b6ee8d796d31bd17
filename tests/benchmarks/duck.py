"""The pipeline's questions in DuckDB's SQL: the same answers, from the same files, for bench_pipeline.py."""

from __future__ import annotations

from functools import cache

import duckdb

__all__ = ["DEPTH", "ENDED", "FATE", "connect"]

STAYS = """
  chosen AS (
    SELECT seq, time_us, qmgr, object, object_type, kind, message, program, uow, rule, put_us, arrived_us,
      arrived_us + (expiry_left + (time_us - arrived_us) // 100000) * 100000 AS deadline_us
    FROM events
    WHERE message IS NOT NULL AND object_type IS NOT NULL
      AND kind IN ('put', 'report', 'get', 'discard', 'undo', 'clear', 'lost', 'restore', 'browse')
  ),
  numbered AS (
    SELECT *, count(*) FILTER (kind IN ('put', 'report')) OVER
      (PARTITION BY message, qmgr, object ORDER BY seq ROWS UNBOUNDED PRECEDING) AS stay
    FROM chosen
  ),
  told AS (
    SELECT qmgr, object, message, stay,
      arg_min({'time_us': time_us, 'put_us': put_us, 'arrived_us': arrived_us, 'deadline_us': deadline_us,
               'uow': uow, 'rule': rule, 'seq': seq}, seq) AS b,
      arg_max({'kind': kind, 'time_us': time_us, 'program': program, 'uow': uow, 'seq': seq},
              CASE WHEN kind <> 'browse' THEN seq END) AS l,
      max(time_us) FILTER (kind = 'restore') AS returned_us,
      coalesce(max(seq) FILTER (kind = 'get'), -1) > coalesce(max(seq) FILTER (kind = 'restore'), -1) AS taken,
      bool_or(kind = 'browse') AS seen
    FROM numbered GROUP BY ALL
  ),
  stays AS (
    SELECT *, coalesce(max(b.seq) FILTER (l.kind <> 'undo') OVER (PARTITION BY message) > b.seq, false) AS moved
    FROM told
  )
"""

FATE = f"""
WITH {STAYS},
  held AS (
    SELECT message, arg_max({{'kind': kind, 'time_us': time_us, 'seq': seq}}, seq) AS h
    FROM events
    WHERE kind IN ('discard', 'lost', 'reject') AND message IS NOT NULL AND object_type IS NULL
      AND NOT EXISTS (FROM events u WHERE u.kind = 'backout' AND u.qmgr = events.qmgr AND u.uow = events.uow)
    GROUP BY message
  ),
  units AS (
    SELECT DISTINCT qmgr, uow FROM events WHERE uow IS NOT NULL AND kind IN ('put', 'get')
      AND uow NOT IN (SELECT uow FROM events WHERE kind IN ('commit', 'backout') AND uow IS NOT NULL)
  ),
  named AS (
    SELECT s.qmgr, s.object, l.kind IN ('get', 'discard', 'undo', 'clear', 'lost') AS over,
      coalesce(l.kind = 'get' AND NOT moved AND h.seq > l.seq, false) AS is_held, l, b, h,
      CASE WHEN l.kind = 'get' AND moved THEN 'moved on'
        WHEN is_held OR l.kind IN ('discard', 'undo', 'clear', 'lost', 'reject') THEN
          CASE CASE WHEN is_held THEN h.kind ELSE l.kind END WHEN 'discard' THEN 'discarded'
            WHEN 'undo' THEN 'backed out' WHEN 'clear' THEN 'cleared' WHEN 'lost' THEN 'lost'
            WHEN 'reject' THEN 'rejected' END
        WHEN l.kind = 'get' AND u.uow IS NOT NULL THEN 'got, not committed'
        WHEN l.kind = 'get' THEN 'got'
        WHEN u.uow IS NOT NULL THEN 'put, not committed'
        WHEN b.deadline_us <= (SELECT max(time_us) FROM events) THEN 'expired'
        WHEN b.rule IN ('MQI-30', 'EXP-23', 'IGQ-09', 'IMS-01') THEN 'dead-lettered'
        WHEN seen THEN 'browsed' ELSE 'waiting' END AS fate
    FROM stays s LEFT JOIN held USING (message)
      LEFT JOIN units u ON u.qmgr = s.qmgr
        AND u.uow = CASE WHEN l.kind IN ('get', 'discard', 'undo', 'clear', 'lost') THEN l.uow ELSE b.uow END
  ),
  lived AS (
    SELECT *, CASE WHEN is_held THEN h.time_us WHEN over THEN l.time_us END - b.put_us AS lifetime_us FROM named
  )
SELECT qmgr, object, fate, count(*) AS messages, quantile_disc(lifetime_us, 0.5) AS median_lifetime_us,
  max(lifetime_us) AS longest_lifetime_us
FROM lived GROUP BY ALL ORDER BY ALL
"""

ENDED = """
WITH over AS (
    SELECT * FROM events
    WHERE kind IN ('get', 'discard', 'undo', 'clear', 'lost') AND message IS NOT NULL AND object_type IS NOT NULL
  ),
  kept AS (
    SELECT * FROM over g
    WHERE kind <> 'get'
      OR NOT EXISTS (FROM events r WHERE r.kind = 'restore' AND r.message = g.message AND r.uow = g.uow
                     AND r.seq > g.seq)
      AND NOT EXISTS (FROM events s WHERE s.kind = 'lost' AND s.rule = 'CHL-07' AND s.qmgr = g.qmgr
                      AND s.object = g.object AND s.message = g.message AND s.arrived_us = g.arrived_us)
  )
SELECT qmgr, object, CASE kind WHEN 'get' THEN 'got' WHEN 'discard' THEN 'discarded' WHEN 'clear' THEN 'cleared'
    ELSE kind END AS fate, count(*) AS messages, APPROXIMATE AS shares,
  max(time_us - arrived_us) AS longest_us
FROM kept WHERE kind <> 'undo' GROUP BY ALL ORDER BY ALL
""".replace("APPROXIMATE", "quantile_disc(time_us - arrived_us, [0.5, 0.95, 0.99])")

DEPTH = f"""
WITH {STAYS},
  settled AS (
    SELECT uow, min(time_us) AS settled_us FROM events
    WHERE kind IN ('commit', 'backout') AND uow IS NOT NULL GROUP BY uow
  ),
  spans AS (
    SELECT s.qmgr, s.object, settled_us, b,
      CASE WHEN l.kind IN ('get', 'discard', 'undo', 'clear', 'lost') THEN l.time_us END AS end_us,
      greatest(b.deadline_us, coalesce(returned_us, 0), coalesce(settled_us, 0)) AS since_us,
      NOT taken AND b.deadline_us IS NOT NULL AND (b.uow IS NULL OR settled_us IS NOT NULL)
        AND (end_us IS NULL OR since_us < end_us) AS expires
    FROM stays s LEFT JOIN settled ON settled.uow = s.b.uow
    WHERE b.deadline_us IS NOT NULL OR b.uow IS NOT NULL
  ),
  steps AS (
    SELECT qmgr, object, moment // 60000000 AS bucket, sum(expired) AS expired, sum(uncommitted) AS uncommitted
    FROM (
      SELECT qmgr, object, since_us AS moment, 1 AS expired, 0 AS uncommitted FROM spans WHERE expires
      UNION ALL SELECT qmgr, object, end_us, -1, 0 FROM spans WHERE expires AND end_us IS NOT NULL
      UNION ALL SELECT qmgr, object, b.time_us, 0, 1 FROM spans WHERE b.uow IS NOT NULL
      UNION ALL SELECT qmgr, object, coalesce(settled_us, end_us), 0, -1 FROM spans
        WHERE b.uow IS NOT NULL AND coalesce(settled_us, end_us) IS NOT NULL
    ) GROUP BY ALL
  ),
  known AS (
    SELECT qmgr, object, time_us // 60000000 AS bucket, arg_max(depth, seq) AS depth
    FROM events WHERE depth IS NOT NULL GROUP BY ALL
  ),
  grid AS (
    SELECT qmgr, object, unnest(range(first, (SELECT max(time_us) // 60000000 FROM events) + 1)) AS bucket
    FROM (SELECT qmgr, object, min(bucket) AS first FROM known GROUP BY ALL)
  ),
  filled AS (
    SELECT qmgr, object, (bucket + 1) * 60000000 AS time_us, last_value(depth IGNORE NULLS) OVER so_far AS depth,
      coalesce(sum(expired) OVER so_far, 0) AS expired, coalesce(sum(uncommitted) OVER so_far, 0) AS uncommitted
    FROM grid LEFT JOIN known USING (qmgr, object, bucket) LEFT JOIN steps USING (qmgr, object, bucket)
    WINDOW so_far AS (PARTITION BY qmgr, object ORDER BY bucket ROWS UNBOUNDED PRECEDING)
  )
SELECT *, depth - expired - uncommitted AS live FROM filled
"""


@cache
def connect(folder, threads: int) -> duckdb.DuckDBPyConnection:
    """DuckDB with so many threads and the files of `folder` as the view events."""
    connection = duckdb.connect(config={"threads": threads})
    connection.execute(f"CREATE VIEW events AS FROM read_parquet('{folder}/*.parquet')")
    return connection
