-- Lets a delivery go to its target, or says why not: {"kind": "open"}; {"kind": "busy", "waitMs": ...}, as many as may are under
-- way; {"kind": "failing", "failures": ..., "error": ..., "until": ...}, it has failed too often in a row.
create function waybill_enter_target(p_target text, p_delivery uuid, p_most int, p_ms int) returns jsonb language plpgsql as $$
declare
  d delivery_targets;
  v_now timestamptz;
  v_under_way jsonb;
begin
  insert into delivery_targets (target) values (p_target) on conflict do nothing;
  select * into d from delivery_targets where target = p_target for update;
  v_now := clock_timestamp();
  -- A delivery whose process died is under way until its time is over.
  select coalesce(jsonb_object_agg(u.key, u.value), '{}') into v_under_way from jsonb_each_text(d.under_way) u
    where u.value::timestamptz > v_now and u.key <> p_delivery::text;
  -- After a pause, one delivery tries whether the target is well again.
  if d.failing and (d.closed_until > v_now or v_under_way <> '{}') then
    update delivery_targets set under_way = v_under_way, seen_at = v_now where target = p_target;
    return jsonb_build_object('kind', 'failing', 'failures', d.failures, 'error', d.error, 'until', to_char(
      greatest(d.closed_until, v_now) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  end if;
  if (select count(*) from jsonb_object_keys(v_under_way)) >= p_most then
    -- Each that waits gets a time of its own, so that they do not all come back at once.
    d.line_until := least(greatest(d.line_until, v_now) + d.pace_ms * interval '1 ms', v_now + interval '10 min');
    update delivery_targets set under_way = v_under_way, line_until = d.line_until, seen_at = v_now where target = p_target;
    return jsonb_build_object('kind', 'busy', 'waitMs', ceil(extract(epoch from d.line_until - v_now) * 1000));
  end if;
  update delivery_targets
    set under_way = v_under_way || jsonb_build_object(p_delivery, v_now + p_ms * interval '1 ms'), seen_at = v_now
    where target = p_target;
  return jsonb_build_object('kind', 'open');
end $$
