-- Counts tasks of a batch that are new (p_from is null) or have changed their state.
create function waybill_count_members(p_batch uuid, p_from text, p_to text, p_count int) returns void language sql as $$
  update batches b set total = b.total + case when p_from is null then p_count else 0 end,
    open = b.open + c.open * p_count, succeeded = b.succeeded + c.succeeded * p_count, failed = b.failed + c.failed * p_count,
    aborted = b.aborted + c.aborted * p_count, deleted = b.deleted + c.deleted * p_count,
    task_ended = b.task_ended or b.state = 'failed' and p_to in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')
  from (
    select coalesce(sum(s.sign) filter (where s.state not in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')), 0)::int as open,
      coalesce(sum(s.sign) filter (where s.state in ('succeeded', 'superseded')), 0)::int as succeeded,
      coalesce(sum(s.sign) filter (where s.state = 'failed'), 0)::int as failed,
      coalesce(sum(s.sign) filter (where s.state = 'aborted'), 0)::int as aborted,
      coalesce(sum(s.sign) filter (where s.state = 'deleted'), 0)::int as deleted
    from (values (p_from, -1), (p_to, 1)) as s(state, sign)) c
  where b.id = p_batch
$$
