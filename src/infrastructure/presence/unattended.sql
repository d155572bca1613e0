-- Whether tasks of a queue are ready, or were given back as unknown, that no worker serves. Of those at steps that the policy no
-- longer has, and those that became due a moment ago, only the first 1,000 are looked at, and of what tasks need, 1,000 different needs.
create function waybill_unattended(q queues) returns boolean language plpgsql stable as $$
begin
  return waybill_withheld(q) is null and (
    not waybill_is_served(q.name, null, null, null) and exists (
      select from (
        select r.step from (select step from ready where queue = q.name order by priority desc, from_seq limit 1000) r
        union select t.step from (select task_id from waiting where queue = q.name and gate = 'due' and due_at <= now()
          order by due_at limit 1000) w join tasks t using (task_id)
        union select p.step from (select coalesce(e->>'name', e #>> '{}') as step from jsonb_array_elements(q.policy->'steps') e) p
          where exists (select from ready r where r.queue = q.name and r.step = p.step)) as lanes
      where not waybill_is_served(q.name, lanes.step, null, null))
    or q.by_lanes and exists (select from waybill_needs_in_line(q.name, 1000) n where not waybill_is_served(q.name, n.step, null, n.needs))
    or exists (
      select from unknown_kinds u join tasks t on t.task_id = u.task_id
      where u.queue = q.name and u.seen_at > now() - :UNKNOWN_FOR and t.state = 'pending'
        and not waybill_is_served(q.name, t.step, u.kind, waybill_needed(q, t.needs))));
end $$
