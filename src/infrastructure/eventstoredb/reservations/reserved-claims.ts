import { Logger } from '@nestjs/common';
import {
  type ClaimDecisions,
  type ClaimQuota,
  type ClaimRound,
  type ClaimRules,
  type CaughtTask,
  ClaimSource,
  type DecidedClaim,
  type EarlierClaim,
  NOTHING_CLAIMED,
  type PickedTask,
  type RecordedClaim,
} from '../../../application/claims/claim-source.port.js';
import {
  type AppendItem,
  type AppendResult,
  NO_STREAM,
  type RecordedEvent,
} from '../../../application/kernel/event-store.port.js';
import { STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import type { Dispute } from '../../../application/kernel/disputes.js';
import type { Quarantine } from '../../../application/kernel/quarantine.port.js';
import { readEach, UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import { inTransaction } from '../../database/transaction.js';
import { CountedClaims } from '../../dispatch-index/counted-claims.js';
import { DisputedTasks, disputesIn } from '../../dispatch-index/disputed-tasks.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { consumerInLog } from './consumer-in-log.js';
import type { IndexProgress } from './index-progress.js';
import {
  caughtIn,
  type LeasedTask,
  pickedOr,
  type PickRow,
  placesOf,
  type RequestedLease,
  reservedOf,
} from './leased-tasks.js';
import type { Reservations } from './reservations.js';
import { keptHistory, keptOf } from './open-history.js';
import { recordedEarlierClaim } from './reserved-earlier-claims.js';

interface Picked {
  readonly reserved: readonly LeasedTask[];
  readonly repeated: readonly string[];
  readonly caught: readonly CaughtTask[];
  readonly quota: ClaimQuota;
  readonly more: boolean;
}

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

const INDEX_MS = 2_000;
/** How often one round picks again because it found only tasks that cannot be read. */
const MOST_PICKS = 20;

/**
 * Claims tasks if the log is in another store. Takes leases first, then records the claims, then confirms each lease.
 * If a lease is gone by then, another process gave the claim up, and its worker gets no task.
 */
export class ReservedClaims extends ClaimSource {
  private readonly logger = new Logger(ReservedClaims.name);
  private readonly counted: CountedClaims;
  private readonly disputed = new DisputedTasks();

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: EventStoreDbLog,
    private readonly reservations: Reservations,
    private readonly index: IndexProgress,
    private readonly quarantine: Quarantine,
  ) {
    super();
    this.counted = new CountedClaims(consumerInLog(log));
  }

  earlier(claimId: string): Promise<EarlierClaim | null> {
    return recordedEarlierClaim(this.pool, this.log, this.index, claimId);
  }

  async round(rules: ClaimRules): Promise<ClaimRound> {
    for (let picks = 1; picks <= MOST_PICKS; picks++) {
      const { mustPickAgain, ...round } = await this.pickAndClaim(rules);
      if (!mustPickAgain) return round;
    }
    return NOTHING_CLAIMED;
  }

  private async pickAndClaim(rules: ClaimRules): Promise<ClaimRound & { readonly mustPickAgain: boolean }> {
    const pick = await this.pickAsItStands(rules);
    if (!pick) return { ...NOTHING_CLAIMED, mustPickAgain: false };
    const { reserved, repeated, caught, quota, more } = pick;
    if (repeated.length > 0 || caught.length > 0) return { ...NOTHING_CLAIMED, repeated, caught, mustPickAgain: false };
    const disputes: Dispute[] = [];
    const { claims, besides, unreadable, left } = await this.decide(rules, reserved, quota, disputes);
    // The current policy may limit the running tasks, or give shorter leases.
    const isOutdated = reserved.some(({ queueRevision }) => queueRevision !== rules.queueRevision);
    if (isOutdated || !(await this.recordAll(besides))) {
      await this.giveBack(reserved);
      return { ...NOTHING_CLAIMED, mustPickAgain: false };
    }
    const recorded = reserved.length === 0 ? [] : await this.record(reserved, claims, disputes);
    if (unreadable.length > 0) await this.quarantine.add(unreadable);
    const isDisputed = disputes.length > 0 && (await this.dispute(disputes));
    const claimed = reserved.length === 0 || recorded.length > 0;
    const mustPickAgain = recorded.length === 0 && (unreadable.length > 0 || isDisputed);
    return { claimed, recorded, quota, more: more || left > 0, repeated, caught, mustPickAgain };
  }

  /** Notes the disputes if the index has the whole log. Otherwise it may only be late. */
  private async dispute(disputes: readonly Dispute[]): Promise<boolean> {
    const isCurrent = await this.index.reached(await this.log.head(), INDEX_MS);
    if (isCurrent) this.disputed.note(disputes);
    return isCurrent;
  }

  /**
   * If the pick would reset an overdue claim, picks again once the index has applied the whole log, because the end of
   * that claim may be recorded already. Null if the index does not catch up in time.
   */
  private async pickAsItStands(rules: ClaimRules): Promise<Picked | null> {
    const pick = await this.pick(rules);
    if (!pick?.quota.reset) return pick;
    const isCurrent = await this.index.reached(await this.log.head(), INDEX_MS);
    return isCurrent ? this.pick(rules) : null;
  }

  /**
   * Takes leases in the transaction that counts the standing ones. Null if the queue's revision differs from that of
   * the rules.
   */
  private pick(rules: ClaimRules): Promise<Picked | null> {
    return inTransaction(this.pool, async (connection) => {
      const running = await this.counted.lock(connection, rules);
      if (!running) return null;
      const asked = rules.quotaFor(running);
      const places = placesOf(rules.requests, asked);
      const take = (first: string | null) => this.take(connection, rules, places, first);
      const first = asked.first === null ? [] : await take(asked.first);
      const rows = first.length > 0 ? first : await take(null);
      const repeated = rows.flatMap(({ token, claim_id }) => (token === null && claim_id !== null ? [claim_id] : []));
      const caught = rows.flatMap(caughtIn);
      const reserved = rows.flatMap((row) => reservedOf(row, places));
      // Whether their claims are stored turns out later. One that is not has used up a start, so that there are never more.
      await this.counted.countStarts(
        connection,
        rules,
        reserved.map(({ taskId }) => taskId),
      );
      const quota = await this.counted.beside(connection, rules, asked, reserved.length);
      return { reserved, repeated, caught, quota, more: rows[0]?.more ?? false };
    });
  }

  private async take(
    connection: PostgresConnection,
    { facts, requests, steps, offers }: ClaimRules,
    places: readonly RequestedLease[],
    first: string | null,
  ): Promise<readonly PickRow[]> {
    const ids = requests.map(({ claimId }) => claimId);
    const { rows } = await connection.query({
      name: 'waybill_reserve_claims',
      text: 'select * from waybill_reserve_claims($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [facts.name, JSON.stringify(places), this.reservations.ttlMs, first, ids, STEP_BYTES, steps, offers],
    });
    return rows as PickRow[];
  }

  /** False if another append was faster at least once. */
  private async recordAll(items: readonly AppendItem[]): Promise<boolean> {
    const results = await this.log.append(items);
    return results.every(({ kind }) => kind === 'appended');
  }

  /** Adds to `disputes`. */
  private async decide(
    rules: ClaimRules,
    reserved: readonly LeasedTask[],
    quota: ClaimQuota,
    disputes: Dispute[],
  ): Promise<ClaimDecisions> {
    const { sound, wrong } = this.disputed.divide(reserved);
    const found = [
      ...wrong,
      ...sound.flatMap((one) => (one.history === null ? [] : pickedOr(one, () => keptHistory(one.history!)))),
      ...(await this.pickedFromLog(
        sound.filter(({ history }) => history === null),
        disputes,
      )),
    ];
    const unreadable = found.filter((one) => one instanceof UnreadableStream);
    const picked = found.filter((one): one is PickedTask => !(one instanceof UnreadableStream));
    picked.sort((one, other) => one.place - other.place);
    const decisions = rules.decide(picked, quota);
    return { ...decisions, unreadable: [...unreadable, ...decisions.unreadable] };
  }

  /** Tasks of which the index has no history at hand: it was built by an earlier version, or the task had ended. */
  private async pickedFromLog(
    reserved: readonly LeasedTask[],
    disputes: Dispute[],
  ): Promise<(PickedTask | UnreadableStream)[]> {
    if (reserved.length === 0) return [];
    const streams = reserved.map(({ taskId }) => taskStream(taskId));
    const histories = await readEach(
      streams,
      (some) => this.log.readFirst(some),
      (history) => history,
    );
    return reserved.flatMap((one, at) => this.pickedAsIndexed(one, histories[at]!, disputes));
  }

  /** Leaves out a task whose history the index does not have, or not yet. */
  private pickedAsIndexed(
    reserved: LeasedTask,
    history: readonly RecordedEvent[] | UnreadableStream,
    disputes: Dispute[],
  ): (PickedTask | UnreadableStream)[] {
    if (history instanceof UnreadableStream) return [history];
    const { taskId, revision } = reserved;
    const actual = history.at(-1)?.revision ?? NO_STREAM;
    if (actual === revision)
      return [pickedOr(reserved, () => (history as readonly RecordedEvent<TaskEvent>[]).map(keptOf))];
    this.logger.debug(`Expected task '${taskId}' to be pending at revision ${revision}, but it is at ${actual}`);
    disputes.push({ stream: taskStream(taskId), expected: actual, actual: revision });
    return [];
  }

  /**
   * Releases tasks whose claims will certainly never be recorded. Of the others, those whose leases still stand are
   * claimed.
   */
  private async record(
    reserved: readonly LeasedTask[],
    decided: readonly DecidedClaim[],
    disputes: Dispute[],
  ): Promise<RecordedClaim[]> {
    const stored = await this.store(decided, reserved[0]!.at, disputes);
    const kept = new Set([...stored.keys()].map(({ picked }) => picked.token));
    await this.giveBack(reserved.filter(({ token }) => !kept.has(token)));
    const deadlines = await this.confirm([...stored.keys()]);
    return [...stored].flatMap(([claim, { position, revision }]) => {
      const deadline = deadlines.get(claim.picked.token);
      return deadline === undefined ? [] : [{ ...claim, position, revision, deadline }];
    });
  }

  private async store(
    decided: readonly DecidedClaim[],
    recordedAt: string,
    disputes: Dispute[],
  ): Promise<ReadonlyMap<DecidedClaim, Appended>> {
    const items = decided.map(({ item }) => item);
    const results = await this.log.append(items, { recordedAt });
    disputes.push(...disputesIn(items, results));
    const stored = new Map<DecidedClaim, Appended>();
    results.forEach((result, at) => result.kind === 'appended' && stored.set(decided[at]!, result));
    const last = [...stored.values()].reduce((most, { position }) => (position > most ? position : most), 0n);
    if (last > 0n) await this.index.reached(last, INDEX_MS);
    return stored;
  }

  private giveBack(reserved: readonly LeasedTask[]): Promise<void> {
    return this.reservations.release(reserved.map(({ place }) => place.id));
  }

  /** Starts the leases that still stand, and returns their deadlines. */
  private async confirm(recorded: readonly DecidedClaim[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ token: string; deadline: string }>({
      name: 'waybill_confirm',
      text: 'select token, deadline from waybill_confirm($1, $2, $3)',
      values: [
        recorded.map(({ picked }) => picked.token),
        recorded.map(({ item }) => item.leaseSecret),
        recorded.map(({ picked }) => picked.taskId),
      ],
    });
    return new Map(rows.map(({ token, deadline }) => [token, deadline]));
  }
}
