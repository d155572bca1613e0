import { uuidv7 } from 'uuidv7';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { entryOf } from '../../src/domain/events.js';
import type { DomainEvent } from '../../src/domain/kernel/decider.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../src/domain/queue/queue.policy.js';
import { FOLLOWED } from '../../src/projections/read-models.js';
import { foldCounts } from '../projections/model-fold.js';
import type { History, Operation } from '../support/history-checker.js';
import { Log } from '../support/history/history.js';
import { foldTasks } from '../support/history/read-models.js';

export const QUEUE = 'q';
const POLICY = {
  ...DEFAULT_POLICY,
  onFailure: 'retry',
  retry: {
    ...DEFAULT_POLICY.retry,
    maxAttempts: 3,
    backoff: { kind: 'fixed', baseMs: 100, factor: 1, capMs: 100, jitter: 'none' },
  },
};
export const START = Date.parse('2026-11-21T08:00:00.000Z');

export const ALICE = '01900000-0000-7000-8000-00000000000a';
export const BOB = '01900000-0000-7000-8000-00000000000b';
export const EVE = '01900000-0000-7000-8000-00000000000e';

export const CAROL = '01900000-0000-7000-8000-00000000000c';
export const DAVE = '01900000-0000-7000-8000-00000000000d';
export const BATCH = '01900000-0000-7000-8000-0000000000ba';

interface Claim {
  readonly token: string;
  readonly worker: string;
  readonly attempt: number;
  readonly at: number;
}

/**
 * Records a run: what its clients did and were answered, and the events. Every event is a second after the last one.
 */
export class Book {
  readonly operations: Operation[] = [];
  readonly events: RecordedEvent[] = [];
  private readonly revisions = new Map<string, number>();
  private readonly claims = new Map<string, Claim>();
  private readonly keys = new Map<string, string>();
  private token = 0;
  private passed = 0;

  constructor(policy: Partial<QueuePolicy> = {}) {
    this.queue('QueueDefined', { description: '', policy: { ...POLICY, ...policy }, policyVersion: 1 });
  }

  queue(type: string, data: object = {}): this {
    this.record('queue-q', type, { queue: QUEUE, ...data });
    return this;
  }

  /** Records the consumer of a serial queue. */
  taken(worker: string): this {
    this.record('consumer-of-q', 'QueueTaken', { queue: QUEUE, epoch: 1, worker, server: 's' });
    return this;
  }

  record(stream: string, type: string, data: object, actor = 'tester'): void {
    const revision = (this.revisions.get(stream) ?? -1) + 1;
    this.revisions.set(stream, revision);
    const position = BigInt(this.events.length + 1);
    const event: DomainEvent = { type, version: entryOf(type)?.version ?? 1, data };
    const envelope = { actor, correlationId: 'test' };
    this.events.push({ position, stream, revision, id: uuidv7(), recordedAt: this.now(), event, envelope });
  }

  enqueue(taskId: string, key = 'k', reference?: string, links: object = {}): this {
    this.keys.set(taskId, key);
    const submission = { queue: QUEUE, kind: 'task', key, ...(reference && { reference }), ...links };
    this.record(`task-${taskId}`, 'TaskEnqueued', submission);
    const answer = { id: taskId, position: String(this.events.length) };
    this.operations.push({ kind: 'enqueue', taskId, queue: QUEUE, key, outcome: 'ok', answer });
    return this;
  }

  claim(taskId: string, worker: string, token = String(++this.token), more: object = {}): this {
    const attempt = (this.claims.get(taskId)?.attempt ?? 0) + 1;
    const claimId = uuidv7();
    this.claims.set(taskId, { token, worker, attempt, at: this.ms() });
    const lease = { server: 's', claimId, leaseMs: 30_000, claimedAt: this.now(), waitedMs: 1 };
    this.record(`task-${taskId}`, 'TaskClaimed', { queue: QUEUE, attempt, token, worker, ...lease, ...more }, worker);
    this.operations.push({
      kind: 'claim',
      queue: QUEUE,
      worker,
      claimId,
      outcome: 'ok',
      claimedTasks: [{ taskId, token }],
    });
    return this;
  }

  succeed(taskId: string): this {
    const { worker } = this.claims.get(taskId)!;
    this.record(`task-${taskId}`, 'TaskSucceeded', { ...this.ended(taskId), key: this.keys.get(taskId) }, worker);
    return this.settle(taskId, 'succeed');
  }

  fail(taskId: string): this {
    const error = { message: 'broken', class: 'application' };
    const dueAt = new Date(this.ms() + 100).toISOString();
    const { worker } = this.claims.get(taskId)!;
    this.record(`task-${taskId}`, 'TaskAttemptFailed', { ...this.ended(taskId), error }, worker);
    const retry = { queue: QUEUE, dueAt, failures: 1, decidedBy: 'policy' };
    this.record(`task-${taskId}`, 'TaskRetryScheduled', retry, worker);
    this.asOneAppend();
    return this.settle(taskId, 'fail');
  }

  /** Its policy allows no further attempt. */
  failFinally(taskId: string): this {
    const error = { message: 'broken', class: 'application' };
    const { worker } = this.claims.get(taskId)!;
    const ended = this.ended(taskId) as { readonly ranMs: number };
    this.record(`task-${taskId}`, 'TaskAttemptFailed', { ...ended, error }, worker);
    const decided = { final: false, decidedBy: 'policy', exhausted: true, ranMs: ended.ranMs };
    const failed = { queue: QUEUE, from: 'running', key: this.keys.get(taskId), error, ...decided };
    this.record(`task-${taskId}`, 'TaskFailed', failed, worker);
    return this.asOneAppend().settle(taskId, 'fail');
  }

  /** The last event was recorded together with the one before. */
  asOneAppend(): this {
    const [before, last] = this.events.slice(-2);
    this.events[this.events.length - 1] = { ...last!, recordedAt: before!.recordedAt };
    return this;
  }

  /** The service returns what a claim got whose client had left. */
  giveBack(taskId: string): this {
    const claim = this.claims.get(taskId)!;
    this.record(`task-${taskId}`, 'TaskReturned', { ...this.ended(taskId), unstarted: true }, claim.worker);
    this.claims.set(taskId, { ...claim, attempt: claim.attempt - 1 });
    return this;
  }

  claimFor(job: string, taskId: string): this {
    return this.claim(taskId, `job:${job}`, undefined, { job });
  }

  /** Enqueues a task with prerequisites or in a batch. */
  link(taskId: string, links: object): this {
    return this.enqueue(taskId, taskId, undefined, links);
  }

  arrange(taskId: string, ...added: readonly object[]): this {
    this.record(`task-${taskId}`, 'TaskPrerequisitesChanged', { queue: QUEUE, added, waived: [] });
    return this;
  }

  /** By a person, before it runs. */
  end(taskId: string, type: 'TaskAborted' | 'TaskCancelled' | 'TaskDeleted', data: object = {}): this {
    this.record(`task-${taskId}`, type, { queue: QUEUE, from: 'pending', by: 'tester', ...data });
    return this;
  }

  batch(type: string, data: object = {}): this {
    this.record(`batch-${BATCH}`, type, { batch: BATCH, ...data });
    return this;
  }

  trigger(type: string, data: object): this {
    this.record('trigger-named-t', type, { trigger: 't', ...data });
    return this;
  }

  /** A reserved append never arrived. */
  fence(taskId: string): this {
    this.record(`task-${taskId}`, 'TaskReservationAbandoned', { queue: QUEUE, reservation: uuidv7() }, 'cleaner');
    return this;
  }

  expire(taskId: string): this {
    this.record(`task-${taskId}`, 'TaskLeaseExpired', this.ended(taskId), 'sweeper');
    return this;
  }

  /** The worker of the newest claim reports, and is refused. */
  reportLate(taskId: string): this {
    const { token, worker, attempt } = this.claims.get(taskId)!;
    const late = { queue: QUEUE, attempt, token, worker, report: 'succeed' };
    this.record(`task-${taskId}`, 'TaskLateReportRefused', late, worker);
    return this;
  }

  /** Nothing happens for so long. */
  later(seconds: number): this {
    this.passed += seconds * 1_000;
    return this;
  }

  /** Only what the client says it did. */
  settle(taskId: string, verdict: 'succeed' | 'fail', changes: object = {}): this {
    const { token } = this.claims.get(taskId)!;
    this.operations.push({ kind: 'settle', taskId, token, verdict, outcome: 'ok', ...changes });
    return this;
  }

  /** The run after its end, with rows that follow from its events. */
  history(): History {
    const { events, operations } = this;
    const models = FOLLOWED.map((one) => [one.name, [...foldCounts(one, events).values()]] as const);
    return {
      operations,
      events,
      tasks: [...foldTasks(new Log(events)).values()],
      models: Object.fromEntries(models),
      checkpoints: FOLLOWED.map(({ name }) => ({ name, position: events.at(-1)!.position })),
      claimsTakeTurns: true,
    };
  }

  protected ended(taskId: string): object {
    const { token, worker, attempt, at } = this.claims.get(taskId)!;
    return { queue: QUEUE, attempt, token, worker, ranMs: this.ms() - at };
  }

  private ms(): number {
    return START + this.events.length * 1_000 + this.passed;
  }

  private now(): string {
    return new Date(this.ms()).toISOString();
  }
}
