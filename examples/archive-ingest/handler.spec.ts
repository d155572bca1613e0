import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler, Verdict } from '@waybill/client';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Run } from '../../packages/client/src/worker/run.js';
import type { Entry } from './catalogue.js';
import { ingestInto } from './handler.js';
import { taskOf } from './queue.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'waybill-handler-'))));
afterAll(() => rm(folder, { recursive: true }));

/** A catalogue in memory. */
class Entries extends Map<string, Entry> {
  reads = 0;
  readonly find = async (path: string) => this.get(path) ?? null;
  readonly record = async (entry: Entry) => {
    this.reads++;
    this.set(entry.path, entry);
  };
}

let entries: Entries;
beforeEach(() => void (entries = new Entries()));

type Task = Parameters<Handler>[0];

async function ingest(path: string) {
  const { key = null, payload = null } = taskOf(path);
  const task = { taskId: 't1', key, payload, attempt: 1, step: null } as Task;
  const context = {
    signal: new AbortController().signal,
    windDown: new AbortController().signal,
    tell: async () => ({ state: 'running' as const }),
    progressed: () => undefined,
    said: () => undefined,
    results: async () => [],
  };
  const verdict = (await ingestInto(entries)(task, new Run(task, { token: '7.secret' }, context))) as Verdict;
  return verdict.settlement;
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const refused = (message: string) => ({ type: 'fail', error: { message, class: 'business' } });

describe('ingestInto', () => {
  it('records a new file with the fencing token of its attempt, and returns what it found', async () => {
    const path = await file('new.txt', 'one\ntwo\n');
    const sha256 = createHash('sha256').update('one\ntwo\n').digest('hex');
    expect(await ingest(path)).toEqual({
      type: 'succeed',
      result: { size: 8, sha256, mediaType: 'text/plain', lines: 2 },
    });
    expect(entries.get(path)).toMatchObject({
      path,
      size: 8,
      sha256,
      fencingToken: '7',
      modified: expect.stringMatching(/^\d{19}$/),
    });
  });

  it('does not read a known version again', async () => {
    const path = await file('known.txt', 'one');
    await ingest(path);
    expect(await ingest(path)).toEqual({ type: 'succeed', noChange: true });
    expect(entries.reads).toBe(1);
  });

  it('finds a touched file unchanged, and remembers its new time', async () => {
    const path = await file('touched.txt', 'one');
    await ingest(path);
    await utimes(path, 1_000, 1_000.25);
    expect(await ingest(path)).toEqual({ type: 'succeed', noChange: true });
    expect(entries.get(path)).toMatchObject({ modified: '1000250000000' });
    await ingest(path);
    expect(entries.reads).toBe(2);
  });

  it('records a changed file again, even if its size is the same', async () => {
    const path = await file('changed.txt', 'one');
    await ingest(path);
    await writeFile(path, 'two');
    await utimes(path, 2_000, 2_000);
    expect(await ingest(path)).toMatchObject({ type: 'succeed', result: { lines: 1 } });
    expect(entries.get(path)).toMatchObject({ sha256: createHash('sha256').update('two').digest('hex') });
  });

  it('reads files of more than one chunk', async () => {
    const content = 'x'.repeat(600_000);
    const path = await file('large.bin', content);
    await ingest(path);
    expect(entries.get(path)).toMatchObject({
      size: 600_000,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  it('refuses a malformed file, and records nothing', async () => {
    const path = await file('bad.json', '{"a": }');
    expect(await ingest(path)).toEqual(
      refused("Expected 'bad.json' to be JSON, but on line 1, column 7 there is '}' where a value should be"),
    );
    expect(entries.size).toBe(0);
  });

  it('refuses an unreadable file, and says why', async () => {
    const link = join(folder, 'link');
    await symlink(folder, link);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await ingest(join(folder, 'gone.txt'))).toEqual(
      refused("Expected 'gone.txt' to be readable, but it is gone"),
    );
    expect(await ingest(link)).toEqual(refused("Expected 'link' to be readable, but it is a symbolic link"));
    expect(await ingest(pipe)).toEqual(refused("Expected 'pipe' to be a file, but it is a device, pipe or socket"));
    expect(await ingest(folder)).toMatchObject({
      type: 'fail',
      error: { message: expect.stringContaining('it is a folder') },
    });
    expect(await ingest(join(folder, 'a\uFFFDb'))).toEqual(
      refused("Expected 'a\uFFFDb' to be readable, but its name is not UTF-8"),
    );
  });

  it('passes on an error that says nothing about the file', async () => {
    const path = await file('fine.txt', 'one');
    entries.set = () => {
      throw new Error('the database is away');
    };
    await expect(ingest(path)).rejects.toThrow('the database is away');
  });

  it('finds the path of a task whose path is too long for a key', async () => {
    const path = join(folder, 'd'.repeat(600));
    expect(taskOf(path).key).toHaveLength(71);
    expect(await ingest(path)).toEqual(
      refused(`Expected '${'d'.repeat(600)}' to be readable, but its path is too long for this system`),
    );
  });
});
