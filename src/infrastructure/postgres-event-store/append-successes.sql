-- The phase of an append that ends tasks with a success, and says why it did not end others. Returns what waybill_succeed does.
create function waybill_append_successes(
  p_successes waybill_success[], p_segments waybill_segment[], p_head bigint, p_now timestamptz,
  inout problems jsonb, inout bad int[], out firsts int[], out befores bigint[], out awaited uuid[]
) language plpgsql as $$
declare
  v_done record;
  r record;
begin
  v_done := waybill_succeed(p_successes, p_head, null, p_now, null, bad);
  firsts := v_done.firsts;
  befores := v_done.befores;
  awaited := v_done.awaited;
  if cardinality(firsts) < cardinality(p_successes) then
    for r in
      select s.*, coalesce(t.revision, -1) as actual from unnest(p_successes) as s left join tasks t on t.task_id = s.task
      where t.position is distinct from p_head + s.first and s.item <> all (bad)
    loop
      problems := problems || case when r.actual = r.expected
        then jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'lease')
        else waybill_stale(r.item, p_segments, r.first, r.first, r.actual) end;
      bad := bad || r.item;
    end loop;
  end if;
end $$
