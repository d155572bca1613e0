-- Lets a delivery go to its target, or says why not: {"kind": "open"}; {"kind": "busy", "waitMs": ...}, as many as may are under
-- way; {"kind": "failing", "failures": ..., "error": ..., "until": ...}, it has failed too often in a row.
create function waybill_enter_target(p_target text, p_delivery uuid, p_most int, p_ms int, p_is_host boolean) returns jsonb language plpgsql as $$
declare
  d delivery_targets;
  v_is_unproven boolean;
  v_ask_at timestamptz;
begin
  insert into delivery_targets (target) values (p_target) on conflict do nothing;
  select * into d from delivery_targets where target = p_target for update;
  -- After a pause, one delivery tries whether the target is well again.
  if d.failing and (d.closed_until > clock_timestamp() or exists (select from jsonb_each_text(d.under_way) u
      where u.value::timestamptz > clock_timestamp() and u.key <> p_delivery::text)) then
    update delivery_targets set seen_at = clock_timestamp() where target = p_target;
    return jsonb_build_object('kind', 'failing', 'failures', d.failures, 'error', d.error, 'until', to_char(
      greatest(d.closed_until, clock_timestamp()) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  end if;
  v_is_unproven := p_is_host and not d.proven;
  v_ask_at := waybill_take_place(p_target, p_delivery, case when v_is_unproven then 1 else p_most end, p_ms);
  if v_ask_at is null and v_is_unproven then
    v_ask_at := waybill_take_shared_place(p_target, p_delivery, d.failures > 0, p_ms);
  end if;
  return case when v_ask_at is null then '{"kind": "open"}' else jsonb_build_object('kind', 'busy', 'waitMs',
    -- One that has not shown that it answers may be long in doing so: nobody waits for it in a slot.
    ceil(greatest(extract(epoch from v_ask_at - clock_timestamp()) * 1000, case when v_is_unproven then 1000 else 1 end))) end;
end $$
