import { Injectable, Optional } from '@nestjs/common';
import { type QueuePolicy, stepNames } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import { isConnectionError } from '../kernel/connection-errors.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStoreUnavailable } from '../kernel/event-store.port.js';
import { isOf } from '../../domain/kernel/principal.js';
import { Tracing } from '../kernel/tracing.port.js';
import { QueueDirectory, type QueueEntry } from '../kernel/queue-directory.js';
import { decideClaims } from './claim-decision.js';
import { quotaFor } from './claim-limits.js';
import {
  type ClaimAnswer,
  type ClaimQuota,
  type ClaimRequest,
  type ClaimRound,
  type ClaimRules,
  ClaimSource,
  NOTHING_TO_CLAIM,
  type StandingLease,
} from './claim-source.port.js';
import { HoldPlacer } from './hold-placer.js';
import { claimedTask, ClaimedTasks, standing } from './claimed-task.js';
import { JobItems } from './job-items.js';

/**
 * The answer to one request of a batch, or the error that concerns it alone. `next-round`: there are tasks for it, but
 * those of earlier requests fill this round.
 */
export type ClaimOutcome = ClaimAnswer | 'next-round' | Error;

type Claimant = Pick<ClaimRequest, 'claimId' | 'queue' | 'worker' | 'context'>;

const ATTEMPTS = 3;
/** How often one round of claims holds what is in front of the queue, up to a thousand tasks each time. */
const MOST_HOLD_ROUNDS = 10;

/**
 * Serves requests for one queue together. If the queue changed meanwhile, serves them again; if it seems to have changed twice, its row
 * in the index may be wrong, and is compared. A repeated request gets
 * the tasks that it got before.
 */
@Injectable()
export class ClaimService {
  constructor(
    private readonly source: ClaimSource,
    private readonly queues: QueueDirectory,
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly catcher: HoldPlacer,
    private readonly items: JobItems,
    @Optional() private readonly tracing?: Tracing,
  ) {}

  /**
   * Returns one outcome per request, in order. The refusal of one request affects no other. All of them must ask for the
   * same steps, and offer the same.
   */
  async serve(queue: string, requests: readonly ClaimRequest[]): Promise<readonly ClaimOutcome[]> {
    try {
      return await this.inSpan(queue, requests.length, () => this.serveAll(queue, requests));
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // The claims may be stored nevertheless. A repeated claim id finds their tasks; otherwise the leases expire.
      throw new EventStoreUnavailable('Expected to claim tasks, but the database does not answer', { cause: error });
    }
  }

  /** A round serves many callers, so it is a trace of its own. */
  private inSpan<T>(queue: string, requests: number, work: () => Promise<T>): Promise<T> {
    if (!this.tracing) return work();
    const attributes = { 'messaging.destination.name': queue, 'waybill.requests': requests };
    return this.tracing.within({ name: 'claim', kind: 'internal', attributes, traceparent: null }, work);
  }

  private async serveAll(queue: string, requests: readonly ClaimRequest[]): Promise<ClaimOutcome[]> {
    const outcomes = new Map<ClaimRequest, ClaimOutcome>(requests.map((request) => [request, NOTHING_TO_CLAIM]));
    let open = requests;
    for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
      const entry = await this.entryOf(queue);
      if (!('queue' in entry.state)) return requests.map(() => new Refused({ code: 'QUEUE_NOT_FOUND', queue }));
      const unknown = unknownStep(entry.state.queue.policy, requests[0]!);
      if (unknown) return requests.map(() => unknown);
      const round = await this.roundWithoutHolds(this.rulesOf(entry.revision, entry.state.queue, open));
      if (round.caught.length > 0) return requests.map((request) => waitsForHolds(outcomes.get(request)!));
      const answers = await Promise.all(this.handOut(round, open).map((outcome) => this.withItems(outcome)));
      answers.forEach((answer, index) => outcomes.set(open[index]!, answer));
      const answered = await this.answerRepeated(open, round, outcomes);
      if (round.claimed) break;
      open = open.filter((request) => !answered.has(request));
      if (attempt === 0) this.queues.forget(queue);
      else await this.queues.doubt([queue]);
    }
    return requests.map((request) => outcomes.get(request)!);
  }

  /** A queue that the cache does not know may have been defined since, by another process. */
  private async entryOf(queue: string): Promise<QueueEntry> {
    const entry = await this.queues.get(queue);
    if ('queue' in entry.state) return entry;
    return (await this.queues.getFresh([queue])).get(queue)!;
  }

  /**
   * Holds the tasks in front of the queue that may not be given out, and claims what is behind them. There may be more of
   * them than one round should take.
   */
  private async roundWithoutHolds(rules: ClaimRules): Promise<ClaimRound> {
    for (let catches = 1; ; catches++) {
      const round = await this.source.round(rules);
      if (round.caught.length === 0) return round;
      const held = await this.catcher.hold(round.caught);
      if (catches === MOST_HOLD_ROUNDS) return held > 0 ? round : { ...round, caught: [] };
    }
  }

  private rulesOf(queueRevision: number, facts: QueueFacts, requests: readonly ClaimRequest[]): ClaimRules {
    return {
      facts,
      queueRevision,
      requests,
      steps: requests[0]!.steps ?? null,
      offers: requests[0]!.offers ?? {},
      quotaFor: (running) => quotaFor(facts, running, requests),
      decide: (picked, quota) => decideClaims(facts, requests, picked, quota, this.clock.now()),
    };
  }

  /** Caches the state of each claimed task, so that the next command on it need not read its stream. */
  private handOut({ recorded, quota, more }: ClaimRound, requests: readonly ClaimRequest[]): readonly ClaimOutcome[] {
    if (!quota) return [];
    const claimed = requests.map(() => new ClaimedTasks());
    for (const claim of recorded) {
      const { request, item, state, position, revision } = claim;
      this.runner.remember(taskDecider, item.stream, { position, revision, state });
      claimed[request]!.add(claimedTask(claim), position);
    }
    return answersOf(claimed, quota).map((answer) => (more && isEmpty(answer) ? 'next-round' : answer));
  }

  /** Returns the repeated requests that are answered now. */
  private async answerRepeated(
    open: readonly ClaimRequest[],
    round: ClaimRound,
    outcomes: Map<ClaimRequest, ClaimOutcome>,
  ): Promise<ReadonlySet<ClaimRequest>> {
    const repeated = open.filter(({ claimId }) => round.repeated.includes(claimId));
    const answers = await Promise.all(
      repeated.map((request) => this.again(request).catch((error: unknown) => error as Error)),
    );
    repeated.forEach((request, index) => answers[index] && outcomes.set(request, answers[index]));
    return new Set(repeated.filter((_, index) => answers[index]));
  }

  /**
   * Answers a repeated claim with the tasks that it got and whose leases still stand. Only the principal that made the
   * claim gets them: the claim id and the worker's name are in the history for everybody with read access, and the
   * answer contains the tokens. Returns null if the claim was given up before it was recorded; the request is then a
   * new claim.
   */
  async again({ claimId, queue, worker, context }: Claimant): Promise<ClaimAnswer | null> {
    const earlier = await this.source.earlier(claimId);
    if (!earlier) return null;
    if (earlier.queue !== queue || earlier.worker !== worker) throw new Refused({ code: 'CLAIM_ID_REUSED' });
    const claimed = new ClaimedTasks();
    for (const lease of earlier.leases) addStanding(claimed, lease, context.principal);
    const { position } = claimed;
    return { ...NOTHING_TO_CLAIM, tasks: await this.items.grantedWith(claimed.tasks), position };
  }

  private async withItems(outcome: ClaimOutcome): Promise<ClaimOutcome> {
    if (outcome === 'next-round' || outcome instanceof Error || !outcome.tasks.some(({ items }) => items))
      return outcome;
    return { ...outcome, tasks: await this.items.grantedWith(outcome.tasks) };
  }
}

/** A task at a step that its queue no longer has is claimed without naming steps. */
function unknownStep(policy: QueuePolicy, { steps = [] }: ClaimRequest): Refused | null {
  const known = stepNames(policy);
  const step = steps.find((name) => !known.includes(name));
  return step === undefined ? null : new Refused({ code: 'STEP_UNKNOWN', step, steps: known });
}

function addStanding(claimed: ClaimedTasks, lease: StandingLease, principal: string | undefined): void {
  const found = standing(lease);
  if (!found) return;
  const { task, claim } = found;
  if (principal !== undefined && !isOf(claim.envelope.actor, principal)) throw new Refused({ code: 'CLAIM_ID_REUSED' });
  claimed.add(task, claim.position);
}

/** The request has its tasks or its error, or there may be tasks for it behind those that are to be held. */
const waitsForHolds = (outcome: ClaimOutcome): ClaimOutcome =>
  outcome !== 'next-round' && 'tasks' in outcome && isEmpty(outcome) ? 'next-round' : outcome;

const isEmpty = ({ tasks, refusal }: ClaimAnswer): boolean => tasks.length === 0 && refusal === null;

/**
 * The answer of each request. At most one has to reset a task: the first. The others wait, and then find the queue
 * taken or free.
 */
const answersOf = (claimed: readonly ClaimedTasks[], { refusals, reset }: ClaimQuota): ClaimAnswer[] =>
  claimed.map(({ tasks, position }, index) => ({
    tasks,
    position,
    refusal: tasks.length > 0 ? null : refusals[index]!,
    reset: reset && index === 0 ? { taskId: reset.taskId, token: reset.token, unheard: reset.unheard } : null,
  }));
