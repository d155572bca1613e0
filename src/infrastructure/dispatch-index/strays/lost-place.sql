-- What an open task lacks in the index: its place in line ('no place'), so that nobody could claim it, or its lease ('no lease'), so that it would
-- run for ever. p_token: that of its last claim, or null to believe the row. Null if it lacks nothing, an append in progress changes it, or it is set aside.
create function waybill_lost_place(t tasks, p_token bigint default null) returns text language sql stable as $$
  select case
    when not waybill_is_open(t.state) then null
    when exists (select from reservations r where r.stream = t.task_id) or exists (select from quarantined q where q.task_id = t.task_id) then null
    when t.state = 'running' then
      case when t.token is null or t.token <> p_token or not exists (select from leases l where l.id = t.lease and t.task_id = any (l.tasks)) then 'no lease' end
    when t.state = 'pending' and waybill_is_ready(t.queue, t.priority, coalesce(t.place, t.seq)) or exists (select from waiting w where w.task_id = t.task_id) then null
    else 'no place' end
$$
