-- Counts consecutive failed attempts of queues whose policy pauses after so many. A success resets the count.
create function waybill_count_failure(p_queue text, p_task uuid, p_failed boolean, p_state text)
returns void language plpgsql as $$
begin
  if p_failed then
    update queues set failure_streak = failure_streak + 1, failure_task = p_task
      where name = p_queue and policy->>'pauseAfterFailures' is not null;
  elsif p_state = 'succeeded' then
    update queues set failure_streak = 0, failure_task = null where name = p_queue and failure_streak > 0;
  end if;
end $$
