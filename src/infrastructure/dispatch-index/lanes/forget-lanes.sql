-- Forgets what is kept of the lanes of a deleted queue, which has no tasks: up to 10,000 turns and rates, as the caller holds the log. What a claim has locked stays, because that
-- claim may wait for the log.
create function waybill_forget_lanes(p_queue text) returns void language sql as $$
  delete from laned where ctid = any (array(select l.ctid from laned l where l.queue = p_queue for update skip locked));
  delete from turns where ctid = any (array(select t.ctid from turns t where t.queue = p_queue limit 10000 for update skip locked));
  delete from paces where ctid = any (array(select p.ctid from paces p where p.queue = p_queue limit 10000 for update skip locked));
$$
