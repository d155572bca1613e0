import { Injectable } from '@nestjs/common';
import type { ClaimRequest } from '../../application/claims/claim-desk.port.js';
import type { QueueEntry } from '../../application/kernel/queue-directory.js';
import { holderStream } from '../../domain/holder/holder.stream.js';
import { isCounted } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { streamKey } from '../event-store/postgres/stream-key.js';
import type { PostgresConnection } from '../persistence/postgres-pool.js';
import { type Allowance, everything } from './allowance.js';
import { countedAllowance } from './counted-allowance.js';
import { serialAllowance, type SerialView } from './serial-allowance.js';

interface GateRow extends SerialView {
  readonly revision: number;
}

const ENTER = { name: 'waybill_gate', text: 'select * from waybill_gate($1, $2)' };
const LEAVE = {
  name: 'waybill_slots',
  text: 'insert into slots (token, queue) select token, $1 from unnest($2::bigint[]) as t(token)',
};

/** The way to the tasks of a queue that runs a limited number of them: one claim at a time passes, and sees what runs. */
@Injectable()
export class ClaimGate {
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
    return policy.concurrency === 'serial'
      ? serialAllowance(state.queue, row, requests)
      : countedAllowance(policy, row.running, requests);
  }

  /** Takes slots for the claims that the transaction has recorded. */
  async leave(connection: PostgresConnection, { name, policy }: QueueFacts, tokens: readonly string[]): Promise<void> {
    if (isCounted(policy) && tokens.length > 0) await connection.query({ ...LEAVE, values: [name, tokens] });
  }
}
