-- The steps of a queue of which a need is not met: the gauge is not below the limit, its measure is too old, or there is no
-- such resource. Claims obey this, and explanations show it. Null if no step needs anything, which costs no look.
create function waybill_short_steps(p_needs jsonb) returns text[] language sql stable as $$
  select case when p_needs is not null then array(select distinct n.step from waybill_needs(p_needs) n
    where waybill_level(n.resource) is null or waybill_level(n.resource) >= n.below) end
$$
