import { type ClaimedTask, type Waybill, WaybillError } from '@waybill/client';

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A random history of two queues with their batches and holds. Refusals are a part of it. */
export class RandomHistory {
  readonly batches: string[] = [];
  private readonly tasks: string[] = [];
  private readonly claimed: ClaimedTask[] = [];

  constructor(
    private readonly waybill: Waybill,
    private readonly random: (below: number) => number,
  ) {}

  async begin(): Promise<void> {
    for (const queue of ['one', 'two'])
      await this.waybill.queue(queue).define({
        duplicatePending: 'allow',
        retry: {
          maxAttempts: 2,
          classes: ['transient'],
          backoff: { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' },
        },
      });
    await this.openBatch();
  }

  async step(): Promise<void> {
    const steps = [
      ...Array.from({ length: 4 }, () => () => this.enqueue()),
      ...Array.from({ length: 3 }, () => () => this.claim()),
      ...Array.from({ length: 3 }, () => () => this.settle()),
      ...Array.from({ length: 5 }, () => () => this.operate()),
      () => this.operateQueue(),
      () => this.operateHold(),
      () => this.openBatch(),
    ];
    await this.one(steps)().catch((error: unknown) => {
      if (!(error instanceof WaybillError)) throw error;
    });
  }

  private readonly one = <T>(of: readonly T[]): T => of[this.random(of.length)]!;

  private queue() {
    return this.waybill.queue(this.one(['one', 'two']));
  }

  private async enqueue(): Promise<void> {
    const [key, batch, label] = [this.random(3), this.random(3), this.random(2)];
    const { id } = await this.queue().enqueue(this.tasks.length, {
      ...(key > 0 && { key: `k${key}` }),
      ...(batch === 0 && { batch: this.batches.at(-1)! }),
      ...(label > 0 && { labels: { shelf: 'a' } }),
      ...(batch === 1 && this.tasks.length > 0 && { after: [{ task: this.one(this.tasks) }] }),
      priority: this.random(3),
    });
    this.tasks.push(id);
  }

  private async claim(): Promise<void> {
    this.claimed.push(...(await this.queue().claim({ worker: 'w1', max: 2, leaseMs: 3_600_000 })));
  }

  private async settle(): Promise<void> {
    const [task] = this.claimed.splice(0, 1);
    if (!task) return;
    const failed = (type: 'transient' | 'business') =>
      ({ type: 'fail', error: { message: 'no', class: type } }) as const;
    const verdict = this.one([
      { type: 'succeed' } as const,
      { type: 'succeed' } as const,
      failed('transient'),
      failed('business'),
    ]);
    await this.waybill.settle([{ taskId: task.taskId, token: task.token, verdict }]);
  }

  private async operate(): Promise<void> {
    if (this.tasks.length === 0) return;
    const task = this.waybill.task(this.one(this.tasks));
    const commands = [
      () => task.hold(),
      () => task.release(),
      () => task.cancel(),
      () => task.retry(),
      () => task.retry(),
      () => task.abort(),
      () => task.delete(),
      () => task.prioritise(this.random(9)),
    ];
    await this.one<() => Promise<unknown>>(commands)();
  }

  private async operateQueue(): Promise<void> {
    const queue = this.queue();
    await this.one<() => Promise<unknown>>([
      () => queue.pause({ reason: 'disk' }),
      () => queue.resume(),
      () => queue.resume(),
    ])();
  }

  private async operateHold(): Promise<void> {
    const { holds } = this.waybill;
    await this.one<() => Promise<unknown>>([() => holds.place('shelf', { shelf: 'a' }), () => holds.lift('shelf')])();
  }

  private async openBatch(): Promise<void> {
    const open = this.batches.at(-1);
    if (open !== undefined) {
      const { total } = await this.waybill.batch(open).get();
      if (total > 0) await this.waybill.batch(open).open(total);
    }
    this.batches.push((await this.waybill.createBatch({ name: `batch ${this.batches.length}` })).id);
  }
}
