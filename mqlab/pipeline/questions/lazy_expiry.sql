-- Lazy expiry, said once more in SQL: which expired message goes, when, and which call met it.
--
-- {events}     rows of an event log; of these no discard, no report about one, no depth and no rule is read.
-- {asked}      seq, msg_id, correl_id, behind: what a call asked for beyond "any message", by the row of the call;
--              behind is the row that put the message its browse cursor stands on. No row: it asked for anything.
-- {identified} message, correl_id: the identifiers that the log does not have.

WITH attributes AS (  -- every row about a local queue, with the order of delivery the queue had then
  SELECT *,
    coalesce(last_value(if(kind IN ('define', 'alter'), get_json_object(detail, '$.MSGDLVSQ'), NULL)) IGNORE NULLS
             OVER so_far, 'PRIORITY') AS msgdlvsq,
    coalesce(last_value(if(kind IN ('define', 'alter'), get_json_object(detail, '$.DEFPRTY'), NULL)) IGNORE NULLS
             OVER so_far, '0') AS defprty
  FROM {events}
  WHERE object_type = 'QLOCAL'
    AND kind IN ('define', 'alter', 'put', 'report', 'get', 'browse', 'wait', 'restore', 'deliver', 'clear', 'lost',
                 'undo')
  WINDOW so_far AS (PARTITION BY qmgr, object ORDER BY seq)
),
arrivals AS (  -- a message comes to a queue, and is filed there behind those of its priority (MQI-01)
  SELECT qmgr, object, message, msg_id, seq, time_us, uow,
    if(msgdlvsq = 'FIFO', int(defprty), least(priority, 9)) AS filed,
    time_us + expiry_left * 100000 AS deadline_us
  FROM attributes
  WHERE kind IN ('put', 'report') AND message IS NOT NULL
),
moments AS (  -- when it can be seen, and when not
  SELECT qmgr, object, message, seq, time_us, seq AS arrival, if(uow IS NULL, 'shown', 'hidden') AS what FROM arrivals
  UNION ALL  -- the commit of its unit of work (MQI-05)
  SELECT a.qmgr, a.object, a.message, c.seq, c.time_us, NULL, 'committed'
  FROM arrivals a JOIN {events} c ON c.uow = a.uow AND c.kind = 'commit' AND c.seq > a.seq
  UNION ALL
  SELECT qmgr, object, message, seq, time_us, NULL, if(kind IN ('restore', 'deliver'), 'shown', 'gone')
  FROM attributes
  WHERE message IS NOT NULL AND kind IN ('get', 'restore', 'deliver', 'clear', 'lost', 'undo')
),
spans AS (  -- a stretch of the log in which a call can meet it; until is null while nothing is known to end it
  SELECT qmgr, object, message, seq AS since, time_us AS since_us, what,
    lag(what) OVER in_turn AS before,
    lead(seq) OVER in_turn AS until,
    lead(time_us) OVER in_turn AS until_us,
    last_value(arrival) IGNORE NULLS OVER in_turn AS arrival
  FROM moments
  WINDOW in_turn AS (PARTITION BY qmgr, object, message ORDER BY seq)
),
mortal AS (  -- those with a lifetime that ends while a call can meet it
  SELECT s.qmgr, s.object, s.message, s.arrival, s.since, s.since_us, s.until, a.filed, a.deadline_us, a.msg_id, i.correl_id
  FROM spans s
    JOIN arrivals a ON a.qmgr = s.qmgr AND a.object = s.object AND a.seq = s.arrival
    LEFT JOIN {identified} i ON i.message = s.message
  WHERE a.deadline_us <= coalesce(s.until_us, a.deadline_us)
    AND (s.what = 'shown' OR s.what = 'committed' AND s.before = 'hidden')
),
calls AS (  -- a call looks through its queue up to the message it returns, or through all of it
  SELECT c.qmgr, c.object, c.seq, c.time_us, c.program, t.filed AS to_filed, t.seq AS to_arrival,
    c.kind = 'wait' AS waits, lead(if(c.kind = 'get', c.seq, NULL)) IGNORE NULLS OVER by_program AS ends
  FROM attributes c LEFT JOIN arrivals t ON t.qmgr = c.qmgr AND t.object = c.object AND t.seq = c.cause
    AND c.message IS NOT NULL
  WHERE c.kind = 'wait' OR c.kind IN ('get', 'browse') AND (c.message IS NOT NULL OR c.reason = 2033)
  WINDOW by_program AS (PARTITION BY c.qmgr, c.object, c.program ORDER BY c.seq)
  UNION ALL  -- a scan looks through every queue that it names (EXP-33, EXP-35, MQI-20)
  SELECT qmgr, explode(from_json(get_json_object(detail, '$.queues'), 'ARRAY<STRING>')), seq, time_us, program,
    NULL, NULL, false, NULL
  FROM {events}
  WHERE kind = 'scan'
),
asking AS (  -- with what it asked for, and where its cursor stands
  SELECT c.*, k.msg_id, k.correl_id, b.filed AS from_filed, b.seq AS from_arrival
  FROM calls c
    LEFT JOIN {asked} k ON k.seq = c.seq
    LEFT JOIN arrivals b ON b.seq = k.behind
)
SELECT m.qmgr, m.object, m.message,
  min(c.seq) AS call_seq,
  min_by(greatest(c.time_us, m.since_us), c.seq) AS discarded_us,
  min_by(c.program, c.seq) AS met_by,
  first(m.deadline_us) AS deadline_us
FROM mortal m JOIN asking c
  ON c.qmgr = m.qmgr AND c.object = m.object
  AND (c.seq > m.since OR c.waits AND m.since < coalesce(c.ends, m.since + 1))        -- a wait lasts: it sees what comes
  AND (m.until IS NULL OR c.seq < m.until)
  AND greatest(c.time_us, m.since_us) >= m.deadline_us                                                            -- EXP-02, EXP-11
  AND (c.msg_id IS NULL OR c.msg_id = m.msg_id)                                             -- EXP-08
  AND (c.correl_id IS NULL OR c.correl_id = m.correl_id)
  AND (c.to_arrival IS NULL OR m.filed > c.to_filed                                         -- EXP-09, EXP-10
       OR m.filed = c.to_filed AND m.arrival < c.to_arrival)
  AND (c.from_arrival IS NULL OR m.filed < c.from_filed
       OR m.filed = c.from_filed AND m.arrival > c.from_arrival)
GROUP BY m.qmgr, m.object, m.message, m.arrival
