-- Runs with the rights of the schema's owner, so a producer needs no right to any table. Its search path contains no
-- schema in which a caller could create objects.
do $install$ begin
  execute format($define$
    create or replace function waybill.enqueue(
      queue text, payload jsonb default null, id uuid default null, key text default null, reference text default null,
      kind text default null, priority int default null, due_at timestamptz default null, labels jsonb default null,
      description text default null, actor text default null, expires_at timestamptz default null, deadline_at timestamptz default null,
      ttl_ms bigint default null, steps text[] default null, context uuid default null, audit_context text default null, data jsonb default null
    ) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
    #variable_conflict use_column
    declare
      v_id uuid := coalesce($3, gen_random_uuid());
    begin
      insert into %1$I.waybill_outbox (id, queue, payload, key, reference, kind, priority, due_at, labels, description, actor, expires_at, deadline_at,
          ttl_ms, steps, context, audit_context, data)
        values (v_id, $1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18);
      -- Sent at the commit, once per transaction, and not after a rollback.
      perform pg_notify(':CHANNEL', ':FILLED');
      return v_id;
    end $body$
  $define$, current_schema());
end $install$
