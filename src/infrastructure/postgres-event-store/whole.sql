-- The JSON of an event's data: what its segment shares, and its halves. Of a member that both halves have, the private one
-- comes later, which JSON reads. Of what is left of an erased half, only the group of a failure counts: no digest covers it.
create function waybill_whole(p_shared text, p_open text, p_private text) returns text language sql immutable as $$
  select case when h.half is null or h.half = '' then o.text
    when o.text = '{}' then h.half else left(o.text, -1) || ',' || substr(h.half, 2) end
  from (select case when p_shared is null then p_open when p_open = '{}' then p_shared else left(p_shared, -1) || ',' || substr(p_open, 2) end) as o(text),
    (select case when p_private not like '#%' then p_private when length(p_private) > 45 then
      '{"error":{"message":"(erased)","class":"' || (p_open::json #>> '{error,class}') || '"'
        || coalesce(',"group":"' || substring(p_private from '"group":"(g[0-9a-f]{15})"') || '"', '') || '}}' end) as h(half)
$$
