-- Why a task's append may not be made; null where it may.
create function waybill_task_problem(m jsonb, p_key text) returns jsonb language plpgsql as $$
declare
  v_stream uuid := (m->>'stream')::uuid;
  v_queue text := m->>'queue';
  v_lease jsonb := m->'lease';
  v_holder text;
begin
  if v_lease is not null then
    perform 1 from leases l where l.token = (v_lease->>'token')::bigint
      and case when v_lease ? 'expired' then l.deadline < clock_timestamp()
          else l.secret is null or l.secret = (v_lease->>'secret')::uuid end for update;
    if not found then return jsonb_build_object('kind', 'refused', 'constraint', 'lease'); end if;
  end if;
  if m ? 'reference' then
    select o.task_id into v_holder from tasks o join queues q on q.name = o.queue
      where o.queue = v_queue and o.reference = m->>'reference' and o.task_id <> v_stream
        and (q.policy->>'uniqueReference' = 'always'
          or q.policy->>'uniqueReference' = 'open' and o.state not in ('succeeded', 'aborted', 'superseded', 'deleted'))
      limit 1;
    if found then return jsonb_build_object('kind', 'refused', 'constraint', 'reference', 'taskId', v_holder); end if;
  end if;
  v_holder := case when p_key is not null then waybill_key_holder(v_queue, p_key, v_stream) end;
  if v_holder is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'key-waiting', 'taskId', v_holder);
  end if;
  return null;
end $$
