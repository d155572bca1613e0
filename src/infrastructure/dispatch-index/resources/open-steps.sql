-- The steps at which a queue with needs gives out tasks, among p_steps or all: those that are short of no resource. p_steps
-- itself if none is. Besides the steps of the policy, ready tasks may be at others, which it had when they were submitted.
create function waybill_open_steps(q queues, p_steps text[]) returns text[] language plpgsql stable as $$
declare
  v_short text[] := waybill_short_steps(q.needs);
begin
  if v_short = '{}' then return p_steps; end if;
  return array(
    with recursive lanes(step) as (
      select min(r.step) from ready r where r.queue = q.name and r.step is not null
      union all
      select (select min(r.step) from ready r where r.queue = q.name and r.step > l.step) from lanes l where l.step is not null)
    select s.step from (
      select unnest(p_steps) as step
      union select coalesce(p->>'name', p#>>'{}') from jsonb_array_elements(q.policy->'steps') p where p_steps is null
      union select l.step from lanes l where p_steps is null and l.step is not null) s
    where s.step <> all (v_short));
end $$
