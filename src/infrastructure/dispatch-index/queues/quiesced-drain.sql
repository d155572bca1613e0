-- When the drain began during which nothing runs any more, unless that is recorded; null if a task still runs.
-- A claim that began before the drain holds the lock until its lease is stored, so the leases are looked at again behind it.
create function waybill_quiesced_drain() returns timestamptz language plpgsql as $$
declare
  v_since timestamptz := (select s.begun_at from system s where s.draining and s.quiesced_at is null);
begin
  if v_since is null or exists (select from leases) then return null; end if;
  perform pg_advisory_xact_lock(:CLAIMS_LOCK);
  return case when not exists (select from leases) then v_since end;
end $$
