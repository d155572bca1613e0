import { createHash } from 'node:crypto';
import type pg from 'pg';
import { GATE_FUNCTIONS } from '../dispatch-index/concurrency-limits.sql.js';
import { PICK_FUNCTION } from '../dispatch-index/pick.sql.js';
import { APPEND_FUNCTION } from '../postgres-event-store/append.sql.js';
import { IDEMPOTENCY_FUNCTIONS } from '../dispatch-index/idempotency.sql.js';
import { KEY_SLOT_FUNCTIONS } from '../dispatch-index/key-slots.sql.js';
import { MOVE_FUNCTIONS } from '../dispatch-index/moves.sql.js';
import { RESERVATION_FUNCTIONS } from '../eventstoredb/reservations/reservations.sql.js';
import { TRANSACTION_FUNCTIONS } from '../eventstoredb/reservations/transactions.sql.js';
import { OUTBOX_FUNCTIONS } from '../outbox/outbox.sql.js';
import { CHECKPOINT_FUNCTION } from '../projection-engine/checkpoint.sql.js';
import { QUEUE_ROW_FUNCTIONS } from '../dispatch-index/queue-row.sql.js';

/** In the order they are created. They belong to the program, not to the data: a migration changes tables only. */
const FUNCTIONS = [
  QUEUE_ROW_FUNCTIONS,
  KEY_SLOT_FUNCTIONS,
  MOVE_FUNCTIONS,
  IDEMPOTENCY_FUNCTIONS,
  APPEND_FUNCTION,
  PICK_FUNCTION,
  GATE_FUNCTIONS,
  RESERVATION_FUNCTIONS,
  TRANSACTION_FUNCTIONS,
  OUTBOX_FUNCTIONS,
  CHECKPOINT_FUNCTION,
].join('\n');

const VERSION = createHash('sha256').update(FUNCTIONS).digest('hex').slice(0, 16);

const INSTALLED = `select obj_description(p.oid, 'pg_proc') as version from pg_proc p
  where p.proname = 'waybill_append' and p.pronamespace = current_schema()::regnamespace`;

const DROP = `do $$ declare f record; begin
  for f in select p.oid::regprocedure as name from pg_proc p
    where p.proname like 'waybill\\_%' and p.pronamespace = current_schema()::regnamespace
  loop execute 'drop function ' || f.name; end loop;
end $$`;

/**
 * Makes the database's functions those of this program; true where they were others. All at once, so that nobody meets half of them.
 * A process of another version that still runs fails from then on: stop it first.
 */
export async function installFunctions(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ version: string | null }>(INSTALLED);
  if (rows[0]?.version === VERSION) return false;
  await client.query(`begin; ${DROP}; ${FUNCTIONS}; comment on function waybill_append is '${VERSION}'; commit`);
  return true;
}
