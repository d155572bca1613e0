import { FIRST_RETRY_MS, makeExport, makeIngest, refusalOf } from '../acceptance/s0/file-queues.js';
import { TestWaybill } from '@waybill/testing';

const FILE = 'm31.fits';

let test: TestWaybill;
beforeAll(async () => {
  const databaseUrl = process.env['DATABASE_URL'];
  test = await TestWaybill.start({ now: '2026-03-02T09:00:00Z', databaseUrl, logger: null });
});
afterAll(() => test.stop());

/** The steps that another file tests on a service whose times are moved back. Here the clock goes on, and histories say so. */
describe("an archive's queues in a Waybill for tests", () => {
  it('block the file of a worker that died until its lease ends', async () => {
    const ingest = await makeIngest(test.waybill);
    await ingest.add(FILE);
    const dead = await ingest.take('dead');
    const { id } = await ingest.add(FILE);
    await test.advance('29s');
    expect(await ingest.claim()).toBeNull();
    await test.advance('2s');
    expect(await ingest.take('alive')).toMatchObject({ taskId: id });
    expect(await refusalOf(ingest.succeed(dead))).toMatchObject({ code: 'LEASE_LOST' });
    const history = await test.waybill.task(dead.taskId).history();
    const [claimed, failed] = ['TaskClaimed', 'TaskFailed'].map((type) =>
      history.find((event) => event.type === type)!,
    );
    expect(Date.parse(failed!.recordedAt) - Date.parse(claimed!.recordedAt)).toBeGreaterThanOrEqual(30_000);
  });

  it('remove all failed entries of a file once it succeeds, however old', async () => {
    const ingest = await makeIngest(test.waybill);
    const old = await ingest.addFailed(FILE);
    await test.advance('400d');
    await ingest.succeed(await ingest.addRunning(FILE));
    await test.drain();
    expect(await ingest.entriesOf(FILE)).toEqual({});
    expect((await ingest.get(old)).state).toBe('superseded');
  });

  it('export again at the times of their policy', async () => {
    const outgoing = await makeExport(test.waybill);
    const began: number[] = [];
    test.handle(outgoing.handle, async (_task, run) => {
      began.push(test.now().getTime());
      return run.fail('transient', 'line down');
    });
    const { id } = await outgoing.add(FILE);
    await test.advance('1d');
    expect(began.map((at) => at - began[0]!)).toEqual([0, FIRST_RETRY_MS, 3 * FIRST_RETRY_MS]);
    expect(await outgoing.flags(id)).toBe('(F,T)');
  });
});
