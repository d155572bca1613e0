-- Whether reservations that were never flushed may have been lost to a crash of Postgres, and their appends may still be
-- under way. A crash empties an unlogged table. From then on, every append of before has ended after p_ttl_ms.
create function waybill_may_lack_reservations(p_ttl_ms int) returns boolean language plpgsql as $$
declare
  v_since timestamptz;
begin
  select noticed_at into v_since from crashes;
  if not found then
    insert into crashes (noticed_at) values (clock_timestamp()) returning noticed_at into v_since;
  end if;
  return v_since > clock_timestamp() - p_ttl_ms * interval '1 millisecond';
end $$
