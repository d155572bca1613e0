import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliOutput, jsonLines, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

/** A queue whose policy ann and bob made, and a task that was held and then claimed. */
let service: RunningService;
let task: string;
let held: string;
let begun: string;
beforeAll(async () => {
  service = await startService();
  const queue = service.as('ann').queue('mail');
  await queue.define({ leaseMs: 60_000 }, { reason: 'new' });
  await service.as('bob').queue('mail').changePolicy({ leaseMs: 90_000 }, { ifVersion: 1, reason: 'slow printer' });
  task = (await queue.enqueue('a')).id;
  begun = (await service.waybill.task(task).history())[0]!.recordedAt;
  held = (await service.as('bob').task(task).hold({ reason: 'disk full' })).position!;
  await service.as('ann').task(task).release();
  const [claimed] = await queue.claim({ worker: 'w1', waitMs: 10_000 });
  await service.waybill.settle([{ taskId: task, token: claimed!.token, verdict: { type: 'succeed' } }]);
});
afterAll(() => service.stop());

const ok = (args: string) => cliOutput(service.url, args);
const json = async (args: string) => jsonLines(await ok(`${args} --json`));
const failed = async (args: string) => {
  const { code, err } = await runCli(service.url, args);
  return [code, err];
};

describe('waybill activity', () => {
  it('shows what people did, by actor, kind, type and time, in either order', async () => {
    expect(await ok('activity --actor bob')).toMatch(
      /^at +by +what +subject +queue +reason\n\S+ +bob +TaskHeld +task \S+ +mail +disk full\n\S+ +bob +QueuePolicyChanged +queue mail +mail +slow printer\n$/,
    );
    const types = async (options: string) => (await json(`activity ${options}`)).map(({ type }) => type);
    expect(await types('--oldest-first --queue mail')).toEqual([
      'QueueDefined',
      'QueuePolicyChanged',
      'TaskHeld',
      'TaskReleased',
    ]);
    expect(await types('--category task --actor ann --since yesterday')).toEqual(['TaskReleased']);
    expect(await types('--type QueueDefined --until 0s')).toEqual(['QueueDefined']);
    expect(await types('--policy-version 1 --queue mail')).toEqual([]);
    const one = await runCli(service.url, 'activity --limit 1');
    expect([one.code, one.out.trim().split('\n').length, one.err]).toEqual([
      0,
      2,
      expect.stringContaining('more than 1'),
    ]);
  });

  it('says that nothing matches, and which filter is wrong', async () => {
    expect(await runCli(service.url, 'activity --actor nobody')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/No command .*nobody/),
    });
    expect(await failed('activity --since tomorrow')).toEqual([2, expect.stringContaining('--since')]);
    expect(await failed('activity --category car')).toEqual([1, expect.stringContaining('category')]);
  });
});

describe('waybill queue versions and blame', () => {
  it('show who set what, when and why', async () => {
    expect(await ok('queue versions mail')).toMatch(
      /^version +at +by +what +reason\n +2 +\S+ +bob +leaseMs from 60000 to 90000 +slow printer\n +1 +\S+ +ann +defined +new\n$/,
    );
    expect(await json('queue versions mail --limit 1')).toMatchObject([{ version: 2, by: 'bob' }]);
    const blame = await ok('queue blame mail');
    expect(blame).toMatch(/^leaseMs +90000 +2 +bob +\S+ +slow printer$/m);
    expect(blame).toMatch(/^retry\.maxAttempts +3 +1 +ann +\S+ +new$/m);
  });

  it('compare two versions', async () => {
    expect(await ok('queue versions mail --diff 1..2')).toBe('field    from   to\nleaseMs  60000  90000\n');
    expect(await ok('queue versions mail --diff 2..2')).toBe('The two versions are the same.\n');
    expect(await failed('queue versions mail --diff 1..9')).toEqual([1, expect.stringContaining('up to 2')]);
    expect(await failed('queue versions mail --diff 1-2')).toEqual([2, expect.stringContaining('6..7')]);
  });

  it.each(['versions', 'blame', 'waits'])('%s refuses a queue that there never was', async (command) => {
    expect(await failed(`queue ${command} nowhere`)).toEqual([1, expect.stringContaining('nowhere')]);
  });
});

describe('waybill queue waits', () => {
  it('shows by which reasons the tasks waited in a range', async () => {
    expect(await ok('queue waits mail')).toMatch(/^1 task waited .* from \S+ to \S+\n[^]*% +\S+ +held$/m);
    const [waits] = await json(`queue waits mail --since ${begun} --until 0s`);
    expect(waits).toMatchObject({ queue: 'mail', from: begun, tasks: 1 });
    expect(waits.sums.map(({ because }: { because: string }) => because)).toContain('held');
  });

  it('refuses a range that ends before it begins, and times that there are not', async () => {
    expect(await failed(`queue waits mail --since 0s --until ${begun}`)).toEqual([1, expect.stringContaining('from')]);
    expect(await failed('queue waits mail --since soon')).toEqual([2, expect.stringContaining('--since')]);
  });
});

describe('waybill task wait', () => {
  it('shows where the waiting time went, and up to a moment', async () => {
    const wait = await ok(`task wait ${task}`);
    expect(wait).toMatch(/^waited .*, from \S+ to \S+\n/);
    expect(wait).toMatch(/held.*bob.*disk full/);
    const then = await runCli(service.url, `task wait ${task} --as-of ${held}`);
    expect([then.code, then.out, then.err]).toEqual([
      0,
      expect.not.stringContaining('behind'),
      expect.stringContaining(`position ${held}.`),
    ]);
    expect((await json(`task wait ${task}`))[0].waitedMs).toBeGreaterThanOrEqual(0);
  });
});

describe('waybill task why', () => {
  it('shows the reasons of then', async () => {
    const then = await runCli(service.url, `task why ${task} --as-of ${held}`);
    expect([then.code, then.out, then.err]).toEqual([
      0,
      expect.stringMatching(/bob.*disk full/),
      expect.stringMatching(new RegExp(`^As of \\S+, position ${held}\\.$`, 'm')),
    ]);
    expect(await ok(`task why ${task}`)).toMatch(/succeeded/);
    const [{ existsFrom: _, ...absent }] = [{ existsFrom: null, ran: await failed(`task why ${task} --as-of 1`) }];
    expect(absent.ran).toEqual([1, expect.stringContaining('TASK_NOT_FOUND')]);
  });
});

describe('waybill task graph', () => {
  it('shows the graph of then', async () => {
    const { id } = await service.waybill.queue('mail').enqueue('b', { reference: 'letter' });
    const after = await service.waybill.queue('mail').enqueue('c', { reference: 'stamp', after: [{ task: id }] });
    await service.waybill.task(after.id).arrange({ waive: [id] });
    expect(await ok(`task graph ${id}`)).not.toContain('stamp');
    const then = await runCli(service.url, `task graph ${id} --as-of ${after.position}`);
    expect([then.code, then.out, then.err]).toEqual([
      0,
      expect.stringMatching(/stamp +pending, blocked +after letter/),
      expect.stringContaining(`position ${after.position}.`),
    ]);
  });
});
