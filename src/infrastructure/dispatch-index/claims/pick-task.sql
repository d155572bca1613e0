-- Picks one task out of turn, in the way of waybill_pick. Returns nothing if the task is not ready or at none of p_steps, and names it if a hold
-- catches it. The caller is inside the gate, so no other claim has the task.
create function waybill_pick_task(p_queue text, p_task uuid, p_steps text[])
returns table (tokens text, task_ids text, first bigint, queue_revision int, priority int, "position" bigint, revision int, type text,
               version smallint, recorded_at timestamptz, shared text, data text, private text, trace text, more boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_queue queues;
  t tasks;
begin
  select * into v_queue from queues where name = p_queue and not exists (select from system s where s.draining);
  select * into t from tasks where task_id = p_task and queue = p_queue and state = 'pending' and (p_steps is null or step = any (p_steps));
  if t.expires_at <= clock_timestamp() then return; end if;
  if t.task_id is null or waybill_withheld(v_queue) is not null or t.step = any (waybill_short_steps(v_queue.needs)) then return; end if;
  if v_queue.paced and waybill_paced_until(v_queue, t.labels) <> '[]' then return; end if;
  if exists (select from holds h where h.label is not null) then
    return query select null::text, c.task_id::text, null::bigint, null::int, null::int, null::bigint, null::int, 'caught', null::smallint,
      null::timestamptz, null::text, c.held_by::text, null::text, null::text, false
      from waybill_caught(array(select r.ctid from ready r where r.queue = p_queue and r.priority = t.priority and r.from_seq = coalesce(t.place, t.seq)), 1) c;
    if found then return; end if;
  end if;
  if not waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) then return; end if;
  if v_queue.fair_label is not null then perform waybill_count_turns(v_queue, array[waybill_lane(v_queue, t.labels, t.needs)]); end if;
  return query
    with numbered as materialized (select nextval('lease_tokens') as token)
    select n.token::text, t.task_id::text, coalesce(e.position, t.position), v_queue.revision, t.priority, e.position, e.revision, e.type, e.version,
      e.recorded_at, null::text, e.data, null::text, case when e.revision = 0 then waybill_trace_in(e.meta) end, false
    from numbered n left join lateral waybill_history(t.task_id) e on true;
end $$
