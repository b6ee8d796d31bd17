-- What is wrong with a row that no lab writes, null for a row that is right; {version} is that of its file, or null.
CASE
  WHEN seq IS NULL THEN 'has no seq'
  WHEN kind IS NULL THEN 'has no kind'
  WHEN time_us IS NULL THEN 'has no time_us'
  WHEN seq < 0 THEN concat('has seq ', seq, ', and rows are numbered from 0')
  WHEN depth < 0 THEN concat('has depth ', depth, ', fewer messages than none')
  WHEN time_us < 0 THEN concat('has time_us ', time_us, ', before the start of its lab')
  WHEN message < 0 THEN concat('has message ', message, ', and messages are numbered from 1')
  WHEN uow < 0 THEN concat('has uow ', uow, ', and units of work are numbered from 1')
  WHEN reason < 1 THEN concat('has reason ', reason, ', which is no reason code of a call that failed')
  WHEN priority NOT BETWEEN 0 AND 9 THEN concat('has priority ', priority, ', which is not 0 to 9')
  WHEN put_us < 0 THEN concat('has put_us ', put_us, ', before the start of its lab')
  WHEN arrived_us < 0 THEN concat('has arrived_us ', arrived_us, ', before the start of its lab')
  WHEN arrived_us < put_us THEN concat('has arrived_us ', arrived_us, ', before its put_us ', put_us)
  WHEN time_us < arrived_us THEN concat('has arrived_us ', arrived_us, ', after its time_us ', time_us)
  WHEN kind IN ('put', 'report', 'get', 'discard') AND message IS NOT NULL AND (put_us IS NULL OR arrived_us IS NULL)
    THEN concat('has message ', message, ', and no put_us or no arrived_us')
  WHEN cause < 0 OR cause >= seq THEN concat('has row ', cause, ' as its cause, which is no earlier row')
  -- version 1 has sentences; as the value of a member, because Spark passes over all that follows a whole value
  WHEN coalesce({version}, if(detail RLIKE '^[{"]', 2, 1)) > 1 AND (ltrim(detail) NOT LIKE '{%' OR detail IS NOT NULL
       AND (try_parse_json(concat('{"":', detail, '}')) IS NULL
         OR detail LIKE '%}%,%' AND size(json_object_keys(concat('{"":', detail, '}'))) <> 1))
    THEN concat('has a detail that is no JSON object, ', left(detail, 60))
END
