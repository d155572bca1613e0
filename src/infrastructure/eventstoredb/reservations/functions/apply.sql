-- Applies the log to the index, in order, and ends the reservations of what it applied. In this mode nothing else
-- writes the index and the rows. An event that the index cannot apply is an error, and the follower stops there.
create function waybill_apply(p_changes jsonb) returns void language plpgsql as $$
declare
  c jsonb;
  r reservations;
  v_problem jsonb;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  for c in select value from jsonb_array_elements(p_changes) loop
    continue when c ? 'transaction' and waybill_has_applied(c);
    delete from reservations where id = (c->>'id')::uuid returning * into r;
    if found and r.idempotency is not null then
      perform waybill_take_key(r.idempotency, coalesce(c->>'whole', c->>'position')::bigint);
    end if;
    update leases set reservation = null where reservation = (c->>'id')::uuid;
    if c ? 'claim' then
      perform waybill_apply_claim(c->'claim', (c->>'task')::uuid, (c->>'position')::bigint, (c->>'revision')::int);
    elsif c ? 'move' then
      v_problem := waybill_move(c->'move', (c->>'task')::uuid, (c->>'seq')::bigint, (c->>'position')::bigint,
        (c->>'revision')::int, (c->>'at')::timestamptz);
      if v_problem is not null then
        raise exception using errcode = 'WB002', message = 'the dispatch index refuses it: ' || v_problem::text;
      end if;
    elsif c ? 'row' then
      perform waybill_write_row(c->>'table', c->'row', (c->>'position')::bigint, (c->>'revision')::int);
    end if;
    -- A stream that a transaction only read has no event that ends its reservation.
    delete from reservations where transaction = (c->>'ends')::uuid;
  end loop;
end $$
