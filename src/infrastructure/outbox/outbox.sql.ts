import { CHANNEL } from '../notify/channel.js';

/** As the processes' own messages, so that one of an earlier version reads it, too. */
const FILLED = JSON.stringify({ from: 'outbox', position: '0', schedule: false, queues: [], freed: [], outbox: true });

/**
 * What producers call. It runs with the rights of the schema's owner, so that a producer needs no right to any table; its search path
 * has nothing in it that a caller could put something into.
 */
export const OUTBOX_FUNCTIONS = `
do $install$ begin
  execute format($define$
    create or replace function waybill.enqueue(
      queue text, payload jsonb default null, id uuid default null, key text default null, reference text default null,
      kind text default null, priority int default null, due_at timestamptz default null, labels jsonb default null,
      description text default null, actor text default null
    ) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
    #variable_conflict use_column
    declare
      v_id uuid := coalesce($3, gen_random_uuid());
    begin
      insert into %1$I.waybill_outbox (id, queue, payload, key, reference, kind, priority, due_at, labels, description, actor)
        values (v_id, $1, $2, $4, $5, $6, $7, $8, $9, $10, coalesce($11, session_user));
      -- Told at the commit, once for a transaction, and not at all after a rollback.
      perform pg_notify('${CHANNEL}', '${FILLED}');
      return v_id;
    end $body$
  $define$, current_schema());
end $install$;
`;
