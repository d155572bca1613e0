import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cliOutput, jsonLines, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

const MESSAGE = `no route to db1\n${'x'.repeat(100)}`;

let service: RunningService;
let task: string;
let group: string;
beforeAll(async () => {
  service = await startService();
  const mail = service.as('ann').queue('mail');
  await mail.define({ onFailure: 'fail' });
  task = (await mail.enqueue({}, { kind: 'letter' })).id;
  const [claimed] = await mail.claim({ worker: 'w1', build: 'b1' });
  const error = {
    message: MESSAGE,
    class: 'transient',
    details: { stack: 'E\n    at send (/app/mail.js:10:5)' },
  } as const;
  await service.waybill.settle([{ taskId: task, token: claimed!.token, verdict: { type: 'fail', error } }]);
  group = (await service.waybill.failures.list().next()).value!.id;
});
afterAll(() => service.stop());

const ok = (args: string) => cliOutput(service.url, args);
const json = async (args: string) => jsonLines(await ok(`${args} --json`));

it('waybill failures lists groups in a table or as JSON, and says if there is none', async () => {
  const [head, line, ...rest] = (await ok('failures --queue mail')).split('\n');
  expect(head).toMatch(/^group +state +failed now +tasks +attempts +class +queues +last seen +failure$/);
  expect(line).toMatch(new RegExp(`^${group} +open +1 +1 +1 +transient +mail +\\S+Z +no route to db1$`));
  expect(rest).toEqual(['']);
  expect(await json('failures --state open --class transient --order most')).toMatchObject([
    { id: group, message: MESSAGE, lastTask: task },
  ]);
  expect(await json('failures --state ignored')).toEqual([]);
  const none = await runCli(service.url, 'failures --queue other');
  expect(none).toEqual({ code: 0, out: '', err: 'No failure matches.\n' });
});

it('waybill failure show tells who, where and since when, and what changed before', async () => {
  const shown = Object.fromEntries(
    [...(await ok(`failure show ${group}`)).matchAll(/^(\S.*?) {2,}(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(shown).toMatchObject({
    group,
    state: 'open',
    class: 'transient',
    'thrown in': 'send mail.js',
    'failed tasks': '1',
    'failed attempts': '1',
    'by hour': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\dh \(1\)$/),
    examples: task,
    queues: 'mail',
    kinds: 'letter (1)',
    workers: 'w1 (1)',
    builds: 'b1',
    'build before': expect.stringMatching(/^b1 of mail, /),
    'policy before': expect.stringMatching(/^version 1 of mail, .*, by ann$/),
  });
  expect(await json(`failure show ${group} --queue mail`)).toMatchObject([
    { id: group, examples: [{ task, queue: 'mail', kind: 'letter' }], hours: [{ failedTasks: 1 }] },
  ]);
});

it('waybill failure resolve, ignore and reopen say what became of it', async () => {
  await ok(`failure resolve ${group} --build b2 --reason 'routes are checked'`);
  await ok(`failure ignore ${group}`);
  const [{ position }] = await json(`failure reopen ${group} --reason 'too many'`);
  // Each run of `waybill` is a client of its own, which knows no position of those before.
  await service.caughtUp('failure-groups', position);
  const said = await json(`failure show ${group}`);
  expect(said).toMatchObject([
    {
      state: 'open',
      said: { by: 'ann', reason: 'too many' },
      lastRepair: { build: 'b2', reason: 'routes are checked' },
    },
  ]);
  expect(await ok(`failure show ${group}`)).toMatch(/^repaired last by +build b2, ann, /m);
});

it('ends with code 1 if there is no such group, and 2 if it is no group at all', async () => {
  const missing = await runCli(service.url, 'failure show g000000000000000');
  expect([missing.code, missing.out, missing.err]).toEqual([1, '', expect.stringContaining('FAILURE_GROUP_NOT_FOUND')]);
  const ignored = await runCli(service.url, 'failure ignore g000000000000000');
  expect([ignored.code, ignored.err]).toEqual([1, expect.stringContaining('FAILURE_GROUP_NOT_FOUND')]);
  const choice = await runCli(service.url, 'failures --state closed');
  expect([choice.code, choice.err]).toEqual([2, expect.stringContaining('open, resolved, ignored')]);
});
