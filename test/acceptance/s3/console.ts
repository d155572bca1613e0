import {
  type ClaimedTask,
  type NewTask,
  type QueueHandle,
  type TaskDetails,
  type TaskStatus,
  type Waybill,
  WaybillError,
} from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { until } from '../../support/until.js';

const PATIENCE_MS = 60_000;

let made = 0;

/** A queue of the console for one test. Its tasks have names, by which the tests speak of them. */
export async function makeConsole(waybill: Waybill, policy = {}): Promise<ConsoleQueue> {
  const handle = waybill.queue(`console-${++made}`);
  await handle.define({ onFailure: 'fail', ...policy });
  return new ConsoleQueue(waybill, handle);
}

type More = Omit<NewTask, 'id' | 'reference'>;
type Verdict = Parameters<Waybill['settle']>[0][number]['verdict'];

export class ConsoleQueue {
  private readonly ids = new Map<string, string>();
  private readonly names = new Map<string, string>();
  private readonly running = new Map<string, ClaimedTask>();

  constructor(
    readonly waybill: Waybill,
    readonly handle: QueueHandle,
  ) {}

  idOf(name: string): string {
    const known = this.ids.get(name);
    if (known) return known;
    const id = uuidv7();
    this.ids.set(name, id);
    this.names.set(id, name);
    return id;
  }

  nameOf(id: string): string {
    return this.names.get(id)!;
  }

  task(name: string) {
    return this.waybill.task(this.idOf(name));
  }

  /** Submits a task that waits for the others. */
  async add(name: string, needs: readonly string[] = [], more: More = {}): Promise<string> {
    const after = needs.map((need) => ({ task: this.idOf(need) }));
    await this.handle.enqueue(null, { id: this.idOf(name), reference: name, after, ...more });
    return this.idOf(name);
  }

  /** Submits a whole graph in one request: each task's name with the names of those that it waits for. */
  async addAll(graph: Readonly<Record<string, readonly string[]>>, more: More = {}): Promise<void> {
    const tasks = Object.entries(graph).map(([name, needs]) => ({
      id: this.idOf(name),
      reference: name,
      after: needs.map((need) => ({ task: this.idOf(need) })),
      ...more,
    }));
    for (const outcome of await this.handle.enqueueMany(tasks)) {
      if ('problem' in outcome) throw new WaybillError(outcome.problem);
    }
  }

  /** The names of all tasks that a worker can take now, without an order. They run from then on. */
  async take(): Promise<string[]> {
    // On a busy machine, 500 claims may take longer than the ten seconds that a claim usually has.
    const claimed = await this.handle.claim({ worker: 'w1', max: 500 }, { timeoutMs: PATIENCE_MS });
    return this.hold(claimed);
  }

  /** Waits for a task that a worker can take, and starts it. */
  async takeNext(): Promise<string> {
    const [name] = this.hold(await this.handle.claim({ worker: 'w1', max: 1, waitMs: PATIENCE_MS }));
    if (name === undefined) throw new Error('Expected the queue to give a task out, but it did not');
    return name;
  }

  private hold(claimed: readonly ClaimedTask[]): string[] {
    return claimed.map((one) => {
      const name = this.nameOf(one.taskId);
      this.running.set(name, one);
      return name;
    });
  }

  claimedTask(name: string): ClaimedTask {
    return this.running.get(name)!;
  }

  async succeed(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.succeedAll([name]);
  }

  /** All in one request. */
  async succeedAll(names: readonly string[]): Promise<void> {
    await this.settle(names, { type: 'succeed', result: null });
  }

  async fail(name: string, message = 'disk full'): Promise<void> {
    await this.settle([name], { type: 'fail', error: { message } });
  }

  /** All in one request. */
  async failAll(names: readonly string[]): Promise<void> {
    await this.settle(names, { type: 'fail', error: { message: 'disk full' } });
  }

  private async settle(names: readonly string[], verdict: Verdict): Promise<void> {
    const claims = names.map((name) => this.claimedTask(name));
    for (const result of await this.waybill.settle(claims.map(({ taskId, token }) => ({ taskId, token, verdict }))))
      if ('problem' in result) throw new WaybillError(result.problem);
  }

  /** Takes the tasks as they become ready and lets them succeed. Returns their names in that order. */
  async workOff(count: number): Promise<string[]> {
    const names: string[] = [];
    while (names.length < count) {
      const name = await this.takeNext();
      await this.succeed(name);
      names.push(name);
    }
    return names;
  }

  async get(name: string): Promise<TaskDetails> {
    return this.task(name).get();
  }

  async states(...names: readonly string[]): Promise<TaskStatus[]> {
    return Promise.all(names.map(async (name) => (await this.get(name)).state));
  }

  /** Waits until the tasks are in this state. */
  async become(state: TaskStatus, ...names: readonly string[]): Promise<void> {
    await until(`${names.join(', ')} to be ${state}`, async () =>
      (await this.states(...names)).every((one) => one === state) ? true : null,
    );
  }

  /** The names of all tasks in the order in which they were recorded. */
  async inOrder(): Promise<string[]> {
    const names: string[] = [];
    for await (const event of this.waybill.events({ queue: this.handle.name, type: 'TaskEnqueued' }))
      names.push(event.data['reference'] as string);
    return names;
  }

  /** The names of what keeps the task from running, and their number. */
  async blockers(name: string): Promise<{ readonly count: number; readonly names: readonly string[] }> {
    const { reasons } = await this.task(name).why();
    const reason = reasons.find(({ because }) => because === 'prerequisites');
    return { count: reason?.count ?? 0, names: (reason?.blockers ?? []).map(({ id }) => this.nameOf(id!)).sort() };
  }
}
