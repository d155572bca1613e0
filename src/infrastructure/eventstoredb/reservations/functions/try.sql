-- Finds what the index objects to in appends that build on each other: makes them one after the other, and rolls all of
-- them back. The problems are those of 'waybill_append', and 'stale' if the index knows the stream at another revision, which is 'actual'.
create function waybill_try(p_items jsonb) returns jsonb language plpgsql as $$
declare
  -- Behind every existing place.
  v_place bigint := 9000000000000000000;
  v_problem jsonb;
  v_problems jsonb := '[]';
  v_bad text[] := '{}';
  m jsonb;
begin
  for m in select value from jsonb_array_elements(p_items) loop
    v_problem := case when not m ? 'goesOn' and waybill_stale_in_index(m) then jsonb_build_object('kind', 'stale', 'actual', coalesce((select t.revision from known_tasks t where t.task_id = (m->>'stream')::uuid), -1)) else waybill_guard_problem(m->'before') end;
    if v_problem is not null then
      v_problems := v_problems || (v_problem || jsonb_build_object('i', m->'i'));
      v_bad := v_bad || (m->>'stream');
    end if;
  end loop;
  begin
    for m in select value from jsonb_array_elements(p_items) where value ?| '{move,row}' loop
      -- Later items of a stream are skipped once one of its items has failed.
      continue when m->>'stream' = any (v_bad);
      v_place := v_place + 1;
      v_problem := case when m ? 'move' then
          waybill_move(jsonb_populate_record(null::waybill_move, m->'move'), (m->>'stream')::uuid, v_place, v_place, (m->>'expected')::int + 1, clock_timestamp())
        -- After a failed item, it is unknown whether a queue is empty.
        when v_bad = '{}' then waybill_guard_problem(m->'turn') end;
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', m->'i'));
        v_bad := v_bad || (m->>'stream');
      elsif m ? 'row' then
        perform waybill_write_row(m->>'table', m->'row', v_place, (m->>'expected')::int + 1, clock_timestamp());
      end if;
    end loop;
    raise exception using errcode = 'WB003', message = 'only tried';
  exception when sqlstate 'WB003' then null;
  end;
  return v_problems;
end $$
