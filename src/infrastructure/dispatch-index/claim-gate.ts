import type { ClaimRequest } from '../../application/claims/claim-desk.port.js';
import type { QueueEntry } from '../../application/kernel/queue-directory.js';
import type { StandingClaim } from '../../domain/holder/holder.commands.js';
import type { HolderEvent } from '../../domain/holder/holder.events.js';
import { holderStream } from '../../domain/holder/holder.stream.js';
import { isCounted } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { eventCodec } from '../event-codec/event-schemas.js';
import { streamKey } from '../database/stream-key.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { type Allowance, everything } from './allowance.js';
import { countedAllowance } from './counted-allowance.js';
import { type LastHolding, serialAllowance } from './serial-allowance.js';

interface GateRow {
  readonly revision: number;
  readonly running: readonly StandingClaim[];
  readonly holder: HolderRow | null;
}

interface HolderRow {
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly resetClaimed: boolean;
}

/** Finds the last event of a serial queue's holder. */
export type FindHolder = (queue: string) => Promise<LastHolding | null>;

const ENTER = { name: 'waybill_gate', text: 'select * from waybill_gate($1, $2)' };
const LEAVE = {
  name: 'waybill_slots',
  text: 'insert into slots (token, queue) select token, $1 from unnest($2::bigint[]) as t(token)',
};

/** The way to the tasks of a queue that runs a limited number of them: one claim at a time passes, and sees what runs. */
export class ClaimGate {
  /** `findHolder`: where the events are not in this database. */
  constructor(private readonly findHolder: FindHolder | null = null) {}

  /** Null where the queue is not as the entry says. Nobody else claims of a counted queue until the transaction ends. */
  async enter(
    connection: PostgresConnection,
    { state, revision }: QueueEntry,
    requests: readonly ClaimRequest[],
  ): Promise<Allowance | null> {
    if (!('queue' in state)) return null;
    const { name, policy } = state.queue;
    if (!isCounted(policy)) return everything(requests);
    const { rows } = (await connection.query({ ...ENTER, values: [name, streamKey(holderStream(name)).id] })) as {
      rows: GateRow[];
    };
    const row = rows[0]!;
    if (row.revision !== revision) return null;
    if (policy.concurrency !== 'serial') return countedAllowance(policy, row.running, requests);
    const holder = this.findHolder ? await this.findHolder(name) : holderIn(row);
    return serialAllowance(state.queue, { running: row.running, holder }, requests);
  }

  /** Takes slots for the claims that the transaction has recorded. */
  async leave(connection: PostgresConnection, { name, policy }: QueueFacts, tokens: readonly string[]): Promise<void> {
    if (isCounted(policy) && tokens.length > 0) await connection.query({ ...LEAVE, values: [name, tokens] });
  }
}

function holderIn({ holder }: GateRow): LastHolding | null {
  if (!holder) return null;
  const { revision, type, version, data, resetClaimed } = holder;
  return { revision, event: eventCodec.decode(type, version, data) as HolderEvent, resetClaimed };
}
