-- Takes a task out of the ready lane, splitting its extent. False if the task is not there, or a claim has locked the
-- extent.
create function waybill_leave_lane(p_queue text, p_priority int, p_place bigint) returns boolean language plpgsql as $$
declare
  r record;
begin
  select ctid, * into r from ready where queue = p_queue and priority = p_priority and from_seq <= p_place
    order by from_seq desc limit 1 for update skip locked;
  if not found or r.to_seq < p_place then return false; end if;
  if r.from_seq < p_place then
    update ready set to_seq = p_place - 1 where ctid = r.ctid;
    if p_place < r.to_seq then
      insert into ready (queue, priority, from_seq, to_seq, step, since) values (p_queue, p_priority, p_place + 1, r.to_seq, r.step, r.since);
    end if;
  elsif p_place < r.to_seq then
    update ready set from_seq = p_place + 1 where ctid = r.ctid;
  else
    delete from ready where ctid = r.ctid;
  end if;
  return true;
end $$
