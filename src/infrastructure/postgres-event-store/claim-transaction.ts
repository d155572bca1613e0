import { gatedSteps, hasLanes } from '../../domain/queue/queue.policy.js';
import { Injectable, Logger } from '@nestjs/common';
import {
  type CaughtTask,
  type ClaimDecisions,
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
import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import { yieldToEventLoop } from '../../application/kernel/yield-to-event-loop.js';
import type { TaskClaimed } from '../../domain/task/task.events.js';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { onConnection } from '../database/transaction.js';
import { CountedClaims } from '../dispatch-index/counted-claims.js';
import { DisputedTasks, disputesIn } from '../dispatch-index/disputed-tasks.js';
import { earlierClaim } from '../dispatch-index/earlier-claims.js';
import { caughtTask, frontOf, pickedTasks, PICK, PICK_TASK, type PickRow } from '../dispatch-index/picked-tasks.js';
import { PostgresQuarantine } from '../dispatch-index/postgres-quarantine.js';
import { type SeekFloor, SeekFloors } from '../dispatch-index/seek-floors.js';
import { PostgresEventStore } from './postgres-event-store.js';

interface PickedRows {
  readonly rows: readonly PickRow[];
  /** Where the pick began to find tasks; null if it found none, or picked out of turn. */
  readonly front: SeekFloor | null;
}

/** The result of a committed transaction. */
interface ClaimedRound {
  readonly front: SeekFloor | null;
  readonly quota: ClaimQuota;
  readonly recorded: readonly RecordedClaim[];
  readonly more: boolean;
  /** How many tasks were put aside because they cannot be read. */
  readonly setAside: number;
}

/** The result of a transaction that was rolled back. */
interface GivenUp {
  /** The claim ids that already got tasks. */
  readonly repeated: readonly string[];
  readonly caught: readonly CaughtTask[];
  /** Whether the index and the history disagree on tasks, which a further pick may confirm. */
  readonly isDisputed: boolean;
  /** How many of the picked tasks fit into the answer; null if it is not for their size. */
  readonly fitting: number | null;
}

const CHANGED: GivenUp = { repeated: [], caught: [], isDisputed: false, fitting: null };

type TriedRound = ClaimRound & Pick<GivenUp, 'fitting'> & { readonly mustPickAgain: boolean };

/** How often one round picks again because it found only tasks that cannot be read, tasks with wrong rows, or too large payloads. */
const MOST_PICKS = 20;

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

/** Picks tasks under row locks, asks the rules to decide on each, and appends, all in one transaction. */
@Injectable()
export class ClaimTransaction extends ClaimSource {
  private readonly logger = new Logger(ClaimTransaction.name);
  private readonly floors = new SeekFloors();
  private readonly counted = new CountedClaims();
  private readonly disputed = new DisputedTasks();

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: PostgresEventStore,
    private readonly quarantine: PostgresQuarantine,
  ) {
    super();
  }

  earlier(claimId: string): Promise<EarlierClaim | null> {
    return earlierClaim(this.pool, this.store, claimId);
  }

  async round(rules: ClaimRules): Promise<ClaimRound> {
    let most: number | null = null;
    for (let picks = 1; picks <= MOST_PICKS; picks++) {
      const { mustPickAgain, fitting, ...round } = await this.pickAndClaim(rules, most);
      if (!mustPickAgain) return { ...round, more: round.more || most !== null };
      most = fitting ?? most;
    }
    return NOTHING_CLAIMED;
  }

  private async pickAndClaim(rules: ClaimRules, most: number | null): Promise<TriedRound> {
    let given = CHANGED;
    const claimed = await this.fromFloor(rules, async (floor) => {
      const tried = await this.inTransaction((connection) => this.tryIn(connection, rules, floor, most));
      if ('quota' in tried) return tried;
      given = tried;
      return null;
    });
    if (!claimed) {
      const { isDisputed, ...left } = given;
      return { ...NOTHING_CLAIMED, ...left, mustPickAgain: isDisputed || left.fitting !== null };
    }
    const { recorded, quota, more, setAside } = claimed;
    await yieldToEventLoop(recorded.length);
    const mustPickAgain = setAside > 0 && recorded.length === 0;
    return { claimed: true, recorded, quota, more, repeated: [], caught: [], mustPickAgain, fitting: null };
  }

  /**
   * Only a pick that takes whatever is first begins at the floor, and moves it. One that asks for some steps, or may leave steps
   * or lanes out, or takes turns, may find its first task behind others, which the floor must not pass.
   */
  private fromFloor(
    { facts, steps }: ClaimRules,
    pick: (floor: SeekFloor | null) => Promise<ClaimedRound | null>,
  ): Promise<ClaimedRound | null> {
    const { policy } = facts;
    const takesAll = steps === null && gatedSteps(policy).length === 0 && !hasLanes(policy);
    return takesAll ? this.floors.during(facts.name, pick) : pick(null);
  }

  private async tryIn(
    connection: PostgresConnection,
    rules: ClaimRules,
    floor: SeekFloor | null,
    most: number | null,
  ): Promise<ClaimedRound | GivenUp> {
    const running = await this.counted.lock(connection, rules);
    if (!running) return CHANGED;
    const asked = upTo(most, rules.quotaFor(running));
    const { rows, front } = await this.pick(connection, rules, asked, floor);
    if (rows[0]?.tokens === null) return givenUp(rows);
    // The current policy may limit the running tasks, or give shorter leases.
    if (rows.some(({ queue_revision: seen }) => seen !== rules.queueRevision)) return CHANGED;
    await yieldToEventLoop(rows.length);
    const { claims, besides, unreadable, lost, left } = this.decide(rules, rows, asked);
    // Whatever is picked must be claimed, so the others are left in line by picking fewer.
    if (left > 0) return { ...CHANGED, fitting: claims.length + unreadable.length };
    if (unreadable.length > 0) await this.quarantine.addPicked(connection, unreadable);
    await this.counted.countStarts(
      connection,
      rules,
      claims.map(({ picked }) => picked.taskId),
    );
    const quota = await this.counted.beside(connection, rules, asked, pickedIn(rows));
    await yieldToEventLoop(claims.length);
    const items = [...besides, ...claims.map(({ item }) => item)];
    const results = await this.store.commitWith(connection, items);
    const ofClaims = results.slice(besides.length);
    if (!results.every(({ kind }) => kind === 'appended')) return this.changed(items.slice(besides.length), ofClaims);
    const recorded = recordedClaims(claims, ofClaims as Appended[]);
    return { front, quota, recorded, more: rows[0]?.more ?? false, setAside: unreadable.length + lost };
  }

  private changed(claims: readonly AppendItem[], results: readonly AppendResult[]): GivenUp {
    const disputes = disputesIn(claims, results);
    this.disputed.note(disputes);
    return { ...CHANGED, isDisputed: disputes.length > 0 };
  }

  private async pick(
    connection: PostgresConnection,
    { facts: { name: queue }, requests, steps, offers }: ClaimRules,
    { places, first }: ClaimQuota,
    floor: SeekFloor | null,
  ): Promise<PickedRows> {
    if (first !== null) {
      const rows = await pickRows(connection, { ...PICK_TASK, values: [queue, first, steps] });
      if (rows.length > 0) return { rows, front: null };
    }
    const claims = `{${requests.map(({ claimId }) => claimId).join(',')}}`;
    const values = [
      queue,
      places.length,
      claims,
      floor?.priority ?? null,
      floor?.seq ?? null,
      STEP_BYTES,
      steps,
      offers,
    ];
    const rows = await pickRows(connection, { ...PICK, values });
    return { rows, front: frontOf(rows) };
  }

  private decide(rules: ClaimRules, rows: readonly PickRow[], quota: ClaimQuota): ClaimDecisions & { lost: number } {
    const { tasks, unreadable, lost } = pickedTasks(rows);
    for (const first of lost)
      this.logger.error(
        `Expected an event at position ${first}, where the lane of queue '${rules.facts.name}' has tasks, but there is none. Their place is deleted`,
      );
    const { sound, wrong } = this.disputed.divide(tasks);
    const decisions = rules.decide(sound, quota);
    return { ...decisions, unreadable: [...unreadable, ...wrong, ...decisions.unreadable], lost: lost.length };
  }

  /** Commits if tasks were claimed. Otherwise the rollback leaves the lane as it was. */
  private inTransaction(
    work: (connection: PostgresConnection) => Promise<ClaimedRound | GivenUp>,
  ): Promise<ClaimedRound | GivenUp> {
    return onConnection(this.pool, async (connection) => {
      // Sent without waiting for the answer, because the connection keeps the order. This saves a round trip.
      const begun = connection.query('begin');
      begun.catch(() => undefined);
      const result = await work(connection);
      if (!('quota' in result)) await connection.query('rollback');
      return result;
    });
  }
}

const upTo = (most: number | null, quota: ClaimQuota): ClaimQuota =>
  most === null ? quota : { ...quota, places: quota.places.slice(0, most) };

const pickedIn = (rows: readonly PickRow[]): number =>
  rows.reduce((sum, { tokens }) => sum + tokens!.split(',').length, 0);

/** Rows without tokens name what keeps the tasks from being claimed. */
const givenUp = (rows: readonly PickRow[]): GivenUp => ({
  repeated: rows.flatMap(({ type, data }) => (type === 'caught' ? [] : data!)),
  caught: rows.flatMap(({ type, task_ids: task, data }) => (type === 'caught' ? caughtTask(task!, data!) : [])),
  isDisputed: false,
  fitting: null,
});

async function pickRows(
  connection: PostgresConnection,
  query: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<readonly PickRow[]> {
  return ((await connection.query(query)) as { rows: PickRow[] }).rows;
}

function recordedClaims(claims: readonly DecidedClaim[], results: readonly Appended[]): RecordedClaim[] {
  const deadlines = new Deadlines();
  return claims.map(({ request, item, state, picked }, index) => {
    const { position, revision, recordedAt } = results[index]!;
    return { request, item, state, picked, position, revision, deadline: deadlines.of(recordedAt, item) };
  });
}

/**
 * The deadlines of one append's leases. Most are the same, and parsing and formatting them would be the largest cost of
 * a claimed task.
 */
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
