-- Counts gaps in what followers got of the log. Whatever else follows it may lack skipped events, too, and cannot tell. So the
-- read models p_models count as those of an older version, which their followers build anew.
create function waybill_count_gaps(p_kinds text[], p_models text[]) returns void language plpgsql as $$
begin
  insert into log_gaps as g (kind, gaps) select k, count(*) from unnest(p_kinds) as k group by k
    on conflict (kind) do update set gaps = g.gaps + excluded.gaps;
  if 'skipped' = any (p_kinds) then
    update projection_checkpoints set version = 0 where slot = 'live' and name = any (p_models);
    perform waybill_end_terms(p_models);
  end if;
end $$
