-- How many tasks of a queue could start but for this limit, up to p_most: those of the lanes that say so of limits, or if it is empty all that are ready or due.
create function waybill_behind_limit(q queues, p_limit text, p_most int) returns int language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if p_limit = '' then
    return least(p_most,
      (select coalesce(sum(r.to_seq - r.from_seq + 1), 0) from (select * from ready where queue = q.name order by priority desc, from_seq limit p_most) r)
      + (select count(*) from (select from waiting where queue = q.name and gate = 'due' and due_at <= now() limit p_most) d));
  end if;
  return (
    with needs as (
      select null::jsonb as needs
      union all
      select n.needs from waybill_needs_in_line(q.name, 1000) n where jsonb_typeof(q.policy->'needs') = 'object'),
    lanes as materialized (
      -- As waybill_lane. The label of turns is that of limits.
      select json_build_object('needs', n.needs, 'limit', p_limit::jsonb, 'turn', case when q.fair_label is not null then p_limit::jsonb end)::text as lane from needs n)
    select count(*) from (select from lanes l join ready r on r.queue = q.name and r.lane = l.lane limit p_most) r);
end $$
