-- Numbers of which each is one more than that before, as the first of them; others as they are.
create function waybill_run_of(p_numbers bigint[]) returns bigint[] language sql immutable as $$
  select case when bool_and(u.number = p_numbers[1] + u.n - 1) then p_numbers[1:1] else p_numbers end
  from unnest(p_numbers) with ordinality as u(number, n)
$$
