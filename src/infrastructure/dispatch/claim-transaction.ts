import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import {
  type ClaimAnswer,
  type ClaimRequest,
  type Grant,
  NOTHING_TO_CLAIM,
} from '../../application/claims/claim-desk.port.js';
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
import { QueueDirectory, type QueueEntry } from '../../application/kernel/queue-directory.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
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
import type { Allowance } from './allowance.js';
import { ClaimGate } from './claim-gate.js';
import { ClaimGranter } from './claim-granter.js';
import { ClaimRepeats } from './claim-repeats.js';
import type { Granted } from './claim-line.js';
import { Deadlines, grantOf } from './grant.js';
import { SeekFloors } from './seek-floors.js';
import { type PickedTask, pickedTasks, PICK, PICK_TASK, type PickRow } from './picked-tasks.js';

/** A picked task with the decision on it: what to append, and what its worker gets once that is stored. */
interface Decided {
  readonly request: number;
  readonly item: AppendItem;
  readonly state: RunningTask;
  readonly picked: PickedTask;
}

interface PickedRows {
  readonly rows: readonly PickRow[];
}

/** What a transaction did. */
interface Tried {
  readonly claimed: true;
  readonly repeated: readonly string[];
  readonly allowance: Allowance;
  readonly decided: readonly Decided[];
  /** What was appended: the claims of the tasks at the end, in their order. */
  readonly items: readonly AppendItem[];
  readonly results: readonly AppendResult[];
}

interface Failed {
  readonly claimed: false;
  readonly repeated: readonly string[];
}

const FAILED: Failed = { claimed: false, repeated: [] };

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
  private readonly floors = new SeekFloors();

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: PostgresEventStore,
    private readonly directory: QueueDirectory,
    private readonly runner: DeciderRunner,
    private readonly gate: ClaimGate,
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
      this.floors.forget(queue);
      if (!isConnectionError(error)) throw error;
      // What was claimed under an unknown outcome is found again by the claim id, or comes back when its lease ends.
      throw new EventStoreUnavailable('Expected to claim tasks, but the database does not answer', { cause: error });
    }
  }

  private async grantAll(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]> {
    const grants = new Map<ClaimRequest, Granted>(requests.map((request) => [request, NOTHING_TO_CLAIM]));
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
    const entry = await this.directory.get(queue);
    if (!('queue' in entry.state)) return NOTHING_THERE;
    const facts = entry.state.queue;
    const tried = await this.inTransaction((connection) => this.tryIn(connection, entry, facts, requests));
    if (!tried.claimed) {
      this.floors.forget(queue);
      return { ...tried, granted: [] };
    }
    const grants = this.handOut(tried, requests);
    return { ...tried, granted: grants.map((tasks, index) => answerOf(tasks, index, tried.allowance)) };
  }

  private async tryIn(
    connection: PostgresConnection,
    entry: QueueEntry,
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
  ): Promise<Tried | Failed> {
    const allowance = await this.gate.enter(connection, entry, requests);
    if (!allowance) return FAILED;
    const rows = await this.pick(connection, facts.name, requests, allowance);
    const repeated = rows.flatMap(({ token, data }) => (token === null ? [data] : []));
    if (repeated.length > 0) return { claimed: false, repeated };
    // Another policy may count what runs, or give shorter leases.
    if (rows.some(({ queue_revision: seen }) => seen !== entry.revision)) return FAILED;
    const decided = this.decideAll(facts, requests, rows, allowance.places);
    const items = [...besides(allowance, decided), ...decided.map(({ item }) => item)];
    const tokens = decided.map(({ picked }) => picked.token);
    const results = await this.recordAndCommit(connection, facts, items, tokens);
    if (!results.every(({ kind }) => kind === 'appended')) return FAILED;
    return { claimed: true, repeated, allowance, decided, items, results };
  }

  /** Sent together with the commit: from the append on, nobody else writes to the log until the transaction ends. */
  private async recordAndCommit(
    connection: PostgresConnection,
    facts: QueueFacts,
    items: readonly AppendItem[],
    tokens: readonly string[],
  ): Promise<readonly AppendResult[]> {
    const [appended, ...others] = await Promise.allSettled([
      items.length > 0 ? this.store.appendWithin(connection, items) : [],
      this.gate.leave(connection, facts, tokens),
      connection.query('commit'),
    ]);
    const results = valueOf(appended);
    // After a refusal the database takes no more statements, and the commit is a rollback.
    if (results.every(({ kind }) => kind === 'appended')) for (const other of others) valueOf<unknown>(other);
    return results;
  }

  private async pick(
    connection: PostgresConnection,
    queue: string,
    requests: readonly ClaimRequest[],
    { places, first }: Allowance,
  ): Promise<readonly PickRow[]> {
    if (first !== null) {
      const { rows } = (await connection.query({ ...PICK_TASK, values: [queue, first] })) as PickedRows;
      if (rows.length > 0) return rows;
    }
    const claims = `{${requests.map(({ claimId }) => claimId).join(',')}}`;
    const floor = this.floors.of(queue);
    const values = [queue, places.length, claims, floor?.priority ?? null, floor?.seq ?? null];
    const { rows } = (await connection.query({ ...PICK, values })) as PickedRows;
    this.floors.picked(queue, floor, rows);
    return rows;
  }

  private decideAll(
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
    rows: readonly PickRow[],
    places: readonly number[],
  ): Decided[] {
    const sheets = requests.map((request) => this.sheet(request, facts));
    return pickedTasks(rows).flatMap((picked, at) =>
      this.decide(facts.name, picked, places[at]!, sheets[places[at]!]!),
    );
  }

  private sheet(request: ClaimRequest, { policy, policyVersion }: QueueFacts): Sheet {
    const now = this.clock.now();
    return {
      request,
      secret: randomUUID(),
      leaseMs: leaseMsFor(request, policy),
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

  private handOut({ decided, items, results }: Tried, requests: readonly ClaimRequest[]): Grant[][] {
    const grants: Grant[][] = requests.map(() => []);
    const deadlines = new Deadlines();
    const besides = items.length - decided.length;
    decided.forEach(({ request, item, state, picked }, index) => {
      const { position, revision, recordedAt } = results[besides + index] as Appended;
      this.runner.remember(taskDecider, item.stream, { position, revision, state });
      grants[request]!.push(grantOf(picked, state, item, deadlines.of(recordedAt, item)));
    });
    announce(this.wakeUps, items, results);
    return grants;
  }

  /** The work commits where tasks were claimed; anything else leaves the lane as it was. */
  private async inTransaction<T extends { readonly claimed: boolean }>(
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.pool.connect();
    try {
      // Sent without waiting for its answer: the connection keeps the order, and a round trip is saved.
      const begun = connection.query('begin');
      begun.catch(() => undefined);
      const result = await work(connection);
      if (!result.claimed) await connection.query('rollback');
      connection.release();
      return result;
    } catch (error) {
      connection.release(error as Error);
      throw error;
    }
  }
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** What is recorded beside the tasks' claims. */
function besides({ alone, withTask }: Allowance, decided: readonly Decided[]): AppendItem[] {
  if (alone) return [alone];
  return withTask && decided.length > 0 ? [withTask] : [];
}

/** One of the requests resets what is to be reset; the others find the queue taken, or not. */
const answerOf = (tasks: readonly Grant[], index: number, { refusals, reset }: Allowance): ClaimAnswer => ({
  tasks,
  refusal: tasks.length > 0 ? null : refusals[index]!,
  reset: reset && index === 0 ? { taskId: reset.taskId, token: reset.token } : null,
});

/** Whoever leaves a serial queue's task alone for longer than the takeover takes loses it. */
function leaseMsFor({ leaseMs }: ClaimRequest, policy: QueuePolicy): number {
  const wanted = leaseMs ?? policy.leaseMs;
  return policy.concurrency === 'serial' ? Math.min(wanted, policy.takeoverSeconds * 1_000) : wanted;
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
