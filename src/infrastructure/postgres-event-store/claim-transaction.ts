import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ClaimAnswer, ClaimRequest } from '../../application/claims/task-claimer.port.js';
import { Clock } from '../../application/kernel/clock.port.js';
import { DeciderRunner } from '../../application/kernel/decider-runner.js';
import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import { yieldToEventLoop } from '../../application/kernel/yield-to-event-loop.js';
import type { QueueEntry } from '../../application/kernel/queue-directory.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { PostgresEventStore } from './postgres-event-store.js';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { onConnection } from '../database/transaction.js';
import { type ClaimQuota, answersOf, besides } from '../dispatch-index/claim-quota.js';
import { type ClaimContext, claimContexts, decideClaim, type DecidedClaim } from '../dispatch-index/claim-decision.js';
import { ConcurrencyLimiter } from '../dispatch-index/concurrency-limiter.js';
import { ClaimStrategy } from '../dispatch-index/claim-strategy.js';
import { type ClaimRound, ClaimRetry } from '../dispatch-index/claim-retry.js';
import type { Granted } from '../dispatch-index/claim-batcher.js';
import { Deadlines, grantOf, Grants } from '../dispatch-index/claimed-task.js';
import { SeekFloors } from '../dispatch-index/seek-floors.js';
import { type PickedTask, pickedTasks, PICK, PICK_TASK, type PickRow } from '../dispatch-index/picked-tasks.js';

interface PickedRows {
  readonly rows: readonly PickRow[];
}

/** What a transaction did. */
interface Tried {
  readonly claimed: true;
  readonly repeated: readonly string[];
  readonly quota: ClaimQuota;
  readonly decided: readonly DecidedClaim[];
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

/** The index proposes, the decider disposes: picks under row locks, decides each task, appends, all in one transaction. */
@Injectable()
export class ClaimTransaction extends ClaimStrategy {
  private readonly logger = new Logger(ClaimTransaction.name);
  private readonly floors = new SeekFloors();

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: PostgresEventStore,
    private readonly rounds: ClaimRetry,
    private readonly runner: DeciderRunner,
    private readonly gate: ConcurrencyLimiter,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** An answer per request, in order; one request's refusal is its own. */
  grant(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]> {
    return this.rounds.serve(queue, requests, (entry, facts, open) => this.tryOnce(entry, facts, open));
  }

  private async tryOnce(entry: QueueEntry, facts: QueueFacts, requests: readonly ClaimRequest[]): Promise<ClaimRound> {
    let tried: Tried | Failed = FAILED;
    try {
      tried = await this.inTransaction((connection) => this.tryIn(connection, entry, facts, requests));
    } finally {
      if (!tried.claimed) this.floors.forget(facts.name);
    }
    return { ...tried, granted: tried.claimed ? await this.handOut(tried, requests) : [] };
  }

  private async tryIn(
    connection: PostgresConnection,
    entry: QueueEntry,
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
  ): Promise<Tried | Failed> {
    const quota = await this.gate.enter(connection, entry, requests);
    if (!quota) return FAILED;
    const rows = await this.pick(connection, facts.name, requests, quota);
    const repeated = rows.flatMap(({ token, data }) => (token === null ? [data] : []));
    if (repeated.length > 0) return { claimed: false, repeated };
    // Another policy may count what runs, or give shorter leases.
    if (rows.some(({ queue_revision: seen }) => seen !== entry.revision)) return FAILED;
    await yieldToEventLoop(rows.length);
    const decided = this.decideAll(facts, requests, rows, quota.places);
    await yieldToEventLoop(decided.length);
    const items = [...besides(quota, decided.length), ...decided.map(({ item }) => item)];
    const tokens = decided.map(({ picked }) => picked.token);
    const results = await this.recordAndCommit(connection, facts, items, tokens);
    if (!results.every(({ kind }) => kind === 'appended')) return FAILED;
    return { claimed: true, repeated, quota, decided, items, results };
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
    { places, first }: ClaimQuota,
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
  ): DecidedClaim[] {
    const contexts = claimContexts(requests, facts, this.clock.now(), () => randomUUID());
    return pickedTasks(rows).flatMap((picked, at) => this.decide(picked, contexts[places[at]!]!));
  }

  private decide(picked: PickedTask, context: ClaimContext): DecidedClaim[] {
    const decided = decideClaim(picked, context);
    if ('item' in decided) return [decided];
    // Not a race: the row is locked. The index and the history disagree, and a rebuild of the index is due.
    this.logger.error(
      `Expected task '${picked.taskId}' of the dispatch index to be pending, but it is ${decided.status}`,
    );
    return [];
  }

  private async handOut(
    { decided, items, results, quota }: Tried,
    requests: readonly ClaimRequest[],
  ): Promise<ClaimAnswer[]> {
    this.store.committed(items, results);
    await yieldToEventLoop(decided.length);
    const grants = requests.map(() => new Grants());
    const deadlines = new Deadlines();
    const first = items.length - decided.length;
    decided.forEach(({ request, item, state, picked }, index) => {
      const { position, revision, recordedAt } = results[first + index] as Appended;
      this.runner.remember(taskDecider, item.stream, { position, revision, state });
      grants[request]!.add(grantOf(picked, state, item, deadlines.of(recordedAt, item)), position);
    });
    return answersOf(grants, quota);
  }

  /** The work commits where tasks were claimed; anything else leaves the lane as it was. */
  private inTransaction<T extends { readonly claimed: boolean }>(
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    return onConnection(this.pool, async (connection) => {
      // Sent without waiting for its answer: the connection keeps the order, and a round trip is saved.
      const begun = connection.query('begin');
      begun.catch(() => undefined);
      const result = await work(connection);
      if (!result.claimed) await connection.query('rollback');
      return result;
    });
  }
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
