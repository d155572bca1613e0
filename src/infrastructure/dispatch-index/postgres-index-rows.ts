import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { EventStore, type RecordedEvent } from '../../application/kernel/event-store.port.js';
import { IndexRows } from '../../application/kernel/index-rows.port.js';
import { readable, readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { type Category, categoryOf, eventsWith, idOfStream } from '../../domain/events.js';
import { HOLD_CATEGORY } from '../../domain/hold/hold.stream.js';
import { DEFAULT_POLICY } from '../../domain/queue/queue.policy.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { RESOURCE_CATEGORY } from '../../domain/resource/resource.stream.js';
import { SYSTEM_CATEGORY } from '../../domain/system/system.stream.js';
import { TRIGGER_CATEGORY } from '../../domain/trigger/trigger.stream.js';
import { PostgresPool } from '../database/postgres-pool.js';
import type { RowChange } from './changes/index-change.js';
import { rowChange } from './index-changes.js';

/**
 * The tables, by category, whose rows follow from their streams. Those of batches also follow from their tasks. `moving`: the columns that
 * change without events of the stream; those of triggers only from one time to another.
 */
const KINDS: { readonly [C in Category]?: { readonly table: RowChange['table']; readonly moving: readonly string[] } } =
  {
    [HOLD_CATEGORY]: { table: 'holds', moving: [] },
    [QUEUE_CATEGORY]: { table: 'queues', moving: ['failure_streak', 'failure_task'] },
    [RESOURCE_CATEGORY]: { table: 'resources', moving: [] },
    [SYSTEM_CATEGORY]: { table: 'system', moving: [] },
    [TRIGGER_CATEGORY]: { table: 'triggers', moving: ['next_at', 'retry_at'] },
  };

/** A row as it is stored, or as the events make it. */
type Row = Readonly<Record<string, unknown>>;

/** `row`: null if the events make none. */
interface Meant {
  readonly row: Row | null;
  readonly position: string | null;
  readonly revision: number | null;
  readonly at: string | null;
}

interface Answer {
  readonly differing: readonly string[];
  readonly queues: readonly string[];
}

const MEND = { name: 'waybill_mend_row', text: 'select * from waybill_mend_row($1, $2, $3, $4, $5, $6, $7, $8)' };

@Injectable()
export class PostgresIndexRows extends IndexRows {
  private readonly logger = new Logger('Index');

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
    const rows = await this.rowsOf(streams);
    const meant = await readEach(
      streams,
      (some) => this.store.readFirst(some),
      (history, stream) => madeBy(stream, history),
    );
    for (const [at, stream] of streams.entries()) {
      const one = meant[at]!;
      if (!(one instanceof UnreadableStream)) await this.compare(stream, rows.get(stream) ?? null, one);
    }
    return meant.filter((one) => one instanceof UnreadableStream);
  }

  private async rowsOf(streams: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>();
    for (const category of new Set(streams.map(categoryOf))) {
      const ofKind = new Map(streams.flatMap((one) => (categoryOf(one) === category ? [[idOfStream(one), one]] : [])));
      const text = `select to_jsonb(t) as row from ${kindOf(category).table} t where name = any ($1)`;
      const { rows } = await this.pool.query<{ row: Row }>(text, [[...ofKind.keys()]]);
      for (const { row } of rows) found.set(ofKind.get(row['name'] as string)!, row);
    }
    return found;
  }

  private async compare(stream: string, row: Row | null, { position, revision, at, ...meant }: Meant): Promise<void> {
    // If the events are in another store, the index may be about to apply the last one.
    if (position !== null && !(await this.store.isIndexed(BigInt(position)))) return;
    const { table, moving } = kindOf(categoryOf(stream));
    const seen = row && { position: row['position'], revision: row['revision'] };
    const kept = moving.filter((column) => table === 'queues' || isSet(row?.[column]) === isSet(meant.row?.[column]));
    const values = [table, idOfStream(stream), seen, asWritten(meant.row, row), kept, position, revision, at];
    const { rows } = await this.pool.query<Answer>({ ...MEND, values });
    if (!rows[0] || rows[0].differing.length === 0) return;
    const { differing, queues } = rows[0];
    this.logger.error(
      `Mended the row of '${stream}' in the index, which contradicted its history: ${differing.join(', ')}`,
    );
    for (const queue of queues) this.wakeUps.queueReady(queue);
    this.wakeUps.scheduleChanged();
  }
}

const kindOf = (category: string): NonNullable<(typeof KINDS)[Category]> => KINDS[category as Category]!;

const FILLS_ABANDONED_PLACE = eventsWith('fills-abandoned-place');

function madeBy(stream: string, history: readonly RecordedEvent[]): Meant | UnreadableStream {
  const last = history.at(-1);
  if (!last) return { row: null, position: null, revision: null, at: null };
  const { position, revision, recordedAt: at } = last;
  try {
    return readable(stream, position, () => ({
      row: rowOf(stream, history),
      position: String(position),
      revision,
      at,
    }));
  } catch (error) {
    return error as UnreadableStream;
  }
}

/** A stream may have nothing but fences, which make no row. */
function rowOf(stream: string, history: readonly RecordedEvent[]): Row | null {
  const made = history.find(({ event }) => !FILLS_ABANDONED_PLACE.has(event.type));
  if (!made) return null;
  const events = history.map(({ event }) => event);
  const { row } = rowChange(categoryOf(stream), events)!;
  return { created_at: made.recordedAt, updated_at: history.at(-1)!.recordedAt, ...row };
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

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
