-- Closes the prerequisites that are done, and marks the tasks on either side. The rows are those of the events.
update prerequisites p set closed = true where waybill_is_closed(waybill_prerequisite_state(p.needs), p.ignore);
update tasks set awaited = true where task_id in (select needs from prerequisites);
update tasks set dependent = true where task_id in (select task_id from prerequisites);
insert into consequences (id, what)
  select distinct p.needs, 'abort' from prerequisites p join tasks t on t.task_id = p.task_id
  where not p.closed and waybill_prerequisite_state(p.needs) = 'aborted' and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted');
insert into prerequisites select p.* from pg_temp.reserved_prerequisites p where p.reservation in (select coalesce(r.transaction, r.id) from reservations r)
  on conflict do nothing
