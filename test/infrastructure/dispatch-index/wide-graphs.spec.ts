import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewTask } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('wide').define();
});
afterAll(() => service.stop());

/** So many that everything between two such groups is more than one look for a cycle takes. */
const WIDE = 90;

type Needs = Pick<NewTask, 'after' | 'batch'>;

async function enqueued(tasks: readonly Needs[]): Promise<string[]> {
  const results = await service.waybill.enqueueMany(tasks.map((task) => ({ queue: 'wide', ...task })));
  return results.map((one) => ('id' in one ? one.id : String(one.problem.code)));
}

const each = (count: number, needs: Needs = {}): Needs[] => Array.from({ length: count }, () => needs);
const after = (ids: readonly string[]): { after: { task: string }[] } => ({ after: ids.map((task) => ({ task })) });

/** Groups of tasks, of which each waits for all of the group before. The first one waits for `root`. */
async function layers(root: string, count: number): Promise<string[]> {
  let last = [root];
  for (let layer = 0; layer < count; layer++) last = await enqueued(each(WIDE, after(last)));
  return last;
}

const codeOf = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: { code: string }) => error.code,
  );

const arrange = (id: string, needs: readonly string[]) =>
  codeOf(service.waybill.task(id).arrange({ add: after(needs).after }));

const eventsOf = async (id: string): Promise<number> => (await service.waybill.task(id).history()).length;

/** A new task of the batch that waits for a task: something waits for the batch, so whether this closes a cycle is looked for. */
async function lookedFor(task: string): Promise<Needs & { batch: string }> {
  const batch = await service.waybill.planBatch({ name: 'b' }).create();
  const [next] = await enqueued([{ after: [{ batch: batch.id }] }]);
  await layers(next!, 1);
  return { batch: batch.id, ...after([task]) };
}

type Client = Awaited<ReturnType<RunningService['pool']['connect']>>;

/** Until its transaction ends, the client finds the functions of this build. */
async function useFunctions(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select pronamespace::regnamespace::text as name from pg_proc where proname = 'waybill_unblock'`,
  );
  await client.query(`set local search_path = ${rows[0]!.name}, public`);
}

/** What one statement answers to such tasks of these requests, and how many edges it visits for each. */
async function looks(
  { batch, after: add }: Needs & { batch: string },
  requests: readonly string[],
): Promise<{ answer: string; visits: number }[]> {
  const client = await service.pool.connect();
  try {
    await client.query('begin');
    await useFunctions(client);
    const { rows } = await client.query(
      `select waybill_prerequisites_problem(t.id, $2, false, jsonb_build_object('add', $3::jsonb, 'request', t.request)) as problem,
         current_setting('waybill.visits')::int as visits
       from unnest($1::uuid[], $4::text[]) as t(id, request)`,
      [requests.map(() => uuidv7()), batch, JSON.stringify(add), requests],
    );
    return rows.map(({ problem, visits }) => ({ answer: problem?.constraint ?? problem?.kind ?? 'taken', visits }));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('a wide graph', () => {
  let deep: string[];
  beforeAll(async () => {
    const [root] = await enqueued(each(1));
    deep = await layers(root!, 3);
  });

  it('refuses a change if the look for a cycle would take too long in both directions, and changes nothing', async () => {
    const [gate] = await enqueued(each(1));
    await layers(gate!, 3);
    expect(await arrange(gate!, deep.slice(0, 1))).toBe('GRAPH_TOO_LARGE');
    expect(await eventsOf(gate!)).toBe(1);
    expect(await service.waybill.task(gate!).get()).toMatchObject({ state: 'pending' });
  });

  it('takes a change at either end of it', async () => {
    const [gate, first, fresh] = await enqueued(each(3));
    await layers(gate!, 3);
    await enqueued([after([fresh!])]);
    expect(await arrange(gate!, [first!])).toBeNull();
    expect(await arrange(fresh!, deep)).toBeNull();
    expect(await arrange(deep[0]!, [fresh!])).toBe('PREREQUISITE_CYCLE');
  });

  it('refuses a transaction whose looks for cycles take too long together', async () => {
    const tasks = await enqueued(each(20));
    const [next] = await enqueued([after(tasks)]);
    await layers(next!, 1);
    const all = service.waybill.transaction((tx) => {
      for (const id of tasks) tx.task(id).arrange({ add: after(deep.slice(0, 1)).after });
    });
    expect(await codeOf(all)).toBe('GRAPH_TOO_LARGE');
    expect(await Promise.all(tasks.map(eventsOf))).toEqual(tasks.map(() => 1));
    expect(await arrange(tasks[0]!, deep.slice(0, 1))).toBeNull();
  });

  it('refuses the rest of a request whose tasks would each be looked for anew, and no other request', async () => {
    const batch = await service.waybill.planBatch({ name: 'b' }).create();
    const [next] = await enqueued([{ after: [{ batch: batch.id }] }]);
    await layers(next!, 1);
    const late = { batch: batch.id, ...after(deep.slice(0, 1)) };
    const [many, one] = await Promise.all([enqueued(each(100, late)), enqueued([late])]);
    const refused = many.filter((id) => id === 'GRAPH_TOO_LARGE');
    expect(refused.length).toBeGreaterThan(0);
    expect(one).not.toContain('GRAPH_TOO_LARGE');
    expect((await batch.get()).total).toBe(many.length - refused.length + 1);
  });

  it('is visited at most 40,000 times by one statement, which puts off the requests that have not begun by then', async () => {
    const late = await lookedFor(deep[0]!);
    const found = await looks(late, [...Array.from({ length: 100 }, (_, at) => `${at}`), '98', '99']);
    const begun = found.filter(({ answer }) => answer === 'taken');
    const sum = begun.reduce((total, { visits }) => total + visits, 0);
    expect(sum).toBeGreaterThanOrEqual(20_000);
    expect(sum).toBeLessThan(40_000);
    expect(found.slice(0, begun.length)).toEqual(begun);
    expect(new Set(found.slice(begun.length).map(({ answer }) => answer))).toEqual(new Set(['put-off']));
  });

  it('lets a request that has begun go on, to its own limit', async () => {
    const late = await lookedFor(deep[0]!);
    const answers = (await looks(late, ['first', ...Array.from({ length: 50 }, () => 'second')])).map(
      ({ answer }) => answer,
    );
    expect(new Set(answers)).toEqual(new Set(['taken', 'graph-too-large']));
  });
});

it('tasks that wait for one are let go in parts, and none stays behind', async () => {
  const [root] = await enqueued([{}]);
  const waiting = await enqueued(each(5, after([root!])));
  const client = await service.pool.connect();
  const look = async (text: string, ...values: readonly unknown[]) => (await client.query(text, [...values])).rows;
  try {
    await client.query('begin');
    await useFunctions(client);
    await look(`update tasks set state = 'succeeded' where task_id = $1`, root);
    await look('select waybill_unblock(array[$1::uuid], clock_timestamp(), 2)', root);
    const rest = async () => (await look('select more from waybill_unblock_rest(array[$1::uuid], 2)', root))[0]!.more;
    expect(await look('select what from consequences where id = $1', root)).toEqual([{ what: 'unblock' }]);
    expect([await rest(), await rest()]).toEqual([true, false]);
    expect(await look('select from waiting where task_id = any ($1)', waiting)).toEqual([]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

describe('what an undo brings back', () => {
  const PAGES = 10;
  const [operation, root] = [uuidv7(), uuidv7()];
  const waiters = Array.from({ length: PAGES * 500 }, () => uuidv7()).sort();

  it('is found by as many rows as wait, also at the end, and with the statistics of the tables', async () => {
    const [template] = await enqueued([{}]);
    const client = await service.pool.connect();
    const count = async (): Promise<number> => {
      const { rows } = await client.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname in ('prerequisites', 'tasks')`,
      );
      return rows[0]!.read;
    };
    try {
      await client.query('begin');
      await useFunctions(client);
      await client.query(
        'insert into prerequisites (task_id, needs, ignore, closed) select t, $1, false, false from unnest($2::uuid[]) as t',
        [root, waiters],
      );
      await client.query(
        `insert into operation_tasks (operation, page, tasks) select $1, p, case when p = 0 then array[$2::uuid] else ($3::uuid[])[p * 500 - 499 : p * 500] end
          from generate_series(0, ${PAGES}) as p`,
        [operation, root, waiters],
      );
      await client.query(
        `insert into tasks select r.* from tasks t, unnest($2::uuid[]) as w,
          jsonb_populate_record(t, jsonb_build_object('task_id', w, 'state', 'aborted')) as r where t.task_id = $1`,
        [template, waiters],
      );
      await client.query('analyze tasks, prerequisites, operation_tasks');
      const before = await count();
      const { rows } = await client.query('select * from waybill_waiters_after($1, 0, $2, 500)', [
        operation,
        waiters.at(-1),
      ]);
      expect(rows).toEqual([]);
      const after = await count();
      expect(after - before).toBeLessThanOrEqual(waiters.length);

      const stuckAfter = async (page: number) =>
        (await client.query('select * from waybill_stuck_after($1, $2)', [operation, page])).rows;
      expect(await stuckAfter(-1)).toEqual([]);
      // Of each task its row and that of its prerequisite.
      expect((await count()) - after).toBeLessThanOrEqual(2 * waiters.length);
      await client.query(
        `insert into tasks select r.* from tasks t, jsonb_populate_record(t, jsonb_build_object('task_id', $2::uuid, 'state', 'aborted')) as r where t.task_id = $1`,
        [template, root],
      );
      expect(await stuckAfter(-1)).toEqual([{ page: 1, tasks: waiters.slice(0, 500) }]);
      expect(await stuckAfter(PAGES - 1)).toEqual([{ page: PAGES, tasks: waiters.slice(-500) }]);
      expect(await stuckAfter(PAGES)).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
