-- The number of running tasks of each of these holders of API keys. Until the transaction ends, nobody else takes tasks
-- for them. The caller has the queue's gate.
create function waybill_holder_runs(p_holders text[]) returns table (holder text, running int) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:HOLDERS_LOCK) from (select unnest(p_holders) as h order by 1) as one;
  return query select h, (select coalesce(sum(l.open), 0)::int from leases l where l.holder = h) from unnest(p_holders) as h;
end $$
