-- The questions of mqlab.pipeline in DuckDB's SQL, over the view `events`: the same columns, found another way where there is one.

CREATE VIEW places AS
  SELECT *, arrived_us + (expiry_left + (time_us - arrived_us) // 100000) * 100000 AS deadline_us,
    kind IN ('put', 'report') AS arrives, kind IN ('get', 'discard', 'undo', 'clear', 'lost') AS leaves
  FROM events
  WHERE message IS NOT NULL AND object_type IS NOT NULL
    AND kind IN ('put', 'report', 'get', 'discard', 'undo', 'clear', 'lost', 'restore', 'browse');

CREATE VIEW stays AS
  WITH numbered AS (
    SELECT *, count(*) FILTER (arrives) OVER
      (PARTITION BY message, qmgr, object ORDER BY seq ROWS UNBOUNDED PRECEDING) AS stay
    FROM places
  ), told AS (
    SELECT qmgr, object, message, stay,
      arg_min({'time_us': time_us, 'put_us': put_us, 'arrived_us': arrived_us, 'deadline_us': deadline_us,
               'uow': uow, 'rule': rule, 'seq': seq}, seq) AS b,
      arg_max({'kind': kind, 'leaves': leaves, 'time_us': time_us, 'program': program, 'uow': uow, 'seq': seq},
              CASE WHEN kind <> 'browse' THEN seq END) AS l,
      coalesce(max(seq) FILTER (kind = 'get'), -1) > coalesce(max(seq) FILTER (kind = 'restore'), -1) AS taken,
      bool_or(kind = 'browse') AS seen
    FROM numbered GROUP BY ALL
  )
  SELECT *, coalesce(max(b.seq) FILTER (l.kind <> 'undo') OVER (PARTITION BY message) > b.seq, false) AS moved FROM told;

CREATE VIEW words AS
  FROM (VALUES ('get', 'got'), ('discard', 'discarded'), ('undo', 'backed out'), ('clear', 'cleared'), ('lost', 'lost'),
    ('reject', 'rejected')) words(kind, word);

CREATE VIEW fate AS
  WITH held AS (
    SELECT message, arg_max({'kind': kind, 'time_us': time_us, 'program': program, 'seq': seq}, seq) AS h
    FROM events
    WHERE kind IN ('discard', 'lost', 'reject') AND message IS NOT NULL AND object_type IS NULL
      AND NOT EXISTS (FROM events u WHERE u.kind = 'backout' AND u.qmgr = events.qmgr AND u.uow = events.uow)
    GROUP BY message
  ), units AS (
    SELECT DISTINCT uow FROM events WHERE uow IS NOT NULL AND kind IN ('put', 'get')
      AND uow NOT IN (SELECT uow FROM events WHERE kind IN ('commit', 'backout') AND uow IS NOT NULL)
  ), named AS (
    SELECT s.*, coalesce(l.kind = 'get' AND NOT moved AND h.seq > l.seq, false) AS is_held, h,
      CASE WHEN l.kind = 'get' AND moved THEN 'moved on'
        WHEN is_held THEN (SELECT word FROM words WHERE kind = h.kind)
        WHEN l.leaves AND l.kind <> 'get' THEN (SELECT word FROM words WHERE kind = l.kind)
        WHEN l.kind = 'get' AND u.uow IS NOT NULL THEN 'got, not committed'
        WHEN l.kind = 'get' THEN 'got'
        WHEN u.uow IS NOT NULL THEN 'put, not committed'
        WHEN b.deadline_us <= (SELECT max(time_us) FROM events) THEN 'expired'
        WHEN b.rule IN ('MQI-30', 'EXP-23', 'IGQ-09', 'IMS-01') THEN 'dead-lettered'
        WHEN seen THEN 'browsed' ELSE 'waiting' END AS fate,
      CASE WHEN is_held THEN h.time_us WHEN l.leaves THEN l.time_us END AS end_us,
      CASE WHEN is_held THEN h.program WHEN l.leaves THEN l.program END AS program
    FROM stays s LEFT JOIN held USING (message)
      LEFT JOIN units u ON u.uow = CASE WHEN l.leaves THEN l.uow ELSE b.uow END
  )
  SELECT qmgr, object, message, stay, fate, b.put_us AS put_us, b.arrived_us AS arrived_us, end_us,
    end_us - b.put_us AS lifetime_us, end_us - b.arrived_us AS stay_us, program, b.seq AS begin_seq
  FROM named;

CREATE VIEW fate_summary AS
  SELECT qmgr, object, fate, count(*) AS messages, quantile_disc(lifetime_us, 0.5) AS median_lifetime_us,
    max(lifetime_us) AS longest_lifetime_us
  FROM fate GROUP BY ALL;

CREATE VIEW ends AS
  SELECT qmgr, object, message, word AS fate, put_us, arrived_us, time_us AS end_us, time_us - put_us AS lifetime_us,
    time_us - arrived_us AS stay_us, program, seq
  FROM places g JOIN words USING (kind)
  WHERE leaves AND (kind <> 'get' OR
    NOT EXISTS (FROM events r WHERE r.kind = 'restore' AND r.message = g.message AND r.uow = g.uow AND r.seq > g.seq)
    AND NOT EXISTS (FROM events s WHERE s.kind = 'lost' AND s.rule IN ('CHL-07', 'IGQ-03', 'IGQ-04') AND s.qmgr = g.qmgr
                    AND s.object = g.object AND s.message = g.message AND s.arrived_us = g.arrived_us));

CREATE VIEW counts AS
  WITH lots AS (SELECT qmgr, object, fate, count(*) AS messages FROM ends GROUP BY ALL),
  begun AS (
    SELECT qmgr, object, count(*) AS messages FROM events
    WHERE kind IN ('put', 'report') AND message IS NOT NULL GROUP BY ALL
  ), gone AS (SELECT qmgr, object, sum(messages) AS messages FROM lots GROUP BY ALL)
  FROM lots UNION ALL
  SELECT qmgr, object, 'still there', b.messages - coalesce(g.messages, 0) AS still
  FROM begun b LEFT JOIN gone g USING (qmgr, object) WHERE still > 0;

CREATE VIEW time_on_queue AS
  SELECT qmgr, object, fate, count(*) AS messages, quantile_disc(stay_us, 0.5) AS p50_us,
    quantile_disc(stay_us, 0.95) AS p95_us, quantile_disc(stay_us, 0.99) AS p99_us, max(stay_us) AS longest_us
  FROM ends WHERE fate <> 'backed out' GROUP BY ALL;

CREATE VIEW journeys AS
  WITH ways AS (
    SELECT message, string_agg(object || '@' || qmgr, ' > ' ORDER BY begin_seq) AS route, count(*) AS hops,
      arg_max({'fate': fate, 'end_us': end_us, 'program': program}, begin_seq) AS l, min(put_us) AS put_us
    FROM fate WHERE fate <> 'backed out' GROUP BY message
  )
  SELECT message, route, hops, l.fate AS fate, put_us, l.end_us AS end_us, l.end_us - put_us AS latency_us,
    l.program AS program
  FROM ways;

CREATE VIEW latency_by_route AS
  WITH ways AS (SELECT route, hops, CASE WHEN fate = 'got' THEN latency_us END AS got_us FROM journeys)
  SELECT route, hops, count(*) AS messages, count(got_us) AS got, quantile_disc(got_us, 0.5) AS p50_us,
    quantile_disc(got_us, 0.95) AS p95_us, quantile_disc(got_us, 0.99) AS p99_us, max(got_us) AS longest_us
  FROM ways GROUP BY ALL;

CREATE VIEW depth AS
  WITH settled AS (
    SELECT uow, min(time_us) AS settled_us FROM events
    WHERE kind IN ('commit', 'backout') AND uow IS NOT NULL GROUP BY uow
  ), spans AS (
    SELECT s.qmgr, s.object, settled_us, b, CASE WHEN l.leaves THEN l.time_us END AS end_us
    FROM stays s LEFT JOIN settled ON settled.uow = s.b.uow
    WHERE b.uow IS NOT NULL
  ), rests AS (
    SELECT qmgr, object, kind, p.uow, lead(time_us) OVER (PARTITION BY message, qmgr, object ORDER BY seq) AS end_us,
      greatest(time_us, deadline_us, settled_us) AS since_us, settled_us, deadline_us, leaves
    FROM places p LEFT JOIN settled ON settled.uow = p.uow AND arrives
    WHERE kind <> 'browse'
  ), expired AS (
    FROM rests WHERE NOT leaves AND deadline_us IS NOT NULL AND (kind = 'restore' OR uow IS NULL OR settled_us IS NOT NULL)
      AND (end_us IS NULL OR since_us < end_us)
  ), steps AS (
    SELECT qmgr, object, moment // 60000000 AS bucket, sum(expired) AS expired, sum(uncommitted) AS uncommitted
    FROM (
      SELECT qmgr, object, since_us AS moment, 1 AS expired, 0 AS uncommitted FROM expired
      UNION ALL SELECT qmgr, object, end_us, -1, 0 FROM expired WHERE end_us IS NOT NULL
      UNION ALL SELECT qmgr, object, b.time_us, 0, 1 FROM spans
      UNION ALL SELECT qmgr, object, least(settled_us, end_us), 0, -1 FROM spans
        WHERE least(settled_us, end_us) IS NOT NULL
    ) GROUP BY ALL
  ), known AS (
    SELECT qmgr, object, time_us // 60000000 AS bucket, arg_max(depth, seq) AS depth
    FROM events WHERE depth IS NOT NULL GROUP BY ALL
  ), grid AS (
    SELECT qmgr, object, unnest(range(first, (SELECT max(time_us) // 60000000 FROM events) + 1)) AS bucket
    FROM (SELECT qmgr, object, min(bucket) AS first FROM known GROUP BY ALL)
  ), filled AS (
    SELECT qmgr, object, (bucket + 1) * 60000000 AS time_us, last_value(depth IGNORE NULLS) OVER so_far AS depth,
      coalesce(sum(expired) OVER so_far, 0) AS expired, coalesce(sum(uncommitted) OVER so_far, 0) AS uncommitted
    FROM grid LEFT JOIN known USING (qmgr, object, bucket) LEFT JOIN steps USING (qmgr, object, bucket)
    WINDOW so_far AS (PARTITION BY qmgr, object ORDER BY bucket ROWS UNBOUNDED PRECEDING)
  )
  SELECT *, depth - expired - uncommitted AS live FROM filled;

CREATE VIEW discarded AS
  WITH gets AS (
    SELECT qmgr, object, seq, time_us, coalesce(program, 'a program') AS program FROM places WHERE kind = 'get'
  ), most AS (
    SELECT qmgr, object, arg_max(program, (gets, program)) AS most
    FROM (SELECT qmgr, object, program, count(*) AS gets FROM gets GROUP BY ALL) GROUP BY ALL
  ), gone AS (
    SELECT qmgr, object, message, priority, put_us, arrived_us, deadline_us, time_us AS discarded_us,
      time_us - deadline_us AS lag_us, program AS met_by, cause AS call_seq FROM places WHERE kind = 'discard'
  ), before AS (
    SELECT d.message, d.qmgr, d.object, d.discarded_us, arg_max({'p': g.program, 'moment': g.time_us}, g.seq) AS g
    FROM gone d JOIN gets g ON g.qmgr = d.qmgr AND g.object = d.object AND g.time_us <= d.deadline_us GROUP BY ALL
  )
  SELECT gone.*, c.kind AS call, coalesce(g.p, most) AS reader, g.moment AS reader_last_us
  FROM gone LEFT JOIN before USING (message, qmgr, object, discarded_us) LEFT JOIN most USING (qmgr, object)
    LEFT JOIN events c ON c.seq = call_seq;

CREATE VIEW why_expired AS
  SELECT *, CASE WHEN reader IS NULL THEN 'nobody reads it' WHEN reader_last_us >= arrived_us THEN 'read others'
    ELSE 'did not read' END AS why
  FROM discarded;

CREATE VIEW expiry_over_time AS
  SELECT moment // 3600000000 * 3600000000 AS time_us, what, count(*) AS messages
  FROM (SELECT deadline_us AS moment, 'expired' AS what FROM discarded
    UNION ALL SELECT discarded_us, 'discarded' FROM discarded) GROUP BY ALL;

CREATE VIEW lag_histogram AS
  WITH classes AS (
    FROM (VALUES ('under 1 s', 0, 0, 1), ('1 to 10 s', 1, 1, 10), ('10 s to 1 min', 2, 10, 60), ('1 to 10 min', 3, 60, 600),
      ('10 to 30 min', 4, 600, 1800), ('30 min to 2 h', 5, 1800, 7200), ('over 2 h', 6, 7200, 1e9)) c(lag, "order", least, most)
  )
  SELECT qmgr, object, lag, "order", count(*) AS messages
  FROM discarded JOIN classes ON lag_us >= least * 1e6 AND lag_us < most * 1e6 GROUP BY ALL;

CREATE VIEW slow_readers AS
  WITH lost AS (
    SELECT qmgr, object, reader, count(*) AS discarded, count(*) FILTER (why = 'read others') AS while_reading,
      count(*) FILTER (why = 'did not read') AS while_away
    FROM why_expired GROUP BY ALL
  ), mine AS (
    SELECT *, coalesce(program, 'a program') AS reader,
      end_us - lag(end_us) OVER (PARTITION BY qmgr, object, coalesce(program, 'a program') ORDER BY seq) AS pause_us
    FROM ends WHERE fate = 'got'
  ), paces AS (
    SELECT qmgr, object, reader, count(*) AS gets, min(end_us) AS first_us, max(end_us) AS last_us,
      max(pause_us) AS longest_pause_us, quantile_disc(stay_us, 0.5) AS median_age_us, max(stay_us) AS oldest_age_us
    FROM mine GROUP BY ALL
  ), moments AS (
    SELECT qmgr, object, time_us AS moment, 1 AS one FROM places WHERE arrives
    UNION ALL SELECT qmgr, object, arrived_us, -1 FROM ends WHERE fate = 'backed out'
  ), came AS (
    SELECT p.qmgr, p.object, p.reader, sum(one) AS arrived FROM paces p JOIN moments m
      ON m.qmgr = p.qmgr AND m.object = p.object AND moment BETWEEN first_us AND last_us GROUP BY ALL
  )
  SELECT lost.*, coalesce(gets, 0) AS gets, first_us, last_us,
    coalesce(arrived, 0) / (nullif(last_us - first_us, 0) / 60e6) AS arrivals_a_minute,
    gets / (nullif(last_us - first_us, 0) / 60e6) AS gets_a_minute, longest_pause_us, median_age_us, oldest_age_us
  FROM lost LEFT JOIN paces USING (qmgr, object, reader) LEFT JOIN came USING (qmgr, object, reader);

CREATE VIEW consumers AS
  SELECT qmgr, object, program, count(*) FILTER (kind = 'get' AND message IS NOT NULL) AS gets,
    count(*) FILTER (kind = 'browse' AND message IS NOT NULL) AS browses, count(*) FILTER (reason = 2033) AS empty,
    count(*) FILTER (reason <> 2033) AS failed, count(*) FILTER (kind = 'restore') AS returned,
    min(time_us) FILTER (kind = 'get' AND message IS NOT NULL) AS first_us,
    max(time_us) FILTER (kind = 'get' AND message IS NOT NULL) AS last_us
  FROM events WHERE kind IN ('get', 'browse', 'restore') GROUP BY ALL;

CREATE VIEW failures AS
  SELECT qmgr, object, kind AS call, reason, name, count(*) AS times, count(*) FILTER (depth > 0) AS on_depth,
    max(depth) AS greatest_depth, coalesce(list_sort(list(DISTINCT program) FILTER (program IS NOT NULL)), []) AS programs,
    min(time_us) AS first_us, max(time_us) AS last_us
  FROM events LEFT JOIN reasons USING (reason) WHERE reason IS NOT NULL AND kind NOT IN ('lost', 'reject') GROUP BY ALL;

CREATE VIEW dead_letters AS
  WITH there AS (
    SELECT * FROM events p WHERE kind IN ('put', 'report') AND message IS NOT NULL
      AND EXISTS (FROM events a WHERE a.kind = 'alter' AND a.object_type = 'QMGR' AND a.qmgr = p.qmgr
                  AND a.detail ->> '$.DEADQ' = p.object AND p.object <> '')
      AND NOT EXISTS (FROM events u WHERE u.kind = 'undo' AND u.message = p.message AND u.uow = p.uow AND u.seq > p.seq)
  ), others AS (
    SELECT * FROM events p WHERE kind IN ('put', 'report') AND message IS NULL AND reason IS NOT NULL
    UNION ALL SELECT * FROM events p WHERE kind IN ('put', 'report') AND message IS NOT NULL
      AND EXISTS (FROM events a WHERE a.kind = 'alter' AND a.object_type = 'QMGR' AND a.qmgr = p.qmgr
                  AND a.detail ->> '$.DEADQ' = p.object AND p.object <> '')
  ), just AS (
    SELECT t.seq, arg_max(CASE WHEN o.message IS NULL THEN {'object': o.object, 'reason': o.reason} END, o.seq) AS r,
      arg_max(o.message IS NULL, o.seq) AS refused
    FROM there t JOIN others o ON o.seq < t.seq AND o.qmgr = t.qmgr AND o.program IS NOT DISTINCT FROM t.program
      AND o.time_us = t.time_us GROUP BY ALL
  )
  SELECT qmgr, t.object, message, time_us, program, CASE WHEN refused THEN r.object END AS wanted,
    CASE WHEN refused THEN r.reason END AS reason,
    coalesce(name, CASE WHEN refused THEN r.reason::VARCHAR END, 'not in the log') AS name, rule, t.seq
  FROM there t LEFT JOIN just USING (seq) LEFT JOIN reasons n ON refused AND n.reason = r.reason;

CREATE VIEW dead_letter_reasons AS
  SELECT qmgr, object, program, wanted, reason, name, count(*) AS messages, min(time_us) AS first_us,
    max(time_us) AS last_us
  FROM dead_letters GROUP BY ALL;

CREATE VIEW batches AS
  WITH channels AS (SELECT DISTINCT qmgr, object AS program FROM events WHERE kind = 'channel' AND object_type = 'CHANNEL'),
  gets AS (
    SELECT e.* FROM events e SEMI JOIN channels USING (qmgr, program)
    WHERE kind = 'get' AND message IS NOT NULL AND object <> 'SYSTEM.CHANNEL.SYNCQ'
  ), units AS (
    SELECT qmgr, program, uow, count(*) AS messages, min(time_us) AS first_us FROM gets WHERE uow IS NOT NULL GROUP BY ALL
  ), asks AS (
    SELECT qmgr, program, uow, min(seq) AS seq, min(time_us) AS asked_us FROM events WHERE kind = 'prepare' GROUP BY ALL
  ), ended AS (
    SELECT qmgr, program, uow, max(time_us) AS ended_us, arg_max(kind, seq) AS how
    FROM events WHERE kind IN ('commit', 'backout') GROUP BY ALL
  ), told AS (
    SELECT qmgr, uow, arg_max(rule, seq) AS ended_by FROM events WHERE kind = 'channel' AND uow IS NOT NULL GROUP BY ALL
  ), fast AS (
    SELECT qmgr, program, uow, count(*) AS fast FROM (
      SELECT g.qmgr, g.program, arg_min(a.uow, a.seq) AS uow FROM gets g JOIN asks a
        ON a.qmgr = g.qmgr AND a.program = g.program AND a.seq > g.seq WHERE g.uow IS NULL GROUP BY g.qmgr, g.program, g.seq
    ) GROUP BY ALL
  )
  SELECT qmgr, program AS channel, uow, messages, coalesce(fast, 0) AS fast, first_us, asked_us, ended_us,
    CASE WHEN asked_us IS NULL THEN 'not put to the vote' WHEN ended_us IS NULL THEN 'in doubt'
      WHEN how = 'commit' THEN 'committed' ELSE 'backed out' END AS outcome,
    ended_by, ended_us - first_us AS duration_us, ended_us - asked_us AS doubt_us
  FROM units LEFT JOIN asks USING (qmgr, program, uow) LEFT JOIN ended USING (qmgr, program, uow)
    LEFT JOIN told USING (qmgr, uow) LEFT JOIN fast USING (qmgr, program, uow);

CREATE VIEW batch_summary AS
  SELECT qmgr, channel, outcome, count(*) AS batches, sum(messages) AS messages, sum(fast) AS fast,
    avg(messages + fast) AS mean_size, max(messages + fast) AS largest, quantile_disc(duration_us, 0.5) AS median_us,
    max(duration_us) AS longest_us, max(doubt_us) AS longest_doubt_us
  FROM batches GROUP BY ALL;

CREATE VIEW retries AS
  WITH states AS (
    SELECT qmgr, object AS channel, coalesce(detail ->> '$.partner', '') AS partner, seq, time_us,
      detail ->> '$.state' AS state, detail ->> '$.was' AS was, because,
      state IN ('RUNNING', 'STOPPED', 'INACTIVE') AS over, state IN ('RETRYING', 'PAUSED') AS trying
    FROM events LEFT JOIN sentences USING (seq)
    WHERE kind = 'channel' AND object_type = 'CHANNEL' AND detail ->> '$.was' IS NOT NULL
  ), parts AS (
    SELECT *, count(*) FILTER (over) OVER
      (PARTITION BY qmgr, channel, partner ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS part
    FROM states
  ), told AS (
    SELECT qmgr, channel, partner, part,
      arg_min({'state': state, 'moment': time_us, 'because': because}, seq) FILTER (trying) AS b,
      arg_max({'state': state, 'moment': time_us}, seq) FILTER (over) AS e,
      count(*) FILTER (was IN ('RETRYING', 'PAUSED') AND state NOT IN ('STOPPED', 'INACTIVE')) AS attempts
    FROM parts GROUP BY ALL
  )
  SELECT qmgr, channel, partner, b.state AS state, b.moment AS from_us, e.moment AS to_us, e.moment - b.moment AS retrying_us, attempts,
    e.state AS outcome, b.because AS because
  FROM told WHERE b IS NOT NULL;

CREATE VIEW trigger_audit AS
  WITH told AS (
    SELECT *, (detail ->> '$.fired') = 'true' AS fired FROM events WHERE kind = 'trigger'
  )
  SELECT t.qmgr, t.object, t.seq, t.time_us, CASE WHEN fired THEN 'fired' WHEN t.rule IN ('TRG-04', 'TRG-04a', 'TRG-04b',
      'TRG-05', 'TRG-06', 'TRG-07', 'TRG-08', 'TRG-09', 'TRG-10') THEN 'prevented' ELSE 'not asked for' END AS outcome,
    t.rule, title, because, t.depth, t.cause AS chance_seq, c.kind AS chance,
    (SELECT min(n.time_us) FROM told n WHERE n.fired AND n.qmgr = t.qmgr AND n.object = t.object AND n.seq > t.seq)
      AS next_fired_us
  FROM told t LEFT JOIN sentences USING (seq) LEFT JOIN titles ON titles.rule = t.rule LEFT JOIN events c ON c.seq = t.cause;

CREATE VIEW trigger_summary AS
  SELECT qmgr, object, outcome, rule, title, count(*) AS times, count(*) FILTER (next_fired_us IS NULL) AS never_again,
    min(time_us) AS first_us, max(time_us) AS last_us
  FROM trigger_audit GROUP BY ALL;
