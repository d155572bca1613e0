import type { Waybill } from '@waybill/client';
import { overtakenIn } from '../../bench/scale/overtaken.mjs';
import { Run } from './run.js';
import { freePort } from './ports.js';

const SERVICES = 3;
const CLAIMERS = 2;
const TASKS = 600;
const BATCH = 5;
/** Every third task has one of these keys. */
const KEYS = 20;
/**
 * The fraction of an equal share that each must get. No machine is too busy for it, and a starved claimer gets less.
 */
const LEAST_SHARE = 1 / 4;

const newTask = (at: number) => ({
  priority: at % 100 < 10 ? 5 : 0,
  ...(at % 3 === 0 && { key: `key-${at % KEYS}` }),
});

/** Works until it finds nothing. Returns the number of tasks that it got. */
async function workOff(waybill: Waybill, worker: string): Promise<number> {
  for (let done = 0; ;) {
    const claimedTasks = await waybill.queue('shared').claim({ worker, max: BATCH, waitMs: 0 });
    if (claimedTasks.length === 0) return done;
    const items = claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' as const } }));
    await waybill.settle(items);
    done += claimedTasks.length;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

describe('services that claim from one queue', () => {
  let run: Run;
  const services: Waybill[] = [];
  beforeAll(async () => {
    run = await Run.open();
    for (let at = 0; at < SERVICES; at++) {
      const service = await run.service({ module: 'src/main.ts', port: await freePort() }).ready();
      services.push(run.client(service.url));
    }
  });
  afterAll(() => run.close());

  it('starve none of them, and let no task overtake another', async () => {
    await services[0]!.queue('shared').define({ duplicatePending: 'allow' });
    await services[0]!.queue('shared').enqueueMany(Array.from({ length: TASKS }, (_, at) => newTask(at)));
    const shares = await Promise.all(
      services.map(async (waybill, at) =>
        sum(await Promise.all(Array.from({ length: CLAIMERS }, (_, n) => workOff(waybill, `w${at}-${n}`)))),
      ),
    );
    expect(sum(shares)).toBe(TASKS);
    expect(Math.min(...shares)).toBeGreaterThan((LEAST_SHARE * TASKS) / SERVICES);
    const { rows: tasks } = await run.pool.query(
      `select task_id as id, key, coalesce(place, seq)::float8 as seq from tasks where queue = 'shared' order by priority desc, coalesce(place, seq)`,
    );
    const { rows: events } = await run.pool.query(
      `select stream as id, position::float8 as position, type from events
       where type in ('TaskClaimed', 'TaskSucceeded') order by position`,
    );
    expect(overtakenIn(tasks, events)).toBeNull();
  });
});
