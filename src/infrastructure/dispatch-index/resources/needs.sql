-- What the steps of a queue need: p_needs is the queue's column.
create function waybill_needs(p_needs jsonb) returns table (step text, resource text, below float8) language sql immutable as $$
  select s->>'name', n->>'resource', (n->>'below')::float8
  from jsonb_array_elements(p_needs) s cross join lateral jsonb_array_elements(s->'needs') n
$$
