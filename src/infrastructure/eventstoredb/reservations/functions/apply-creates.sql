-- Applies new tasks that have no reference, wait for no others and are not held, which 'first' numbers from 1.
create function waybill_apply_creates(p_creates jsonb) returns void language plpgsql as $$
declare
  v_creates waybill_create[];
  v_positions bigint[];
  v_times timestamptz[];
  v_keyed boolean;
  v_batches uuid[];
  v_fenced boolean;
  v_created record;
begin
  with c as materialized (select value as c from jsonb_array_elements(p_creates)),
  kept as (
    insert into open_histories (task_id, revision, events) select (c->>'task')::uuid, (c->>'revision')::int, c->>'history' from c)
  select array_agg(jsonb_populate_record(null::waybill_create, c)), array_agg((c->>'position')::bigint), array_agg((c->>'at')::timestamptz),
      bool_or(c ? 'key'), array_agg((c->>'batch')::uuid) filter (where c ? 'batch'),
      bool_or((c->>'revision')::int > 0)
    into v_creates, v_positions, v_times, v_keyed, v_batches, v_fenced from c;
  v_created := waybill_create(v_creates, null, v_positions, null, v_times, '{}', v_keyed, v_batches);
  -- A fence stands before such a task's first event.
  if v_fenced then
    update tasks t set revision = (c->>'revision')::int from jsonb_array_elements(p_creates) as c where t.task_id = (c->>'task')::uuid;
  end if;
  if v_created.problems <> '[]' then
    raise exception using errcode = 'WB002', message = 'the dispatch index refuses it: ' || v_created.problems::text;
  end if;
end $$
