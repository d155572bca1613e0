import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const EXAMPLES = join(import.meta.dirname, '../../examples/import');
const ARCHIVE = `--items ${EXAMPLES}/archive.csv --mapping ${EXAMPLES}/archive.json`;
const BATCHES = `--items ${EXAMPLES}/repository-batches.jsonl --mapping ${EXAMPLES}/repository-batches.json`;
const CELERY = `--items ${EXAMPLES}/celery.csv --mapping ${EXAMPLES}/celery.json`;

let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-mapping-'));
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const runImport = (args: string) => runCli(service.url, `import ${args}`);

async function imported(args: string): Promise<unknown> {
  const { code, out, err } = await runImport(`${args} --apply --json`);
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('✗') });
  return JSON.parse(out);
}

const file = (name: string, content: string): string => {
  const path = join(folder, `${uuidv7()}-${name}`);
  writeFileSync(path, content);
  return path;
};

/** The tasks of a queue, once the index has so many. */
const tasksOf = (queue: string, count: number) =>
  until('the items to be listed', async () => {
    const { items } = await service.waybill.tasks.page({ queue });
    return items.length >= count ? items : null;
  });

describe('an import of the table of an archive, with a key for each file', () => {
  const FAILED = ['n20260214s0003.fits', 'n20260214s0005.fits', 'n20260214s0005.fits'];

  it('says what it would do, and makes one waiting task of the entries of a file', async () => {
    const queue = service.waybill.queue('archive-ingest');
    await queue.define({}, { preset: 'archive-files' });
    const { out } = await runImport(ARCHIVE);
    expect(out).toContain('Would import 0 queues, and items: 4 new, 0 done, 3 failed, 0 deleted.');
    expect(out).toContain('2 items in progress will be given out again.');
    expect(out).toContain('1 new item will be left out, because one before has the same key');
    expect(await imported(ARCHIVE)).toMatchObject({ imported: 7, existing: 0, leftOut: 1, refused: 0 });
    const failed = (await tasksOf('archive-ingest', 7)).filter(({ state }) => state === 'failed');
    expect(failed.map(({ key }) => key).toSorted()).toEqual(FAILED);
    const given = await queue.claim({ worker: 'w', max: 9 });
    expect(given.map(({ key, priority }) => [key, priority])).toEqual([
      ['n20260214s0001.fits', 20],
      ['n20260214s0002.fits', 20],
      ['n20260214s0003.fits', 20],
      ['n20260214s0004.fits', 10],
    ]);
    expect(given[0]).toMatchObject({ payload: { filename: 'n20260214s0001.fits', path: 'science' } });
    await service.waybill.settle(
      given.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' as const } })),
    );
  });

  it('makes nothing of it when it is begun again, after the file was read', async () => {
    expect(await imported(ARCHIVE)).toMatchObject({ imported: 0, existing: 7, leftOut: 1, refused: 0 });
    expect(await service.waybill.queue('archive-ingest').claim({ worker: 'w', max: 9 })).toEqual([]);
  });
});

it("an import of a repository's batches gives lower numbers first, and labels by which to find them", async () => {
  const queue = service.waybill.queue('submissions');
  await queue.define({}, { preset: 'repository-submissions' });
  expect(await imported(BATCHES)).toMatchObject({ imported: 5, refused: 0 });
  await tasksOf('submissions', 5);
  const { items } = await service.waybill.tasks.page({
    queue: 'submissions',
    label: { name: 'submitter', value: 'ada' },
  });
  expect(items.map(({ labels, stateName }) => [labels?.['batch'], stateName]).toSorted()).toEqual([
    ['bid-0a51', 'COMPLETED'],
    ['bid-0a52', 'Failed'],
    ['bid-0a55', 'DELETED'],
  ]);
  const given = await queue.claim({ worker: 'planner', max: 9 });
  expect(given.map(({ labels, priority }) => [labels?.['batch'], priority])).toEqual([
    ['bid-0a54', -1],
    ['bid-0a53', -5],
  ]);
});

it("an import of Celery's results keeps ids, kinds, results and errors", async () => {
  const queue = service.waybill.queue('celery');
  await queue.define({ onFailure: 'fail' });
  expect(await imported(CELERY)).toMatchObject({ imported: 4, refused: 0 });
  const task = (last: number) => service.waybill.task(`3f0c1b52-8a77-4a0e-9a55-0d3f7f0c6a0${last}`).get();
  const payload = { args: ['ada@example.org'], kwargs: { copy: true } };
  expect(await task(1)).toMatchObject({ kind: 'mail.send', state: 'succeeded', result: { sent: 1 }, payload });
  expect(await task(2)).toMatchObject({
    state: 'failed',
    error: { message: 'SMTPRecipientsRefused: nobody@example', details: { exc_type: 'SMTPRecipientsRefused' } },
  });
  expect(await task(3)).toMatchObject({ state: 'pending', labels: { 'celery-status': 'STARTED' } });
  expect(await task(4)).toMatchObject({ state: 'deleted', labels: { 'celery-status': 'REVOKED' } });
});

describe('an import with a mapping is refused, and nothing is imported', () => {
  const mapping = { queue: 'keyed', columns: { id: 'Nr', key: 'File' } };
  const statuses = [{ when: { State: 'Open', Live: true }, is: 'NEW' }];

  beforeAll(() => service.waybill.queue('keyed').define({ keyRequired: true, duplicatePending: 'refuse' }));

  it.each<[string, object, string, string]>([
    [
      'a column that the mapping does not name',
      mapping,
      'Nr,File,Size\n1,a,3\n',
      ':2: Expected the columns nr, file, but',
    ],
    ['a column that no row has', mapping, 'Nr\n1\n', "Expected a key, because queue 'keyed' requires it"],
    [
      'a column of a label that no row has',
      { ...mapping, labels: { size: 'Size' } },
      'Nr,File\n1,a\n',
      ":1: Expected a column 'size', as the mapping says, but no row has it",
    ],
    [
      'a status that no rule fits',
      { ...mapping, statuses },
      'Nr,File,State,Live\n1,a,Held,yes\n',
      ":2: Expected that one of the mapping's statuses fits, but 'State' is 'Held' and 'Live' is 'yes'",
    ],
    [
      'a value that is neither true nor false',
      { ...mapping, statuses },
      'Nr,File,State,Live\n1,a,open,maybe\n',
      ":2: Expected true or false in 'Live', but it is 'maybe'",
    ],
    [
      'a key twice, where the queue wants no second',
      mapping,
      'Nr,File\n1,a\n2,a\n',
      ":3: Expected another key than 'a', but line 2 has it",
    ],
    [
      'a priority, as the file has it',
      { ...mapping, columns: { ...mapping.columns, priority: 'Rank' }, invertPriority: true },
      'Nr,File,Rank\n1,a,high\n',
      "in 'Rank', but it is 'high'",
    ],
    [
      'a label that is too long',
      { ...mapping, labels: { size: 'Size' } },
      `Nr,File,Size\n1,a,${'x'.repeat(257)}\n`,
      ":2: Expected an object of texts of up to 256 characters in 'labels', but 'size' is another value",
    ],
  ])('because of %s', async (_, content, text, message) => {
    const args = `--items ${file('t.csv', text)} --mapping ${file('m.json', JSON.stringify(content))} --apply`;
    const { code, err } = await runImport(args);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    expect(await service.waybill.queue('keyed').claim({ worker: 'w' })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['that is no JSON', '{', 'that is JSON, but'],
    ['that is no object', '[]', 'that is a JSON object, but it is another value'],
    ['with an unknown member', '{"columns":{},"keys":{}}', "but there is 'keys'"],
    ['without columns', '{}', "with an object of names of columns in 'columns', but there is none"],
    ['with an unknown column', '{"columns":{"colour":"c"}}', "but there is 'colour'"],
    ['with two queues', '{"queue":"q","columns":{"queue":"q"}}', "once where 'queue' comes from"],
    ['with a queue and its id', '{"queue":"q","columns":{"queue_id":"q"}}', "once where 'queue' comes from"],
    ['with two statuses', '{"columns":{"status":"s"},"statuses":[{"is":"NEW"}]}', "once where 'status' comes from"],
    [
      'with a status of its own',
      '{"columns":{},"statuses":[{"is":"HELD"}]}',
      'one of NEW, IN_PROGRESS, DONE, FAILED, DELETED',
    ],
    ['with a rule of numbers', '{"columns":{},"statuses":[{"when":{"s":1},"is":"NEW"}]}', "whose 'statuses' are"],
    ['with a payload that is no object', '{"columns":{},"payload":["a"]}', "in 'payload'"],
    ['with a label without a column', '{"columns":{},"labels":{"a":""}}', "in 'labels'"],
    ['with a text for a flag', '{"columns":{},"invertPriority":"yes"}', "true or false in 'invertPriority'"],
    ['with a text for a list', '{"columns":{},"ignore":"a"}', "in 'ignore'"],
  ])('because of a mapping %s', async (_, content, message) => {
    const args = `--items ${EXAMPLES}/archive.csv --mapping ${file('m.json', content)}`;
    expect(await runImport(args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it('because of a mapping without a table, and of one that cannot be read', async () => {
    expect(await runImport(`--queues q.csv --mapping ${EXAMPLES}/archive.json`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--items <file>'),
    });
    expect(await runImport(`--items ${EXAMPLES}/archive.csv --mapping /nowhere/m.json`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected a mapping file that can be read'),
    });
  });
});
