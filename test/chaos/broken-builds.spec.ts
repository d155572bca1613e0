import type { ClaimedTask, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type Invariant, violationsOf } from '../support/history-checker.js';
import { Run } from './run.js';

interface Broken {
  /** The name in `broken-service.ts`. */
  readonly breaks: string;
  /** Conditions in the database must be broken there too. */
  readonly sql?: string;
  readonly play: (queue: string, waybill: Waybill) => Promise<void>;
  readonly finds: readonly Invariant[];
}

/** Rows of the table return as soon as they are deleted. */
const undeletable = (table: string, changed = 'old.*'): string => `
  create function come_back() returns trigger language plpgsql as $$
    begin insert into ${table} select ${changed}; return null; end $$;
  create trigger come_back after delete on ${table} for each row execute function come_back()`;

/** A task's row keeps the token and the lease of its run. */
const ENDLESS_RUNS = `
  create function run_on() returns trigger language plpgsql as $$
    begin new.token := coalesce(new.token, old.token); new.lease := coalesce(new.lease, old.lease); return new; end $$;
  create trigger run_on before update on tasks for each row execute function run_on()`;

const succeed = ({ taskId, token }: ClaimedTask) => ({ taskId, token, verdict: { type: 'succeed' } as const });

const claim = (waybill: Waybill, queue: string, worker: string): Promise<ClaimedTask[]> =>
  waybill.queue(queue).claim({ worker, max: 10 });

const BUILDS: readonly Broken[] = [
  {
    breaks: 'answers before the commit',
    play: async (queue, waybill) => {
      for (let n = 0; n < 4; n++) await waybill.queue(queue).enqueueMany([{ id: uuidv7() }, { id: uuidv7() }]);
      await waybill.settle((await claim(waybill, queue, 'w1')).map(succeed));
    },
    finds: ['I1', 'I4'],
  },
  {
    breaks: 'completes again',
    sql: `${undeletable('leases')}; ${ENDLESS_RUNS}`,
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      const items = (await claim(waybill, queue, 'w1')).map(succeed);
      await waybill.settle(items);
      await waybill.settle(items);
    },
    finds: ['I1', 'I4', 'I7'],
  },
  {
    breaks: 'gives out twice',
    // As a returned task: of a new one, the claim reads only its first event, and would be refused by the revision.
    sql: undeletable(
      'ready',
      'old.queue, old.priority, old.from_seq, old.to_seq, coalesce(old.task_id, (select task_id from tasks where seq = old.from_seq)), now()',
    ),
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), key: 'k' }]);
      const claimedTasks = await claim(waybill, queue, 'w1');
      claimedTasks.push(...(await claim(waybill, queue, 'w2')));
      await waybill.settle(claimedTasks.map(succeed));
    },
    finds: ['I3', 'I7'],
  },
];

/** The same few requests to builds that break a promise, and to the unchanged service. */
describe('the history checker', () => {
  let run: Run;
  beforeEach(async () => {
    run = await Run.open();
  });
  afterEach(() => run.close());

  async function invariantsBroken(builds: readonly Broken[]): Promise<Invariant[]> {
    const waybill = run.client();
    for (const { breaks, play } of builds) {
      const queue = breaks.replaceAll(' ', '-');
      await waybill.queue(queue).define();
      await play(queue, waybill);
    }
    await run.caughtUp();
    const found = violationsOf(await run.history());
    return [...new Set(found.map(({ invariant }) => invariant))].sort();
  }

  it.each(BUILDS)('finds what a build does wrong that $breaks', async (build) => {
    if (build.sql !== undefined) await run.pool.query(build.sql);
    await run.service({ module: 'test/chaos/broken-service.ts', env: { BREAKS: build.breaks } }).ready();
    expect(await invariantsBroken([build])).toEqual(build.finds);
  });

  it('finds nothing in the real service', async () => {
    await run.service().ready();
    expect(await invariantsBroken(BUILDS)).toEqual([]);
  });
});
