import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { main } from '../../../packages/cli/src/index.js';
import { until } from '../../support/until.js';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-import-'));
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, `${uuidv7()}-${name}`);
  writeFileSync(path, text);
  return path;
}

/** Runs `waybill import`. */
async function runImport(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([stdout, stderr].map(textOf));
  const env = { WAYBILL_URL: service.url, WAYBILL_ACTOR: 'ann' };
  const terminal = stdout as unknown as NodeJS.WriteStream;
  const code = await main(['import', ...args], { stdin: Readable.from(['']), stdout: terminal, stderr, env });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = await said;
  return { code, out: out!, err: err! };
}

async function textOf(stream: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

let made = 0;
/** The tables of a queue with an item in each status, in lower case as older rows have it. */
function tables() {
  const name = `legacy-${++made}`;
  const ids = { new: uuidv7(), running: uuidv7(), done: uuidv7(), failed: uuidv7(), deleted: uuidv7() };
  const queues = file(
    'queues.csv',
    `id,name,description,max_retries,enforce_unique_reference,is_active,created_at\n` +
      `7,${name},"Invoices, incoming",2,true,true,2024-01-01\n`,
  );
  const items = file(
    'items.csv',
    [
      'id,queue_id,reference,status,priority,payload,result,error_message,retries,created_at',
      `${ids.new},7,R1,new,5,"{""total"": 12}",,,0,2024-01-02`,
      `${ids.running.toUpperCase()},7,R2,in_progress,0,plain text,,,1,2024-01-03`,
      `${ids.done},7,R3,Done,0,,"{""booked"": true}",,0,2024-01-04`,
      `${ids.failed},7,R4,FAILED,0,,"{""reason"": ""business""}",No tax number,2,2024-01-05`,
      `${ids.deleted},7,R5,deleted,0,,,,0,2024-01-06`,
    ].join('\n'),
  );
  return { name, ids, args: ['--queues', queues, '--items', items] };
}

const pendingIn = async (name: string, count: number): Promise<void> => {
  const states = await until('the items to be listed', async () => {
    const { items } = await service.waybill.tasks.page({ queue: name });
    return items.length >= count ? items.map(({ state }) => state) : null;
  });
  expect(states).toEqual(Array(count).fill('pending'));
};

const task = (id: string) => service.waybill.task(id).get();

describe('an import', () => {
  it('S4-30 accepts the statuses of older rows in lower case, and keeps the order of GET next', async () => {
    const { name, ids, args } = tables();
    expect(await runImport(...args, '--apply')).toMatchObject({ code: 0 });
    const states = await Promise.all(Object.values(ids).map(async (id) => (await task(id)).stateName));
    expect(states).toEqual(['NEW', 'NEW', 'DONE', 'FAILED', 'DELETED']);
    const given = await service.waybill.queue(name).claim({ worker: 'robot', max: 9 });
    expect(given).toMatchObject([
      { taskId: ids.new, payload: { total: 12 }, reference: 'R1', priority: 5 },
      { taskId: ids.running, payload: 'plain text', labels: { 'imported-retries': '1' } },
    ]);
    expect(await task(ids.done)).toMatchObject({ result: { booked: true } });
    const error = { message: 'No tax number', class: 'business' };
    expect(await task(ids.failed)).toMatchObject({ error, reference: 'R4' });
    const queue = await service.waybill.queue(name).get();
    expect(queue).toMatchObject({ description: 'Invoices, incoming', policy: { uniqueReference: 'always' } });
    expect(queue.policy).toMatchObject({ onFailure: 'retry', retry: { maxAttempts: 3 } });
  });

  it('changes nothing unless it is applied, and says what it would do', async () => {
    const { name, args } = tables();
    const { code, out } = await runImport(...args);
    expect(code).toBe(0);
    expect(out).toContain('Would import 1 queue, and items: 2 new, 1 done, 1 failed, 1 deleted.');
    expect(out).toContain('1 item in progress will be given out again.');
    await expect(service.waybill.queue(name).get()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
  });

  it('doubles nothing when it is begun again, also after robots went on', async () => {
    const { name, ids, args } = tables();
    await runImport(...args, '--apply');
    const [claimed] = await service.waybill.queue(name).claim({ worker: 'robot' });
    const { taskId, token } = claimed!;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed', result: 1 } }]);
    const [{ imported, existing }] = [JSON.parse((await runImport(...args, '--apply', '--json')).out)];
    expect({ imported, existing }).toEqual({ imported: 0, existing: 5 });
    expect(await task(ids.new)).toMatchObject({ stateName: 'DONE', result: 1 });
    const failed = (await service.waybill.task(ids.failed).history()).map(({ type }) => type);
    expect(failed).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskAttemptFailed', 'TaskFailed']);
  });

  it('has one correlation id in all that it does, the same when it is begun again', async () => {
    const { ids, args } = tables();
    const plan = JSON.parse((await runImport(...args, '--json')).out) as { id: string };
    const done = JSON.parse((await runImport(...args, '--apply', '--json')).out) as { id: string };
    expect(done.id).toBe(plan.id);
    const histories = await Promise.all(Object.values(ids).map((id) => service.waybill.task(id).history()));
    const correlations = new Set(histories.flat().map(({ envelope }) => envelope.correlationId));
    expect(correlations).toEqual(new Set([plan.id]));
  });

  it('closes queues that were inactive, once their items are there', async () => {
    const name = `closed-${++made}`;
    const queues = file('queues.jsonl', JSON.stringify({ name, is_active: false }));
    const items = file('items.jsonl', JSON.stringify({ id: 'old-1', queue: name, payload: [1] }));
    for (const times of [1, 2]) {
      expect([times, (await runImport('--queues', queues, '--items', items, '--apply')).code]).toEqual([times, 0]);
      expect(await service.waybill.queue(name).get()).toMatchObject({ state: 'paused', intake: { open: false } });
      await pendingIn(name, 1);
    }
  });

  it('takes the status that a person gives for an unknown one, and keeps the unknown one as a label', async () => {
    const name = `custom-${++made}`;
    const id = uuidv7();
    const queues = file('queues.csv', `name\n${name}\n`);
    const items = file('items.csv', `id,queue,status\n${id},${name},Waiting for Ann\n`);
    const { code, err } = await runImport('--queues', queues, '--items', items);
    expect(code).toBe(1);
    expect(err).toContain(
      ':2: Expected one of NEW, IN_PROGRESS, DONE, FAILED, DELETED, or --status Waiting for Ann=...',
    );
    const done = await runImport('--queues', queues, '--items', items, '--status', 'Waiting for Ann=NEW', '--apply');
    expect(done.code).toBe(0);
    expect(await task(id)).toMatchObject({ stateName: 'NEW', labels: { 'imported-status': 'Waiting for Ann' } });
  });
});

describe('an import of items with times', () => {
  const LATER = '2099-01-31 18:00:00.5+01:00';
  const AT = '2099-01-31T17:00:00.500Z';

  function timed() {
    const name = `timed-${++made}`;
    const ids = {
      expires: uuidv7(),
      lives: uuidv7(),
      due: uuidv7(),
      expired: uuidv7(),
      late: uuidv7(),
      done: uuidv7(),
    };
    const queues = file('queues.csv', `name\n${name}\n`);
    const items = file(
      'items.csv',
      [
        'id,queue,status,expires_at,ttl_ms,deadline_at',
        `${ids.expires},${name},NEW,${LATER},,`,
        `${ids.lives},${name},NEW,,3600000,`,
        `${ids.due},${name},IN_PROGRESS,,,${LATER}`,
        `${ids.expired},${name},NEW,2020-01-01T00:00:00Z,,`,
        `${ids.late},${name},NEW,,,2020-01-01 00:00:00 UTC`,
        `${ids.done},${name},DONE,,,2020-01-01T00:00:00Z`,
      ].join('\n'),
    );
    return { name, ids, args: ['--queues', queues, '--items', items] };
  }

  it('limits those that wait, and keeps the times of those that have ended as labels', async () => {
    const { name, ids, args } = timed();
    expect(await runImport(...args, '--apply')).toMatchObject({ code: 0 });
    expect(await task(ids.expires)).toMatchObject({ state: 'pending', expiresAt: AT, deadlineAt: null });
    const lives = await task(ids.lives);
    expect(Date.parse(lives.expiresAt!) - Date.parse(lives.enqueuedAt!)).toBeCloseTo(3_600_000, -5);
    expect(await task(ids.due)).toMatchObject({ state: 'pending', expiresAt: null, deadlineAt: AT });
    const missed = await service.eventAfter('0', { queue: name, type: 'TaskDeadlineMissed' });
    expect(missed.stream).toBe(`task-${ids.late}`);
    await until('the time to live to be over', async () =>
      (await task(ids.expired)).state === 'failed' ? true : null,
    );
    expect(await task(ids.expired)).toMatchObject({ error: { class: 'expired' } });
    const labels = { 'imported-deadline-at': '2020-01-01T00:00:00Z' };
    expect(await task(ids.done)).toMatchObject({ state: 'succeeded', deadlineAt: null, deadlineMissed: false, labels });
  });

  it('is the same when it is begun again', async () => {
    const { ids, args } = timed();
    await runImport(...args, '--apply');
    const before = await task(ids.lives);
    const { code, out } = await runImport(...args, '--apply', '--json');
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, imported: 0, existing: 6, refused: 0 });
    expect(await task(ids.lives)).toEqual(before);
  });

  it('says before what has passed by now', async () => {
    const { args } = timed();
    const { out } = await runImport(...args);
    expect(out).toContain('1 new item will fail at once, because it has expired by now.');
    expect(out).toContain('1 new item will be told as late at once, because the deadline has passed.');
    expect(JSON.parse((await runImport(...args, '--json')).out)).toMatchObject({ expired: 1, overdue: 1 });
  });
});

describe('an import is refused, and nothing is imported', () => {
  const NOBODY = '01900000-0000-7000-8000-000000000000';

  it.each<[string, string, string]>([
    [
      'an unknown column',
      `id,queue,colour\n1,QUEUE,red\n`,
      ':2: Expected the columns id, queue_id, queue, reference, status, priority',
    ],
    [
      'an unknown queue',
      `id,queue_id\n1,${NOBODY}\n`,
      `:2: Expected a queue of the table or of the service, but it is '${NOBODY}'`,
    ],
    ['no id', `id,queue\n,QUEUE\n`, ":2: Expected a value in 'id', but there is none"],
    ['an id twice', `id,queue\n1,QUEUE\n1,QUEUE\n`, ':3: Expected another id than'],
    [
      'a reference twice',
      `id,queue,reference\n1,QUEUE,R\n2,QUEUE,R\n`,
      ":3: Expected another reference than 'R', but line 2 has it",
    ],
    [
      'a priority that is no number',
      `id,queue,priority\n1,QUEUE,high\n`,
      ":2: Expected a whole number from -2147483648 to 2147483647 in 'priority', but it is 'high'",
    ],
    [
      'a priority that the service does not take',
      `id,queue,priority\n1,QUEUE,3000000000\n`,
      "to 2147483647 in 'priority', but it is '3000000000'",
    ],
    ...['tomorrow', '2027-02-30T18:00:00Z', '2027-01-31 18:00:00', '1969-12-31T23:00:00Z', '2027-01-31'].map(
      (time): [string, string, string] => [
        `a deadline of ${time}`,
        `id,queue,deadline_at\n1,QUEUE,${time}\n`,
        `:2: Expected a time such as 2027-01-31T18:00:00Z in 'deadline_at', with its offset, but it is '${time}'`,
      ],
    ),
    [
      'an end of a time to live that is none, though the item has ended',
      `id,queue,status,expires_at\n1,QUEUE,DONE,soon\n`,
      ":2: Expected a time such as 2027-01-31T18:00:00Z in 'expires_at', with its offset, but it is 'soon'",
    ],
    [
      'a time to live that is no longer than nothing',
      `id,queue,ttl_ms\n1,QUEUE,0\n`,
      ":2: Expected a whole number from 1 to 31622400000 in 'ttl_ms', but it is '0'",
    ],
    [
      'two ends of a time to live',
      `id,queue,ttl_ms,expires_at\n1,QUEUE,60000,2027-01-31 18:00:00+00\n`,
      ":2: Expected 'expires_at' or 'ttl_ms', but there are both: '2027-01-31 18:00:00+00' and '60000'",
    ],
    ['a row that is too long', `id,queue\n1,QUEUE,3\n`, ':2: Expected a row of CSV, but'],
  ])('because of %s', async (_, text, message) => {
    const name = `wrong-${++made}`;
    const queues = file('queues.csv', `name,enforce_unique_reference\n${name},true\n`);
    const items = file('items.csv', text.replaceAll('QUEUE', name));
    const { code, err } = await runImport('--queues', queues, '--items', items, '--apply');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    expect(err).toContain('Nothing was imported, because 1 row cannot be.');
    await expect(service.waybill.queue(name).get()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
  });

  it.each<[string, string[], string]>([
    ['no table', [], 'Expected a table'],
    ['a file that is missing', ['--items', '/nowhere/items.csv'], 'Expected a file that can be read'],
    ['a file of another kind', ['--items', 'items.xlsx'], 'Expected a file that ends with .csv, .jsonl or .ndjson'],
  ])('because of %s', async (_, args, message) => {
    expect(await runImport(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it('for an item whose reference another task has, which the refusal names, while the others are imported', async () => {
    const name = `taken-${++made}`;
    const queue = service.waybill.queue(name);
    await queue.define({ uniqueReference: 'always' }, { preset: 'rpa-items' });
    const holder = await queue.enqueue(1, { reference: 'R1' });
    const items = file(
      'items.jsonl',
      ['R1', 'R2'].map((reference, at) => JSON.stringify({ id: at, queue: name, reference })).join('\n'),
    );
    const { code, err } = await runImport('--items', items, '--apply');
    expect(code).toBe(1);
    expect(err).toContain('✗ line 1  REFERENCE_IN_USE');
    expect(err).toContain(holder.id);
    await pendingIn(name, 2);
  });
});
