import { STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import { TASK_CATEGORY } from '../../../domain/task/task.stream.js';
import type { PostgresConnection } from '../../database/postgres-pool.js';

/** An event of `logged_events`. */
export interface LoggedEvent {
  readonly stream: string;
  readonly position: string;
  readonly revision: number;
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly recorded_at: string;
  readonly data: string;
}

/** A page ends with the event with which it has one of the two. */
export interface PageSize {
  readonly events: number;
  readonly bytes: number;
}

/**
 * Small enough that the objects of a page die young: with 5,000 events, the garbage collector copied them, and a rebuild
 * took a quarter longer.
 */
const PAGE_SIZE: PageSize = { events: 1_000, bytes: STEP_BYTES };

/** The events of tasks, as whole histories. The last history of a page may continue in the next one. */
export async function* historiesOfTasks(
  connection: PostgresConnection,
  size?: PageSize,
): AsyncGenerator<readonly LoggedEvent[][]> {
  let open: readonly LoggedEvent[] = [];
  for await (const page of pages(connection, [TASK_CATEGORY], size)) {
    const histories = byStream([...open, ...page]);
    open = histories.pop()!;
    if (histories.length > 0) yield histories;
  }
  if (open.length > 0) yield [[...open]];
}

/** The events of other categories, those of one stream together. A stream may continue in the next part. */
export async function* partsOfStreams(
  connection: PostgresConnection,
  categories: readonly string[],
  size?: PageSize,
): AsyncGenerator<readonly LoggedEvent[]> {
  for await (const page of pages(connection, categories, size)) yield* byStream(page);
}

/** The database reads the next page while the caller works on one. */
async function* pages(
  connection: PostgresConnection,
  categories: readonly string[],
  size = PAGE_SIZE,
): AsyncGenerator<readonly LoggedEvent[]> {
  const read = (after: StreamRevision): Promise<readonly LoggedEvent[]> =>
    pageAfter(connection, categories, after, size);
  for (let next = read(BEGIN); ;) {
    const page = await next;
    if (page.length === 0) return;
    next = awaitedLater(read(page.at(-1)!));
    yield page;
  }
}

async function pageAfter(
  connection: PostgresConnection,
  categories: readonly string[],
  { stream, revision }: StreamRevision,
  { events, bytes }: PageSize,
): Promise<readonly LoggedEvent[]> {
  const { rows } = await connection.query(pageOf(categories), [stream, revision, events, bytes]);
  return rows as LoggedEvent[];
}

type StreamRevision = Pick<LoggedEvent, 'stream' | 'revision'>;

const BEGIN: StreamRevision = { stream: '00000000-0000-0000-0000-000000000000', revision: -1 };

/**
 * In the order of the indexes by stream, so that nothing is sorted. Postgres knows the length of a value without reading
 * it. The categories are part of the text, so that Postgres sees which index fits.
 */
const pageOf = (categories: readonly string[]): string =>
  `select stream, position, revision, category, type, version, recorded_at, data from (
    select *, sum(octet_length(data)) over (order by stream, revision rows between unbounded preceding and 1 preceding) as before
    from (select * from logged_events where category in (${categories.map((category) => `'${category}'`).join()}) and (stream, revision) > ($1, $2) order by stream, revision limit $3) e
  ) e where before is null or before < $4 order by stream, revision`;

function byStream(events: readonly LoggedEvent[]): LoggedEvent[][] {
  const streams: LoggedEvent[][] = [];
  for (const event of events) {
    const open = streams.at(-1);
    if (open?.[0]!.stream === event.stream) open.push(event);
    else streams.push([event]);
  }
  return streams;
}

/** Keeps a rejection from being unhandled before the promise is awaited. */
export function awaitedLater<T>(sent: Promise<T>): Promise<T> {
  sent.catch(() => undefined);
  return sent;
}
