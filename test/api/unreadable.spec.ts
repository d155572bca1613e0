import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
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
    const claimed = await service.waybill.queue('mail').claim({ worker: 'w1', max: 1, waitMs: 20_000 });
    expect(claimed.map(({ taskId }) => taskId)).toEqual([damaged]);
    expect((await service.waybill.system.get()).quarantined).toBe(0);
  });
});
