-- Whether the role is still in this term. The deadline does not count: as long as nobody has taken over, its holder may
-- go on.
create function waybill_leads(p_role text, p_epoch bigint) returns boolean language sql stable as $$
  select exists (select from leaders l where l.role = p_role and l.epoch = p_epoch)
$$
