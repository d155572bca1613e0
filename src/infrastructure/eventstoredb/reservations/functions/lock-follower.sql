-- Keeps a follower where it is until the end of the transaction. False if its rows are to be built anew. The log lock comes first, because
-- the follower of the index has it when it counts gaps.
create function waybill_lock_follower(p_name text) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  perform from projection_checkpoints where name = p_name and slot = 'live' and version > 0 for update;
  return found;
end $$
