import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@waybill/client';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_FORMATS } from '../../packages/cli/src/export/formats.js';
import { SortedLines, withSortedLines } from '../../packages/cli/src/export/sorted-lines.js';

const LINES = 5_000;
/** Held in memory at most. So the lines fill some 300 files, of which most have been merged twice. */
const CHARS = 1_000;

/** The same in each run. Some have the characters that other readers take for the end of a line. */
const lineAt = (at: number): string => `${(at * 7_919) % LINES}\r\u2028${'x'.repeat(at % 60)} ü`;

describe('lines that are sorted', () => {
  it('come back in order, each once, from as few files as can be open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-sorted-'));
    try {
      const lines = new SortedLines(folder, CHARS);
      const given = Array.from({ length: LINES }, (_, at) => lineAt(at));
      let most = 0;
      for (const [at, line] of given.entries()) {
        await lines.add(line);
        if (at % 50 === 0) most = Math.max(most, (await readdir(folder)).length);
      }
      const [file] = await readdir(folder);
      expect((await stat(join(folder, file!))).mode & 0o077).toBe(0);
      // At most 15 of each of three sizes, though some 300 were written.
      expect(most).toBeLessThan(46);
      const read: string[] = [];
      for await (const line of lines.inOrder()) read.push(line);
      expect(read).toEqual(given.sort());
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('leave nothing behind, also if the work fails', async () => {
    const before = await left();
    const failed = withSortedLines(async (open) => {
      const lines = open();
      for (let at = 0; at < 200; at++) await lines.add('x'.repeat(100_000));
      expect((await left()).length).toBe(before.length + 1);
      throw new Error('no more events');
    });
    await expect(failed).rejects.toThrow('no more events');
    expect(await left()).toEqual(before);
  });

  const left = async (): Promise<readonly string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('waybill-export-'));
});

describe('a log that ends with an event of a task', () => {
  const event: EventView = {
    position: '1',
    stream: 'task-1',
    revision: 0,
    id: 'e-1',
    type: 'TaskEnqueued',
    version: 1,
    recordedAt: '2026-05-01T00:00:00.000Z',
    data: { queue: 'mail' },
    envelope: { actor: 'ann' },
  };
  async function* events(): AsyncGenerator<EventView> {
    yield event;
  }
  it('ends the trace of XES', async () => {
    let text = '';
    await withSortedLines(async (sorted) => {
      for await (const line of EVENT_FORMATS.xes(events(), { isPrivate: false, sorted })) text += line;
    });
    expect(text).toMatch(/<\/event><\/trace><\/log>$/);
  });
});
