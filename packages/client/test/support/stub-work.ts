import type { ClaimedTask, SettleItem, SettleResult } from '@waybill/contracts';
import { createWaybill, type Handler, type Run, type Worker, type WorkerOptions } from '../../src/index.js';
import { deferred } from './deferred.js';
import { FakeClock } from './fake-clock.js';
import { problem, StubService, type Received, type Reply } from './stub-service.js';

export const CLAIMS = 'POST /v1/queues/mail/claims';
export const SETTLE = 'POST /v1/settlements';
export const TURNS = 'POST /v1/queues/mail/turns';
export const EXTEND = 'POST /v1/leases/extend';

let tokens = 0;

/** A claimed task in the form of the service. */
export function claimedTask(taskId: string, more: Partial<ClaimedTask> = {}): ClaimedTask {
  return {
    taskId,
    queue: 'mail',
    kind: 'task',
    key: null,
    reference: null,
    priority: 0,
    labels: {},
    description: null,
    enqueuedAt: '2026-01-01T00:00:00.000Z',
    attempt: 1,
    token: `${++tokens}.secret`,
    claimId: '',
    claimEvent: '',
    leaseMs: 30_000,
    deadline: '2026-01-01T00:00:30.000Z',
    payload: { name: taskId },
    step: null,
    lastSuccessfulStep: null,
    data: {},
    ...more,
  };
}

/** A service of an earlier version knows no turns. */
const UNKNOWN = problem(404, 'ROUTE_NOT_FOUND');

/**
 * A stub that gives out the tasks that a test offers, lets polls wait, and accepts every settlement unless scripted
 * otherwise.
 */
export class StubWork {
  readonly clock = new FakeClock();
  private readonly offered = new Map<string, ClaimedTask[]>();
  private readonly polls = new Map<string, Set<() => void>>();
  private readonly handedOut = new Map<string, ClaimedTask[]>();

  private constructor(readonly service: StubService) {
    service.on(SETTLE, accepted).on(EXTEND, extended);
  }

  static async start(...queues: string[]): Promise<StubWork> {
    const work = new StubWork(await StubService.start());
    for (const queue of queues.length > 0 ? queues : ['mail']) {
      work.service.on(`POST /v1/queues/${queue}/claims`, work.claimsOf(queue));
      work.service.on(`POST /v1/queues/${queue}/turns`, UNKNOWN);
    }
    return work;
  }

  /** From now on, the service knows turns: it settles everything, and gives out offered tasks without waiting. */
  knowsTurns(queue = 'mail'): this {
    this.service.on(`POST /v1/queues/${queue}/turns`, this.turnsOf(queue));
    return this;
  }

  turnsOf(queue: string): (request: Received) => Promise<{ body: { tasks: ClaimedTask[]; results: SettleResult[] } }> {
    return async (request) => {
      const { body: claimed } = await this.claimsOf(queue)(request);
      return { body: { ...claimed, ...accepted(request).body } };
    };
  }

  worker(options: WorkerOptions = {}): Worker {
    const waybill = createWaybill({ url: this.service.url, clock: this.clock });
    return waybill.worker({ name: 'w1', server: 's1', build: '3.1', logger: null, ...options });
  }

  offer(...claimedTasks: ClaimedTask[]): void {
    for (const each of claimedTasks) {
      this.offered.set(each.queue, [...(this.offered.get(each.queue) ?? []), each]);
      for (const wake of this.polls.get(each.queue) ?? []) wake();
    }
  }

  /** Has the worker run task 'a' with this handler, and resolves once it runs. */
  async begin(worker: Worker, handler: Handler): Promise<Run<any>> {
    const begun = deferred<Run<any>>();
    worker.handle('mail', (task, run) => {
      begun.resolve(run);
      return handler(task, run as Run);
    });
    this.offer(claimedTask('a', { token: '1.x' }));
    await worker.start();
    return begun.promise;
  }

  /** The items of each settlement call, in order. */
  get settlements(): SettleItem[][] {
    return this.service.of(SETTLE).map(({ body }) => body.items);
  }

  /** The verdicts on each task, in order. */
  get verdicts(): unknown[] {
    return this.settlements.flat().map(({ taskId, verdict }) => [taskId, verdict]);
  }

  /**
   * Answers a claim with offered tasks, or with those that arrive while it waits. The same claim id gets the same
   * tasks.
   */
  claimsOf(queue: string): (request: Received) => Promise<{ body: { tasks: ClaimedTask[] } }> {
    return async ({ body: { claimId, max, waitMs = 0 }, gone }) => {
      const tasks = this.handedOut.get(claimId) ?? (await this.take(queue, max, waitMs, gone));
      this.handedOut.set(claimId, tasks);
      return { body: { tasks } };
    };
  }

  private async take(queue: string, max: number, waitMs: number, gone: Promise<void>): Promise<ClaimedTask[]> {
    const tasks = this.offered.get(queue) ?? [];
    if (tasks.length === 0 && waitMs > 0) {
      const polls = this.polls.get(queue) ?? new Set();
      this.polls.set(queue, polls);
      let wake!: () => void;
      const woken = new Promise<boolean>((resolve) => (wake = () => resolve(true)));
      polls.add(wake);
      const stays = await Promise.race([woken, gone.then(() => false)]);
      polls.delete(wake);
      return stays ? this.take(queue, max, 0, gone) : [];
    }
    return tasks.splice(0, max);
  }
}

const done = ({ taskId }: SettleItem): SettleResult => ({
  id: taskId,
  position: '1',
  revision: 1,
  recorded: true,
  state: 'succeeded',
});

/** Accepts every item of a settlement, with the state that follows. */
export const accepted = ({ body }: Received): { body: { results: SettleResult[] } } => ({
  body: {
    results: body.items.map((item: SettleItem) => {
      const goesOn =
        item.verdict.type === 'reportError' ||
        item.verdict.type === 'record' ||
        (item.verdict.type === 'completeStep' && item.verdict.then === 'continue');
      return { ...done(item), state: goesOn ? 'running' : 'succeeded' };
    }),
  },
});

/** Refuses every item of a settlement. */
export const refused =
  (code: string, status = 409): Reply =>
  ({ body }: Received) => ({ body: { results: body.items.map(() => ({ problem: problem(status, code).body })) } });

/** Extends all leases. */
export const extended: Reply = ({ body }: Received) => heartbeat({})({ body } as Received);

export const heartbeat =
  (words: Record<string, 'cancel' | 'lost'>) =>
  ({ body }: Received): { body: object } => ({
    body: {
      results: body.items.map(({ taskId }: SettleItem) =>
        words[taskId] === 'lost'
          ? { taskId, kind: 'lost' }
          : { taskId, kind: 'extended', deadline: '', cancelRequested: words[taskId] === 'cancel' },
      ),
    },
  });
