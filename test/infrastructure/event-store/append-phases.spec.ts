import { uuidv7 } from 'uuidv7';
import { PLACED } from '../../../src/infrastructure/dispatch-index/changes/index-change.js';
import { records, useIndexFunctions } from '../../support/index-functions.js';

/** The phases of `waybill_append`, each by itself. The contract of event stores says what they do together. */
describe('a phase of an append', () => {
  const index = useIndexFunctions();
  const { rowsOf } = index;

  interface Phase {
    readonly problems: readonly Readonly<Record<string, unknown>>[];
    readonly bad: readonly number[];
    readonly firsts: readonly number[];
    readonly befores: readonly string[];
    readonly awaited: readonly string[];
    readonly woken: readonly string[];
  }
  const phase = async (call: string, values: unknown[] = []): Promise<Phase> =>
    (await rowsOf<Phase>(`select * from ${call}`, values))[0]!;

  const json = (...values: readonly object[]) => JSON.stringify(values);
  const positionOf = async (task: string) =>
    (await rowsOf<{ position: string }>('select position from tasks where task_id = $1', [task]))[0]!.position;

  describe('that checks', () => {
    const check = (given: { checks?: string; guards?: string; conditions?: string | null }) =>
      phase(
        `waybill_append_checks('{}', '{}', ${records('waybill_check', 1)}, ${records('waybill_queue_guard', 2)}, $3, 1000, '[]', '{}')`,
        [given.checks ?? '[]', given.guards ?? '[]', given.conditions ?? null],
      );

    it('refuses an item whose stream is at another revision', async () => {
      const [task] = await index.dispatch.enqueue(index.queue, [{}]);
      const at = (item: number, base: number) => ({ item, stream: task, base, first: item, last: item });
      expect(await check({ checks: json(at(1, 0), at(2, 5), at(3, -1)) })).toEqual({
        problems: [
          { i: 2, kind: 'conflict', actual: 0 },
          { i: 3, kind: 'conflict', actual: 0 },
        ],
        bad: [2, 3],
      });
    });

    it('refuses all items that were decided by another revision of their queue', async () => {
      const guards = json(
        { name: index.queue, revision: 0, items: [1] },
        { name: index.queue, revision: 3, items: [2, 3] },
      );
      expect(await check({ guards })).toEqual({
        problems: [2, 3].map((i) => ({ i, kind: 'refused', constraint: 'queue-changed' })),
        bad: [2, 3],
      });
    });

    it('refuses an item once, if more of its conditions do not hold', async () => {
      const guards = json({ name: index.queue, revision: 3, items: [1] });
      const changed = { queueRevisions: [{ name: index.queue, revision: 9 }], last: 1 };
      const { problems, bad } = await check({ guards, conditions: json({ i: 1, ...changed }, { i: 2, ...changed }) });
      expect(problems.map(({ i }) => i)).toEqual([1, 2]);
      expect(bad).toEqual([1, 2]);
    });
  });

  describe('that ends tasks', () => {
    it('tells a claim that is over from a stream that has moved on', async () => {
      await index.dispatch.enqueue(index.queue, [{}, {}, {}]);
      const tasks = await index.dispatch.claim(index.queue, { max: 3 });
      const successes = tasks.map((task, at) => {
        const [token, secret] = task.token.split('.');
        return { item: at + 1, first: at + 1, task: task.taskId, expected: 1, token, secret };
      });
      const given = json(successes[0]!, { ...successes[1]!, secret: uuidv7() }, { ...successes[2]!, expected: 0 });
      const before = await positionOf(tasks[0]!.taskId);

      const done = await phase(
        `waybill_append_successes(${records('waybill_success', 1)}, '{}', 1000, '2030-01-01', '[]', '{}')`,
        [given],
      );

      expect(done).toEqual({
        problems: [
          { i: 2, kind: 'refused', constraint: 'lease' },
          { i: 3, kind: 'conflict', actual: 1 },
        ],
        bad: [2, 3],
        firsts: [1],
        befores: [before],
        awaited: [],
      });
    });
  });

  describe('that creates tasks', () => {
    const create = (...tasks: readonly object[]) =>
      phase(`waybill_append_creates(${records('waybill_create', 1)}, '{}', 1000, '2030-01-01', '[]', '{}')`, [
        json(...tasks.map((task, at) => ({ ...recordOf(at + 1), ...task }))),
      ]);
    const recordOf = (item: number) => ({
      item,
      first: item,
      task: uuidv7(),
      queue: index.queue,
      kind: 'k',
      priority: 0,
    });

    it('refuses an id that is taken and a batch that does not exist, and creates the others', async () => {
      const [taken] = await index.dispatch.enqueue(index.queue, [{}]);
      const [created, batch] = [uuidv7(), uuidv7()];
      expect(await create({ task: taken }, { batch }, { task: created })).toEqual({
        problems: [
          { i: 1, kind: 'conflict', actual: 0 },
          { i: 2, kind: 'refused', constraint: 'batch-not-found', batch },
        ],
        bad: [1, 2],
      });
      expect(await positionOf(created)).toBe('1003');
    });
  });

  describe('that claims tasks', () => {
    const claim = (claims: readonly object[], requests: readonly object[]) =>
      phase(
        `waybill_append_claims(${records('waybill_claim', 1)}, ${records('waybill_claim_request', 2)}, false, '{}', 1000, '2030-01-01', '[]', '{}')`,
        [json(...claims), json(...requests)],
      );
    const requestOf = () => ({
      claim_id: uuidv7(),
      queue: index.queue,
      worker: 'ann',
      server: 's',
      lease_ms: 1000,
      started: '2030-01-01',
    });
    const claimOf = (item: number, task: string | undefined, request: number, expected = 0) => ({
      item,
      first: item,
      task,
      expected,
      token: String(100 + item),
      attempt: 1,
      request,
    });

    it('takes the tasks out of the lane, and makes a lease and a claim of each request', async () => {
      const tasks = await index.dispatch.enqueue(index.queue, [{}, {}, {}]);
      const [one, other] = [requestOf(), requestOf()];
      const claims = [claimOf(1, tasks[0], 1), claimOf(2, tasks[1], 1), claimOf(3, tasks[2], 2, 7)];
      const done = await claim(claims, [one, other]);
      expect(done).toMatchObject({ problems: [{ i: 3, kind: 'conflict', actual: 0 }], bad: [3], firsts: [1, 2] });
      expect(await rowsOf('select tasks, open from leases where queue = $1', [index.queue])).toEqual([
        { tasks: tasks.slice(0, 2), open: 2 },
      ]);
      expect(
        await rowsOf('select claim_id, first_token, last_token from claims where queue = $1', [index.queue]),
      ).toEqual([{ claim_id: one.claim_id, first_token: '101', last_token: '102' }]);
      const last = await positionOf(tasks[2]!);
      expect(await rowsOf('select from_seq, to_seq from ready where queue = $1', [index.queue])).toEqual([
        { from_seq: last, to_seq: last },
      ]);
    });

    it('refuses a claim id that has tasks already', async () => {
      const tasks = await index.dispatch.enqueue(index.queue, [{}, {}]);
      const request = requestOf();
      await claim([claimOf(1, tasks[0], 1)], [request]);
      expect(await claim([claimOf(2, tasks[1], 1)], [request])).toMatchObject({
        problems: [{ i: 2, kind: 'refused', constraint: 'claim-repeated' }],
        bad: [2],
        firsts: [],
      });
    });
  });

  describe('that makes other changes', () => {
    const change = (changes: readonly object[], atomic: boolean, bad: readonly number[] = [], checks = '[]') =>
      phase(
        `waybill_append_changes(${records('waybill_change', 1)}, $2, '{}', ${records('waybill_check', 3)}, 1000, '2030-01-01', '[]', $4)`,
        [json(...changes), atomic, checks, bad],
      );
    const reprioritise = (item: number, stream: string, last = item) => ({
      item,
      stream,
      first: item,
      last,
      revision: 1,
      move: { ...PLACED, patch: { priority: 9 } },
    });

    it('says which event came before each of a move', async () => {
      const [task] = await index.dispatch.enqueue(index.queue, [{}]);
      const before = await positionOf(task!);
      expect(await change([reprioritise(1, task!, 2)], false)).toMatchObject({
        problems: [],
        firsts: [1, 2],
        befores: [before, '1001'],
      });
      expect(await positionOf(task!)).toBe('1002');
    });

    it('leaves out an item that would continue the stream of one that is not stored, if all or none are', async () => {
      const [task] = await index.dispatch.enqueue(index.queue, [{}]);
      const checks = json({ item: 1, stream: task });
      expect(await change([reprioritise(2, task!)], true, [1], checks)).toMatchObject({ bad: [1], firsts: [] });
      expect(await change([reprioritise(2, task!)], false, [1], checks)).toMatchObject({ bad: [1], firsts: [2] });
    });
  });
});
