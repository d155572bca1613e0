import type { ClaimRequest } from '../../application/claims/task-claimer.port.js';
import type { QueueEntry } from '../../application/kernel/queue-directory.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { isCounted } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { streamKey } from '../database/stream-key.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { type ClaimQuota, everything } from './claim-quota.js';
import { countedQuota } from './counted-quota.js';
import { type LastHolding, serialQuota } from './serial-quota.js';

interface GateRow {
  readonly revision: number;
  readonly running: readonly StandingClaim[];
  readonly holder: ConsumerRow | null;
}

interface ConsumerRow {
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly resetClaimed: boolean;
}

/** Finds the last event of a serial queue's holder. */
export type FindConsumer = (queue: string) => Promise<LastHolding | null>;

const ENTER = { name: 'waybill_gate', text: 'select * from waybill_gate($1, $2)' };
const LEAVE = {
  name: 'waybill_slots',
  text: 'insert into slots (token, queue) select token, $1 from unnest($2::bigint[]) as t(token)',
};

/** The way to the tasks of a queue that runs a limited number of them: one claim at a time passes, and sees what runs. */
export class ConcurrencyLimiter {
  /** `findConsumer`: where the events are not in this database. */
  constructor(private readonly findConsumer: FindConsumer | null = null) {}

  /** Null where the queue is not as the entry says. Nobody else claims of a counted queue until the transaction ends. */
  async enter(
    connection: PostgresConnection,
    { state, revision }: QueueEntry,
    requests: readonly ClaimRequest[],
  ): Promise<ClaimQuota | null> {
    if (!('queue' in state)) return null;
    const { name, policy } = state.queue;
    if (!isCounted(policy)) return everything(requests);
    const { rows } = (await connection.query({ ...ENTER, values: [name, streamKey(consumerStream(name)).id] })) as {
      rows: GateRow[];
    };
    const row = rows[0]!;
    if (row.revision !== revision) return null;
    if (policy.concurrency !== 'serial') return countedQuota(policy, row.running, requests);
    const holder = this.findConsumer ? await this.findConsumer(name) : consumerIn(row);
    return serialQuota(state.queue, { running: row.running, holder }, requests);
  }

  /** Takes slots for the claims that the transaction has recorded. */
  async leave(connection: PostgresConnection, { name, policy }: QueueFacts, tokens: readonly string[]): Promise<void> {
    if (isCounted(policy) && tokens.length > 0) await connection.query({ ...LEAVE, values: [name, tokens] });
  }
}

function consumerIn({ holder }: GateRow): LastHolding | null {
  if (!holder) return null;
  const { revision, type, version, data, resetClaimed } = holder;
  return { revision, event: eventCodec.decode(type, version, data) as ConsumerEvent, resetClaimed };
}
