-- The phase of an append that creates tasks, after it has refused those that cannot be: their ids are taken, the intake is
-- closed, or their batches accept none.
create function waybill_append_creates(
  p_creates waybill_create[], p_segments waybill_segment[], p_head bigint, p_now timestamptz, inout problems jsonb, inout bad int[]
) language plpgsql as $$
declare
  v_tasks uuid[];
  v_keyed boolean;
  v_batches uuid[];
  v_closed boolean;
  v_created record;
  r record;
begin
  select array_agg(c.task), count(c.key) > 0, array_agg(c.batch) filter (where c.batch is not null), exists (select from system s where s.intake = 'closed')
    into v_tasks, v_keyed, v_batches, v_closed from unnest(p_creates) as c;
  -- Looked up instead of left to ON CONFLICT, which writes every row to the WAL twice. Under the log lock, nobody
  -- else inserts.
  if exists (select from known_tasks t where t.task_id = any (v_tasks)) then
    for r in
      select c.*, t.revision as actual from unnest(p_creates) as c join known_tasks t on t.task_id = c.task where c.item <> all (bad)
    loop
      problems := problems || waybill_stale(r.item, p_segments, r.first, r.first, r.actual);
      bad := bad || r.item;
    end loop;
  end if;
  if exists (select from batches) and exists (select from batches b where b.id = any (v_tasks)) then
    select problems || coalesce(jsonb_agg(waybill_id_taken(c.task, 'task') || jsonb_build_object('i', c.item)), '[]'), bad || coalesce(array_agg(c.item), '{}')
      into problems, bad from unnest(p_creates) as c where c.item <> all (bad) and waybill_id_taken(c.task, 'task') is not null;
  end if;
  if v_closed then
    select problems || coalesce(jsonb_agg(waybill_draining() || jsonb_build_object('i', c.item)), '[]'), bad || coalesce(array_agg(c.item), '{}')
      into problems, bad from unnest(p_creates) as c where c.item <> all (bad);
  end if;
  if v_batches is not null then
    for r in
      with batches as materialized (
        select b.id, waybill_batch_problem(b.id) as problem from (select distinct unnest(v_batches) as id) b)
      select c.item, b.problem from unnest(p_creates) as c join batches b on b.id = c.batch where b.problem is not null and c.item <> all (bad)
    loop
      problems := problems || (r.problem || jsonb_build_object('i', r.item));
      bad := bad || r.item;
    end loop;
  end if;
  v_created := waybill_create(p_creates, p_head, null, p_now, null, bad, v_keyed, v_batches);
  problems := problems || v_created.problems;
  bad := bad || v_created.bad;
end $$
