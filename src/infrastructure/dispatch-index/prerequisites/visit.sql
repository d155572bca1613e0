-- Counts what the walks of one append visit, in a setting of the transaction. Fails with WB006 beyond p_most.
create function waybill_visit(p_most int) returns boolean language plpgsql as $$
declare
  v_visits int := current_setting('waybill.visits')::int + 1;
begin
  if v_visits > p_most then raise exception using errcode = 'WB006', message = 'visited too many'; end if;
  perform set_config('waybill.visits', v_visits::text, true);
  return true;
end $$
