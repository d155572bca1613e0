import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import {
  type ClaimAnswer,
  type ClaimRefusal,
  type ClaimRequest,
  type Grant,
  NOTHING_TO_CLAIM,
} from '../../../application/claims/claim-desk.port.js';
import { Refused } from '../../../application/kernel/application-error.js';
import type { Clock } from '../../../application/kernel/clock.port.js';
import type { DeciderRunner } from '../../../application/kernel/decider-runner.js';
import { envelopeOf } from '../../../application/kernel/envelope.js';
import {
  type AppendItem,
  type AppendResult,
  EventStoreUnavailable,
  type RecordedEvent,
} from '../../../application/kernel/event-store.port.js';
import type { QueueDirectory, QueueEntry } from '../../../application/kernel/queue-directory.js';
import type { QueueFacts } from '../../../domain/queue/queue.state.js';
import { fold } from '../../../domain/kernel/decider.js';
import { taskDecider } from '../../../domain/task/task.decider.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import type { RunningTask, TaskState } from '../../../domain/task/task.state.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { EventStoreDbLog } from '../../event-store/eventstoredb/eventstoredb-log.js';
import { isConnectionError } from '../../persistence/connection-errors.js';
import type { PostgresPool } from '../../persistence/postgres-pool.js';
import type { Granted } from '../claim-line.js';
import type { ClaimRepeats } from '../claim-repeats.js';
import type { ClaimGate } from '../claim-gate.js';
import { ClaimGranter } from '../claim-granter.js';
import { grantFrom } from '../grant.js';
import { inTransaction } from '../../projection-engine/transaction.js';
import type { IndexWatch } from './index-watch.js';
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

interface Picked {
  readonly place: Place;
  readonly taskId: string;
  readonly token: string;
  readonly revision: number;
}

interface PickRow {
  /** From 1. */
  readonly place: number;
  readonly task_id: string;
  readonly token: string | null;
  readonly revision: number;
  readonly claim_id: string;
}

interface Pick {
  readonly picked: readonly Picked[];
  /** The claim ids that were granted tasks before. */
  readonly repeated: readonly string[];
  /** By request. */
  readonly refusals: readonly (ClaimRefusal | null)[];
}

/** A picked task with the decision on it. */
interface Decided {
  readonly picked: Picked;
  readonly item: AppendItem;
  readonly state: RunningTask;
  readonly enqueuedAt: string;
}

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

const ATTEMPTS = 3;
const INDEX_MS = 2_000;

/**
 * Claims where the log is in another store: leases are taken first, then the claims are recorded, then each lease is
 * confirmed. A claim whose lease is gone by then was given up by others, and hands nothing to its worker.
 */
export class ReservedClaims extends ClaimGranter {
  private readonly logger = new Logger(ReservedClaims.name);

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: EventStoreDbLog,
    private readonly reservations: Reservations,
    private readonly index: IndexWatch,
    private readonly directory: QueueDirectory,
    private readonly runner: DeciderRunner,
    private readonly gate: ClaimGate,
    private readonly repeats: ClaimRepeats,
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
      throw new EventStoreUnavailable('Expected to claim tasks, but the database does not answer', { cause: error });
    }
  }

  private async grantAll(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]> {
    const granted = new Map<ClaimRequest, Granted>(requests.map((request) => [request, NOTHING_TO_CLAIM]));
    let open = requests;
    for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
      const entry = await this.directory.get(queue);
      if (!('queue' in entry.state)) break;
      const facts = entry.state.queue;
      const { picked, repeated, refusals } = await this.pick(entry, facts, open);
      const again = open.filter(({ claimId }) => repeated.includes(claimId));
      for (const request of again) granted.set(request, await this.repeats.answerAgain(request));
      open = open.filter((request) => !again.includes(request));
      if (again.length > 0) continue;
      const grants = await this.claim(facts, open, picked);
      open.forEach((request, index) => granted.set(request, answerOf(grants[index]!, refusals[index] ?? null)));
      if (refusals.length > 0 && (picked.length === 0 || grants.some(({ length }) => length > 0))) break;
      this.directory.forget(queue);
    }
    return requests.map((request) => granted.get(request)!);
  }

  /** Leases are taken in the transaction that counts those that stand. No refusals: the queue is not as the entry says. */
  private async pick(entry: QueueEntry, facts: QueueFacts, requests: readonly ClaimRequest[]): Promise<Pick> {
    if (facts.policy.concurrency === 'serial') {
      throw new Refused({ code: 'SERIAL_NEEDS_POSTGRES', queue: facts.name });
    }
    return inTransaction(this.pool, async (connection) => {
      const allowance = await this.gate.enter(connection, entry, requests);
      if (!allowance) return { picked: [], repeated: [], refusals: [] };
      const places = placesOf(requests, allowance.places, facts.policy.leaseMs);
      const { rows } = (await connection.query({
        name: 'waybill_reserve_claims',
        text: 'select * from waybill_reserve_claims($1, $2, $3)',
        values: [facts.name, JSON.stringify(places), this.reservations.ttlMs],
      })) as { rows: PickRow[] };
      const repeated = rows.flatMap(({ token, claim_id }) => (token === null ? [claim_id] : []));
      const picked = rows.flatMap(({ place, task_id: taskId, token, revision }) =>
        token === null ? [] : [{ place: places[place - 1]!, taskId, token, revision }],
      );
      const tokens = picked.map(({ token }) => token);
      await this.gate.leave(connection, facts, tokens);
      return { picked, repeated, refusals: allowance.refusals };
    });
  }

  /** Tasks whose claim is certain never to be recorded go back at once; of the rest, those whose lease stands are granted. */
  private async claim(
    facts: QueueFacts,
    requests: readonly ClaimRequest[],
    picked: readonly Picked[],
  ): Promise<Grant[][]> {
    const grants: Grant[][] = requests.map(() => []);
    if (picked.length === 0) return grants;
    const histories = await this.log.readStreams(picked.map(({ taskId }) => taskStream(taskId)));
    const decided = picked.flatMap((one, at) => this.decide(facts, requests[one.place.request]!, one, histories[at]!));
    const stored = await this.record(decided);
    const recorded = decided.filter(({ item }) => stored.has(item));
    await this.giveBack(picked, recorded);
    const deadlines = await this.confirm(recorded);
    for (const one of recorded) {
      const deadline = deadlines.get(one.picked.token);
      if (deadline === undefined) continue;
      const { item, state, picked: taken } = one;
      const { position, revision } = stored.get(item)!;
      this.runner.remember(taskDecider, item.stream, { position, revision, state });
      grants[taken.place.request]!.push(grantOf(one, deadline));
    }
    return grants;
  }

  private async record(decided: readonly Decided[]): Promise<ReadonlyMap<AppendItem, Appended>> {
    const items = decided.map(({ item }) => item);
    const results = await this.log.append(items);
    const stored = new Map<AppendItem, Appended>();
    results.forEach((result, at) => result.kind === 'appended' && stored.set(items[at]!, result));
    const last = [...stored.values()].reduce((most, { position }) => (position > most ? position : most), 0n);
    if (last > 0n) await this.index.reached(last, INDEX_MS);
    return stored;
  }

  private decide(
    facts: QueueFacts,
    request: ClaimRequest,
    picked: Picked,
    history: readonly RecordedEvent[],
  ): Decided[] {
    const { place, token, taskId, revision } = picked;
    const before = fold(
      taskDecider,
      history.map(({ event }) => event as TaskEvent),
    );
    const now = this.clock.now();
    const { worker, server, claimId, leaseMs } = place;
    const decision = taskDecider.decide(
      {
        type: 'ClaimTask',
        now: now.toISOString(),
        by: worker,
        token,
        claimId,
        worker,
        server,
        leaseMs,
        waitedMs: waitedMs(history, before, now.getTime()),
      },
      before,
    );
    if (decision.kind !== 'accepted' || history.at(-1)!.revision !== revision) {
      // The history is ahead of the index, which follows it.
      this.logger.debug(`Expected task '${taskId}' to be claimed at revision ${revision}, but it is ${before.status}`);
      return [];
    }
    const envelope = envelopeOf(request.context, facts.policyVersion);
    const events = decision.events.map((event, at) => ({ id: at === 0 ? place.id : uuidv7(), event, envelope }));
    const state = decision.events.reduce(taskDecider.evolve, before) as RunningTask;
    const enqueuedAt = history.find(({ event }) => 'kind' in event.data)!.recordedAt;
    return [{ picked, item: { stream: taskStream(taskId), expected: revision, events }, state, enqueuedAt }];
  }

  private giveBack(picked: readonly Picked[], recorded: readonly Decided[]): Promise<void> {
    const kept = new Set(recorded.map((one) => one.picked));
    return this.reservations.release(picked.filter((one) => !kept.has(one)).map(({ place }) => place.id));
  }

  /** The deadlines of the leases that stand, which begin now. */
  private async confirm(recorded: readonly Decided[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ token: string; deadline: string }>({
      name: 'waybill_confirm',
      text: `update leases l set deadline = clock_timestamp() + l.lease_ms * interval '1 millisecond'
        from unnest($1::bigint[], $2::uuid[]) as c(token, secret)
        where l.token = c.token and l.secret = c.secret and l.expiring is null returning l.token, l.deadline`,
      values: [recorded.map(({ picked }) => picked.token), recorded.map(({ picked }) => picked.place.secret)],
    });
    return new Map(rows.map(({ token, deadline }) => [token, deadline]));
  }
}

/** Those of one request share its secret. */
function placesOf(requests: readonly ClaimRequest[], places: readonly number[], usualMs: number): Place[] {
  const secrets = requests.map(() => randomUUID());
  return places.map((request) => {
    const { claimId, worker, server, leaseMs } = requests[request]!;
    return { request, id: uuidv7(), claimId, worker, server, secret: secrets[request]!, leaseMs: leaseMs ?? usualMs };
  });
}

const answerOf = (tasks: readonly Grant[], refusal: ClaimRefusal | null): ClaimAnswer => ({
  tasks,
  refusal: tasks.length > 0 ? null : refusal,
  reset: null,
});

/** Since the task became eligible: by its last event, or by its time where that came later. */
function waitedMs(history: readonly RecordedEvent[], state: TaskState, nowMs: number): number {
  const changedAt = history.at(-1)!.recordedAt;
  const dueAt = state.status === 'pending' ? state.task.dueAt : null;
  return Math.max(0, nowMs - Date.parse(dueAt !== null && dueAt > changedAt ? dueAt : changedAt));
}

function grantOf({ picked, state, enqueuedAt }: Decided, deadline: string): Grant {
  const { taskId, token, place } = picked;
  const { secret, leaseMs } = place;
  return grantFrom(state, { taskId, token, secret, leaseMs, deadline, enqueuedAt });
}
