import { LOG_LOCK } from '../../postgres-event-store/append.sql.js';

/** What the appends of one transaction take together, before it is committed by one event of its own. */
export const TRANSACTION_FUNCTIONS = `
-- What the index objects to in appends of which each meets what those before it did: they are made, and taken back. Problems are
-- those of 'waybill_append', and 'stale' where the index knows the stream at another revision.
create function waybill_try(p_items jsonb) returns jsonb language plpgsql as $$
declare
  -- After everything that there is.
  v_place bigint := 9000000000000000000;
  v_problem jsonb;
  v_problems jsonb := '[]';
  v_bad text[] := '{}';
  m jsonb;
begin
  for m in select value from jsonb_array_elements(p_items) loop
    v_problem := case when not m ? 'goesOn' and waybill_stale_in_index(m) then jsonb_build_object('kind', 'stale') else waybill_guard_problem(m) end;
    if v_problem is not null then
      v_problems := v_problems || (v_problem || jsonb_build_object('i', m->'i'));
      v_bad := v_bad || (m->>'stream');
    end if;
  end loop;
  begin
    for m in select value from jsonb_array_elements(p_items) where value ?| '{move,row}' loop
      -- Nothing goes on in a stream from what was not done.
      continue when m->>'stream' = any (v_bad);
      v_place := v_place + 1;
      v_problem := case when m ? 'move' then
          waybill_move(m->'move', (m->>'stream')::uuid, v_place, v_place, (m->>'expected')::int + 1, clock_timestamp())
        -- Nor does it tell what a queue would be behind it.
        when v_bad = '{}' then waybill_queue_problem(m) end;
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', m->'i'));
        v_bad := v_bad || (m->>'stream');
      elsif m ? 'row' then
        perform waybill_write_queue(m->'row', v_place, (m->>'expected')::int + 1);
      end if;
    end loop;
    raise exception using errcode = 'WB003', message = 'only tried';
  exception when sqlstate 'WB003' then null;
  end;
  return v_problems;
end $$;

-- A fence may have begun the stream of a task that the index does not know.
create function waybill_stale_in_index(m jsonb) returns boolean language sql stable as $$
  select case when m ? 'created' then exists (select from tasks where task_id = (m->>'stream')::uuid)
    when m ? 'move' then (m->>'expected')::int is distinct from (select revision from tasks where task_id = (m->>'stream')::uuid)
    else false end
$$;

-- Takes what the appends of a transaction need, all of it or nothing; but a queue that is to change lets no new appends in while
-- the transaction waits for those under way. Answers when that was, and the problems.
create function waybill_reserve_transaction(p_transaction uuid, p_items jsonb, p_ttl_ms int)
returns table (at timestamptz, problems jsonb) language plpgsql as $$
declare
  v_problems jsonb;
  m jsonb;
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  v_problems := case when waybill_transaction_under_way(p_transaction, p_items) then '[{"kind": "busy", "i": 0}]' end;
  if v_problems is null then
    perform waybill_insert_reservation(i, null, p_ttl_ms, p_transaction) from jsonb_array_elements(p_items) as i where (i->>'isQueue')::boolean;
    if exists (select from reservations r join jsonb_array_elements(p_items) as i on i->>'queue' = r.queue
               where (i->>'isQueue')::boolean and not r.is_queue and r.transaction is distinct from p_transaction) then
      return query select clock_timestamp(), '[{"kind": "busy", "i": 0}]'::jsonb;
      return;
    end if;
    v_problems := waybill_try(p_items);
  end if;
  if v_problems <> '[]' then
    delete from reservations where transaction = p_transaction and deadline >= clock_timestamp();
  else
    for m in select value from jsonb_array_elements(p_items) where not (value->>'isQueue')::boolean loop
      perform waybill_insert_reservation(m, waybill_waits_for(m), p_ttl_ms, p_transaction);
    end loop;
  end if;
  return query select date_trunc('milliseconds', clock_timestamp()), v_problems;
end $$;

create function waybill_transaction_under_way(p_transaction uuid, p_items jsonb) returns boolean language plpgsql stable as $$
declare
  m jsonb;
begin
  for m in select value from jsonb_array_elements(p_items) loop
    if waybill_under_way(m, waybill_waits_for(m), p_transaction) then return true; end if;
  end loop;
  return exists (select from jsonb_array_elements(p_items) as i where i ? 'queueRevisions' or i ? 'unawaited')
    and exists (select from reservations where is_queue and transaction is distinct from p_transaction);
end $$;
`;
