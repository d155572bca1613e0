import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type History, violationsOf } from '../support/history-checker.js';
import { type Crash, lastWords } from './crash-points.js';
import { accepted, PATIENT } from './load.js';
import { Run } from './run.js';
import type { ServiceProcess } from './service-process.js';

const RETRY = { retry: PATIENT };
const QUEUE = 'shared';
/** How many turns each tenant has in a round, and so its share of the tasks. Powers of two, so that sums of their inverses are exact. */
const WEIGHTS: Readonly<Record<string, number>> = { acme: 4, bolt: 1, cast: 1 };
const ROUNDS = 30;

/** Between the turns of a claim and its events, and after both. Elsewhere, turns are counted with the reservation. */
const CRASHES: readonly Crash[] = process.env.EVENT_STORE_URL
  ? [
      { point: 'after-reserve', passage: 25 },
      { point: 'after-append', passage: 25 },
    ]
  : [
      { point: 'before-append', passage: 25 },
      { point: 'after-claim', passage: 25 },
    ];

/** What a claim costs its value that a kill ends between its turns and its events. In Postgres, they are one transaction. */
const LOST = process.env.EVENT_STORE_URL ? CRASHES.length : 0;

/** How far the values are apart after each claim, in rounds. */
function spreadsIn({ events }: History, valueOf: ReadonlyMap<string, string>): readonly number[] {
  const served = new Map(Object.keys(WEIGHTS).map((tenant) => [tenant, 0]));
  const claims = events.filter(({ stream, event }) => event.type === 'TaskClaimed' && valueOf.has(stream));
  return claims.map(({ stream }) => {
    const tenant = valueOf.get(stream)!;
    served.set(tenant, served.get(tenant)! + 1);
    const rounds = [...served].map(([name, turns]) => turns / WEIGHTS[name]!);
    return Math.max(...rounds) - Math.min(...rounds);
  });
}

describe('kill -9 of the service within claims of a queue with fair shares', () => {
  let run: Run;
  beforeAll(async () => {
    run = await Run.open();
  });
  afterAll(() => run.close());

  /** Claims all tasks, one by one, and completes them at the end. */
  async function work(waybill: Waybill, count: number): Promise<void> {
    const claimed: ClaimedTask[] = [];
    while (claimed.length < count)
      claimed.push(...(await waybill.queue(QUEUE).claim({ worker: 'w', leaseMs: 600_000, waitMs: 5_000 }, RETRY)));
    const succeed = { type: 'succeed' } as const;
    await waybill.settle(
      claimed.map(({ taskId, token }) => ({ taskId, token, verdict: succeed })),
      RETRY,
    );
  }

  /** Dies at the point. */
  async function ends(service: ServiceProcess, crash: Crash): Promise<void> {
    expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(service.lines).toContain(lastWords(crash));
  }

  it('loses no task, and costs nobody more than the turn of the claim that it ends', async () => {
    const waybill = run.client();
    const tenants = Object.entries(WEIGHTS).flatMap(([tenant, turns]) => Array<string>(turns * ROUNDS).fill(tenant));
    const tasks = tenants.map((tenant) => ({ id: uuidv7(), queue: QUEUE, labels: { tenant } }));
    const [first, second] = CRASHES as [Crash, Crash];
    const dying = run.service({ crash: first });
    await waybill.queue(QUEUE).define({ fair: { label: 'tenant', weights: WEIGHTS } }, RETRY);
    await accepted(waybill.enqueueMany(tasks, RETRY));
    const claims = work(waybill, tasks.length);
    // A test that has failed before it awaits this must not fail the next spec of its worker, too.
    claims.catch(() => undefined);
    await ends(dying, first);
    await ends(run.service({ crash: second }), second);
    await run.service().ready();
    await claims;
    await run.caughtUp();

    const history = await run.history();
    expect(violationsOf(history)).toEqual([]);
    const spreads = spreadsIn(history, new Map(tasks.map(({ id, labels }) => [`task-${id}`, labels.tenant])));
    expect(spreads).toHaveLength(tasks.length);
    // Nobody is ahead of another one by more than the turn that each of them is in.
    expect(Math.max(...spreads)).toBeLessThanOrEqual(1 + LOST);
  }, 300_000);
});
