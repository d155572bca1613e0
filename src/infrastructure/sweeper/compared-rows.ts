import { Injectable } from '@nestjs/common';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { inHalves } from '../../application/kernel/in-halves.js';
import { IndexRows } from '../../application/kernel/index-rows.port.js';
import { holdStream } from '../../domain/hold/hold.stream.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import { INDEX_FOLLOWER } from '../../projections/read-models.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { FailingItems } from './failing-items.js';

/** Among what the sweeper could not deal with, the items of this name are streams. */
const COMPARING = 'compare the index with the log';

const STREAMS_AT_ONCE = 100;

/** Triggers may hold the largest payloads, so that a hundred of them would not fit into memory. Bytes as the database stores them. */
const LARGE = 4_096;

/** Longer histories cost too much to be read again and again. Queues have no such ones, and are read all the time. */
const LONG = 1_000;

const PREFIXES = [queueStream, holdStream, resourceStream, triggerStream].map((streamOf) => streamOf(''));

/** Not the triggers whose rows lack events that could not be applied yet. Also streams without rows, as far as the database knows them: `stream_names` if it has the events, else by their tasks. */
const NEXT = {
  name: 'waybill_streams_to_compare',
  text: `
    with recursive used(queue) as (
      (select queue from tasks order by queue limit 1)
      union all
      select (select t.queue from tasks t where t.queue > u.queue order by t.queue limit 1) from used u where u.queue is not null)
    select s.stream from (
      select '${queueStream('')}' || name as stream from queues
      union select '${queueStream('')}' || queue from used where queue is not null
      union select '${holdStream('')}' || name from holds
      union select '${resourceStream('')}' || name from resources
      union select '${triggerStream('')}' || name from triggers
      union select name from stream_names where name like any (array['${PREFIXES.map((prefix) => `${prefix}%`).join("','")}'])
      union select '${DRAIN_STREAM}'
      except select '${triggerStream('')}' || line from events_put_aside where follower = '${INDEX_FOLLOWER}'
      except select '${resourceStream('')}' || name from resources where revision > ${LONG}
      except select '${triggerStream('')}' || name from triggers
        where revision > ${LONG} or pg_column_size(definition) > ${LARGE}) s
    where $1::text is null or s.stream > $1 order by s.stream limit ${STREAMS_AT_ONCE}`,
};

/**
 * Finds the rows of queues, holds, resources, triggers and the drain that contradict their streams where no command meets them: one that
 * says "paused" gives nothing out. As with stray rows, no row gets so by itself.
 */
@Injectable()
export class ComparedRows {
  private last: string | null = null;

  constructor(
    private readonly pool: PostgresPool,
    private readonly rows: IndexRows,
    private readonly failing: FailingItems,
  ) {}

  /** Compares some rows. True if this pass is to see more. Rejects if a store is unavailable; what concerns one row keeps no other. */
  async compareSome(): Promise<boolean> {
    const { rows } = await this.pool.query<{ stream: string }>({ ...NEXT, values: [this.last] });
    const streams = rows.map(({ stream }) => stream).filter((stream) => !this.failing.rests(COMPARING, stream));
    await inHalves(streams, (some) => this.compare(some), {
      alone: (stream, error) => this.failing.failed(COMPARING, stream, error),
      concernsAll: (error) => isConnectionError(error) || error instanceof EventStoreUnavailable,
    });
    const isWhole = rows.length === STREAMS_AT_ONCE;
    this.last = isWhole ? rows.at(-1)!.stream : null;
    return isWhole;
  }

  private async compare(streams: readonly string[]): Promise<void> {
    const unreadable = await this.rows.mend(streams);
    for (const error of unreadable) await this.failing.failed(COMPARING, error.stream, error);
    const lost = new Set(unreadable.map(({ stream }) => stream));
    await this.failing.forget(
      COMPARING,
      streams.filter((stream) => !lost.has(stream)),
    );
  }
}
