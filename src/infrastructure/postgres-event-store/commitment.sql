-- What the public part of a segment says of a private half; null if there is none. Of an erased half, it is all that is left.
create function waybill_commitment(p_salt bytea, p_half text) returns text language sql stable as $$
  select case when p_half like '#%' then substr(p_half, 2, 44)
    when p_half <> '' then encode(sha256(p_salt || convert_to(p_half, 'UTF8')), 'base64') end
$$
