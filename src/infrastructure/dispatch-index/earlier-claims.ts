import type { EarlierClaim } from '../../application/claims/claim-source.port.js';
import type { EventStore } from '../../application/kernel/event-store.port.js';
import { readOr } from '../../application/kernel/unreadable-stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { PostgresPool } from '../database/postgres-pool.js';

interface LeaseRow {
  readonly task_id: string;
  readonly token: string;
  readonly secret: string;
  readonly lease_ms: number;
  readonly deadline: string;
}

const LEASES = `select l.task_id, l.token, l.secret, l.lease_ms, l.deadline from task_leases l where l.claim_id = $1 order by l.token`;

/** The claim with this id and its leases according to the index; null if there is none. */
export async function earlierClaim(
  pool: PostgresPool,
  store: Pick<EventStore, 'readFirst'>,
  claimId: string,
): Promise<EarlierClaim | null> {
  const { rows: claims } = await pool.query<{ queue: string; worker: string }>(
    'select queue, worker from claims where claim_id = $1',
    [claimId],
  );
  if (claims.length === 0) return null;
  const { rows } = await pool.query<LeaseRow>(LEASES, [claimId]);
  const streams = rows.map((row) => taskStream(row.task_id));
  const histories = await readOr(streams, (some) => store.readFirst(some), []);
  const leases = rows.map(({ task_id: taskId, token, secret, lease_ms: leaseMs, deadline }, index) => ({
    taskId,
    token,
    secret,
    leaseMs,
    deadline,
    history: histories[index]!,
  }));
  return { ...claims[0]!, leases };
}
