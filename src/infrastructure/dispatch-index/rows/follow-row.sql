-- What follows from an aggregate's row that was just written. Returns the queues whose tasks may run now.
create function waybill_follow_row(p_table text, p_row jsonb, p_at timestamptz) returns text[] language plpgsql as $$
begin
  case p_table
    when 'batches' then return waybill_settle_batch(p_row, p_at);
    when 'resources' then return waybill_needing(p_row->>'name');
    when 'queues' then
      if p_row->>'status' = 'deleted' then perform waybill_forget_lanes(p_row->>'name'); end if;
      return '{}';
    else return '{}';
  end case;
end $$
