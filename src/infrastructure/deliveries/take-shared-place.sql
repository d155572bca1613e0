-- Hosts that have not shown that they answer share places. One that waits for such a place keeps its own meanwhile, so that each host
-- is there once, however many deliveries it has. Null if there was one, otherwise when to ask again.
create function waybill_take_shared_place(p_target text, p_delivery uuid, p_has_failed boolean, p_ms int) returns timestamptz
language plpgsql as $$
declare
  v_shared text := case when p_has_failed then ':FAILED_HOSTS' else ':NEW_HOSTS' end;
  v_ask_at timestamptz;
begin
  insert into delivery_targets (target) values (v_shared) on conflict do nothing;
  perform from delivery_targets where target = v_shared for update;
  v_ask_at := waybill_take_place(v_shared, p_delivery, case when p_has_failed then :FAILED_AT_ONCE else :NEW_AT_ONCE end, p_ms);
  if v_ask_at is not null then
    update delivery_targets set under_way = under_way || jsonb_build_object(p_delivery, v_ask_at + p_ms * interval '1 ms')
      where target = p_target;
  end if;
  return v_ask_at;
end $$
