-- The delivery is no longer under way. 'done': the target took it; 'failed': it did not; 'neither': that is not known, or not its
-- fault. Each failure in a row, from some on, doubles the pause before the next trial, up to five minutes.
create function waybill_leave_target(p_target text, p_delivery uuid, p_most int, p_outcome text, p_error text, p_ran_ms float8)
returns void language sql as $$
  update delivery_targets d set
    under_way = d.under_way - p_delivery::text,
    pace_ms = case when p_outcome = 'neither' then d.pace_ms else 0.7 * d.pace_ms + 0.3 * p_ran_ms / p_most end,
    failures = case p_outcome when 'done' then 0 when 'failed' then d.failures + 1 else d.failures end,
    failing = case p_outcome when 'done' then false when 'failed' then d.failures + 1 >= :FAILURES else d.failing end,
    proven = case p_outcome when 'done' then true when 'failed' then false else d.proven end,
    error = case p_outcome when 'done' then null when 'failed' then p_error else d.error end,
    failed_at = case p_outcome when 'failed' then clock_timestamp() else d.failed_at end,
    closed_until = case when p_outcome <> 'failed' or d.failures + 1 < :FAILURES then d.closed_until
      else clock_timestamp() + least(300, 15 * 2 ^ least(d.failures + 1 - :FAILURES, 10)) * interval '1 s' end
  where d.target = p_target;
  update delivery_targets d set
    under_way = d.under_way - p_delivery::text,
    pace_ms = 0.7 * d.pace_ms + 0.3 * p_ran_ms / case d.target when ':FAILED_HOSTS' then :FAILED_AT_ONCE else :NEW_AT_ONCE end
  where d.target in (':FAILED_HOSTS', ':NEW_HOSTS') and d.under_way ? p_delivery::text
$$
