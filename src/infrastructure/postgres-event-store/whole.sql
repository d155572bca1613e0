-- The JSON of an event's data: what its segment shares, and its halves. Of a member that both halves have, the private one
-- comes later, which JSON reads. Of an erased half, what follows its commitment is left.
create function waybill_whole(p_shared text, p_open text, p_private text) returns text language sql immutable as $$
  select case when h.half is null or h.half = '' then o.text
    when o.text = '{}' then h.half else left(o.text, -1) || ',' || substr(h.half, 2) end
  from (select case when p_shared is null then p_open when p_open = '{}' then p_shared else left(p_shared, -1) || ',' || substr(p_open, 2) end) as o(text),
    (select case when p_private like '#%' then substr(p_private, 46) else p_private end) as h(half)
$$
