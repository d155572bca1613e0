-- The refusal of an append that gives out, or releases, a task with these labels; null if no hold in force catches it.
create function waybill_held_problem(p_labels jsonb) returns jsonb language sql stable as $$
  select jsonb_build_object('kind', 'refused', 'constraint', 'held', 'hold', h.name, 'by', h.placed_by, 'reason', h.reason)
  from jsonb_each_text(p_labels) l join holds h on h.label = l.key and h.value = l.value where p_labels @> h.labels
  order by h.name limit 1
$$
