-- The JSON of an event's data: what its segment shares, and its halves. Of a member that both halves have, the private one
-- comes later, which JSON reads. An erased half adds nothing.
create function waybill_whole(p_shared text, p_open text, p_private text) returns text language sql immutable as $$
  select case when p_private is null or p_private = '' or p_private like '#%' then o.text
    when o.text = '{}' then p_private else left(o.text, -1) || ',' || substr(p_private, 2) end
  from (select case when p_shared is null then p_open when p_open = '{}' then p_shared else left(p_shared, -1) || ',' || substr(p_open, 2) end) as o(text)
$$
