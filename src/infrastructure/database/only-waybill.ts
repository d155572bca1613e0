import type pg from 'pg';
import { SchemaError } from './schema-error.js';

const OTHERS = `
  select n.nspname as schema, current_schema() as here from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = 'waybill_outbox' and c.relkind = 'r' and n.nspname is distinct from current_schema() order by 1`;

/**
 * Throws `SchemaError` if a migration would make a second Waybill beside one in another schema. It would take `waybill.enqueue`,
 * which applications call, from the first. Usually somebody has changed the search path, and wants no second, empty one.
 */
export async function assertOnlyWaybill(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string; here: string | null }>(OTHERS);
  const [found] = rows;
  if (found === undefined) return;
  throw new SchemaError(
    `Expected the tables of Waybill in schema '${found.here}', the first of the search path, but schema '${found.schema}' has them; ` +
      `correct the search_path of the role or the database, or use another database for a second Waybill.`,
  );
}
