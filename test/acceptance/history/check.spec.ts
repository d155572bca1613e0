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
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import { batchIdOf } from '../../../src/domain/batch/batch.stream.js';
import { ALICE, BOB, Book, QUEUE } from '../../chaos/book.js';
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

type Mend = (events: readonly RecordedEvent[]) => readonly RecordedEvent[];
type Change = (recorded: RecordedEvent) => RecordedEvent | null;

/** The triggers begin with these occurrences, in the order in which they were defined. */
const begins =
  (firsts: readonly string[]): Mend =>
  (events) => {
    const defined = events.filter(({ event }) => event.type === 'TriggerDefined');
    return events.map((one) => {
      const next = firsts[defined.indexOf(one)];
      return next === undefined ? one : { ...one, event: { ...one.event, data: { ...one.event.data, next } } };
    });
  };

/** Its two tasks: one fails before it succeeds. */
function withTasks(batch: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const [created, opened, failed, completed] = batch as readonly [
    RecordedEvent,
    RecordedEvent,
    RecordedEvent,
    RecordedEvent,
  ];
  const once = { retry: { ...DEFAULT_POLICY.retry, maxAttempts: 1 } };
  const book = new Book(once);
  const record = ({ stream, event }: RecordedEvent): void => book.record(stream, event.type, event.data);
  const links = { batch: batchIdOf(created.stream) };
  record(created);
  book.link(ALICE, links).link(BOB, links);
  record(opened);
  book.claim(ALICE, 'w1').succeed(ALICE).claim(BOB, 'w1').failFinally(BOB);
  record(failed);
  book.record(`task-${BOB}`, 'TaskRetried', { queue: QUEUE, from: 'failed', by: 'tester' });
  book.claim(BOB, 'w1').succeed(BOB);
  record(completed);
  return book.events;
}

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

/**
 * Logs in which somebody interfered by hand, which a check must find: the rows of triggers were set back in the database, so that
 * they had something to do, and a batch was stored without its tasks. `instead`: the same log without that.
 */
const BY_HAND: Readonly<Record<string, { readonly finds: readonly string[]; readonly instead: Mend }>> = {
  'log-4': { finds: ['I11 5'], instead: begins(['2026-11-23T12:00:00.000Z']) },
  'log-5': { finds: ['I11 11'], instead: begins(['2026-11-23T14:00:00.000Z']) },
  'log-6': { finds: ['I14 67', 'I14 73', 'I14 77'], instead: withTasks },
  'open-occurrences': {
    finds: ['I11 14', 'I11 16'],
    instead: begins(['2026-11-24T13:49:00.000Z', '2026-11-23T13:49:00.000Z', '2026-11-23T13:49:00.000Z']),
  },
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
  it.each(LOGS)('H-57 passes for the golden log %s, but for what somebody did to it by hand', async (log) => {
    const { finds, instead } = BY_HAND[log] ?? { finds: [], instead: (events) => events };
    for (const isWhole of [false, true]) {
      const found = (await findingsIn(golden(log), isWhole)).map(
        ({ invariant, position }) => `${invariant} ${position}`,
      );
      expect([...new Set(found)]).toEqual(finds);
      expect(await findingsIn(instead(golden(log)), isWhole)).toEqual([]);
    }
  });

  it.each(PLANTED)('H-57 finds %s without private halves, by stream and position', async (_, log, plant, finds) => {
    const [invariant, type] = finds;
    const events = plant(golden(log));
    const found = (await findingsIn(events)).filter((one) => (one.invariant ?? '') === invariant);
    const named = found.flatMap((one) =>
      events.filter(({ stream, position }) => stream === one.stream && String(position) === one.position),
    );
    expect(named.map((one) => one.event.type)).toContainEqual(type === '' ? expect.any(String) : type);
  });
});

it('says what it skipped without private halves, and how often', async () => {
  const book = new Book().enqueue(ALICE);
  for (const a of [1, 2]) book.record(`task-${ALICE}`, 'TaskDataRecorded', { queue: QUEUE, patch: { a } });
  const skipped = async (isWhole: boolean) => {
    writeExport(join(folder, 'log'), book.events, { isWhole });
    return checkProgram(join(folder, 'log'), { policies: new Map(), isOver: false, onFinding: () => undefined });
  };
  const data = "I7 of 2 'TaskDataRecorded': what it says anew is private";
  expect(await skipped(false)).toMatchObject({ faults: 0, skipped: expect.arrayContaining([data]) });
  expect(await skipped(true)).toMatchObject({ faults: 0, skipped: [] });
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
    const { code, out } = await waybill('log', 'export', '--format', 'events', '--url', service.url, ...options);
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
    expect(await waybill('check', path, '--policy', `nowhere=${policy}`)).toEqual({
      code: 2,
      out: '',
      err: "Expected tasks of queue 'nowhere' in the log, but there are none\n",
    });
  });

  it('lists what differs because of the policy alone, and what follows from no policy as a fault', async () => {
    const once = { retry: { ...DEFAULT_POLICY.retry, maxAttempts: 1 } };
    const changes = new Map([[QUEUE, '{"onFailure":"decide"}']]);
    const found = async (book: Book) => {
      writeExport(join(folder, 'book'), book.events, { isWhole: false });
      const told: ToldFinding[] = [];
      const options = { policies: changes, isOver: false, onFinding: (one: ToldFinding) => told.push(one) };
      await checkProgram(join(folder, 'book'), options);
      return told.map(({ kind, position }) => [kind, position]);
    };
    const failing = (): Book => new Book(once).enqueue(ALICE).claim(ALICE, 'w1').failFinally(ALICE);
    expect(await found(failing())).toEqual([['other', '4']]);
    const wrong = failing();
    wrong.events[4] = withData({ exhausted: false })(wrong.events[4]!)!;
    expect(await found(wrong)).toEqual([['broken', '5']]);
    const alone = failing();
    alone.events.splice(3, 1, {
      ...alone.events[3]!,
      event: { type: 'TaskRetryScheduled', version: 1, data: { queue: QUEUE } },
    });
    expect((await found(alone)).map(([kind]) => kind)).not.toContain('other');
  });

  it('has commands for an upgrade and a policy that its how-to shows', async () => {
    const shown = readFileSync(join(__dirname, '../../../docs/how-to/check-a-history.md'), 'utf8');
    const commands = [...shown.matchAll(/^(?:npx )?waybill (check [^#\n]*?)(?: +#.*)?$/gm)].map(
      ([, command]) => command!,
    );
    const mail = service.waybill.queue('mail');
    await mail.define({ onFailure: 'retry', retry: { maxAttempts: 1 } });
    await mail.enqueue();
    const [claimed] = await mail.claim({ worker: 'w', max: 1 });
    const verdict = { type: 'fail', error: { class: 'application', message: 'broken' } } as const;
    await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict }]);
    file('log.gz', gzipSync(await exported()));
    const policy = /echo '(.*)' > new\.json/.exec(shown)![1]!;
    file('new.json', policy);
    const codes: number[] = [];
    for (const command of commands) {
      const args = command.split(' ').map((one) => one.replace(/(\.\.\/)?(log\.gz|new\.json)$/, `${folder}/$2`));
      codes.push((await waybill(...args)).code);
    }
    expect(codes).toEqual([0, 0, 3]);
    const change = /waybill (queue change mail -) < new\.json/.exec(shown)![1]!;
    const args = change.replace('-', policy.replaceAll(' ', '')).split(' ');
    expect((await waybill(...args, '--url', service.url)).code).toBe(0);
  });

  it.each([
    ['a file that is not there', () => join(folder, 'none'), /Expected a file/],
    ['an empty file', () => file('empty', ''), /but it is empty/],
    ['a file of something else', () => file('other', '{"a":1}\n'), /Expected line 1 to be an export of events/],
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
