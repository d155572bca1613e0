import { type ErasureSubject, ORDERS_QUEUE } from '../../application/erasures/erasures.port.js';
import type { EventReads } from '../../application/kernel/event-store.port.js';
import { readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { namedTextsIn } from '../../domain/search/named-texts.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { conditionOf, ownTextsOf } from './erasure-statements.js';

const ORDERS = `select task_id as id from known_tasks where queue = '${ORDERS_QUEUE}' order by task_id`;

/**
 * The operations that name a subject, because their orders are in the log: by its label or key, or by keys and references of its tasks. Reads the
 * orders of all operations, which people gave one by one. A purge names nobody.
 */
export async function ordersNaming(
  subject: ErasureSubject,
  pool: PostgresPool,
  log: Pick<EventReads, 'readFirst'>,
): Promise<readonly string[]> {
  if ('ended' in subject) return [];
  const { rows } = await pool.query<{ id: string }>(ORDERS);
  const ids = rows.map(({ id }) => id);
  const histories = await readEach(
    ids.map(taskStream),
    (streams) => log.readFirst(streams),
    ([first]) => namedTextsIn(orderIn(first?.event.data)?.filter),
  );
  const texts = histories.map((found) => (found instanceof UnreadableStream ? [] : found!));
  const own = await ownOf(subject, [...new Set(texts.flat())], pool);
  return ids.filter((_, at) => texts[at]!.some((text) => own.has(text)));
}

interface Order {
  readonly filter?: Readonly<Record<string, string>>;
}

const orderIn = (data: unknown): Order | null =>
  (data as { readonly payload?: Order | null } | undefined)?.payload ?? null;

async function ownOf(
  subject: ErasureSubject,
  texts: readonly string[],
  pool: PostgresPool,
): Promise<ReadonlySet<string>> {
  if (texts.length === 0) return new Set();
  const condition = conditionOf(subject, 2);
  const { rows } = await pool.query<{ text: string }>(ownTextsOf(condition), [texts, ...condition.values]);
  return new Set([...rows.map(({ text }) => text), ...('label' in subject ? [subject.label.value] : [])]);
}
