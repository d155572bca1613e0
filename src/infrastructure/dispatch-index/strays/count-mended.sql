-- Counts a row of the index that contradicted others and was mended.
create function waybill_count_mended(p_what text) returns void language sql as $$
  insert into mended_rows as m (what, mended) values (p_what, 1) on conflict (what) do update set mended = m.mended + 1
$$
