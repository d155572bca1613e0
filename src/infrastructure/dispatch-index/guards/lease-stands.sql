-- Whether a claim still stands or, if 'expired' is set, whether it stands past its deadline. Locks the lease until the
-- transaction ends.
create function waybill_lease_stands(p_lease jsonb) returns boolean language plpgsql as $$
begin
  perform 1 from leases l where l.token = (p_lease->>'token')::bigint
    and case when p_lease ? 'expired' then l.deadline < clock_timestamp()
        else l.secret is null or l.secret = (p_lease->>'secret')::uuid end for update;
  return found;
end $$
