-- Frees the keys of ended tasks and makes the next task in line of each ready.
create function waybill_free_keys(p_ended uuid[], p_queues text[], p_keys text[]) returns void language plpgsql as $$
declare
  v_ended uuid[];
  v_queues text[];
  v_keys text[];
  v_slow int[];
begin
  -- Most keys have no task in line, so their slots can be deleted all at once.
  with slots as materialized (
    select n, (select s.ctid from key_slots s
        where s.queue = p_queues[n] and s.key = p_keys[n] and s.running = p_ended[n] and s.waiting is null and s.ready is null
          and not exists (select from waiting w where w.queue = s.queue and w.key = s.key and w.gate = 'key')) as place
    from generate_subscripts(p_ended, 1) as n),
  left_alone as (delete from key_slots s where s.ctid = any (array(select l.place from slots l)))
  select array_agg(p_ended[l.n]), array_agg(p_queues[l.n]), array_agg(p_keys[l.n]) into v_ended, v_queues, v_keys
    from slots l where l.place is null;
  if v_ended is null then return; end if;
  v_slow := waybill_next_of_keys(v_ended, v_queues, v_keys);
  perform waybill_key_leave(v_ended[n], v_queues[n], v_keys[n], false),
      waybill_next_of_key(v_ended[n], v_queues[n], v_keys[n]) from unnest(v_slow) as n;
end $$
