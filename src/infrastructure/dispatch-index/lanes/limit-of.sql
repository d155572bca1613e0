-- What the limits of the queue tell tasks with these labels apart by: the label and its value. Null without such limits.
create function waybill_limit_of(q queues, p_labels jsonb) returns jsonb language sql stable as $$
  select case when q.lane_label is not null then jsonb_build_object(q.lane_label, p_labels->>q.lane_label) end
$$
