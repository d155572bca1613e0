import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { item } from './events.js';

/** A task whose claim is reserved, and not recorded yet. */
export interface ReservedClaim {
  readonly queue: string;
  readonly claimId: string;
  readonly taskId: string;
  readonly token: string;
  readonly secret: string;
  /** Of the event that is to record the claim. */
  readonly id: string;
}

const LEASE_MS = 60_000;
const NOW = new Date(0).toISOString();

/** Takes what a claim of several new tasks takes before it is recorded, in EventStoreDB. */
export async function reserveClaim(
  pool: PostgresPool,
  queue: string,
  max: number,
  claimId = uuidv7(),
): Promise<ReservedClaim[]> {
  const secret = uuidv7();
  const common = { claimId, worker: 'w1', server: 's1', holder: null, secret, leaseMs: LEASE_MS };
  const places = Array.from({ length: max }, () => ({ ...common, id: uuidv7() }));
  const { rows } = await pool.query<{ task_id: string; token: string; place: number }>(
    'select * from waybill_reserve_claims($1, $2, 15000, null, $3, 1000000, null, null)',
    [queue, JSON.stringify(places), [claimId]],
  );
  return rows.map(({ task_id: taskId, token, place }) => {
    const { id } = places[place - 1]!;
    return { queue, claimId, taskId, token, secret, id };
  });
}

/** The append that records it. */
export function recordingOf({ queue, claimId, taskId, token, id }: ReservedClaim): AppendItem {
  const data = { queue, worker: 'w1', server: 's1', claimId, token, leaseMs: LEASE_MS, attempt: 1, claimedAt: NOW };
  const one = item(taskStream(taskId), 0, [{ type: 'TaskClaimed', version: 1, data: { ...data, waitedMs: 0 } }]);
  return { ...one, events: [{ ...one.events[0]!, id }] };
}

/** As the worker gets it. */
export const claimedTask = ({ taskId, token, secret }: ReservedClaim) => ({ taskId, token: `${token}.${secret}` });
