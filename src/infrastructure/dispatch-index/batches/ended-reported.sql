-- Notes that all tasks of a batch that had ended up to p_as_of are reported. Keeps the mark if another has ended since.
create function waybill_ended_reported(p_batch uuid, p_as_of bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  update batches b set task_ended = false where b.id = p_batch and not exists (
    select from tasks t where t.batch = p_batch and t.position > p_as_of and t.state in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted'));
end $$
