-- Lets a delivery have a place of the target, whose row the caller has locked. Null if it has one now, otherwise when to ask again.
create function waybill_take_place(p_target text, p_delivery uuid, p_most int, p_ms int) returns timestamptz language plpgsql as $$
declare
  d delivery_targets;
  v_now timestamptz := clock_timestamp();
begin
  select * into d from delivery_targets where target = p_target;
  -- A delivery whose process died is under way until its time is over.
  select coalesce(jsonb_object_agg(u.key, u.value), '{}') into d.under_way from jsonb_each_text(d.under_way) u
    where u.value::timestamptz > v_now and u.key <> p_delivery::text;
  if (select count(*) from jsonb_object_keys(d.under_way)) < p_most then
    update delivery_targets set under_way = d.under_way || jsonb_build_object(p_delivery, v_now + p_ms * interval '1 ms'), seen_at = v_now
      where target = p_target;
    return null;
  end if;
  -- Each that waits gets a time of its own, so that they do not all come back at once.
  d.line_until := least(greatest(d.line_until, v_now) + d.pace_ms * interval '1 ms', v_now + interval '10 min');
  update delivery_targets set under_way = d.under_way, line_until = d.line_until, seen_at = v_now where target = p_target;
  return d.line_until;
end $$
