import { categoryOf, idOfStream } from '../../../domain/aggregates.js';
import { TASK_CATEGORY } from '../../../domain/task/task.stream.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { rowTable } from '../../dispatch-index/aggregate-rows.js';
import { NO_STREAM } from '../../../application/kernel/event-store.port.js';

/** Whether the index keeps a row of the stream. */
export const isIndexed = (stream: string): boolean =>
  categoryOf(stream) === TASK_CATEGORY || tableOf(stream) !== undefined;

const tableOf = (stream: string): string | undefined => rowTable(categoryOf(stream))?.table;

/** Of each stream, the revision that the index has applied. */
export async function indexRevisions(pool: PostgresPool, streams: readonly string[]): Promise<readonly number[]> {
  const { rows } = await pool.query<{ revision: number | null }>(
    `select waybill_index_revision(c) as revision from jsonb_array_elements($1::jsonb) with ordinality as s(c, at) order by at`,
    [JSON.stringify(streams.map(keyOf))],
  );
  return rows.map(({ revision }) => revision ?? NO_STREAM);
}

/** In the form of the changes that `waybill_apply` reads. */
export function keyOf(stream: string): object {
  const id = idOfStream(stream);
  if (categoryOf(stream) === TASK_CATEGORY) return { task: id };
  const { table, key } = rowTable(categoryOf(stream)) ?? {};
  return { table, row: { [key ?? 'name']: id } };
}

/** The parameter of `waybill_mend` that tells by which revisions the index was found to lack something. */
export const knownRequest = (known: ReadonlyMap<string, number>): string =>
  JSON.stringify([...known].map(([stream, revision]) => ({ ...keyOf(stream), revision })));

/** Of the streams at these revisions, those of which the index has less, unless that is put aside. */
export async function streamsBehind(
  pool: PostgresPool,
  newest: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const given = [...newest].map(([stream, revision]) => ({
    ...keyOf(stream),
    stream,
    id: idOfStream(stream),
    revision,
  }));
  const { rows } = await pool.query<{ stream: string }>(BEHIND, [JSON.stringify(given), INDEX_FOLLOWER]);
  return rows.map(({ stream }) => stream);
}

const BEHIND = `
  select c->>'stream' as stream from jsonb_array_elements($1::jsonb) as c
  where coalesce(waybill_index_revision(c), -1) < (c->>'revision')::int
    and not exists (select from quarantined a where a.parked and a.task_id = (c->>'task')::uuid)
    and not (c->>'table' = 'triggers' and exists (select from events_put_aside a where a.follower = $2 and a.line = c->>'id'))`;
