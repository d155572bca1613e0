import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Worker } from '@waybill/client';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from '../../test/support/running-service.js';
import type { Entry } from './catalogue.js';
import { ingestInto } from './handler.js';
import { defineQueue, QUEUE } from './queue.js';

const ROOT = join(__dirname, '../..');
const FILE = '/var/tmp/settings.json';

let blocks: readonly { readonly language: string; readonly text: string }[];
let service: RunningService;
let folder: string;
let worker: Worker;

beforeAll(async () => {
  const tutorial = await readFile(join(ROOT, 'docs/tutorials/archive-ingest.md'), 'utf8');
  const found = tutorial.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  blocks = [...found].map(([, language, text]) => ({ language: language!, text: text! }));
  folder = await mkdtemp(join(tmpdir(), 'waybill-tutorial-'));
  service = await startService();
  const entries = new Map<string, Entry>();
  const catalogue = {
    find: async (path: string) => entries.get(path) ?? null,
    record: async (entry: Entry) => void entries.set(entry.path, entry),
  };
  await defineQueue(service.waybill.queue(QUEUE));
  worker = service.waybill.worker({ logger: null }).handle(QUEUE, ingestInto(catalogue));
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

it('the tutorial shows the code of the example', async () => {
  const shown = blocks.filter(({ language }) => language === 'ts');
  expect(shown).toHaveLength(3);
  for (const { text } of shown) {
    const [, file, code] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text)!;
    expect(await readFile(join(ROOT, file!), 'utf8')).toContain(code);
  }
});

it('S0-25 S0-29 S0-38 S0-40 the commands of the tutorial do what the tutorial says', async () => {
  const [breakFile, handIn, listFailed, mendFile, listAll] = blocks
    .filter(({ language, text }) => language === 'sh' && !text.startsWith('npm'))
    .map(({ text }) => text);
  await echo(breakFile!);
  const { id, position } = await curl(handIn!);
  await service.eventAfter(position, { queue: QUEUE, type: 'TaskFailed' });
  expect(await curl(listFailed!)).toMatchObject({ items: [{ id, key: join(folder, 'settings.json') }] });
  await echo(mendFile!);
  const mended = await curl(handIn!);
  await service.eventAfter(mended.position, { queue: QUEUE, type: 'TaskSuperseded' });
  expect(await curl(listFailed!)).toMatchObject({ items: [] });
  expect((await curl(listAll!)).items.map((task: { id: string; state: string }) => [task.id, task.state])).toEqual([
    [id, 'superseded'],
    [mended.id, 'succeeded'],
  ]);
  const history = await service.waybill.task(id).history();
  expect(JSON.stringify(history)).toContain("there is '}' where a value should be");
});

/** Runs `echo 'text' > file`, with the file in the test's folder. */
async function echo(command: string): Promise<void> {
  const [, text, file] = /^echo '(.*)' > (\S+)\n$/.exec(command)!;
  expect(file).toBe(FILE);
  await writeFile(join(folder, 'settings.json'), `${text}\n`);
}

/** Does what curl would do, with the service and the file of the test. */
async function curl(command: string): Promise<any> {
  const here = command
    .replace('http://127.0.0.1:3000', service.url)
    .replace(FILE, join(folder, 'settings.json'))
    .replaceAll('\\\n', '');
  const [program, ...words] = [...here.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  expect(program).toBe('curl');
  const after = (option: string): string | undefined => words[words.indexOf(option) + 1 || words.length];
  const url = new URL(words.find((word) => word.startsWith('http'))!);
  const [name, value] = after('--data-urlencode')?.split('=') ?? [];
  if (name !== undefined) url.searchParams.set(name, value!);
  const [header, content] = after('-H')?.split(': ') ?? [];
  const body = after('-d');
  const init = body === undefined ? {} : { method: 'POST', headers: { [header!]: content! }, body };
  const response = await fetch(url, init);
  expect(response.ok).toBe(true);
  return await response.json();
}
