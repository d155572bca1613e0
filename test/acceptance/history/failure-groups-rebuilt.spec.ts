import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Compared, rebuildOf } from '../../support/rebuilt.js';
import { erased } from '../../support/erased.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

/** In turn, so that each task fails in several ways. */
const ERRORS = [
  { message: 'connect ECONNREFUSED 10.0.0.1:5432', class: 'transient' },
  { message: "No such recipient 'ann@example.com'", class: 'business' },
  {
    message: 'Cannot render letter 17',
    class: 'bug',
    details: { stack: 'Error\n    at render (/app/letter.js:10:5)' },
  },
] as const;

let service: RunningService;
let tasks: readonly string[];
beforeAll(async () => {
  service = await startService();
  const mail = service.waybill.queue('mail');
  await mail.define({ onFailure: 'fail' });
  tasks = await Promise.all(ERRORS.map(async (_, at) => (await mail.enqueue({ name: `Ann ${at}` })).id));
  for (const turn of ERRORS.keys()) {
    await failAll(turn);
    for (const task of tasks) await service.waybill.task(task).retry();
  }
  await mail.claim({ worker: 'w', max: tasks.length });
  await service.waybill.task(tasks[0]!).overrule('fail', 'no route to 10.0.0.1');
  const { id } = await service.as('bob').operate('retry', { filter: { queue: 'mail', state: 'failed' } });
  const { position } = await service.eventAfter('0', { task: id!, type: 'TaskSucceeded' });
  await service.caughtUp('failure-groups', position);
});
afterAll(() => service.stop());

async function failAll(turn: number): Promise<void> {
  const claimed = await service.waybill.queue('mail').claim({ worker: 'w', max: tasks.length, build: 'b1' });
  const items = claimed.map(({ taskId, token }) => {
    const error = ERRORS[(tasks.indexOf(taskId) + turn) % ERRORS.length]!;
    return { taskId, token, verdict: { type: 'fail', error } } as const;
  });
  await service.waybill.settle(items);
}

/** How many rows differ from those that the log gives. */
const differing = async (): Promise<number> => {
  const { result } = await rebuildOf(service.waybill, 'failure-groups', 'diff');
  return (result as Compared).rows;
};

async function groups() {
  const all = [];
  for await (const { id } of service.waybill.failures.list()) all.push(await service.waybill.failures.get(id));
  return all;
}

/** Their texts are those of their last failures. */
const withoutTexts = async () =>
  (await groups()).map((group) => ({ ...group, message: null, title: null, frame: null }));

it('groups of failures made anew are the same', async () => {
  expect((await groups()).map(({ failedTasks }) => failedTasks).sort()).toEqual([1, 3, 3, 3]);
  expect(await differing()).toBe(0);
});

const erase = (task: string) => erased(service.waybill, { task });

it('an erasure, where the events are here, changes no group, and no group that is made anew', async () => {
  const before = await withoutTexts();
  if (isElsewhere) expect((await refusalOf(erase(tasks[0]!))).code).toBe('ERASURE_NOT_POSSIBLE');
  else for (const task of tasks) await erase(task);
  const { payload } = await service.waybill.task(tasks[0]!).get();
  expect(payload).toEqual(isElsewhere ? { name: 'Ann 0' } : null);
  expect(await withoutTexts()).toEqual(before);
  expect(await differing()).toBe(0);
});
