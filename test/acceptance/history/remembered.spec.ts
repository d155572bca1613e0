import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClaimedTask, WaybillError } from '@waybill/client';
import { randomInt } from 'node:crypto';
import { Memory, type Remembered } from '../../support/history/remembered.js';
import { type RunningService, startService } from '../../support/running-service.js';

const STEPS = Number(process.env.MODEL_RUNS ?? 120);
/** Answers are remembered after so many steps. */
const LOOK_EVERY = 8;

let service: RunningService;
let memory: Memory;
beforeAll(async () => {
  service = await startService();
  memory = new Memory(service.url);
});
afterAll(() => service.stop());

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A random history of two queues with their batches and holds. Refusals are a part of it. */
class RandomHistory {
  readonly batches: string[] = [];
  private readonly tasks: string[] = [];
  private readonly claimed: ClaimedTask[] = [];

  constructor(private readonly random: (below: number) => number) {}

  async begin(): Promise<void> {
    for (const queue of ['one', 'two'])
      await service.waybill.queue(queue).define({
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
    return service.waybill.queue(this.one(['one', 'two']));
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
    await service.waybill.settle([{ taskId: task.taskId, token: task.token, verdict }]);
  }

  private async operate(): Promise<void> {
    if (this.tasks.length === 0) return;
    const task = service.waybill.task(this.one(this.tasks));
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
    const { holds } = service.waybill;
    await this.one<() => Promise<unknown>>([() => holds.place('shelf', { shelf: 'a' }), () => holds.lift('shelf')])();
  }

  private async openBatch(): Promise<void> {
    const open = this.batches.at(-1);
    if (open !== undefined) {
      const { total } = await service.waybill.batch(open).get();
      if (total > 0) await service.waybill.batch(open).open(total);
    }
    this.batches.push((await service.waybill.createBatch({ name: `batch ${this.batches.length}` })).id);
  }
}

const pathsOf = (batches: readonly string[]): readonly string[] => [
  '/v1/queues?internal=false',
  ...['one', 'two'].flatMap((queue) => [`/v1/queues/${queue}/tally`, `/v1/tasks?queue=${queue}&limit=500`]),
  '/v1/tasks?state=pending&internal=false&limit=500',
  '/v1/tasks?state=running&limit=500',
  '/v1/holds',
  '/v1/batches?limit=500',
  ...batches.slice(-3).flatMap((id) => [`/v1/batches/${id}`, `/v1/batches/${id}/tally`]),
];

describe('a random history', () => {
  it('H-05 gives every remembered answer again as of its position', async () => {
    const seed = Number(process.env.MODEL_SEED ?? randomInt(1_000_000_000));
    const history = new RandomHistory(randomFrom(seed));
    await history.begin();
    const remembered: Remembered[] = [];
    for (let at = 1; at <= STEPS; at++) {
      await history.step();
      if (at % LOOK_EVERY === 0) remembered.push(await memory.remember(pathsOf(history.batches)));
    }
    await memory
      .expectAgain(remembered, ['lastHeartbeatAt', 'percent', 'holds', 'commands'])
      .catch((error: unknown) => {
        throw new Error(`Repeat it with MODEL_SEED=${seed}`, { cause: error });
      });
    expect(new Set(remembered.map(({ position }) => position)).size).toBeGreaterThan(STEPS / LOOK_EVERY / 2);
  });
});
