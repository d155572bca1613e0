import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { newId } from '../../../application/kernel/new-id.js';
import type { ClaimRequest } from '../../../application/claims/task-claimer.port.js';
import type { Clock } from '../../../application/kernel/clock.port.js';
import type { DeciderRunner } from '../../../application/kernel/decider-runner.js';
import type { AppendItem, AppendResult, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import type { QueueEntry } from '../../../application/kernel/queue-directory.js';
import type { QueueFacts } from '../../../domain/queue/queue.state.js';
import { taskDecider } from '../../../domain/task/task.decider.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { EventStoreDbLog } from '../eventstoredb-log.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import { inTransaction } from '../../database/transaction.js';
import { type ClaimQuota, answersOf, besides } from '../../dispatch-index/claim-quota.js';
import {
  type ClaimContext,
  claimContexts,
  decideClaim,
  type DecidedClaim,
  leaseMsFor,
} from '../../dispatch-index/claim-decision.js';
import type { ConcurrencyLimiter } from '../../dispatch-index/concurrency-limiter.js';
import { ClaimStrategy } from '../../dispatch-index/claim-strategy.js';
import type { Granted } from '../../dispatch-index/claim-batcher.js';
import { type ClaimRound, type ClaimRetry, NOTHING_CLAIMED } from '../../dispatch-index/claim-retry.js';
import { grantOf, Grants } from '../../dispatch-index/claimed-task.js';
import { becamePending, type PickedTask } from '../../dispatch-index/picked-tasks.js';
import type { IndexProgress } from './index-progress.js';
import type { Reservations } from './reservations.js';

/** A place of a request: what its lease will be, and the id of the event that records it. */
interface Place {
  readonly request: number;
  readonly id: string;
  readonly claimId: string;
  readonly worker: string;
  readonly server: string;
  readonly secret: string;
  readonly leaseMs: number;
}

interface PickRow {
  /** From 1. */
  readonly place: number;
  readonly task_id: string;
  /** Null: the claim id was granted tasks before. */
  readonly token: string | null;
  readonly queue_revision: number;
  readonly revision: number;
  readonly claim_id: string;
  readonly at: string;
}

/** A task with a lease that was taken for a place. */
interface Reserved {
  readonly place: Place;
  readonly taskId: string;
  readonly token: string;
  readonly queueRevision: number;
  /** As the index knows it. */
  readonly revision: number;
  /** The database's time then. */
  readonly at: string;
}

interface Pick {
  readonly reserved: readonly Reserved[];
  readonly repeated: readonly string[];
  readonly quota: ClaimQuota;
}

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

const INDEX_MS = 2_000;

/**
 * Claims where the log is in another store: leases are taken first, then the claims are recorded, then each lease is
 * confirmed. A claim whose lease is gone by then was given up by others, and hands nothing to its worker.
 */
export class ReservedClaims extends ClaimStrategy {
  private readonly logger = new Logger(ReservedClaims.name);

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: EventStoreDbLog,
    private readonly reservations: Reservations,
    private readonly index: IndexProgress,
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
    const pick = await this.pickAsItStands(entry, facts, requests);
    if (!pick) return NOTHING_CLAIMED;
    const { reserved, repeated, quota } = pick;
    if (repeated.length > 0) return { ...NOTHING_CLAIMED, repeated };
    const decided = await this.decideAll(facts, requests, reserved);
    // Another policy may count what runs, or give shorter leases.
    const isOutdated = reserved.some(({ queueRevision }) => queueRevision !== entry.revision);
    if (isOutdated || !(await this.recordAll(besides(quota, decided.length)))) {
      await this.giveBack(reserved);
      return NOTHING_CLAIMED;
    }
    const grants = await this.record(requests, reserved, decided);
    const claimed = reserved.length === 0 || grants.some(({ tasks }) => tasks.length > 0);
    return { claimed, granted: answersOf(grants, quota), repeated };
  }

  /** Whether a task is overdue is believed on an index that has the whole log: its end may be recorded already. */
  private async pickAsItStands(
    entry: QueueEntry,
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
  ): Promise<Pick | null> {
    const pick = await this.pick(entry, facts, requests);
    if (!pick?.quota.reset) return pick;
    const isCurrent = await this.index.reached(await this.log.head(), INDEX_MS);
    return isCurrent ? this.pick(entry, facts, requests) : null;
  }

  /** Leases are taken in the transaction that counts those that stand. Null: the queue is not as the entry says. */
  private pick(entry: QueueEntry, facts: QueueFacts, requests: readonly ClaimRequest[]): Promise<Pick | null> {
    return inTransaction(this.pool, async (connection) => {
      const quota = await this.gate.enter(connection, entry, requests);
      if (!quota) return null;
      const places = placesOf(requests, quota.places, facts);
      const ids = requests.map(({ claimId }) => claimId);
      const take = (first: string | null) => this.take(connection, facts.name, places, first, ids);
      const first = quota.first === null ? [] : await take(quota.first);
      const rows = first.length > 0 ? first : await take(null);
      const repeated = rows.flatMap(({ token, claim_id }) => (token === null ? [claim_id] : []));
      const reserved = rows.flatMap((row) => reservedOf(row, places));
      const tokens = reserved.map(({ token }) => token);
      await this.gate.leave(connection, facts, tokens);
      return { reserved, repeated, quota };
    });
  }

  private async take(
    connection: PostgresConnection,
    queue: string,
    places: readonly Place[],
    first: string | null,
    ids: readonly string[],
  ): Promise<readonly PickRow[]> {
    const { rows } = await connection.query({
      name: 'waybill_reserve_claims',
      text: 'select * from waybill_reserve_claims($1, $2, $3, $4, $5)',
      values: [queue, JSON.stringify(places), this.reservations.ttlMs, first, ids],
    });
    return rows as PickRow[];
  }

  /** False: another one was faster at least once. */
  private async recordAll(items: readonly AppendItem[]): Promise<boolean> {
    const results = await this.log.append(items);
    return results.every(({ kind }) => kind === 'appended');
  }

  private async decideAll(
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
    reserved: readonly Reserved[],
  ): Promise<DecidedClaim[]> {
    const histories = await this.log.readStreams(reserved.map(({ taskId }) => taskStream(taskId)));
    const secrets = new Map(reserved.map(({ place }) => [place.request, place.secret]));
    const contexts = claimContexts(requests, facts, this.clock.now(), (request) => secrets.get(request)!);
    return reserved.flatMap((one, at) => this.decide(one, histories[at]!, contexts[one.place.request]!));
  }

  private decide(one: Reserved, history: readonly RecordedEvent[], context: ClaimContext): DecidedClaim[] {
    const last = history.at(-1)!;
    const decided = decideClaim(pickedTask(one, history), context, one.place.id);
    if ('item' in decided && last.revision === one.revision) return [decided];
    // The history is ahead of the index, which follows it.
    this.logger.debug(
      `Expected task '${one.taskId}' to be pending at revision ${one.revision}, but it is at ${last.revision}`,
    );
    return [];
  }

  /** Tasks whose claim is certain never to be recorded go back at once; of the rest, those whose lease stands are granted. */
  private async record(
    requests: readonly ClaimRequest[],
    reserved: readonly Reserved[],
    decided: readonly DecidedClaim[],
  ): Promise<Grants[]> {
    const grants = requests.map(() => new Grants());
    if (reserved.length === 0) return grants;
    const stored = await this.store(decided, reserved[0]!.at);
    const kept = new Set([...stored.keys()].map(({ picked }) => picked.token));
    await this.giveBack(reserved.filter(({ token }) => !kept.has(token)));
    const deadlines = await this.confirm([...stored.keys()]);
    for (const [{ request, item, state, picked }, { position, revision }] of stored) {
      const deadline = deadlines.get(picked.token);
      if (deadline === undefined) continue;
      this.runner.remember(taskDecider, item.stream, { position, revision, state });
      grants[request]!.add(grantOf(picked, state, item, deadline), position);
    }
    return grants;
  }

  private async store(
    decided: readonly DecidedClaim[],
    recordedAt: string,
  ): Promise<ReadonlyMap<DecidedClaim, Appended>> {
    const items = decided.map(({ item }) => item);
    const results = await this.log.append(items, { recordedAt });
    const stored = new Map<DecidedClaim, Appended>();
    results.forEach((result, at) => result.kind === 'appended' && stored.set(decided[at]!, result));
    const last = [...stored.values()].reduce((most, { position }) => (position > most ? position : most), 0n);
    if (last > 0n) await this.index.reached(last, INDEX_MS);
    return stored;
  }

  private giveBack(reserved: readonly Reserved[]): Promise<void> {
    return this.reservations.release(reserved.map(({ place }) => place.id));
  }

  /** The deadlines of the leases that stand, which begin now. */
  private async confirm(recorded: readonly DecidedClaim[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ token: string; deadline: string }>({
      name: 'waybill_confirm',
      text: `update leases l set deadline = clock_timestamp() + l.lease_ms * interval '1 millisecond'
        from unnest($1::bigint[], $2::uuid[]) as c(token, secret)
        where l.token = c.token and l.secret = c.secret and l.expiring is null returning l.token, l.deadline`,
      values: [recorded.map(({ picked }) => picked.token), recorded.map(({ item }) => item.leaseSecret)],
    });
    return new Map(rows.map(({ token, deadline }) => [token, deadline]));
  }
}

/** Those of one request share its secret. */
function placesOf(requests: readonly ClaimRequest[], places: readonly number[], { policy }: QueueFacts): Place[] {
  const secrets = requests.map(() => randomUUID());
  return places.map((index) => {
    const request = requests[index]!;
    const { claimId, worker, server } = request;
    const leaseMs = leaseMsFor(request, policy);
    return { request: index, id: newId(), claimId, worker, server, secret: secrets[index]!, leaseMs };
  });
}

function reservedOf(row: PickRow, places: readonly Place[]): Reserved[] {
  const { place, task_id: taskId, token, queue_revision: queueRevision, revision, at } = row;
  return token === null ? [] : [{ place: places[place - 1]!, taskId, token, queueRevision, revision, at }];
}

const pickedTask = (
  { taskId, token, queueRevision, revision }: Reserved,
  recorded: readonly RecordedEvent[],
): PickedTask => {
  const history = recorded.map(({ event }) => event as TaskEvent);
  return {
    taskId,
    token,
    queueRevision,
    revision,
    enqueuedAt: recorded.find(({ event }) => 'kind' in event.data)!.recordedAt,
    waitingSince: recorded[becamePending(history)]!.recordedAt,
    history,
  };
};
