-- Whether a claim still stands, or has passed its deadline where that is asked ('expired'). Its lease stays as it is until the
-- transaction ends.
create function waybill_lease_stands(p_lease jsonb) returns boolean language plpgsql as $$
begin
  perform 1 from leases l where l.token = (p_lease->>'token')::bigint
    and case when p_lease ? 'expired' then l.deadline < clock_timestamp()
        else l.secret is null or l.secret = (p_lease->>'secret')::uuid end for update;
  return found;
end $$
