create function waybill_reserve_task(m jsonb, p_key text, p_ttl_ms int, p_claimed uuid[], p_begun uuid[]) returns jsonb language plpgsql as $$
declare
  v_id uuid := (m->>'id')::uuid;
  v_claim jsonb := m->'claim';
  v_problem jsonb := coalesce(
    -- Perhaps by the same append: a server that has just stored it may not recognise it yet, so it must not be sent again.
    case when not m ? 'byStream' and m->>'name' like 'task-%' and exists (select from known_tasks t where t.task_id = (m->>'stream')::uuid and t.revision > (m->>'expected')::int)
      then jsonb_build_object('kind', 'moved') end,
    waybill_item_problem((m->>'stream')::uuid, (m->'before') || (m->'turn'),
      case when (m->>'expected')::int < 0 then split_part(m->>'name', '-', 1) end, m->>'scope', m->>'reference', p_key, m ? 'created',
      case when m ? 'batch' then (m->>'batch')::uuid
        when m ? 'after' then (select t.batch from known_tasks t where t.task_id = (m->>'stream')::uuid) end,
      m->'after', m->>'ends' = 'deleted', p_begun));
begin
  if v_problem is not null then return v_problem; end if;
  if v_claim is not null then
    if (v_claim->>'claimId')::uuid = any (p_claimed) then
      return jsonb_build_object('kind', 'refused', 'constraint', 'claim-repeated');
    end if;
    perform waybill_reserve_claim(v_claim, (m->>'stream')::uuid);
    if m ? 'created' and p_key is not null then perform waybill_start_key((m->>'stream')::uuid, m->>'scope', p_key); end if;
  end if;
  if m->'turn'->'lease' ?| '{expired,timedOut}' and not waybill_reserve_expiry((m->>'stream')::uuid, (m->'turn'->'lease'->>'token')::bigint, v_id) then
    return jsonb_build_object('kind', 'busy');
  end if;
  perform waybill_insert_reservation(m, p_key, p_ttl_ms, null);
  return null;
end $$
