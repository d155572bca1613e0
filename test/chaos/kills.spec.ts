import type { Worker } from '@waybill/client';
import { violationsOf } from '../support/history-checker.js';
import { sizeOf } from '../support/sizes.js';
import { Child } from './child.js';
import { type Crash, lastWords } from './crash-points.js';
import { abandon, defineQueues, enqueue, NEEDY, startWorker } from './load.js';
import { Run } from './run.js';

interface Plan {
  readonly tasks: number;
  readonly crashes: readonly Crash[];
}

/** However fast the load is taken, the answers to one enqueue and one settlement are lost. */
const LOST_ANSWERS: readonly Crash[] = [
  { point: 'after-enqueue', passage: 2 },
  { point: 'after-settle', passage: 2 },
];

/**
 * Each kill is at a passage that the load certainly reaches while the service runs. Of the tasks with a key, the tenth succeeds after the
 * third has failed, so there are at least a hundred tasks between two kills. Small, one kill stands for those before and after it: what is stored
 * has no answer, and what a follower did is not kept.
 */
const IN_POSTGRES: Plan = {
  tasks: sizeOf(2_600, 500),
  crashes: sizeOf(
    [
      { point: 'before-append', passage: 60 },
      { point: 'after-append', passage: 59 },
      { point: 'before-answer', passage: 58 },
      { point: 'after-answer', passage: 57 },
      // On a quiet machine, a follower needs few checkpoints for the whole load of a crash.
      { point: 'before-checkpoint', passage: 8 },
      { point: 'after-checkpoint', passage: 7 },
      ...LOST_ANSWERS,
    ],
    [{ point: 'after-append', passage: 19 }, { point: 'before-checkpoint', passage: 3 }, ...LOST_ANSWERS],
  ),
};

/** Those that only events elsewhere have. */
const OWN: readonly Crash[] = [
  { point: 'after-reserve', passage: 25 },
  { point: 'before-confirm', passage: 8 },
];

/** The reservations of a dead process end some seconds later, so these runs have fewer tasks and take as long. */
const ELSEWHERE: Plan = {
  tasks: sizeOf(1_000, 300),
  crashes: sizeOf(
    [
      ...OWN,
      ...LOST_ANSWERS,
      { point: 'after-append', passage: 60 },
      { point: 'before-answer', passage: 24 },
      { point: 'after-answer', passage: 23 },
      { point: 'before-checkpoint', passage: 8 },
      { point: 'after-checkpoint', passage: 7 },
    ],
    OWN,
  ),
};

const { tasks: TASKS, crashes: CRASHES } = process.env.EVENT_STORE_URL ? ELSEWHERE : IN_POSTGRES;

describe('kill -9 of the service', () => {
  let run: Run;
  const workers: Worker[] = [];
  beforeAll(async () => {
    run = await Run.open();
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await run.close();
  });

  it('at every named point of many tasks loses none, completes none twice, and no claims overlap', async () => {
    const waybill = run.client();
    // By a service that lives: one that died before the last queue was there would wait for whoever starts the next one.
    const first = await run.service().ready();
    await defineQueues(waybill);
    first.signal('SIGTERM');
    await first.ended;
    // One lease lasts about as long as the service is down, the other one longer.
    for (const leaseMs of [1_000, 5_000]) workers.push(await startWorker(waybill, { name: `w${leaseMs}`, leaseMs }));
    const child = new Child('test/chaos/worker-process.ts', { SERVICE_URL: run.url });
    run.include(child);

    const slice = TASKS / (CRASHES.length + 1);
    let abandoned = Promise.resolve(0);
    let enqueued = Promise.resolve();
    const enqueueMore = (to: number): void => {
      enqueued = enqueued.then(() => enqueue(waybill, Math.ceil(to) - Math.ceil(to - slice)));
      // A test that has failed before it awaits this must not fail the next spec of its worker, too.
      enqueued.catch(() => undefined);
    };
    for (const [index, crash] of CRASHES.entries()) {
      const service = run.service({ crash });
      enqueueMore(slice * (index + 1));
      if (index === 0) abandoned = abandon(waybill, 1_000);
      expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
      expect(service.lines).toContain(lastWords(crash));
    }
    const service = await run.service().ready();
    enqueueMore(TASKS);
    await enqueued;
    expect(await abandoned).toBeGreaterThan(0);
    await run.settled(300_000);
    await Promise.all(workers.map((worker) => worker.stop()));
    child.signal('SIGTERM');
    expect(await child.ended).toEqual({ code: 0, signal: null });

    const history = await run.history();
    expect(violationsOf(history)).toEqual([]);
    // Checks that the run was as rough as intended.
    const types = new Set(history.events.map(({ event }) => event.type));
    expect([...types]).toEqual(expect.arrayContaining(['TaskLeaseExpired', 'TaskFailed', 'TaskSuperseded']));
    const unknown = history.operations.filter(({ outcome }) => outcome === 'unknown');
    const lost = CRASHES.includes(LOST_ANSWERS[0]!) ? ['enqueue', 'claim', 'settle'] : ['claim'];
    expect(unknown.map(({ kind }) => kind)).toEqual(expect.arrayContaining(lost));
    expect(history.tasks.filter(({ queue }) => queue === 'plain')).toHaveLength(TASKS);
    // However the commands that signalled were repeated, each was recorded once, and its task has what it said.
    const needy = history.tasks.filter(({ queue }) => queue === NEEDY);
    const signalled = history.events.filter(({ event }) => event.type === 'TaskSignalled').map(({ stream }) => stream);
    expect(needy.map(({ state }) => state)).toEqual(needy.map(() => 'succeeded'));
    expect(signalled.toSorted()).toEqual(needy.map(({ task_id: id }) => `task-${String(id)}`).toSorted());
    expect(service.end).toBeNull();
  }, 1_200_000);
});
