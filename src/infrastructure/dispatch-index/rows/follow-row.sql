-- What follows from an aggregate's row that was just written. Returns the queues whose tasks may run now.
create function waybill_follow_row(p_table text, p_row jsonb, p_at timestamptz) returns text[] language plpgsql as $$
begin
  case p_table
    when 'batches' then return waybill_settle_batch(p_row, p_at);
    when 'resources' then return waybill_needing(p_row->>'name');
    else return '{}';
  end case;
end $$
