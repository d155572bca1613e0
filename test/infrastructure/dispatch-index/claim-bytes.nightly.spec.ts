import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { STEP_BYTES } from '../../../src/domain/kernel/byte-budget.js';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const MIB = 1024 * 1024;
const of = (bytes: number) => ({ payload: 'x'.repeat(bytes) });
const sizeOf = (tasks: readonly ClaimedTask[]): number => Buffer.byteLength(JSON.stringify(tasks));
const idsOf = (tasks: readonly ClaimedTask[]): string[] => tasks.map(({ taskId }) => taskId);

/** EventStoreDB takes events of up to 1 MiB. */
describe.each([
  { store: 'Postgres', open: openDispatch, large: 3 * MIB, fitting: 1 },
  { store: 'EventStoreDB', open: openReservedDispatch, large: 900_000, fitting: 4 },
])('the tasks of a claim, with the events in $store,', ({ open, large, fitting }) => {
  let queue: string;
  let dispatch: DispatchFixture;
  beforeAll(async () => {
    dispatch = await open();
  });
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { limits: { ...DEFAULT_POLICY.limits, payloadBytes: 16 * MIB } });
  });
  afterAll(() => dispatch.close());

  /** One after the other, because in EventStoreDB the tasks of one request have any order. */
  async function enqueueEach(...items: readonly object[]): Promise<string[]> {
    const ids: string[] = [];
    for (const one of items) ids.push(...(await dispatch.enqueue(queue, [one])));
    return ids;
  }

  async function claimAll(max = 500): Promise<ClaimedTask[][]> {
    const answers: ClaimedTask[][] = [];
    for (;;) {
      const tasks = await dispatch.claim(queue, { max, waitMs: 0 });
      if (tasks.length === 0) return answers;
      answers.push([...tasks]);
    }
  }

  it('fit its answer, and all tasks get their turn in order', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(...(await enqueueEach(of(large / 2), of(10), of(large / 2))));
    const answers = await claimAll();
    expect(answers.flatMap(idsOf)).toEqual(ids);
    expect(answers.length).toBeGreaterThanOrEqual(2);
    for (const tasks of answers) expect(sizeOf(tasks)).toBeLessThan(STEP_BYTES * 1.1);
  });

  it('are one alone if its history is larger than an answer usually is', async () => {
    const ids = await enqueueEach(of(10), of(900_000), of(10));
    const claimed = (await claimAll()).flat();
    for (let n = 0; n < 4; n++) {
      const error = { message: `disk ${n} is full`, details: 'x'.repeat(900_000) };
      const reported = await dispatch.settle([claimed[1]!], { type: 'reportError', error });
      expect(reported).toMatchObject([{ kind: 'done' }]);
    }
    await dispatch.settle(claimed, { type: 'return' });
    expect((await claimAll()).map(idsOf)).toEqual(ids.map((id) => [id]));
  });

  it('fit its answer if they were claimed before', async () => {
    const tasks = Array.from({ length: 3 * fitting }, () => of(large));
    const ids = await enqueueEach(...tasks);
    const before = (await claimAll()).flat();
    await dispatch.settle(before, { type: 'return' });
    const again = (await claimAll()).map(idsOf);
    expect(again.flat()).toEqual(ids);
    expect(again.map(({ length }) => length)).toEqual([fitting, fitting, fitting]);
  });

  it('are left to the next claims, which get theirs without a wait', async () => {
    await dispatch.enqueue(
      queue,
      Array.from({ length: 6 * fitting }, () => of(large)),
    );
    const claims = Array.from({ length: 6 }, () => dispatch.claim(queue, { max: 10, waitMs: 0 }));
    expect((await Promise.all(claims)).map(({ length }) => length)).toEqual(claims.map(() => fitting));
  });

  it('are as many as it asks for if they are small', async () => {
    await dispatch.enqueue(
      queue,
      Array.from({ length: 500 }, () => of(300)),
    );
    expect(await dispatch.claim(queue, { max: 500 })).toHaveLength(500);
  });
});

describe('a segment of the log', () => {
  let dispatch: DispatchFixture;
  beforeAll(async () => (dispatch = await openDispatch()));
  afterAll(() => dispatch.close());

  it('is a claim alone if its one event is larger than an answer usually is', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { limits: { ...DEFAULT_POLICY.limits, payloadBytes: 16 * MIB } });
    const ids = await dispatch.enqueue(queue, [of(10), of(5 * MIB), of(5 * MIB), of(10)]);
    for (const id of ids) expect(idsOf(await dispatch.claim(queue, { max: 500, waitMs: 0 }))).toEqual([id]);
  });

  it('has fewer events if they are large, and their histories stay whole', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    const sizes = [100_000, 10, 100_000, 100_000, ...Array.from({ length: 60 }, () => 5_000), 200_000];
    const ids = await dispatch.enqueue(queue, sizes.map(of));
    const { rows } = await dispatch.pool.query<{ n: number; bytes: number }>(
      'select n, octet_length(data) as bytes from segments where n > 1',
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { bytes } of rows) expect(bytes).toBeLessThanOrEqual(128 * 1024);
    const claimed = (await dispatch.claim(queue, { max: 100 })) as unknown as {
      taskId: string;
      payload: string;
    }[];
    expect(claimed.map(({ taskId, payload }) => [taskId, payload.length])).toEqual(
      ids.map((id, at) => [id, sizes[at]]),
    );
  });
});
