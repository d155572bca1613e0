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
import { ClaimGranter } from './claim-granter.js';
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

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

/** One look at the lane for some requests. */
interface Round {
  /** False: nothing was claimed, because requests are repeated, or the queue or a claim changed meanwhile. */
  readonly claimed: boolean;
  /** By request. */
  readonly granted: readonly Granted[];
  /** The claim ids that were granted tasks before. */
  readonly repeated: readonly string[];
}

const NOTHING_THERE: Round = { claimed: true, granted: [], repeated: [] };

const ATTEMPTS = 3;

/** The index proposes, the decider disposes: picks under row locks, decides each task, appends, all in one transaction. */
@Injectable()
export class ClaimTransaction extends ClaimGranter {
  private readonly logger = new Logger(ClaimTransaction.name);

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: PostgresEventStore,
    private readonly directory: QueueDirectory,
    private readonly runner: DeciderRunner,
    private readonly repeats: ClaimRepeats,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** An answer per request, in order; one request's refusal is its own. */
  async grant(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]> {
    try {
      return await this.grantAll(queue, requests);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // What was claimed under an unknown outcome is found again by the claim id, or comes back when its lease ends.
      throw new EventStoreUnavailable('Expected to claim tasks, but the database does not answer', { cause: error });
    }
  }

  private async grantAll(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]> {
    const grants = new Map<ClaimRequest, Granted>(requests.map((request) => [request, []]));
    let open = requests;
    for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
      const round = await this.tryOnce(queue, open);
      round.granted.forEach((granted, index) => grants.set(open[index]!, granted));
      const repeated = open.filter(({ claimId }) => round.repeated.includes(claimId));
      for (const request of repeated) grants.set(request, await this.repeats.answerAgain(request));
      if (round.claimed) break;
      open = open.filter((request) => !repeated.includes(request));
      this.directory.forget(queue);
    }
    return requests.map((request) => grants.get(request)!);
  }

  private async tryOnce(queue: string, requests: readonly ClaimRequest[]): Promise<Round> {
    const { state } = await this.directory.get(queue);
    if (!('queue' in state)) return NOTHING_THERE;
    const facts = state.queue;
    const round = await this.inTransaction(async (connection) => {
      const rows = await pick(connection, queue, requests);
      const repeated = rows.flatMap(({ token, data }) => (token === null ? [data] : []));
      if (repeated.length > 0) return { repeated, decided: [], results: [], claimed: false };
      const decided = this.decideAll(queue, facts, requests, rows);
      const items = decided.map(({ item }) => item);
      const results = items.length > 0 ? await this.store.appendWithin(connection, items) : [];
      return { repeated, decided, results, claimed: results.every(({ kind }) => kind === 'appended') };
    });
    return { ...round, granted: round.claimed ? this.handOut(round.decided, round.results, requests) : [] };
  }

  private decideAll(
    queue: string,
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
    rows: readonly PickRow[],
  ): Decided[] {
    const places = requests.flatMap((request, index) => Array.from({ length: request.max }, () => index));
    const sheets = requests.map((request) => this.sheet(request, facts));
    return pickedTasks(rows).flatMap((picked, at) => this.decide(queue, picked, places[at]!, sheets[places[at]!]!));
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
  ): Grant[][] {
    const grants: Grant[][] = requests.map(() => []);
    const deadlines = new Deadlines();
    decided.forEach(({ request, item, state, picked }, index) => {
      const { position, revision, recordedAt } = results[index] as Appended;
      this.runner.remember(taskDecider, item.stream, { position, revision, state });
      grants[request]!.push(grantOf(picked, state, item, deadlines.of(recordedAt, item)));
    });
    announce(
      this.wakeUps,
      decided.map(({ item }) => item),
      results,
    );
    return grants;
  }

  /** Commits where the tasks were claimed; anything else leaves the lane as it was. */
  private async inTransaction<T extends { readonly claimed: boolean }>(
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.pool.connect();
    try {
      // Sent without waiting for its answer: the connection keeps the order, and a round trip is saved.
      const begun = connection.query('begin');
      begun.catch(() => undefined);
      const result = await work(connection);
      await connection.query(result.claimed ? 'commit' : 'rollback');
      connection.release();
      return result;
    } catch (error) {
      connection.release(error as Error);
      throw error;
    }
  }
}

async function pick(
  connection: PostgresConnection,
  queue: string,
  requests: readonly ClaimRequest[],
): Promise<readonly PickRow[]> {
  const max = requests.reduce((sum, request) => sum + request.max, 0);
  const claims = `{${requests.map(({ claimId }) => claimId).join(',')}}`;
  return ((await connection.query({ ...PICK, values: [queue, max, claims] })) as { rows: PickRow[] }).rows;
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
