import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { records, useIndexFunctions } from '../../support/index-functions.js';

/** The functions that create, claim and end many tasks at once, for the append and for the follower of another store. */
describe('the verbs of the index', () => {
  const index = useIndexFunctions();
  const { rowsOf } = index;

  const taskRow = async (id: string) => (await rowsOf<TaskRow>('select * from tasks where task_id = $1', [id]))[0]!;

  interface TaskRow {
    readonly state: string;
    readonly revision: number;
    readonly position: string;
    readonly finished_at: string | null;
    readonly lease: string | null;
  }

  describe('succeed', () => {
    const succeed = (successes: readonly (readonly unknown[])[], bad: readonly number[] = []) =>
      rowsOf<{ readonly firsts: number[]; readonly befores: string[]; readonly awaited: string[] }>(
        `select * from waybill_succeed(
          array(select row((s->>0)::int, (s->>1)::uuid, (s->>2)::int, (s->>0)::int, (s->>3)::bigint, (s->>4)::uuid)::waybill_success from jsonb_array_elements($1) as s),
          1000, null, '2030-01-01', null, $2)`,
        [JSON.stringify(successes), bad],
      );

    const claimed = async (keys: readonly (string | undefined)[]): Promise<readonly ClaimedTask[]> => {
      await index.dispatch.enqueue(
        index.queue,
        keys.map((key) => (key === undefined ? {} : { key })),
      );
      return index.dispatch.claim(index.queue, { max: keys.length });
    };
    const claimOf = ({ token }: ClaimedTask) => token.split('.') as [token: string, secret: string];

    it('ends the tasks that still have their claim, and returns where their streams stood', async () => {
      const tasks = await claimed([undefined, 'k', undefined, undefined, undefined]);
      const [, , late, forged, bad] = tasks.map(({ taskId }) => taskId);
      const before = await taskRow(tasks[0]!.taskId);
      const records = tasks.map((task, index) => [index + 1, task.taskId, 1, ...claimOf(task)]);
      records[2]![2] = 0;
      records[3]![4] = uuidv7();

      const [done] = await succeed(records, [5]);

      expect(done).toEqual({ firsts: [1, 2], befores: [before.position, expect.any(String)], awaited: [] });
      expect(await taskRow(tasks[0]!.taskId)).toMatchObject({
        state: 'succeeded',
        revision: 2,
        position: '1001',
        finished_at: '2030-01-01T00:00:00.000Z',
        lease: null,
      });
      for (const id of [late, forged, bad]) expect(await taskRow(id!)).toMatchObject({ state: 'running', revision: 1 });
      expect(await rowsOf('select open from leases where queue = $1', [index.queue])).toEqual([{ open: 3 }]);
      expect(await rowsOf('select * from key_slots where queue = $1', [index.queue])).toEqual([]);
    });

    it('ends a task whose success is recorded without a claim, at its own position and time', async () => {
      const [task] = await claimed([undefined]);
      const [done] = await rowsOf(
        `select * from waybill_succeed(array[row(null, $1::uuid, 1, 1, null, null)::waybill_success], null, '{77}', null, '{2031-01-01}', '{}')`,
        [task!.taskId],
      );
      expect(done).toMatchObject({ firsts: [1] });
      expect(await taskRow(task!.taskId)).toMatchObject({
        state: 'succeeded',
        position: '77',
        finished_at: '2031-01-01T00:00:00.000Z',
      });
    });
  });

  describe('claim', () => {
    const CLAIM = `
      select * from waybill_claim(
        array(select row(n::int, ($1::uuid[])[n], 0, n::int, 100 + n, 1, 1, null)::waybill_claim from generate_subscripts($1::uuid[], 1) as n),
        array[row(null, null, 'ann', 's', null, null, 1000, '2030-01-01')::waybill_claim_request], '{7}', 1000, $2, $3)`;
    const claim = (tasks: readonly string[], bad: readonly number[] = [], positions: readonly number[] | null = null) =>
      rowsOf<{ readonly firsts: number[]; readonly befores: string[] }>(CLAIM, [tasks, positions, bad]);
    const slots = () => rowsOf('select running, ready, waiting from key_slots where queue = $1', [index.queue]);

    it('starts the tasks at their revision, with their lease and key, and returns where their streams stood', async () => {
      const [one, bad] = await index.dispatch.enqueue(index.queue, [{ key: 'k' }, {}]);
      const before = await taskRow(one!);

      const [done] = await claim([one!, bad!, uuidv7()], [2]);

      expect(done).toEqual({ firsts: [1], befores: [before.position] });
      expect(await taskRow(one!)).toMatchObject({ state: 'running', revision: 1, position: '1001', lease: '7' });
      expect(await taskRow(bad!)).toMatchObject({ state: 'pending', revision: 0 });
      expect(await slots()).toEqual([{ running: one, ready: null, waiting: null }]);
    });

    it('leaves a key to the task to which a reservation gave it, and takes its waiting place', async () => {
      const [task] = await index.dispatch.enqueue(index.queue, [{ key: 'k' }]);
      await rowsOf('update key_slots set running = $1, ready = null, waiting = $1 where queue = $2', [
        task,
        index.queue,
      ]);
      await claim([task!], [], [77]);
      expect(await taskRow(task!)).toMatchObject({ state: 'running', position: '77' });
      expect(await slots()).toEqual([{ running: task, ready: null, waiting: null }]);
    });

    it('takes a key from the ready task that stands there, which goes back in line', async () => {
      await index.dispatch.changePolicy(index.queue, { duplicatePending: 'allow' });
      const [first, second] = await index.dispatch.enqueue(index.queue, [{ key: 'k' }, { key: 'k' }]);
      await claim([second!]);
      expect(await slots()).toEqual([{ running: second, ready: null, waiting: null }]);
      expect(
        await rowsOf(`select task_id from waiting where gate = 'key' and queue = $1 order by place`, [index.queue]),
      ).toContainEqual({
        task_id: first,
      });
    });
  });

  describe('create', () => {
    interface Given {
      readonly key?: string;
      readonly due?: string;
      readonly priority?: number;
    }
    const create = (tasks: readonly Given[], bad: readonly number[] = [], positions: readonly number[] | null = null) =>
      rowsOf<{ readonly problems: readonly object[]; readonly bad: number[] }>(
        `select * from waybill_create(
          ${records('waybill_create', 1)},
          1000, $3, '2030-01-01', $4, $2, $5, null)`,
        [
          JSON.stringify(tasks.map((given, at) => ({ ...recordOf(at), ...given }))),
          bad,
          positions,
          positions?.map(() => '2031-01-01') ?? null,
          tasks.some(({ key }) => key !== undefined),
        ],
      );
    let ids: string[];
    beforeEach(() => {
      ids = Array.from({ length: 4 }, uuidv7);
    });
    const recordOf = (at: number) => ({
      item: at + 1,
      first: at + 1,
      task: ids[at],
      queue: index.queue,
      kind: 'k',
      priority: 0,
    });
    const ready = () =>
      rowsOf('select from_seq, to_seq, task_id from ready where queue = $1 order by from_seq', [index.queue]);

    it('gives tasks whose events follow one another an extent, and leaves out bad items', async () => {
      expect(await create([{}, {}, {}, { due: '2030-01-02' }], [3])).toEqual([{ problems: [], bad: [] }]);
      expect(await ready()).toEqual([{ from_seq: '1001', to_seq: '1002', task_id: null }]);
      expect(await taskRow(ids[1]!)).toMatchObject({ state: 'pending', revision: 0, position: '1002' });
      expect(await taskRow(ids[2]!)).toBeUndefined();
      expect(await rowsOf('select task_id, gate from waiting where queue = $1', [index.queue])).toEqual([
        { task_id: ids[3], gate: 'due' },
      ]);
    });

    it('places tasks whose positions have gaps each alone, at their own time', async () => {
      await create([{}, { due: '2030-06-01' }], [], [7, 9]);
      expect(await ready()).toEqual([
        { from_seq: '7', to_seq: '7', task_id: ids[0] },
        { from_seq: '9', to_seq: '9', task_id: ids[1] },
      ]);
    });

    it('refuses a second task that waits for a key, and says whom it meets', async () => {
      expect(await create([{ key: 'k' }, { key: 'k' }])).toEqual([
        {
          problems: [{ i: 2, kind: 'refused', constraint: 'key-waiting', taskId: ids[0] }],
          bad: [2],
        },
      ]);
    });

    it('lets a task line up behind one of its key, where the policy lets it', async () => {
      await index.dispatch.changePolicy(index.queue, { duplicatePending: 'allow' });
      await create([{ key: 'k' }, { key: 'k' }, { key: 'k', priority: 5 }]);
      expect(await ready()).toEqual([{ from_seq: '1003', to_seq: '1003', task_id: ids[2] }]);
    });
  });
});
