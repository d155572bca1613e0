-- Shortens a list of numbers: if each is one more than the one before, only the first is kept, and its length says the
-- rest. Any other list stays as it is. Not in SQL, which would be planned in each append.
create function waybill_run_of(p_numbers bigint[]) returns bigint[] language plpgsql immutable as $$
begin
  return (select case when bool_and(u.number = p_numbers[1] + u.n - 1) then p_numbers[1:1] else p_numbers end
    from unnest(p_numbers) with ordinality as u(number, n));
end $$
