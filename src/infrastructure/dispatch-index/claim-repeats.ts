import { Injectable } from '@nestjs/common';
import { type ClaimAnswer, type ClaimRequest, NOTHING_TO_CLAIM } from '../../application/claims/task-claimer.port.js';
import { Refused } from '../../application/kernel/application-error.js';
import { EventStore, type RecordedEvent } from '../../application/kernel/event-store.port.js';
import { isOf } from '../../application/kernel/principal.js';
import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { PostgresPool } from '../database/postgres-pool.js';
import type { Granted } from './claim-batcher.js';
import { grantFrom, Grants } from './claimed-task.js';

interface LeaseRow {
  readonly task_id: string;
  readonly token: string;
  readonly secret: string;
  readonly lease_ms: number;
  readonly deadline: string;
}

/**
 * The same claim repeated is answered with what it was granted, as far as those leases still stand, and to nobody but the principal that made
 * it: everybody who may read finds the claim's id and its worker in the history, and would get the proof that the task is in their hands.
 */
@Injectable()
export class ClaimRepeats {
  constructor(
    protected readonly pool: PostgresPool,
    private readonly store: EventStore,
  ) {}

  /** Its tasks, or why it is refused. Null: what it was granted was given up before it was recorded, and it is a new claim. */
  async answerAgain(request: ClaimRequest): Promise<Granted | null> {
    try {
      return await this.answerTo(request);
    } catch (error) {
      return error as Error;
    }
  }

  protected async answerTo({ claimId, queue, worker, context }: ClaimRequest): Promise<ClaimAnswer | null> {
    const { rows: claims } = await this.pool.query('select queue, worker from claims where claim_id = $1', [claimId]);
    if (claims.length === 0) return null;
    if (claims[0]!.queue !== queue || claims[0]!.worker !== worker) throw new Refused({ code: 'CLAIM_ID_REUSED' });
    const { tasks, position } = await this.grantsOf(claimId, context.principal);
    return { ...NOTHING_TO_CLAIM, tasks, position };
  }

  private async grantsOf(claimId: string, principal: string | undefined): Promise<Grants> {
    const { rows } = await this.pool.query<LeaseRow>(
      `select l.task_id, l.token, l.secret, l.lease_ms, l.deadline from claims c
       join leases l on l.token between c.first_token and c.last_token and l.claim_id = c.claim_id
       where c.claim_id = $1 order by l.token`,
      [claimId],
    );
    const streams = await this.store.readStreams(rows.map((row) => taskStream(row.task_id)));
    const grants = new Grants();
    rows.forEach((row, index) => addStanding(grants, row, streams[index]!, principal));
    return grants;
  }
}

function addStanding(
  grants: Grants,
  row: LeaseRow,
  recorded: readonly RecordedEvent[],
  principal: string | undefined,
): void {
  const state = fold(
    taskDecider,
    recorded.map(({ event }) => event as TaskEvent),
  );
  if (state.status !== 'running' || state.lease.token !== row.token) return;
  const { task_id: taskId, token, secret, lease_ms: leaseMs, deadline } = row;
  const given = { taskId, token, secret, leaseMs, deadline, enqueuedAt: recorded[0]!.recordedAt };
  const claimed = recorded.findLast(({ event }) => event.type === 'TaskClaimed')!;
  if (principal !== undefined && !isOf(claimed.envelope.actor, principal))
    throw new Refused({ code: 'CLAIM_ID_REUSED' });
  grants.add(grantFrom(state, given), claimed.position);
}
