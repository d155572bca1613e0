import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
let ids: readonly string[];
beforeAll(async () => {
  service = await startService();
  const queue = service.waybill.queue('mail');
  await queue.define({});
  ids = await Promise.all([1, 2, 3, 4].map(async (n) => (await queue.enqueue(n)).id));
});
afterAll(() => service.stop());

const stateOf = async (id: string) => (await service.waybill.task(id).get()).state;

describe('--preview', () => {
  it.each([
    ['queue pause mail', 'mail  active → paused  QueuePaused'],
    ['hold place acme --label customer=acme', 'acme  new, placed  HoldPlaced'],
    ['hold place acme --label customer=acme --forbids-erasure', 'acme  new, placed  HoldPlaced'],
    ['drain', 'drain'],
  ])('shows what the command would do: %s', async (line, shown) => {
    const { activity, ...ran } = await previewed(line);
    expect(ran).toEqual({ code: 0, err: 'Nothing was changed.\n', out: expect.stringContaining(shown) });
    expect(activity).toBe('the same');
  });

  it('shows each of several tasks, and what is refused', async () => {
    const { code, out, err, activity } = await previewed(`task reschedule 2099-01-01 ${ids[0]!} ${ids[1]!}`);
    expect([code, activity]).toEqual([0, 'the same']);
    for (const id of ids.slice(0, 2)) expect(out).toContain(`${id}  stays pending  TaskRescheduled`);
    expect(err).toBe('Nothing was changed.\nNothing was changed.\n');
    const refused = await previewed('trigger enable nobody');
    expect([refused.code, refused.out, refused.activity]).toEqual([1, '', 'the same']);
  });

  it('prints one document for programs', async () => {
    const { out } = await previewed('queue pause mail --json');
    expect(JSON.parse(out)).toMatchObject({ changes: [{ id: 'mail', from: 'active', to: 'paused' }], takenAlong: 0 });
  });

  async function previewed(line: string) {
    const newest = async () => JSON.stringify((await service.waybill.activityPage({ limit: 1 })).items);
    const before = await newest();
    const { code, out, err } = await runCli(service.url, `${line} --preview`);
    return { code, out, err, activity: (await newest()) === before ? 'the same' : 'another' };
  }
});

describe('waybill operation', () => {
  it('pauses, resumes and aborts an operation, with a reason', async () => {
    const { id } = await service.waybill.operate('prioritise', { tasks: ids }, { priority: 3, perSecond: 1 });
    const run = (verb: string) => runCli(service.url, `operation ${verb} ${id} --reason ${verb}d --actor ann`);
    expect(await run('pause')).toMatchObject({ code: 0 });
    await until('the operation to be paused', async () => ((await stateOf(id!)) === 'held' ? true : null));
    expect(await run('resume')).toMatchObject({ code: 0 });
    expect(await run('abort')).toMatchObject({ code: 0 });
    const said = (await service.waybill.task(id!).history()).filter(({ envelope }) => envelope.actor === 'ann');
    expect(said.map(({ envelope }) => envelope.reason)).toEqual(['paused', 'resumed', 'abortd']);
  });

  it('leaves other tasks alone', async () => {
    const { code, err } = await runCli(service.url, `operation abort ${ids[0]!}`);
    expect([code, await stateOf(ids[0]!)]).toEqual([1, 'pending']);
    expect(err).toContain('TASK_NOT_FOUND');
  });
});
