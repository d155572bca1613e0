-- Refuses prerequisites of a task that would close a cycle, and names its ids, each followed by what it waits for; null if there is none.
-- Puts the task off if the requests before it in the append have visited enough.
-- Whatever waits for the task's batch waits for the task. Other appends cannot close one meanwhile, because the caller holds the log lock.
-- So everybody waits, and the visits of one request's walks are counted together. After as many, no other request of the append begins to
-- walk: it is put off to a later one. The graph is often large in one direction only, so both
-- are tried, further each time.
-- p_exists: nothing waits for a new task but what waits for its batch. No task of that leads back to it, so the look ends there: otherwise
-- a chain of tasks in a batch would be walked again for each of them.
create function waybill_prerequisite_cycle(p_task uuid, p_batch uuid, p_exists boolean, p_named jsonb, p_request text) returns jsonb language plpgsql as $$
declare
  v_needs uuid[] := array(select n.needs from waybill_named_prerequisites(p_named) n);
  v_own uuid[] := array_remove(array[p_task, p_batch], null);
  v_from uuid[];
  v_to uuid[];
  v_nodes uuid[];
  v_end uuid;
  v_path uuid[];
  -- What all requests of the append have visited.
  v_visits int;
  r record;
begin
  if current_setting('waybill.walks_of', true) is distinct from concat('request ', p_request) then
    select sum(nullif(current_setting(name, true), '')::int) into v_visits from unnest('{waybill.visits,waybill.visits_before}'::text[]) as s(name);
    if v_visits >= :MOST_VISITS then return jsonb_build_object('kind', 'put-off'); end if;
    perform set_config('waybill.walks_of', concat('request ', p_request), true), set_config('waybill.visits', '0', true),
      set_config('waybill.visits_before', coalesce(v_visits, 0)::text, true);
  end if;
  for r in select t.most, t.back from (values (50, false), (50, true), (1000, false), (1000, true), (8000, false), (8000, true)) as t(most, back) loop
    v_from := case when r.back then v_own else v_needs end;
    v_to := case when r.back then v_needs else v_own end;
    v_nodes := waybill_walk(v_from, v_to, r.back, case when not r.back and not p_exists then p_batch end,
      least(current_setting('waybill.visits')::int + r.most, :MOST_VISITS));
    exit when v_nodes is not null;
  end loop;
  if v_nodes is null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'graph-too-large', 'limit', :MOST_VISITS);
  end if;
  select t.id into v_end from unnest(v_to) with ordinality as t(id, place) where t.id = any (v_nodes) order by t.place limit 1;
  if v_end is null then return null; end if;
  v_path := waybill_path(v_nodes, v_from, v_to, r.back, v_end);
  if r.back then v_path := array(select p.id from unnest(v_path) with ordinality as p(id, step) order by p.step desc); end if;
  return jsonb_build_object('kind', 'refused', 'constraint', 'prerequisite-cycle', 'cycle', to_jsonb(p_task || array_remove(v_path, p_task)));
end $$
