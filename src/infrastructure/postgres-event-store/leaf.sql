-- The leaf of a segment in the tree of the log, which is the line that stands for it (docs/reference/log-format.md). A row from before there
-- were digests is of format 0: it has one of the same text, made now.
create function waybill_leaf(s segments) returns text language sql stable as $$
  select format('waybill %s %s %s %s %s %s', case when s.digest is null then 0 else 1 end, s.position, s.n,
    to_char(s.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    encode(coalesce(s.digest, waybill_digest(s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.data, s.private, s.salts)), 'hex'),
    coalesce(s.prevs::text, '-'))
$$
