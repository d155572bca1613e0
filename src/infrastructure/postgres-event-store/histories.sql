-- The histories of the first of these streams, as many as have p_bytes of data, and at least one. If that leaves streams
-- out, the last row has only the number of the first of them. The loop fetches a few rows at a time, so the histories
-- that are left out are not read. Planned for its values, each call was planned anew, because a plan for any array reckons with ten streams (ADR 224).
create function waybill_histories(p_streams uuid[], p_bytes int)
returns table (at int, "position" bigint, revision int, type text, version smallint, id uuid, recorded_at timestamptz, data text, meta text)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_left int := p_bytes;
  v_last int;
begin
  for at, "position", revision, type, version, id, recorded_at, data, meta in
    select s.at::int, e.* from unnest(p_streams) with ordinality as s(stream, at) cross join lateral waybill_history(s.stream) e
  loop
    if v_left <= 0 and at > v_last then
      return query select at, null::bigint, null::int, null::text, null::smallint, null::uuid, null::timestamptz, null::text, null::text;
      return;
    end if;
    v_last := at;
    v_left := v_left - octet_length(data);
    return next;
  end loop;
end $$
