import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import {
  type ClaimQuota,
  type ClaimRound,
  type ClaimRules,
  ClaimSource,
  type DecidedClaim,
  type EarlierClaim,
  NOTHING_CLAIMED,
  type RecordedClaim,
} from '../../application/claims/claim-source.port.js';
import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import { yieldToEventLoop } from '../../application/kernel/yield-to-event-loop.js';
import type { TaskClaimed } from '../../domain/task/task.events.js';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { onConnection } from '../database/transaction.js';
import { CountedClaims } from '../dispatch-index/counted-claims.js';
import { earlierClaim } from '../dispatch-index/earlier-claims.js';
import { pickedTasks, PICK, PICK_TASK, type PickRow } from '../dispatch-index/picked-tasks.js';
import { SeekFloors } from '../dispatch-index/seek-floors.js';
import { PostgresEventStore } from './postgres-event-store.js';

interface PickedRows {
  readonly rows: readonly PickRow[];
}

/** What a transaction did. */
interface Tried {
  readonly claimed: boolean;
  readonly repeated: readonly string[];
  readonly quota: ClaimQuota | null;
  readonly decided: readonly DecidedClaim[];
  /** What was appended: the claims of the tasks at the end, in their order. */
  readonly items: readonly AppendItem[];
  readonly results: readonly AppendResult[];
}

const FAILED: Tried = { claimed: false, repeated: [], quota: null, decided: [], items: [], results: [] };

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

/** Picks under row locks, has each task decided, and appends, all in one transaction. */
@Injectable()
export class ClaimTransaction extends ClaimSource {
  private readonly logger = new Logger(ClaimTransaction.name);
  private readonly floors = new SeekFloors();
  private readonly counted = new CountedClaims();

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: PostgresEventStore,
  ) {
    super();
  }

  earlier(claimId: string): Promise<EarlierClaim | null> {
    return earlierClaim(this.pool, this.store, claimId);
  }

  async round(rules: ClaimRules): Promise<ClaimRound> {
    let tried = FAILED;
    try {
      tried = await this.inTransaction((connection) => this.tryIn(connection, rules));
    } finally {
      if (!tried.claimed) this.floors.forget(rules.facts.name);
    }
    if (!tried.claimed) return { ...NOTHING_CLAIMED, repeated: tried.repeated };
    this.store.committed(tried.items, tried.results);
    await yieldToEventLoop(tried.decided.length);
    return { claimed: true, recorded: recordedClaims(tried), quota: tried.quota, repeated: [] };
  }

  private async tryIn(connection: PostgresConnection, rules: ClaimRules): Promise<Tried> {
    const running = await this.counted.lock(connection, rules);
    if (!running) return FAILED;
    const quota = rules.quotaFor(running);
    const rows = await this.pick(connection, rules, quota);
    const repeated = rows.flatMap(({ token, data }) => (token === null ? [data] : []));
    if (repeated.length > 0) return { ...FAILED, repeated };
    // Another policy may count what runs, or give shorter leases.
    if (rows.some(({ queue_revision: seen }) => seen !== rules.queueRevision)) return FAILED;
    await yieldToEventLoop(rows.length);
    const decided = this.decide(rules, rows, quota);
    await yieldToEventLoop(decided.length);
    const items = [...rules.besides(quota, decided.length), ...decided.map(({ item }) => item)];
    const tokens = decided.map(({ picked }) => picked.token);
    const results = await this.recordAndCommit(connection, rules, items, tokens);
    if (!results.every(({ kind }) => kind === 'appended')) return FAILED;
    return { claimed: true, repeated, quota, decided, items, results };
  }

  /** Sent together with the commit: from the append on, nobody else writes to the log until the transaction ends. */
  private async recordAndCommit(
    connection: PostgresConnection,
    rules: ClaimRules,
    items: readonly AppendItem[],
    tokens: readonly string[],
  ): Promise<readonly AppendResult[]> {
    const [appended, ...others] = await Promise.allSettled([
      items.length > 0 ? this.store.appendWithin(connection, items) : [],
      this.counted.count(connection, rules, tokens),
      connection.query('commit'),
    ]);
    const results = valueOf(appended);
    // After a refusal the database takes no more statements, and the commit is a rollback.
    if (results.every(({ kind }) => kind === 'appended')) for (const other of others) valueOf<unknown>(other);
    return results;
  }

  private async pick(
    connection: PostgresConnection,
    { facts: { name: queue }, requests }: ClaimRules,
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

  private decide(rules: ClaimRules, rows: readonly PickRow[], { places }: ClaimQuota): DecidedClaim[] {
    const picked = pickedTasks(rows);
    // The leases of one request share its secret.
    const leases = rules.requests.map((_, request) => ({ request, secret: randomUUID() }));
    return rules
      .decide(picked, (at) => leases[places[at]!]!)
      .flatMap((decided, at) => {
        if ('item' in decided) return [decided];
        // Not a race: the row is locked. The index and the history disagree, and a rebuild of the index is due.
        this.logger.error(
          `Expected task '${picked[at]!.taskId}' of the dispatch index to be pending, but it is ${decided.status}`,
        );
        return [];
      });
  }

  /** The work commits where tasks were claimed; anything else leaves the lane as it was. */
  private inTransaction(work: (connection: PostgresConnection) => Promise<Tried>): Promise<Tried> {
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

function recordedClaims({ decided, items, results }: Tried): RecordedClaim[] {
  const first = items.length - decided.length;
  const deadlines = new Deadlines();
  return decided.map((claim, index) => {
    const { position, revision, recordedAt } = results[first + index] as Appended;
    return { ...claim, position, revision, deadline: deadlines.of(recordedAt, claim.item) };
  });
}

/** The deadlines of one append's leases: most are the same, and making a time of text is what a claimed task would cost most. */
class Deadlines {
  private readonly known = new Map<number, string>();

  of(recordedAt: string, { events }: AppendItem): string {
    const { leaseMs } = (events[0]!.event as TaskClaimed).data;
    let deadline = this.known.get(leaseMs);
    if (deadline === undefined) {
      deadline = new Date(Date.parse(recordedAt) + leaseMs).toISOString();
      this.known.set(leaseMs, deadline);
    }
    return deadline;
  }
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
