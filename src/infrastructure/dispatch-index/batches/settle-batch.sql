-- What follows from a change of a batch's row, in the commit of its event. Returns the queues that now have tasks to give
-- out.
create function waybill_settle_batch(p_row jsonb, p_now timestamptz) returns text[] language plpgsql as $$
declare
  v_id uuid := (p_row->>'id')::uuid;
  v_state text := p_row->>'state';
begin
  if v_state = 'running' then return waybill_open_batch(v_id, p_now); end if;
  if v_state in ('aborted', 'deleted') then
    insert into consequences (id, what) values (v_id, case v_state when 'aborted' then 'abort' else 'delete' end) on conflict do nothing;
  end if;
  if v_state = 'failed' and p_row->>'error' is not null then
    insert into consequences (id, what) values (v_id, 'abort') on conflict do nothing;
  end if;
  if v_state in ('completed', 'aborted') and (select b.awaited from batches b where b.id = v_id) then
    return waybill_unblock(array[v_id], p_now);
  end if;
  return '{}';
end $$
