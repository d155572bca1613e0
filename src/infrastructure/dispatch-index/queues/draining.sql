-- The refusal of new tasks while the system drains; null if it takes them.
create function waybill_draining() returns jsonb language sql stable as $$
  select jsonb_build_object('kind', 'refused', 'constraint', 'draining', 'by', s.begun_by, 'reason', s.reason) from system s where s.intake = 'closed'
$$
