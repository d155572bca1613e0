-- By what the queue has turns of tasks with these labels: the label and its value. Null without fair shares.
create function waybill_turn_of(q queues, p_labels jsonb) returns jsonb language sql stable as $$
  select case when q.fair_label is not null then jsonb_build_object(q.fair_label, p_labels->>q.fair_label) end
$$
