import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { SettleTasks, type Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { OperateTask, type TaskOperation } from '../../../src/application/tasks/operate-task.handler.js';
import { TASK_CATEGORY } from '../../../src/domain/task/task.stream.js';
import { categoryOf } from '../../../src/domain/aggregates.js';
import { transactionStream } from '../../../src/infrastructure/eventstoredb/log/transaction.events.js';
import { changesIndex, wholeAppends } from '../../../src/infrastructure/eventstoredb/reservations/apply-request.js';
import { by, TestApplication } from '../../application/application.js';
import { type FollowedLog, type Index, openFollowedLog } from '../../support/eventstoredb/followed-log.js';

const QUEUE = 'mail';
const { MODEL_RUNS, MODEL_SEED } = process.env;
const RUNS = Number(MODEL_RUNS ?? 40);
/** No further history is tried after this time, unless their number is given. */
const MOST_MS = MODEL_RUNS === undefined ? 15_000 : Infinity;
const SEEDS = 1_000_000_000;

/** What becomes of an append on its way to the follower. */
type Fate = 'comes' | 'skipped' | 'doubled';

const STEPS = [
  'enqueue',
  'claim',
  'succeed',
  'fail',
  'return',
  'hold',
  'release',
  'prioritise',
  'cancel',
  'retry',
] as const;

interface Act {
  readonly step: (typeof STEPS)[number];
  readonly task: number;
  readonly priority: number;
}

const ACTS: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    step: fc.constantFrom<Act['step']>('enqueue', ...STEPS),
    task: fc.nat(4),
    priority: fc.integer({ min: -2, max: 2 }),
  }),
  { minLength: 5, maxLength: 30 },
);
const FATES: fc.Arbitrary<readonly Fate[]> = fc.array(fc.constantFrom<Fate>('comes', 'comes', 'skipped', 'doubled'), {
  minLength: 35,
  maxLength: 35,
});

const OPERATIONS: Readonly<Partial<Record<Act['step'], (act: Act) => TaskOperation>>> = {
  hold: () => ({ type: 'HoldTask', reason: null }),
  release: () => ({ type: 'ReleaseTask' }),
  prioritise: ({ priority }) => ({ type: 'ReprioritiseTask', priority }),
  cancel: () => ({ type: 'CancelTask', reason: null }),
  retry: () => ({ type: 'RetryTask', step: null, override: false }),
};
const VERDICTS: Readonly<Partial<Record<Act['step'], Verdict>>> = {
  succeed: { type: 'succeed' },
  fail: { type: 'fail', error: { message: 'disk full' } },
  return: { type: 'return' },
};

/** What the rules refuse stays undone. */
async function historyOf(acts: readonly Act[]): Promise<readonly RecordedEvent[]> {
  const app = await TestApplication.start();
  await app.defineQueue(QUEUE);
  const [tasks, tokens] = [[] as string[], new Map<string, string>()];
  for (const [at, act] of acts.entries()) {
    const taskId = tasks[act.task];
    if (act.step === 'enqueue') tasks.push(await app.enqueued({ queue: QUEUE, priority: act.priority }));
    else if (taskId !== undefined)
      await carryOut(app, act, { taskId, token: String(at + 1) }, tokens).catch(() => undefined);
  }
  return app.store.readAll(0n, 1_000);
}

async function carryOut(
  app: TestApplication,
  act: Act,
  { taskId, token }: { readonly taskId: string; readonly token: string },
  tokens: Map<string, string>,
): Promise<void> {
  const [operation, verdict] = [OPERATIONS[act.step], VERDICTS[act.step]];
  if (operation) await app.execute(new OperateTask(taskId, operation(act), by('ann')));
  else if (!verdict) tokens.set(taskId, await app.claimed(taskId, token));
  else if (tokens.has(taskId))
    await app.execute(new SettleTasks([{ taskId, token: tokens.get(taskId)!, verdict }], by('w1')));
}

/** What the follower gets, and how many gaps it is to find: neighbours of a stream that are skipped are one. */
function withFates(events: readonly RecordedEvent[], fates: readonly Fate[]) {
  const delivered: RecordedEvent[] = [];
  const gaps = { skipped: 0, doubled: 0 };
  const broken = new Set<string>();
  for (const [at, append] of wholeAppends(events).entries()) {
    const { stream } = append[0]!;
    const isTask = categoryOf(stream) === TASK_CATEGORY && changesIndex(append);
    const fate = isTask ? fates[at % fates.length]! : 'comes';
    if (fate === 'skipped') {
      if (!broken.has(stream)) gaps.skipped += 1;
      broken.add(stream);
      continue;
    }
    broken.delete(stream);
    delivered.push(...append);
    if (fate === 'doubled') delivered.push(...append);
    if (fate === 'doubled') gaps.doubled += 1;
  }
  return { delivered, gaps };
}

/** How many of the next appends are made at once. */
const SIZES: fc.Arbitrary<readonly number[]> = fc.array(fc.constantFrom(1, 1, 2, 3), { minLength: 35, maxLength: 35 });
/** Leaves room for the events that commit transactions. */
const APART = 10n;

/** The history with transactions of neighbours, if these are of different tasks: as servers store them that take several at once, or as others do. */
function withTransactions(events: readonly RecordedEvent[], sizes: readonly number[], atOnce: boolean) {
  const apart = events.map((event) => ({ ...event, position: event.position * APART }));
  const appends = wholeAppends(apart);
  const stored: RecordedEvent[] = [];
  for (let [at, nth] = [0, 0]; at < appends.length; nth++) {
    const parts = partsOf(appends.slice(at, at + sizes[nth % sizes.length]!));
    at += parts.length;
    stored.push(...(parts.length > 1 ? transactionOf(parts, atOnce) : parts.flat()));
  }
  return stored;
}

type Append = readonly RecordedEvent[];

/** The first of the appends that may be one transaction, which claims never are. */
function partsOf(appends: readonly Append[]): readonly Append[] {
  const streams = new Set<string>();
  const end = appends.findIndex((append) => {
    const { stream, event } = append[0]!;
    const isPart = categoryOf(stream) === TASK_CATEGORY && event.type !== 'TaskClaimed' && !streams.has(stream);
    streams.add(stream);
    return !isPart;
  });
  return appends.slice(0, end < 0 ? appends.length : Math.max(end, 1));
}

function transactionOf(parts: readonly Append[], atOnce: boolean): readonly RecordedEvent[] {
  const id = uuidv7();
  const of = parts.length;
  const part = { id, of, ...(atOnce && { atOnce }) };
  const stored = parts.flatMap((events, item) => events.map((event) => ({ ...event, transaction: { ...part, item } })));
  return atOnce ? stored : [committed(id, parts), ...stored];
}

function committed(id: string, parts: readonly Append[]): RecordedEvent {
  const items = parts.map(([first, ...others]) => ({
    stream: first!.stream,
    expected: first!.revision - 1,
    events: [first!, ...others].map(({ id: eventId, event, envelope }) => ({ id: eventId, event, envelope })),
  }));
  const event = { type: 'TransactionCommitted', version: 1, data: { items } } as never;
  const [first] = parts[0] as [RecordedEvent];
  const place = { stream: transactionStream(id), revision: 0, position: first.position - 1n };
  return { id: uuidv7(), ...place, event, recordedAt: first.recordedAt, envelope: first.envelope };
}

interface ReadyRow {
  readonly queue: string;
  readonly priority: number;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly step: string | null;
}

/** The ready lane task by task: a task that came late has a row of its own there, which claims look for before their floor. */
function standing({ tables: { ready, ...tables } }: Index) {
  const places = (ready as readonly ReadyRow[]).flatMap(({ from_seq: from, to_seq: to, queue, priority, step }) =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ queue, priority, step, place: from + at })),
  );
  return { ...tables, places: places.sort((one, other) => one.place - other.place) };
}

let followed: FollowedLog;
beforeAll(async () => {
  Logger.overrideLogger(false);
  followed = await openFollowedLog();
});
afterAll(() => followed.close());

it('whatever is skipped or doubled of whatever history, the index is that of every event once, and every gap is counted', async () => {
  const seed = MODEL_SEED === undefined ? randomInt(SEEDS) : Number(MODEL_SEED);
  const end = performance.now() + MOST_MS;
  const property = fc.asyncProperty(ACTS, FATES, async (acts, fates) => {
    if (performance.now() > end) return;
    const events = await historyOf(acts);
    const whole = standing(await followed.follow(events, events));
    const { delivered, gaps } = withFates(events, fates);
    const found = await followed.follow(events, delivered);
    expect(standing(found)).toEqual(whole);
    expect(found.aside).toBe(0);
    expect({ skipped: 0, doubled: 0, ...found.gaps }).toEqual(gaps);
  });
  await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true });
}, 3_600_000);

it('whatever of its transactions is skipped, the index has each of them whole', async () => {
  const seed = MODEL_SEED === undefined ? randomInt(SEEDS) : Number(MODEL_SEED);
  const end = performance.now() + MOST_MS;
  const property = fc.asyncProperty(ACTS, FATES, SIZES, fc.boolean(), async (acts, fates, sizes, atOnce) => {
    if (performance.now() > end) return;
    const events = withTransactions(await historyOf(acts), sizes, atOnce);
    const shown = events.filter(({ event }) => (event.type as string) !== 'TransactionCommitted');
    const whole = standing(await followed.follow(events, shown));
    const { delivered, gaps } = withFates(
      shown,
      fates.map((fate) => (fate === 'doubled' ? 'comes' : fate)),
    );
    const found = await followed.follow(events, delivered);
    expect(standing(found)).toEqual(whole);
    expect(found.aside).toBe(0);
    expect((found.gaps.skipped ?? 0) > 0).toBe(gaps.skipped > 0);
  });
  await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true });
}, 3_600_000);
