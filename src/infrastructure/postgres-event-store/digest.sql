-- The digest of a segment, which is the SHA-256 of its text (docs/reference/log-format.md): as segment-digest.ts makes it.
create function waybill_digest(
  p_category text, p_type text, p_version int, p_meta text, p_shared text, p_streams uuid[], p_revisions int[], p_ids uuid[],
  p_data text, p_private text, p_salts bytea
) returns bytea language sql stable as $$
  select sha256(convert_to(format(E'%s %s %s %s\n%s\n%s\n%s\n%s\n', p_category, p_type, p_version, cardinality(p_streams), p_meta, coalesce(p_shared, '-'),
    (select string_agg(format('%s %s %s %s', e.stream, coalesce(p_revisions[least(e.n, cardinality(p_revisions))], 0), e.id,
        coalesce(waybill_commitment(substr(p_salts, (16 * (e.n - 1) + 1)::int, 16), e.half), '-')), E'\n' order by e.n)
      from rows from (unnest(p_streams, p_ids), string_to_table(p_private, E'\n')) with ordinality as e(stream, id, half, n)),
    p_data), 'UTF8'))
$$
