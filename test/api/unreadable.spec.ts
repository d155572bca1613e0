import type { EventOptions } from '@waybill/client';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { uuidv7 } from 'uuidv7';
import { main } from '../../packages/cli/src/index.js';
import { type RunningService, startService } from '../support/running-service.js';

describe('a task that this build cannot read', () => {
  let service: RunningService;
  let damaged: string;
  let other: string;

  beforeAll(async () => {
    // The test can damage events only in Postgres. `quarantine.spec.ts` shows the same with the events in EventStoreDB.
    service = await startService({ eventStoreUrl: undefined });
    const mail = service.waybill.queue('mail');
    await mail.define();
    damaged = (await mail.enqueue({ payload: 1 })).id;
    other = (await mail.enqueue({ payload: 2 })).id;
    await damage(99);
    expect((await mail.claim({ worker: 'w1', max: 2 })).map(({ taskId }) => taskId)).toEqual([other]);
  });
  afterAll(() => service.stop());

  /** As if a later build had written the task's event. */
  const damage = (version: number) =>
    service.pool.query('update segments set version = $2 where position = (select seq from tasks where task_id = $1)', [
      damaged,
      version,
    ]);

  const at = (path: string, init?: RequestInit) => fetch(`${service.url}/v1${path}`, init);

  it.each([
    ['show', (id: string) => at(`/tasks/${id}`)],
    ['history', (id: string) => at(`/tasks/${id}/history`)],
    ['cancel', (id: string) => at(`/tasks/${id}/cancel`, { method: 'POST' })],
  ])('answers %s with one clear error', async (_, call) => {
    const answer = await call(damaged);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: 'STREAM_UNREADABLE',
      stream: `task-${damaged}`,
      position: expect.stringMatching(/^\d+$/),
      reason: "Expected an event that this version of Waybill knows, but met 'TaskEnqueued' version 99",
    });
    expect((await call(other)).status).toBe(200);
  });

  it('says in `why` that it is quarantined', async () => {
    const { reasons } = await service.waybill.task(damaged).why();
    expect(reasons[0]).toMatchObject({ because: 'quarantined', reason: expect.stringContaining('version 99') });
  });

  it('is named by the system, the command line and the metrics', async () => {
    const system = await service.waybill.system.get();
    expect(system).toMatchObject({
      quarantined: 1,
      quarantinedTasks: [{ taskId: damaged, queue: 'mail', state: 'pending' }],
    });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = stdout as unknown as NodeJS.WriteStream;
    const code = await main(['system'], {
      stdin: Readable.from([]),
      stdout: terminal,
      stderr,
      env: { WAYBILL_URL: service.url },
    });
    stdout.end();
    expect([code, await text(stdout)]).toEqual([0, expect.stringContaining(damaged)]);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^waybill_quarantined_tasks 1$/m);
  });

  it('comes back by itself once it can be read', async () => {
    await damage(1);
    await service.pool.query('update quarantined set retry_at = now()');
    const claimed = await service.waybill.queue('mail').claim({ worker: 'w1', max: 1, waitMs: 60_000 });
    expect(claimed.map(({ taskId }) => taskId)).toEqual([damaged]);
    expect((await service.waybill.system.get()).quarantined).toBe(0);
  });
});

describe('an event whose JSON is damaged', () => {
  let service: RunningService;
  let ids: string[];
  let seq: string;

  beforeAll(async () => {
    service = await startService({ eventStoreUrl: undefined });
    const mail = service.waybill.queue('mail');
    await mail.define();
    await service.waybill.queue('other').define();
    await service.waybill.queue('other').enqueue(0);
    const tasks = [1, 2, 3].map((payload) => ({ id: uuidv7(), payload }));
    await mail.enqueueMany(tasks);
    ids = tasks.map(({ id }) => id);
    await mail.enqueue(4);
    const { rows } = await service.pool.query<{ seq: string }>('select seq from tasks where task_id = $1', [ids[1]]);
    seq = rows[0]!.seq;
    // The three tasks share a segment, whose lines become whole before one of them is damaged.
    await service.pool.query(
      `update segments set shared = null, private = null, data = (
         select string_agg(case when e.at = 2 then '{"broken' else waybill_whole(shared, e.line, e.half) end, E'\\n' order by e.at)
         from rows from (string_to_table(data, E'\\n'), string_to_table(private, E'\\n')) with ordinality as e(line, half, at)) where n = 3`,
    );
  });
  afterAll(() => service.stop());

  const shownBy = async (options: EventOptions): Promise<string[]> => {
    const shown: string[] = [];
    for await (const { position, unreadable } of service.waybill.events(options))
      shown.push(`${position}${unreadable === undefined ? '' : ' unreadable'}`);
    return shown;
  };
  /** The positions of the four tasks of the queue. */
  const expected = (): string[] => [-1, 0, 1, 2].map((at) => `${Number(seq) + at}${at === 0 ? ' unreadable' : ''}`);

  it.each([
    ['all', {}],
    ['those of the queue', { queue: 'mail' }],
    ['those of the type', { type: 'TaskEnqueued' }],
    ['those of the queue, a few at a time', { queue: 'mail', limit: 6 }],
  ])('is shown as such, and hides no other: %s', async (_, options) => {
    expect((await shownBy({ ...options, after: String(Number(seq) - 2) })).slice(0, 4)).toEqual(expected());
  });

  it('is shown among the events of its task', async () => {
    expect((await shownBy({ task: ids[1] }))[0]).toBe(`${seq} unreadable`);
  });

  it('says what is known of it, and why the rest is not', async () => {
    const after = String(Number(seq) - 1);
    for await (const event of service.waybill.events({ after, limit: 1 }))
      expect(event).toMatchObject({
        position: seq,
        stream: `task-${ids[1]}`,
        type: 'TaskEnqueued',
        data: {},
        envelope: { actor: 'anonymous' },
        unreadable: expect.stringContaining('JSON'),
      });
  });

  it('does not end the streams that follow the log', async () => {
    const shown: string[] = [];
    const after = String(Number(seq) - 2);
    for await (const { position, unreadable } of service.waybill.events({ after, queue: 'mail', follow: true })) {
      shown.push(`${position}${unreadable === undefined ? '' : ' unreadable'}`);
      if (shown.length === 4) break;
    }
    expect(shown).toEqual(expected());
  });

  it('is named by the command line', async () => {
    const stdout = new PassThrough();
    const after = String(Number(seq) - 1);
    const code = await main(['events', '--after', after, '--limit', '1'], {
      stdin: Readable.from([]),
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: new PassThrough(),
      env: { WAYBILL_URL: service.url },
    });
    stdout.end();
    expect([code, await text(stdout)]).toEqual([0, expect.stringContaining('cannot be read: ')]);
  });

  it.each([
    ['what its segment shares', 'shared', { queue: 'mail' }],
    ['its envelope', 'meta', { actor: 'anonymous' }],
  ])('may be so for %s', async (_, column, filter) => {
    await service.pool.query(`update segments set ${column} = '{"broken' where n = 3`);
    const around = { after: String(Number(seq) - 2), ...filter };
    expect((await shownBy(around)).slice(0, 4)).toEqual([
      ...[-1, 0, 1].map((at) => `${Number(seq) + at} unreadable`),
      `${Number(seq) + 2}`,
    ]);
  });
});
