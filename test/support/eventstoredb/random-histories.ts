import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { SettleTasks, type Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { OperateTask, type TaskOperation } from '../../../src/application/tasks/operate-task.handler.js';
import { categoryOf } from '../../../src/domain/aggregates.js';
import { TASK_CATEGORY } from '../../../src/domain/task/task.stream.js';
import { changesIndex, wholeAppends } from '../../../src/infrastructure/eventstoredb/reservations/apply-request.js';
import { by, TestApplication } from '../../application/application.js';

const { MODEL_RUNS, MODEL_SEED } = process.env;
const SEEDS = 1_000_000_000;

/** How many histories are tried, and from which seed. */
export const runs = () => ({
  seed: MODEL_SEED === undefined ? randomInt(SEEDS) : Number(MODEL_SEED),
  numRuns: Number(MODEL_RUNS ?? 40),
  endOnFailure: true,
});
/** No further history is tried after this time, unless their number is given. */
export const MOST_MS = MODEL_RUNS === undefined ? 5_000 : Infinity;

export type Append = readonly RecordedEvent[];

/** What becomes of an append on its way to the follower. */
export type Fate = 'comes' | 'skipped' | 'doubled';

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

export interface Act {
  readonly step: (typeof STEPS)[number];
  readonly task: number;
  readonly priority: number;
}

export const ACTS: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    step: fc.constantFrom<Act['step']>('enqueue', ...STEPS),
    task: fc.nat(4),
    priority: fc.integer({ min: -2, max: 2 }),
  }),
  { minLength: 5, maxLength: 30 },
);
export const FATES: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.constantFrom<Fate>('comes', 'comes', 'skipped', 'doubled'),
  {
    minLength: 35,
    maxLength: 35,
  },
);

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

/** What happens in a queue of this name. What the rules refuse stays undone. */
export async function historyOf(acts: readonly Act[], queue: string): Promise<readonly RecordedEvent[]> {
  const app = await TestApplication.start();
  await app.defineQueue(queue);
  const [tasks, tokens] = [[] as string[], new Map<string, string>()];
  for (const [at, act] of acts.entries()) {
    const taskId = tasks[act.task];
    if (act.step === 'enqueue') tasks.push(await app.enqueued({ queue, priority: act.priority }));
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

/** What befalls each append, and how many gaps are to be found: neighbours of a stream that are skipped are one. */
export function fatesOf(events: readonly RecordedEvent[], fates: readonly Fate[]) {
  const gaps = { skipped: 0, doubled: 0 };
  const broken = new Set<string>();
  const appends = wholeAppends(events).map((append, at) => {
    const { stream } = append[0]!;
    const isTask = categoryOf(stream) === TASK_CATEGORY && changesIndex(append);
    const fate = isTask ? fates[at % fates.length]! : 'comes';
    if (fate === 'doubled') gaps.doubled += 1;
    if (fate === 'skipped' && !broken.has(stream)) gaps.skipped += 1;
    if (fate === 'skipped') broken.add(stream);
    else broken.delete(stream);
    return { append, fate };
  });
  return { appends, gaps };
}
