-- Applies successes that workers reported, which 'first' numbers from 1. Returns the queues of tasks that became ready because these were done.
create function waybill_apply_successes(p_successes jsonb) returns text[] language plpgsql as $$
declare
  v_successes waybill_success[];
  v_positions bigint[];
  v_times timestamptz[];
  v_done record;
begin
  with s as materialized (select value as s from jsonb_array_elements(p_successes)),
  closed as (delete from open_histories where task_id = any (array(select (s->>'task')::uuid from s)))
  select array_agg(jsonb_populate_record(null::waybill_success, s)), array_agg((s->>'position')::bigint), array_agg((s->>'at')::timestamptz)
    into v_successes, v_positions, v_times from s;
  v_done := waybill_succeed(v_successes, null, v_positions, null, v_times, '{}');
  if cardinality(v_done.firsts) < cardinality(v_successes) then
    raise exception using errcode = 'WB002', message = 'the dispatch index lacks a task that succeeded, or an event of it, or has the success';
  end if;
  return case when v_done.awaited = '{}' then '{}'::text[] else waybill_unblock(v_done.awaited, clock_timestamp()) end;
end $$
