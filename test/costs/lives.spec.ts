import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import type { EnqueueItem } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { batchStream } from '../../src/domain/batch/batch.stream.js';
import { type DispatchFixture, openDispatch } from '../support/dispatch-fixture.js';
import { item } from '../support/events.js';
import { type Cost, CostMeter } from './cost-meter.js';
import { openFollowedDispatch } from '../support/followed-dispatch.js';

/** Where the events are, the write side with them, and the file with what lives cost there. */
const STORES = [
  ['in Postgres', openDispatch, 'lives.json'],
  ['in EventStoreDB', openFollowedDispatch, 'lives-elsewhere.json'],
] as const;
/** A statement is planned for its values in the first calls of a connection. */
const WARM_UP = 8;
const SIZES = [1, 10, 100];
/** A checkpoint, a vacuum or fresh statistics make a life dearer, never cheaper: the cheapest of some lives counts. */
const LIVES = 3;
/**
 * Statements and plans are the same on every run; a connection may tell of an earlier commit late. Pages and records of the log
 * vary by less than a fifth once the dead versions of rows are removed; with them, the pages of a claim grew to eighteen times.
 */
const MOST: Readonly<Record<keyof Cost, (recorded: number) => number>> = {
  statements: (recorded) => recorded,
  plans: (recorded) => recorded,
  commits: (recorded) => recorded + 2,
  blocks: (recorded) => recorded * 2 + 50,
  walRecords: (recorded) => recorded * 2 + 20,
};
const MEASURES = Object.keys(MOST) as readonly (keyof Cost)[];

type Part = 'enqueue' | 'claim' | 'settle';
type Costs = Readonly<Record<Part, Cost>>;

/** The tasks of each kind of life; `n` counts the tasks of the queue. */
const KINDS: Readonly<Record<string, (n: number, batch: string) => Partial<EnqueueItem>>> = {
  plain: () => ({}),
  'a key each': (n) => ({ key: `k${n}` }),
  'ten to a key': (n) => ({ key: `k${Math.floor(n / 10)}` }),
  'labels and a batch': (_n, batch) => ({ labels: { customer: 'a' }, batch }),
};

/**
 * What lives cost Postgres, against what they cost when the files beside this one were written. A feature for which every life pays
 * turns this red. `COSTS=write npx jest test/costs` writes the files anew; a commit that does so says why a life costs more.
 */
describe.each(STORES)('with events %s, the life of tasks costs Postgres no more than recorded', (_, open, file) => {
  let dispatch: DispatchFixture;
  let meter: CostMeter;
  const measured: Record<string, Costs> = {};
  const path = join(import.meta.dirname, file);
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Costs>>;

  beforeAll(async () => {
    dispatch = await open({ poolSize: 1 });
    meter = await CostMeter.of(dispatch.pool);
    // Policies stay cached, because the time after which they would be read again does not pass.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await meter.close();
    await dispatch.close();
    if (process.env.COSTS === 'write') writeFileSync(path, JSON.stringify(measured));
  });

  const lives = Object.keys(KINDS).flatMap((kind) => SIZES.map((size) => [kind, size] as const));

  it.each(lives)('%s, by %i', async (kind, size) => {
    const life = await Lives.of(dispatch, KINDS[kind]!, size);
    for (let n = 0; n < WARM_UP; n++) await life.live();
    await dispatch.pool.query('vacuum');
    await life.live(); // plans anew, with the sizes that the vacuum found
    const costs = await cheapest(() => life.cost(meter));
    measured[`${kind} by ${size}`] = costs;
    expect(costs.enqueue.statements).toBeGreaterThan(0);
    if (process.env.COSTS !== 'write') expect(dearer(costs, recorded[`${kind} by ${size}`]!)).toEqual([]);
  });
});

async function cheapest(cost: () => Promise<Costs>): Promise<Costs> {
  let costs = await cost();
  for (let n = 1; n < LIVES; n++) costs = lesser(costs, await cost());
  return costs;
}

function lesser(a: Costs, b: Costs): Costs {
  const part = (of: Part) =>
    Object.fromEntries(MEASURES.map((what) => [what, Math.min(a[of][what], b[of][what])])) as unknown as Cost;
  return { enqueue: part('enqueue'), claim: part('claim'), settle: part('settle') };
}

/** The parts whose cost is above that which is recorded, as text. */
function dearer(costs: Costs, recorded: Costs): readonly string[] {
  return (['enqueue', 'claim', 'settle'] as const).flatMap((part) =>
    MEASURES.filter((what) => costs[part][what] > MOST[what](recorded[part][what])).map(
      (what) => `Expected ${part} to cost ${recorded[part][what]} ${what}, but it costs ${costs[part][what]}`,
    ),
  );
}

/** Batches of tasks of one kind, one after the other. */
class Lives {
  private made = 0;

  private constructor(
    private readonly dispatch: DispatchFixture,
    private readonly queue: string,
    private readonly next: (n: number) => Partial<EnqueueItem>,
    private readonly size: number,
  ) {}

  static async of(
    dispatch: DispatchFixture,
    task: (n: number, batch: string) => Partial<EnqueueItem>,
    size: number,
  ): Promise<Lives> {
    const [queue, batch] = [`q-${uuidv7()}`, uuidv7()];
    await dispatch.define(queue, { duplicatePending: 'allow' });
    const created = { type: 'BatchCreated', version: 1, data: { batch, name: 'b', at: new Date(0).toISOString() } };
    const opened = { type: 'BatchOpened', version: 1, data: { batch, tasks: 0 } };
    await dispatch.store.append([item(batchStream(batch), -1, [created, opened])]);
    return new Lives(dispatch, queue, (n) => task(n, batch), size);
  }

  async live(): Promise<void> {
    await this.enqueue();
    await this.drain();
  }

  /** Only the first claim counts: the tasks of one key come one after the other. */
  async cost(meter: CostMeter): Promise<Costs> {
    const enqueue = await meter.costOf(() => this.enqueue());
    let claimed: readonly { readonly taskId: string; readonly token: string }[] = [];
    const claim = await meter.costOf(async () => (claimed = await this.claim()));
    const settle = await meter.costOf(() => this.dispatch.settle(claimed));
    await this.drain();
    return { enqueue, claim, settle };
  }

  private enqueue(): Promise<unknown> {
    return this.dispatch.enqueue(
      this.queue,
      Array.from({ length: this.size }, () => this.next(this.made++)),
    );
  }

  private claim() {
    return this.dispatch.claim(this.queue, { max: this.size });
  }

  private async drain(): Promise<void> {
    for (let tasks = await this.claim(); tasks.length > 0; tasks = await this.claim())
      await this.dispatch.settle(tasks);
  }
}
