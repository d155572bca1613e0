import { describe, expect, it } from '@jest/globals';
import type { EventView, QueueStats } from '@waybill/client';
import { type Paint, timeline } from '@waybill/cli/terminal';
import { byClass, bytes, count, duration, plural, wrapped } from '@waybill/client/words';
import { HELP, readOptions } from './options.js';
import { tallyOf } from './tally.js';

const plain = {
  ...Object.fromEntries(
    ['bold', 'dim', 'red', 'green', 'yellow', 'cyan', 'state', 'event'].map((name) => [name, (text: string) => text]),
  ),
  ago: () => null,
} as unknown as Paint;

describe('words', () => {
  it('formats numbers, sizes and times', () => {
    expect([7, 1_234, 31_505, 1_234_567].map(count)).toEqual(['7', '1 234', '31 505', '1 234 567']);
    expect([0, 999, 1_000, 1_949_999, 417_000_000, 2e12].map(bytes)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.0 kB',
      '1.9 MB',
      '417 MB',
      '2.0 TB',
    ]);
    expect([1_040, 64_200, 148_400, 119_700].map(duration)).toEqual(['1.0 s', '1 min 4 s', '2 min 28 s', '1 min 59 s']);
    expect(byClass({ business: 1_204, transient: 2 })).toBe('1 204 business, 2 transient');
    expect([plural(1, 'file'), plural(2, 'file')]).toEqual(['1 file', '2 files']);
  });

  it('breaks lines at blanks, and within a word only if it is longer than a line', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('', 4)).toEqual(['']);
  });
});

describe('tallyOf', () => {
  const stats = (counts: QueueStats['counts'], failuresByClass: QueueStats['failuresByClass']) =>
    ({ counts, failuresByClass }) as QueueStats;

  it('counts what happened between two reads, including superseded failures', () => {
    const before = stats({ succeeded: 10, failed: 3, superseded: 1 }, { business: 4 });
    const now = stats({ succeeded: 15, failed: 2, superseded: 4, pending: 7, running: 2 }, { business: 5, bug: 1 });
    expect(tallyOf(before, now)).toEqual({
      succeeded: 5,
      failed: 2,
      failuresByClass: { business: 1, bug: 1 },
      open: 9,
    });
  });
});

describe('timeline', () => {
  const event = (type: string, data: object): EventView =>
    ({ position: '7', recordedAt: '2026-11-21T08:05:03.120Z', type, data, envelope: { actor: 'w1' } }) as EventView;

  it('shows a line for each event, and more lines for long details', () => {
    const error = { class: 'business', message: 'a message of more words than one line holds' };
    const events = [
      event('TaskClaimed', { attempt: 1, waitedMs: 5, token: '9' }),
      event('TaskAttemptFailed', { error }),
    ];
    expect(timeline(events, plain, 90)).toEqual([
      '  position time (UTC)    event              who           details',
      '           2026-11-21',
      '         7 08:05:03.120  TaskClaimed        w1            attempt 1, waited 5 ms, fencing',
      '                                                          token 9',
      '         7 08:05:03.120  TaskAttemptFailed  w1            ran 0 ms; business: a message of',
      '                                                          more words than one line holds',
    ]);
  });

  it('shows the day when it changes', () => {
    const at = (recordedAt: string) => ({ ...event('TaskReleased', {}), recordedAt });
    const events = ['2026-11-21T23:59:59.999Z', '2026-11-22T00:00:00.000Z', '2026-11-22T01:00:00.000Z'].map(at);
    const days = timeline(events, plain, 90).map((line) => line.trim().split(' ')[0]);
    expect(days).toEqual(['position', '2026-11-21', '7', '2026-11-22', '7', '7']);
  });

  it('shows an event without words of its own', () => {
    expect(timeline([event('TaskReleased', {})], plain, 90).at(-1)).toContain('TaskReleased');
  });
});

describe('readOptions', () => {
  it('prints a help text that names the form for programs, in which npm prints nothing itself', () => {
    expect(HELP).toMatch(/--json .*on stdout;.*\n +\(npm run --silent demo -- --json,/);
  });

  const read = (...args: string[]) => readOptions(args, {}, __dirname);

  it('has defaults for everything', async () => {
    const rest = { once: false, incident: false, fresh: false, json: false, port: 3000, workers: 2 };
    expect(await read()).toEqual({ dir: __dirname, ...rest });
    expect(await readOptions(['--once'], { PORT: '8080' }, __dirname)).toMatchObject({ once: true, port: 8080 });
    expect(await read('--help')).toBeNull();
  });

  it.each([
    [['--port', '70000'], "Expected --port to be a whole number from 0 to 65535, but it is '70000'."],
    [['--workers', '0'], "Expected --workers to be a whole number from 1 to 16, but it is '0'."],
    [['--workers', '2.5'], "Expected --workers to be a whole number from 1 to 16, but it is '2.5'."],
    [['--dir', __filename], `Expected --dir to name a folder, but '${__filename}' is none.`],
    [['files'], "Expected options as 'npm run demo -- --help' lists them, but: Unexpected argument 'files'."],
    [
      ['--once=yes'],
      "Expected options as 'npm run demo -- --help' lists them, but: Option '--once' does not take an argument.",
    ],
  ])('refuses %j in one sentence', async (args, message) => {
    await expect(read(...args)).rejects.toThrow(message);
  });
});
