-- Lines of JSON objects, of which the one of this number has null instead of payloads.
create function waybill_without_payload(p_lines text, p_n bigint) returns text language sql immutable as $$
  select string_agg(case when l.n = p_n and l.line like '{%' then case when l.line::jsonb ?| array['payload', 'previous']
      then (l.line::jsonb || (select jsonb_object_agg(k, null) from jsonb_object_keys(l.line::jsonb) as k where k in ('payload', 'previous')))::text
      else l.line end else l.line end, E'\n' order by l.n)
  from string_to_table(p_lines, E'\n') with ordinality as l(line, n)
$$
