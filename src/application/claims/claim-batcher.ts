import { meets } from '../../domain/kernel/worker-labels.js';
import type { ReadyTasks } from '../kernel/wake-ups.port.js';
import type { ClaimOutcome } from './claim-service.js';
import { type ClaimAnswer, type ClaimRequest, NOTHING_TO_CLAIM } from './claim-source.port.js';

/** Gives tasks to the requests, first come, first served. Returns one outcome per request, in order. */
type Serve = (requests: readonly ClaimRequest[]) => Promise<readonly ClaimOutcome[]>;

/**
 * The most tasks that requests share a statement for, so that it does not lock its rows for long. A larger request is
 * served alone.
 */
const MAX_TASKS = 500;
/** How often waiting claims are served without a wake-up. This bounds the delay after a lost one. */
const LOOK_MS = 5_000;

interface Waiting {
  readonly request: ClaimRequest;
  /** Which tasks the claim asks for, by their steps and needs. Only claims for the same ones are served together. */
  readonly kind: string;
  /** Whether the claim must be served: it is new, or was woken since it was last served. */
  mustBeServed: boolean;
  /** Whether it was woken since the look at its queue began. */
  woken: boolean;
  over: boolean;
  /** Whether it is being served, so that it may get a task. */
  inRound: boolean;
  /** The claim has its outcome, and the caller is about to get it. */
  isAnswered: boolean;
  /** The last answer, which the claim returns if it ends without tasks. */
  found: ClaimAnswer;
  readonly settle: (answer: ClaimAnswer) => void;
  readonly fail: (error: unknown) => void;
}

interface AnsweredClaim {
  readonly one: Waiting;
  readonly outcome: Exclude<ClaimOutcome, 'next-round'>;
}

/** The claims of one queue that wait in this process, in order of arrival. Serves one batch of them at a time. */
export class ClaimBatcher {
  private readonly waiting = new Set<Waiting>();
  private serving = false;
  private freed = false;
  private lookAgain: NodeJS.Timeout | null = null;
  /** Until a rate allows the next start. */
  private opening: NodeJS.Timeout | null = null;

  constructor(private readonly serveAll: Serve) {}

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  claim(request: ClaimRequest): Promise<ClaimAnswer> {
    if (request.signal.aborted) return Promise.resolve(NOTHING_TO_CLAIM);
    return new Promise((resolve, reject) => {
      const waiting = this.enter(request, resolve, reject);
      this.waiting.add(waiting);
      this.serve();
    });
  }

  /** Only claims that take such tasks. */
  wake(ready?: ReadyTasks): void {
    for (const one of this.waiting) if (takes(one.request, ready)) one.mustBeServed = one.woken = true;
    this.serve();
  }

  /** A task ended, so the queue's limits may now allow a task to claims that they refused. */
  wakeRefused(): void {
    this.freed = true;
    for (const { found } of this.waiting) if (found.refusal !== null) return this.wake();
  }

  close(): void {
    for (const one of this.waiting) this.end(one);
  }

  private enter(
    request: ClaimRequest,
    resolve: (answer: ClaimAnswer) => void,
    reject: (error: unknown) => void,
  ): Waiting {
    const onEnd = (): void => this.end(waiting);
    const timer = request.waitMs > 0 ? setTimeout(onEnd, request.waitMs) : null;
    const onAbort = (): void => this.abort(waiting);
    request.signal.addEventListener('abort', onAbort, { once: true });
    const leave =
      <T>(then: (value: T) => void) =>
      (value: T): void => {
        if (timer) clearTimeout(timer);
        request.signal.removeEventListener('abort', onAbort);
        this.waiting.delete(waiting);
        then(value);
      };
    const waiting: Waiting = {
      request,
      kind: kindOf(request),
      mustBeServed: true,
      woken: false,
      over: request.waitMs <= 0,
      inRound: false,
      isAnswered: false,
      found: NOTHING_TO_CLAIM,
      settle: leave(resolve),
      fail: leave(reject),
    };
    return waiting;
  }

  /** The caller has gone, or may no longer claim. No further batch serves the claim. */
  private abort(one: Waiting): void {
    one.over = true;
    if (!one.isAnswered && !one.inRound) one.settle(one.found);
  }

  /** The time is up. Answers at once, unless the claim may still get a task, such as from the batch being served. */
  private end(one: Waiting): void {
    one.over = true;
    if (one.isAnswered) return;
    if (!this.serving || !one.mustBeServed) one.settle(one.found);
  }

  private serve(): void {
    if (this.serving) return;
    this.serving = true;
    // Serves together all callers of this turn of the event loop.
    queueMicrotask(() => void this.run());
  }

  private async run(): Promise<void> {
    let batch = this.nextBatch();
    while (batch.length > 0) {
      const looked = await this.look(batch);
      const next = this.nextBatch();
      this.answer(looked, next.length > 0);
      batch = next;
    }
    this.serving = false;
    this.lookAgainLater();
  }

  /** Returns the claims that have their outcome. The others keep waiting. */
  private async look(batch: readonly Waiting[]): Promise<AnsweredClaim[]> {
    for (const one of batch) [one.woken, one.inRound] = [false, true];
    this.freed = false;
    try {
      const outcomes = await this.serveAll(batch.map(({ request }) => request));
      this.wakeWhenOpen(outcomes);
      return batch.flatMap((one, index) => this.served(one, outcomes[index]!));
    } catch (error) {
      return batch.map((one) => this.answered(one, error as Error));
    }
  }

  private served(one: Waiting, outcome: ClaimOutcome): AnsweredClaim[] {
    one.inRound = false;
    if (outcome === 'next-round') return one.request.signal.aborted ? [this.answered(one, one.found)] : [];
    if (!('tasks' in outcome)) return [this.answered(one, outcome)];
    one.found = outcome;
    if (outcome.tasks.length > 0 || outcome.reset !== null || one.over) return [this.answered(one, outcome)];
    one.mustBeServed = one.woken || (this.freed && outcome.refusal !== null);
    return [];
  }

  /** A rate says when it allows the next start. Later than the next look, that look asks again. */
  private wakeWhenOpen(outcomes: readonly ClaimOutcome[]): void {
    const [first] = outcomes.flatMap((outcome) =>
      outcome !== 'next-round' && 'tasks' in outcome && outcome.refusal?.code === 'RATE_REACHED'
        ? [outcome.refusal]
        : [],
    );
    if (!first) return;
    if (this.opening) clearTimeout(this.opening);
    this.opening = setTimeout(() => this.wake(), Math.min(first.afterMs, LOOK_MS));
    this.opening.unref();
  }

  private answered(one: Waiting, outcome: AnsweredClaim['outcome']): AnsweredClaim {
    one.isAnswered = true;
    return { one, outcome };
  }

  /**
   * If other claims wait, the database starts on those first. The answered callers continue in the same turn of the
   * event loop, and with hundreds of tasks they keep this process busy for long.
   */
  private answer(answered: readonly AnsweredClaim[], othersFirst: boolean): void {
    const answerAll = (): void => {
      for (const { one, outcome } of answered) {
        if ('tasks' in outcome) one.settle(outcome);
        else one.fail(outcome);
      }
    };
    if (othersFirst) setImmediate(answerAll);
    else answerAll();
  }

  private nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const claimIds = new Set<string>();
    let tasks = 0;
    let kind: string | null = null;
    for (const one of this.waiting) {
      // A claim repeated while the first one is being served goes to the next round, which answers it with the first
      // one's tasks.
      if (!one.mustBeServed || one.isAnswered || claimIds.has(one.request.claimId)) continue;
      kind ??= one.kind;
      if (one.kind !== kind) continue;
      if (batch.length > 0 && tasks + one.request.max > MAX_TASKS) break;
      batch.push(one);
      claimIds.add(one.request.claimId);
      tasks += one.request.max;
    }
    return batch;
  }

  private lookAgainLater(): void {
    if (this.lookAgain) clearTimeout(this.lookAgain);
    this.lookAgain = this.isEmpty ? null : setTimeout(() => this.wake(), LOOK_MS);
    this.lookAgain?.unref();
  }
}

const kindOf = ({ steps, offers }: ClaimRequest): string =>
  steps === undefined && offers === undefined
    ? ''
    : JSON.stringify([
        steps?.toSorted(),
        offers && Object.entries(offers).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ]);

const takes = ({ steps, offers }: ClaimRequest, { step, needs }: ReadyTasks = {}): boolean =>
  (steps === undefined || step === undefined || steps.includes(step)) && (needs === undefined || meets(offers, needs));
