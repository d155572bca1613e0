import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { atMost } from '../../application/kernel/at-most.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { inHalves } from '../../application/kernel/in-halves.js';
import { IndexRows } from '../../application/kernel/index-rows.port.js';
import type { UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { AGGREGATES, CATEGORIES } from '../../domain/aggregates.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import { DRAIN_STREAM, SYSTEM_CATEGORY } from '../../domain/system/system.stream.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import { INDEX_FOLLOWER } from '../../projections/read-models.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { rowTable } from '../dispatch-index/aggregate-rows.js';
import { FailingItems } from './failing-items.js';
import type { Pass } from './pass.js';

/** Among what the sweeper could not deal with, the items of this name are streams. */
const COMPARING = 'compare the index with the log';

const AT_ONCE = 100;

/** Batches are compared together up to so many tasks. One that has more is compared by itself. */
const TASKS_AT_ONCE = 10_000;

/** Triggers may hold the largest payloads, so that a hundred of them would not fit into memory. Bytes as the database stores them. */
const LARGE = 4_096;

/** Longer histories cost too much to be read with others. Queues have no such ones, and are read all the time. */
const LONG = 1_000;

/** As many as were found right since their rows last changed, so that they are not read again. */
const KNOWN = 10_000;

/** The rows of what has a name, and how the names of its streams begin. Of the system, only the drain has a row. */
const NAMED = CATEGORIES.flatMap((category) => {
  const rows = rowTable(category);
  if (rows?.key !== 'name' || category === SYSTEM_CATEGORY) return [];
  return { table: rows.table, prefix: AGGREGATES[category].streamOf('') };
});

/** Not the triggers whose rows lack events that could not be applied yet. */
const PUT_ASIDE = `select '${triggerStream('')}' || line from events_put_aside where follower = '${INDEX_FOLLOWER}'`;

/** `version`: what changes with the row. */
const COSTLY = `
  select '${resourceStream('')}' || name as stream, xmin::text as version from resources where revision > ${LONG}
  union all select '${triggerStream('')}' || name, xmin::text from triggers
    where revision > ${LONG} or pg_column_size(definition) > ${LARGE}`;

/** Also streams without rows, as far as the database knows them: `stream_names` if it has the events, else by their tasks. */
const NEXT_STREAMS = {
  name: 'waybill_streams_to_compare',
  text: `
    with recursive used(queue) as (
      (select queue from tasks order by queue limit 1)
      union all
      select (select t.queue from tasks t where t.queue > u.queue order by t.queue limit 1) from used u where u.queue is not null)
    select s.stream from (
      select '${DRAIN_STREAM}' as stream
      union select '${queueStream('')}' || queue from used where queue is not null
      ${NAMED.map(({ table, prefix }) => `union select '${prefix}' || name from ${table}`).join('\n      ')}
      union select name from stream_names where name like any (array['${NAMED.map(({ prefix }) => `${prefix}%`).join("','")}'])
      except ${PUT_ASIDE}
      except select stream from (${COSTLY}) c) s
    where $1::text is null or s.stream > $1 order by s.stream limit ${AT_ONCE}`,
};

const NEXT_COSTLY = {
  name: 'waybill_costly_streams_to_compare',
  text: `
    select c.* from (${COSTLY}) c
    where ($1::text is null or c.stream > $1) and c.stream not in (${PUT_ASIDE}) order by c.stream limit ${AT_ONCE}`,
};

/** Batches without rows are known by their tasks, and by events that found no row. */
const NEXT_BATCHES = {
  name: 'waybill_batches_to_compare',
  text: `
    with recursive start(id) as (
      select coalesce(substr($1::text, ${batchStream('').length + 1})::uuid, '00000000-0000-0000-0000-000000000000')),
    named(id) as (
      (select t.batch from tasks t, start s where t.batch > s.id order by t.batch limit 1)
      union all
      select (select t.batch from tasks t where t.batch > n.id order by t.batch limit 1) from named n where n.id is not null),
    page as (
      (select b.id, b.total from batches b, start s where b.id > s.id order by b.id limit ${AT_ONCE})
      union all
      (select n.id, 0 from named n where n.id is not null and not exists (select from batches b where b.id = n.id) limit ${AT_ONCE})
      union all
      (select c.id, 0 from consequences c, start s where c.what = 'compare' and c.id > s.id and not exists (select from batches b where b.id = c.id)
        and not exists (select from tasks t where t.batch = c.id) order by c.id limit ${AT_ONCE}))
    select '${batchStream('')}' || id as stream from (
      select p.id, sum(p.total) over (order by p.id rows between unbounded preceding and 1 preceding) as before from page p) p
    where coalesce(before, 0) < ${TASKS_AT_ONCE} order by id limit ${AT_ONCE}`,
};

interface Found {
  readonly stream: string;
  readonly version?: string;
}

/**
 * Finds the rows of queues, batches, holds, resources, triggers, views and the drain that contradict their streams where no command meets them: one
 * that says "paused" gives nothing out. As with stray rows, no row gets so by itself. Batches may be many, and long histories and large
 * definitions are read one at a time, so neither keeps the other rows waiting.
 */
@Injectable()
export class ComparedRows {
  readonly passes: readonly Pass[];
  private readonly right = new LRUCache<string, string>(atMost(KNOWN));

  constructor(
    private readonly pool: PostgresPool,
    private readonly rows: IndexRows,
    private readonly failing: FailingItems,
  ) {
    this.passes = [
      this.pass(NEXT_STREAMS, 1_000, (found) => this.compareTogether(found)),
      this.pass(NEXT_BATCHES, 1_000, (found) => this.compareTogether(found)),
      this.pass(NEXT_COSTLY, 5_000, (found) => this.compareOne(found)),
    ];
  }

  private pass(query: pg.QueryConfig, restMs: number, compare: (found: readonly Found[]) => Promise<string>): Pass {
    let last: string | null = null;
    return {
      restMs,
      next: async () => {
        const { rows } = await this.pool.query<Found>({ ...query, values: [last] });
        last = rows.length > 0 ? await compare(rows) : null;
        return last !== null;
      },
    };
  }

  /** Returns the last stream. */
  private async compareTogether(found: readonly Found[]): Promise<string> {
    const streams = found.map(({ stream }) => stream).filter((stream) => !this.failing.rests(COMPARING, stream));
    await this.compare(streams, (some) => this.rows.mend(some));
    return found.at(-1)!.stream;
  }

  /** Compares the first one whose row has changed since it was found right. Returns it, or the last one. */
  private async compareOne(found: readonly Found[]): Promise<string> {
    const next = found.find(
      ({ stream, version }) => this.right.get(stream) !== version && !this.failing.rests(COMPARING, stream),
    );
    if (!next) return found.at(-1)!.stream;
    await this.compare([next.stream], async ([stream]) => {
      const isRight = await this.rows.mendByPages(stream!);
      if (isRight === true) this.right.set(stream!, next.version!);
      return typeof isRight === 'boolean' ? [] : [isRight];
    });
    return next.stream;
  }

  private async compare(streams: readonly string[], mend: IndexRows['mend']): Promise<void> {
    await inHalves(streams, async (some) => this.note(some, await mend(some)), {
      alone: (stream, error) => this.failing.failed(COMPARING, stream, error),
      concernsAll: (error) => isConnectionError(error) || error instanceof EventStoreUnavailable,
    });
  }

  private async note(streams: readonly string[], unreadable: readonly UnreadableStream[]): Promise<void> {
    for (const error of unreadable) await this.failing.failed(COMPARING, error.stream, error);
    const lost = new Set(unreadable.map(({ stream }) => stream));
    await this.failing.forget(
      COMPARING,
      streams.filter((stream) => !lost.has(stream)),
    );
  }
}
