-- Applies one append of any kind. Its 'base' is the revision that the index must have of the stream; without one, any will do. Returns the queues of tasks that became ready because this one ended.
create function waybill_apply_change(c jsonb) returns text[] language plpgsql as $$
declare
  v_problem jsonb;
  v_ended uuid[];
  v_woken text[] := '{}';
  v_leases jsonb := waybill_end_reservations(jsonb_build_array(c));
begin
  if c ? 'transaction' and waybill_has_applied(c) then
    delete from reservations where transaction = (c->>'ends')::uuid;
    return '{}';
  end if;
  if c ? 'claim' then
    perform waybill_apply_claims(jsonb_build_array((c->'claim') || c), v_leases);
  elsif c ? 'move' then
    v_problem := waybill_move(jsonb_populate_record(null::waybill_move, c->'move'), (c->>'task')::uuid, (c->>'seq')::bigint, (c->>'position')::bigint,
      (c->>'revision')::int, (c->>'at')::timestamptz, true, (c->>'base')::int);
    if v_problem is not null then
      raise exception using errcode = 'WB002', message = 'the dispatch index refuses it: ' || v_problem::text;
    end if;
    perform waybill_keep_history((c->>'task')::uuid, (c->>'revision')::int, c->>'history', c ? 'ended');
  elsif c ? 'row' then
    perform waybill_write_row(c->>'table', c->'row', (c->>'position')::bigint, (c->>'revision')::int, (c->>'at')::timestamptz, (c->>'base')::int);
    v_woken := waybill_follow_row(c->>'table', c->'row', (c->>'at')::timestamptz);
  end if;
  -- A stream that a transaction only read has no event that ends its reservation.
  delete from reservations where transaction = (c->>'ends')::uuid;
  v_ended := array(select t.task_id from tasks t where t.task_id = (c->>'task')::uuid and t.awaited
    and c->'move'->>'state' in ('succeeded', 'superseded', 'aborted'));
  return v_woken || case when v_ended <> '{}' then waybill_unblock(v_ended, (c->>'at')::timestamptz) end;
end $$
