import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../application/kernel/at-most.js';
import { EventStore, type RecordedEvent } from '../../application/kernel/event-store.port.js';
import { IndexRows } from '../../application/kernel/index-rows.port.js';
import { readable, readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { BATCH_CATEGORY, batchStream } from '../../domain/batch/batch.stream.js';
import { categoryOf, idOfStream } from '../../domain/aggregates.js';
import { eventsWith } from '../../domain/events.js';
import { DEFAULT_POLICY } from '../../domain/queue/queue.policy.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { streamKey } from '../database/stream-key.js';
import { rowChange, rowTable } from './aggregate-rows.js';
import type { RowChange } from './changes/index-change.js';
import type { Row } from '../../projections/kernel/row.js';

/** `row`: null if the events make none. */
interface Meant {
  readonly row: Row | null;
  readonly position: string | null;
  readonly revision: number | null;
  readonly at: string | null;
}

const NOTHING: Meant = { row: null, position: null, revision: null, at: null };

/** The events of a long history that are in memory at once, if they are small. */
const PAGE = 10_000;

interface RecountedTally {
  readonly batch: string;
  readonly differing: readonly string[];
}

/** `as_of`: the position of the newest end of a task. */
interface UnreportedTask {
  readonly batch: string;
  readonly as_of: string;
}

interface Answer {
  readonly differing: readonly string[];
  readonly queues: readonly string[];
}

const MEND = { name: 'waybill_mend_row', text: 'select * from waybill_mend_row($1, $2, $3, $4, $5, $6, $7, $8, $9)' };
const RECOUNT = { name: 'waybill_mend_tallies', text: 'select batch, differing from waybill_mend_tallies($1)' };

const UNREPORTED = { name: 'waybill_unreported', text: 'select batch, as_of from waybill_unreported($1)' };
const LOOK_AGAIN = 'update batches set task_ended = true where id = any ($1)';

/** Of as many batches it is known up to where their tasks were looked at again. */
const KNOWN = 10_000;

@Injectable()
export class PostgresIndexRows extends IndexRows {
  private readonly logger = new Logger('Index');
  private readonly lookedAt = new LRUCache<string, string>(atMost(KNOWN));

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: EventStore,
    private readonly wakeUps: WakeUps,
  ) {
    super();
  }

  /**
   * Reads the rows before the histories, and writes those only that nobody has changed since. So no row is taken back behind an event:
   * one that a history lacks has changed its row.
   */
  async mend(streams: readonly string[]): Promise<readonly UnreadableStream[]> {
    const batches = streams.filter(isOfBatch).map(idOfStream);
    await this.recount(batches);
    await this.lookAgain(batches);
    const rows = await this.rowsOf(streams);
    const meant = await readEach(
      streams,
      (some) => this.store.readFirst(some),
      (history, stream) => madeBy(stream, history),
    );
    for (const [at, stream] of streams.entries()) {
      const one = meant[at]!;
      if (one instanceof UnreadableStream) continue;
      // While a row is missing, an event that the history lacks does not change it.
      if ((await this.compare(stream, rows.get(stream) ?? null, one)) === 'made') await this.mendByPages(stream);
    }
    return meant.filter((one) => one instanceof UnreadableStream);
  }

  /** Reads the row once nearly all of the history is read, so that others hardly change it in between. */
  async mendByPages(stream: string): Promise<boolean | UnreadableStream> {
    try {
      const most = await this.readOn(stream, NOTHING);
      const row = (await this.rowsOf([stream])).get(stream) ?? null;
      return (await this.compare(stream, row, await this.readOn(stream, most))) === 'right';
    } catch (error) {
      if (error instanceof UnreadableStream) return error;
      throw error;
    }
  }

  async recount(batches: readonly string[]): Promise<ReadonlySet<string>> {
    if (batches.length === 0) return new Set();
    const { rows } = await this.pool.query<RecountedTally>({ ...RECOUNT, values: [batches] });
    for (const { batch, differing } of rows)
      this.logger.error(
        `Mended the row of '${batchStream(batch)}' in the index, which contradicted its tasks: ${differing.join(', ')}`,
      );
    if (rows.length > 0) this.wakeUps.scheduleChanged();
    return new Set(rows.map(({ batch }) => batch));
  }

  /**
   * Has tasks looked for that ended after their batch and are not reported, though its row says that there are none. Only the look knows whether that
   * is wrong, so each is made once.
   */
  private async lookAgain(batches: readonly string[]): Promise<void> {
    if (batches.length === 0) return;
    const { rows } = await this.pool.query<UnreportedTask>({ ...UNREPORTED, values: [batches] });
    const unknown = rows.filter(({ batch, as_of: asOf }) => this.lookedAt.get(batch) !== asOf);
    if (unknown.length === 0) return;
    await this.pool.query(LOOK_AGAIN, [unknown.map(({ batch }) => batch)]);
    for (const { batch, as_of: asOf } of unknown) this.lookedAt.set(batch, asOf);
    this.wakeUps.scheduleChanged();
  }

  /** What the rows have that decides how they are compared. A trigger's definition may be large. */
  private async rowsOf(streams: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>();
    for (const category of new Set(streams.map(categoryOf))) {
      const ofKind = new Map(streams.flatMap((one) => (categoryOf(one) === category ? [[idOfStream(one), one]] : [])));
      const { table, key, moving } = tableOf(category);
      const columns = [key, 'position', 'revision', ...moving, ...(table === 'queues' ? ['policy'] : [])].join(', ');
      const text = `select to_jsonb(t) as row from (select ${columns} from ${table} where ${key} = any ($1::${typeOf(key)}[])) t`;
      const { rows } = await this.pool.query<{ row: Row }>(text, [[...ofKind.keys()]]);
      for (const { row } of rows) found.set(ofKind.get(row[key] as string)!, row);
    }
    return found;
  }

  /** What the stream makes, with its events after those of `before`. */
  private async readOn(stream: string, before: Meant): Promise<Meant> {
    const upTo = await this.store.head();
    let [meant, after] = [before, BigInt(before.position ?? 0)];
    while (after < upTo) {
      const { events, reached } = await this.store.scan({ after, upTo }, PAGE, { stream });
      for (const { position, unreadable } of events)
        if (unreadable !== undefined) throw new UnreadableStream(stream, position, unreadable);
      meant = readable(stream, events.at(-1)?.position ?? null, () => madeOn(stream, meant, events));
      after = reached;
    }
    return meant;
  }

  /** 'made': there was no row. 'left': the row is just being changed, or was. */
  private async compare(stream: string, row: Row | null, meant: Meant): Promise<'right' | 'mended' | 'made' | 'left'> {
    const { position, revision, at } = meant;
    // If the events are in another store, the index may be about to apply the last one.
    if (position !== null && !(await this.store.isIndexed(BigInt(position)))) return 'left';
    const { table, moving } = tableOf(categoryOf(stream));
    const seen = row && { position: row['position'], revision: row['revision'] };
    const kept = moving.filter((column) => table !== 'triggers' || isSet(row?.[column]) === isSet(meant.row?.[column]));
    const written = WRITTEN[table]?.(meant.row, row) ?? meant.row;
    const values = [table, idOfStream(stream), streamKey(stream).id, seen, written, kept, position, revision, at];
    const { rows } = await this.pool.query<Answer>({ ...MEND, values });
    if (!rows[0]) return 'left';
    const { differing, queues } = rows[0];
    if (differing.length === 0) return 'right';
    this.logger.error(
      `Mended the row of '${stream}' in the index, which contradicted its history: ${differing.join(', ')}`,
    );
    for (const queue of queues) this.wakeUps.queueReady(queue);
    this.wakeUps.scheduleChanged();
    return differing[0] === 'missing' ? 'made' : 'mended';
  }
}

const isOfBatch = (stream: string): boolean => categoryOf(stream) === BATCH_CATEGORY;

const tableOf = (category: string): NonNullable<ReturnType<typeof rowTable>> => rowTable(category)!;

const FILLS_ABANDONED_PLACE = eventsWith('fills-abandoned-place');

function madeBy(stream: string, history: readonly RecordedEvent[]): Meant | UnreadableStream {
  try {
    return readable(stream, history.at(-1)?.position ?? null, () => madeOn(stream, NOTHING, history));
  } catch (error) {
    return error as UnreadableStream;
  }
}

/** A stream may have nothing but fences, which make no row. */
function madeOn(stream: string, before: Meant, events: readonly RecordedEvent[]): Meant {
  const last = events.at(-1);
  if (!last) return before;
  const { position, revision, recordedAt: at } = last;
  const made = events.find(({ event }) => !FILLS_ABANDONED_PLACE.has(event.type));
  const changed =
    made &&
    rowChange(
      categoryOf(stream),
      events.map(({ event }) => event),
    )!.row;
  const row = changed ? { created_at: made.recordedAt, ...before.row, ...changed } : before.row;
  return { row: row && { ...row, updated_at: at }, position: String(position), revision, at };
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

const typeOf = (key: string): string => (key === 'id' ? 'uuid' : 'text');

/** The rows of these tables are not written just as the events make them. */
const WRITTEN: { readonly [T in RowChange['table']]?: (meant: Row | null, row: Row | null) => Row | null } = {
  // Whether a task has ended since tasks were last looked for is not known without the row. A look finds out.
  batches: (meant) => meant && { ...meant, task_ended: meant['state'] === 'failed' },
  queues: asWritten,
};

/** A stored policy may lack the fields that were added after it was written, and have those of a later build. */
function asWritten(meant: Row | null, row: Row | null): Row | null {
  const [policy, stored] = [meant?.['policy'], row?.['policy']];
  return isObject(policy) && isObject(stored) && isSamePolicy(policy, stored) ? { ...meant, policy: stored } : meant;
}

function isSamePolicy(policy: Row, stored: Row): boolean {
  const defaults: Row = { ...DEFAULT_POLICY };
  const fields = Object.keys(policy);
  const inBoth = fields.filter((field) => field in stored);
  return (
    inBoth.length > 0 &&
    fields.every((field) => isDeepStrictEqual(policy[field], field in stored ? stored[field] : defaults[field]))
  );
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
