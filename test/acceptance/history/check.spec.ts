import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { main } from '../../../packages/cli/src/index.js';
import type { RecordedEvent } from '../../../src/application/kernel/recorded-event.js';
import { checkProgram, type ToldFinding } from '../../../src/check/check-program.js';
import { fromEventStoreDb, type StoredLine } from '../../support/eventstoredb/stored-line.js';
import { writeExport } from '../../support/history/export-of.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import { type RunningService, startService } from '../../support/running-service.js';

const GOLDEN = join(__dirname, '../../golden');
const LOGS = readdirSync(GOLDEN, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

const golden = (log: string): RecordedEvent[] =>
  readFileSync(join(GOLDEN, log, 'eventstoredb.ndjson'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => fromEventStoreDb(JSON.parse(line) as StoredLine));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function findingsIn(events: readonly RecordedEvent[], isWhole = false): Promise<ToldFinding[]> {
  const path = join(folder, 'log');
  writeExport(path, events, { isWhole });
  const found: ToldFinding[] = [];
  await checkProgram(path, { policies: new Map(), isOver: false, onFinding: (finding) => found.push(finding) });
  return found;
}

/** Made by hand: triggers whose rows were set back, and batches without their tasks, of a build before reports. */
const MADE_BY_HAND: Readonly<Record<string, readonly string[]>> = {
  'log-4': ['I11 5'],
  'log-5': ['I11 11'],
  'log-6': ['I14 67', 'I14 73', 'I14 77'],
  'open-occurrences': ['I11 14', 'I11 16'],
};

type Change = (recorded: RecordedEvent) => RecordedEvent | null;

/** Changes or leaves out the n-th event of a type. */
const changed =
  (type: string, change: Change, nth = 0) =>
  (events: RecordedEvent[]): RecordedEvent[] => {
    const at = events.filter((one) => one.event.type === type)[nth]!;
    return events.flatMap((one) => (one === at ? (change(one) ?? []) : one));
  };

const withData =
  (data: object): Change =>
  (recorded) => ({ ...recorded, event: { ...recorded.event, data: { ...recorded.event.data, ...data } } });

/** Leaves an event out, and closes the gap in its stream. */
const without =
  (type: string, nth = 0) =>
  (events: RecordedEvent[]): RecordedEvent[] => {
    const gone = events.filter((one) => one.event.type === type)[nth]!;
    const follows = (one: RecordedEvent): boolean => one.stream === gone.stream && one.revision > gone.revision;
    return events.flatMap((one) => (one === gone ? [] : follows(one) ? { ...one, revision: one.revision - 1 } : one));
  };

/** A fault, the rule that it breaks, and of the events of which type the finding names one. */
const PLANTED: readonly (readonly [
  fault: string,
  log: string,
  plant: (events: RecordedEvent[]) => RecordedEvent[],
  finds: readonly [invariant: string, type: string],
])[] = [
  ['a lost event', 'log-3', changed('TaskClaimed', () => null), ['I7', 'TaskSucceeded']],
  ['an event twice', 'log-3', (events) => events.flatMap((one, at) => (at === 20 ? [one, one] : one)), ['I7', '']],
  ['a counted attempt', 'log-3', changed('TaskClaimed', withData({ attempt: 7 })), ['I7', 'TaskClaimed']],
  [
    'a worker that another one is',
    'log-3',
    changed('TaskSucceeded', withData({ worker: 'x' })),
    ['I7', 'TaskSucceeded'],
  ],
  ['a token of no claim', 'log-3', changed('TaskSucceeded', withData({ token: '9999' })), ['I4', 'TaskSucceeded']],
  ['a claim that never ended', 'ids-only', without('TaskLeaseExpired'), ['I3', 'TaskClaimed']],
  ['a submission that is gone', 'log-3', without('TaskEnqueued'), ['I7', '']],
  [
    'a step out of turn',
    'steps',
    changed('TaskStepCompleted', withData({ step: 'nowhere' })),
    ['I19', 'TaskStepCompleted'],
  ],
  [
    'a batch that was counted wrong',
    'batches',
    changed('BatchOpened', withData({ tasks: 99 })),
    ['I14', 'BatchOpened'],
  ],
  [
    'a paused queue that gives out',
    'log-3',
    (events) => {
      const claim = events.findIndex((one) => one.event.type === 'TaskClaimed');
      const { queue } = events[claim]!.event.data as { queue: string };
      const paused = { type: 'QueuePaused', version: 2, data: { queue, by: 'ann', reason: null, until: null } };
      const last = events.slice(0, claim).findLast((one) => one.stream === `queue-${queue}`)!;
      const planted = {
        ...last,
        revision: last.revision + 1,
        id: 'planted',
        event: paused,
        recordedAt: '2026-11-23T00:00:00.000Z',
      };
      return [...events.slice(0, claim), { ...planted, position: events[claim]!.position }, ...events.slice(claim)];
    },
    ['I6', 'TaskClaimed'],
  ],
  [
    'an unknown event',
    'log-3',
    changed('TaskSucceeded', (one) => ({ ...one, event: { ...one.event, type: 'TaskSang' } })),
    ['', 'TaskSang'],
  ],
];

describe('check of an export', () => {
  it.each(LOGS)('finds nothing in the golden log %s but what was made by hand', async (log) => {
    for (const isWhole of [false, true]) {
      const found = (await findingsIn(golden(log), isWhole)).map(
        ({ invariant, position }) => `${invariant} ${position}`,
      );
      expect([...new Set(found)]).toEqual(MADE_BY_HAND[log] ?? []);
    }
  });

  it.each(PLANTED)('finds %s without private halves, by stream and position', async (_, log, plant, finds) => {
    const [invariant, type] = finds;
    const events = plant(golden(log));
    const found = (await findingsIn(events)).filter((one) => (one.invariant ?? '') === invariant);
    const named = found.flatMap((one) =>
      events.filter(({ stream, position }) => stream === one.stream && String(position) === one.position),
    );
    expect(named.map((one) => one.event.type)).toContainEqual(type === '' ? expect.any(String) : type);
  });
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function waybill(...args: readonly string[]): Promise<Said> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const out = stdout as unknown as NodeJS.WriteStream;
  const surroundings = { stdin: Readable.from([]), stdout: out, stderr, env: {}, checkExport: checkProgram };
  const code = await main(args, surroundings);
  stdout.end();
  stderr.end();
  const [printed, told] = await said;
  return { code, out: printed, err: told };
}

describe('the export of a log and its check by the command line', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    const history = new RandomHistory(service.waybill, randomFrom(7));
    await history.begin();
    for (let step = 0; step < 120; step++) await history.step();
    await service.waybill.queue('one').enqueue({ secret: 'marker-7' }, { key: 'marker-8', labels: { of: 'marker-9' } });
  });
  afterAll(() => service.stop());

  const exported = async (...options: readonly string[]): Promise<string> => {
    const { code, out } = await waybill('log', 'export', '--url', service.url, ...options);
    expect(code).toBe(0);
    return out;
  };
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('finds no fault, with and without private halves, plain and compressed', async () => {
    for (const options of [[], ['--private']]) {
      const log = await exported(...options);
      expect(log.includes('marker-')).toBe(options.length > 0);
      const checks = [file('plain', log), file('zipped', gzipSync(log))].map((path) => waybill('check', path));
      for (const { code, out, err } of await Promise.all(checks)) {
        expect([code, out]).toEqual([0, '']);
        expect(err).toMatch(/^Checked \d+ events up to position \d+: no faults\.$/m);
      }
    }
  });

  it('lists the decisions that would be others under another policy', async () => {
    const path = file('log', await exported());
    const policy = file('policy.json', '{"onFailure":"decide"}');
    const { code, out, err } = await waybill('check', path, '--policy', `one=${policy}`, '--json');
    expect([code, err]).toEqual([3, expect.stringMatching(/: \d+ decisions would differ\.$/m)]);
    const [first] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ToldFinding);
    expect(first).toMatchObject({ kind: 'other', stream: expect.stringMatching(/^task-/) });
    expect(first!.says).toMatch(
      /^recorded TaskAttemptFailed \+ \w+, but under the other policy TaskAttemptFailed \+ TaskDecisionRequested$/,
    );
    expect((await waybill('check', path, '--policy', `nowhere=${policy}`)).code).toBe(0);
  });

  it.each([
    ['a file that is not there', () => join(folder, 'none'), /Expected a file/],
    ['an empty file', () => file('empty', ''), /but it is empty/],
    ['a file of something else', () => file('other', '{"a":1}\n'), /Expected line 1 to be an export of a log/],
    [
      'a newer format',
      () => file('newer', '{"format":"waybill-log","version":2,"private":true}\n'),
      /use a newer Waybill/,
    ],
    [
      'a file that was cut',
      () => file('cut', `${readFileSync(join(folder, 'plain'), 'utf8').slice(0, 5_000)}`),
      /line \d+/,
    ],
    [
      'a cut gzip',
      () => file('cut.gz', gzipSync(readFileSync(join(folder, 'plain'))).subarray(0, 900)),
      /to be a whole file/,
    ],
  ])('refuses %s with one sentence', async (_, path, says) => {
    const { code, out, err } = await waybill('check', path());
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(says);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a policy that is none', async () => {
    const path = file('log', await exported());
    for (const [content, says] of [
      ['{', /as JSON, but/],
      ['{"onFailure":"sing"}', /at '\/onFailure'/],
    ] as const)
      expect(await waybill('check', path, '--policy', `one=${file('policy.json', content)}`)).toMatchObject({
        code: 2,
        err: expect.stringMatching(says),
      });
    expect((await waybill('check', path, '--policy', 'one')).code).toBe(2);
  });
});
