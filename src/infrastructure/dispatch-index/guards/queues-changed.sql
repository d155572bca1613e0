-- Whether any of the queues that a decision looked at has changed since.
create function waybill_queues_changed(p_queues jsonb) returns boolean language sql as $$
  select exists (select from jsonb_to_recordset(p_queues) as o(name text, revision int) left join queues q on q.name = o.name
                 where coalesce(q.revision, -1) <> o.revision)
$$
