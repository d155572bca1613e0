import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { GraphNode, TaskGraph } from '@waybill/client';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from '../../test/support/running-service.js';
import { type Ingested, ingest } from './ingest.js';
import { planIngest, consoleFunctions } from './plan.js';
import { isDone, summary } from './summary.js';

const PLAIN = Object.fromEntries(
  ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'].map((name) => [name, (text: string) => text]),
) as unknown as Parameters<typeof summary>[1];

let service: RunningService;
let home: string;
let folders: { folder: string; work: string };

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'waybill-ingest-'));
  folders = { folder: join(home, 'CAN-4711'), work: join(home, 'work') };
  await mkdir(join(folders.folder, 'sub'), { recursive: true });
  await writeFile(join(folders.folder, 'notes.txt'), 'one\ntwo\n');
  await writeFile(join(folders.folder, 'sub', 'facts.json'), '{"a": 1}\n');
});
afterEach(() => rm(home, { recursive: true }));

const run = (signal = new AbortController().signal, onLook?: (graph: TaskGraph) => void): Promise<Ingested> =>
  ingest(service.waybill, folders, { signal, ...(onLook && { onLook }) });

const inWork = (...path: readonly string[]): string => join(folders.work, ...path);

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const stateOf = ({ nodes }: TaskGraph, title: string): string | undefined =>
  nodes.find((node: GraphNode) => node.title === title)?.state;

/** How often an event was recorded for the tasks of the ingest. */
async function recorded({ tasks }: Ingested, type: string): Promise<number> {
  const histories = await Promise.all([...tasks.values()].map(({ id }) => service.waybill.task(id).history()));
  return histories.flat().filter((event) => event.type === type).length;
}

describe('example:ingest', () => {
  it('plans the eight tasks of a console’s ingest', async () => {
    const plan = await planIngest(service.waybill, consoleFunctions(service.waybill), folders);
    expect(plan.graph().map(({ kind, after }) => [kind, after])).toEqual([
      ['assets:make', []],
      ['links:make', [0]],
      ['links:make', [0]],
      ['links:make', [0]],
      ['tape:ingest', [1]],
      ['metadata:scan', [2]],
      ['links:remove', [4]],
      ['links:remove', [5]],
    ]);
  });

  it('links, archives, scans and cleans up, and does nothing twice', async () => {
    const first = await run();
    expect(isDone(first)).toBe(true);
    expect(await readFile(inWork('archive', 'sub', 'facts.json'), 'utf8')).toBe('{"a": 1}\n');
    expect(await filesIn(inWork('archive'))).toEqual(['facts.json', 'notes.txt']);
    expect(await readdir(inWork('links'))).toEqual(['proxy']);
    expect(await readlink(inWork('links', 'proxy', 'notes.txt'))).toBe(join(folders.folder, 'notes.txt'));
    expect(JSON.parse(await readFile(inWork('metadata.json'), 'utf8'))).toMatchObject([
      { path: 'notes.txt', mediaType: 'text/plain', lines: 2 },
      { path: 'sub/facts.json', mediaType: 'application/json' },
    ]);
    const text = summary(first, PLAIN);
    expect(text).toContain('2 files, 17 bytes, each with its checksum');
    expect(text).toMatch(/3 {2}✓ tape clean-up {2}succeeded {2}after tape ingest/);

    const { ino } = await stat(inWork('archive', 'notes.txt'));
    const second = await run();
    expect(second.wasDone).toBe(true);
    expect(summary(second, PLAIN)).toContain('Ingested before');
    expect([await recorded(second, 'TaskSucceeded'), await recorded(second, 'TaskClaimed')]).toEqual([8, 8]);
    expect((await stat(inWork('archive', 'notes.txt'))).ino).toBe(ino);
  });

  it('goes on where it was stopped', async () => {
    // A sparse file takes hours to read, so the asset tree cannot be done before the stop.
    const endless = join(folders.folder, 'endless');
    await writeFile(endless, '');
    await truncate(endless, 2 ** 40);
    const controller = new AbortController();
    const stopped = run(controller.signal, (graph) => {
      if (stateOf(graph, 'asset tree') === 'running') controller.abort(new Error('stopped'));
    });
    await expect(stopped).rejects.toThrow('aborted');
    await truncate(endless);
    const continued = await run();
    expect(isDone(continued)).toBe(true);
    expect(await recorded(continued, 'TaskCancelled')).toBe(1);
    expect(await recorded(continued, 'TaskSucceeded')).toBe(8);
  });

  it('says which file is unreadable, and goes on once that is repaired', async () => {
    // A name that is not UTF-8, so no program can open what it reads.
    const unreadable = Buffer.concat([Buffer.from(`${folders.folder}/bad`), Buffer.from([0xff]), Buffer.from('.txt')]);
    await writeFile(unreadable, '');
    const failed = await run();
    expect(isDone(failed)).toBe(false);
    expect(summary(failed, PLAIN)).toContain(
      "asset tree failed: Expected 'bad\uFFFD.txt' to be readable, but its name is not UTF-8.\n  7 tasks wait for that.",
    );
    await rm(unreadable);
    expect(isDone(await run())).toBe(true);
  });
});
