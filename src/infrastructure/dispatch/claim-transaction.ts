import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { ClaimRequest, Grant } from '../../application/claims/claim-desk.port.js';
import { Clock } from '../../application/kernel/clock.port.js';
import { DeciderRunner } from '../../application/kernel/decider-runner.js';
import { envelopeOf } from '../../application/kernel/envelope.js';
import {
  type AppendItem,
  type AppendResult,
  type Envelope,
  EventStoreUnavailable,
} from '../../application/kernel/event-store.port.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { QueueDirectory } from '../../application/kernel/queue-directory.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { RunningTask, TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { eventCodec } from '../event-store/event-schemas.js';
import { PostgresEventStore } from '../event-store/postgres/postgres-event-store.js';
import { isConnectionError } from '../persistence/connection-errors.js';
import { type PostgresConnection, PostgresPool } from '../persistence/postgres-pool.js';
import { announce } from './announcements.js';
import { ClaimRepeats } from './claim-repeats.js';
import type { Granted } from './claim-line.js';
import { Deadlines, grantOf } from './grant.js';
import { type PickedTask, pickedTasks, PICK, type PickRow } from './picked-tasks.js';

/** A picked task with the decision on it: what to append, and what its worker gets once that is stored. */
interface Decided {
  readonly request: number;
  readonly item: AppendItem;
  readonly state: RunningTask;
  readonly picked: PickedTask;
}

const ATTEMPTS = 3;

/** The index proposes, the decider disposes: picks under row locks, decides each task, appends, all in one transaction. */
@Injectable()
export class ClaimTransaction {
  private readonly logger = new Logger(ClaimTransaction.name);

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: PostgresEventStore,
    private readonly directory: QueueDirectory,
    private readonly runner: DeciderRunner,
    private readonly repeats: ClaimRepeats,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {}

  /** An answer per request, in order; one request's refusal is its own. */
  async grant(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]> {
    const grants: Grant[][] = requests.map(() => []);
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const repeated = await this.tryOnce(queue, requests, grants);
        if (repeated) return await this.repeats.grantAgain(repeated, requests, grants);
        this.directory.forget(queue);
      }
      return grants;
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // What was claimed under an unknown outcome is found again by the claim id, or comes back when its lease ends.
      throw new EventStoreUnavailable('Expected to claim tasks, but the database does not answer', { cause: error });
    }
  }

  /** The claim ids that were granted before; null where the queue changed between the look and the append: look again. */
  private async tryOnce(
    queue: string,
    requests: readonly ClaimRequest[],
    grants: Grant[][],
  ): Promise<readonly string[] | null> {
    const { state } = await this.directory.get(queue);
    if (!('queue' in state)) return [];
    const { rows, outcome } = await this.inTransaction(async (connection) => {
      const max = requests.reduce((sum, request) => sum + request.max, 0);
      const claims = `{${requests.map(({ claimId }) => claimId).join(',')}}`;
      const { rows } = (await connection.query({ ...PICK, values: [queue, max, claims] })) as { rows: PickRow[] };
      const decided = this.decideAll(queue, state.queue, requests, rows);
      const results =
        decided.length > 0
          ? await this.store.appendWithin(
              connection,
              decided.map(({ item }) => item),
            )
          : [];
      return { rows, outcome: { decided, results } };
    });
    const repeated = rows.flatMap(({ token, data }) => (token === null ? [data] : []));
    return this.handOut(outcome.decided, outcome.results, requests, grants) ? repeated : null;
  }

  private decideAll(
    queue: string,
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
    rows: readonly PickRow[],
  ): Decided[] {
    const repeated = new Set(rows.filter(({ token }) => token === null).map(({ data }) => data));
    const places = requests.flatMap((request, index) =>
      repeated.has(request.claimId) ? [] : Array.from({ length: request.max }, () => index),
    );
    const sheets = requests.map((request) => this.sheet(request, facts));
    return pickedTasks(rows)
      .slice(0, places.length)
      .flatMap((picked, at) => this.decide(queue, picked, places[at]!, sheets[places[at]!]!));
  }

  private sheet(request: ClaimRequest, { policy, policyVersion }: QueueFacts): Sheet {
    const now = this.clock.now();
    return {
      request,
      secret: randomUUID(),
      leaseMs: request.leaseMs ?? policy.leaseMs,
      envelope: envelopeOf(request.context, policyVersion),
      now: now.toISOString(),
      nowMs: now.getTime(),
    };
  }

  private decide(queue: string, picked: PickedTask, index: number, sheet: Sheet): Decided[] {
    const { request, leaseMs, now, nowMs, secret, envelope } = sheet;
    const events = picked.events.map(({ type, version, data }) => eventCodec.decode(type, version, data) as TaskEvent);
    const before = events.reduce(taskDecider.evolve, taskDecider.initialState);
    const { worker, server, claimId } = request;
    const decision = taskDecider.decide(
      {
        type: 'ClaimTask',
        now,
        by: worker,
        token: picked.token,
        claimId,
        worker,
        server,
        leaseMs,
        waitedMs: waitedMs(picked, before, nowMs),
      },
      before,
    );
    if (decision.kind !== 'accepted') {
      // Not a race: the row is locked. The index and the history disagree, and a rebuild of the index is due.
      this.logger.error(
        `Expected task '${picked.taskId}' of the dispatch index to be pending, but it is ${before.status}`,
      );
      return [];
    }
    const item: AppendItem = {
      stream: taskStream(picked.taskId),
      expected: picked.revision,
      events: decision.events.map((event) => ({ id: uuidv7(), event, envelope })),
      guards: { queue: { name: queue, revision: picked.queueRevision } },
      leaseSecret: secret,
    };
    return [{ request: index, item, picked, state: decision.events.reduce(taskDecider.evolve, before) as RunningTask }];
  }

  private handOut(
    decided: readonly Decided[],
    results: readonly AppendResult[],
    requests: readonly ClaimRequest[],
    grants: Grant[][],
  ): boolean {
    announce(
      this.wakeUps,
      decided.map(({ item }) => item),
      results,
    );
    let settled = true;
    const deadlines = new Deadlines();
    decided.forEach(({ request, item, state, picked }, index) => {
      const result = results[index]!;
      if (result.kind === 'refused') settled = false;
      if (result.kind !== 'appended') return;
      this.runner.remember(taskDecider, item.stream, { ...result, state });
      grants[request]!.push(grantOf(picked, state, item, deadlines.of(result.recordedAt, item)));
    });
    return settled || requests.some((_, index) => grants[index]!.length > 0);
  }

  private async inTransaction<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = await this.pool.connect();
    try {
      // Sent without waiting for its answer: the connection keeps the order, and a round trip is saved.
      const begun = connection.query('begin');
      begun.catch(() => undefined);
      const result = await work(connection);
      await connection.query('commit');
      connection.release();
      return result;
    } catch (error) {
      connection.release(error as Error);
      throw error;
    }
  }
}

/** Since the task became eligible: by its last event, or by its time where that came later. */
function waitedMs({ changedAt }: PickedTask, state: TaskState, nowMs: number): number {
  const dueAt = state.status === 'pending' ? state.task.dueAt : null;
  const eligibleAt = dueAt !== null && dueAt > changedAt ? dueAt : changedAt;
  return Math.max(0, nowMs - Date.parse(eligibleAt));
}

/** What is the same for all tasks of one request. */
interface Sheet {
  readonly request: ClaimRequest;
  readonly secret: string;
  readonly leaseMs: number;
  readonly envelope: Envelope;
  readonly now: string;
  readonly nowMs: number;
}
