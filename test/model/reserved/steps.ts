import fc from 'fast-check';
import type { Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import type { Prerequisite } from '../../../src/domain/task/task.events.js';
import type { TaskCommand } from '../../../src/domain/task/task.commands.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { claimOf } from '../../support/dispatch-fixture.js';
import { enqueue, item, queueDefined } from '../../support/events.js';
import { policyOf, QUEUE, type ReservedWorld } from './reserved-world.js';
import type { Fate } from './stage.js';
import type { ChoreName } from './stepped-sweeper.js';
import type { ToldTask } from './told-task.js';
import { EVENTS } from '../../../src/domain/events.js';
import type { QueueEventType } from '../../../src/domain/queue/queue.events.js';

const HOUR_MS = 3_600_000;
const inAnHour = (): string => new Date(Date.now() + HOUR_MS).toISOString();

/** How far a command gets in its own step: reserved, recorded or applied. Later steps do the rest. */
type Reach = 'reserved' | 'recorded' | 'applied';

/** Starts a command; null if there is nothing to apply it to. */
type Work = (world: ReservedWorld) => Promise<(() => Promise<unknown>) | null>;

/** A step with a description, so that a counterexample reads as a story. */
export class Step {
  constructor(
    private readonly words: string,
    readonly play: (world: ReservedWorld) => Promise<void>,
  ) {}

  toString(): string {
    return this.words;
  }
}

const which = fc.nat(20);
const reach = fc.constantFrom<Reach>('applied', 'applied', 'recorded', 'reserved');
const key = fc.constantFrom('a', 'a', 'b', null);
const priority = fc.nat(2);
const server = fc.constantFrom('s1', 's2');
const seldom = fc.nat(9).map((number) => number === 0);

function command(words: string, to: Reach, workOf: Work): Step {
  return new Step(`${words}, until it is ${to}`, async (world) => {
    const work = await workOf(world);
    if (!work) return;
    const actor = await world.stage.start(words, work);
    if (to === 'recorded' && actor.place === 'append') await world.stage.goOn(actor, 'made');
    if (to === 'applied') await world.finish(actor);
  });
}

const pick = <T>(of: readonly T[], number: number): T | undefined => of[number % of.length];

/** For one of the tasks that the log has. */
const ofTask =
  (number: number, work: (world: ReservedWorld, task: ToldTask) => Promise<unknown>): Work =>
  async (world) => {
    const task = pick(world.recorded.tasks, number);
    return task ? () => work(world, task) : null;
  };

/** What to wait for: tasks by their numbers, or the batch. */
const needing = fc.record({ which, isBatch: seldom, ignore: fc.nat(3).map((number) => number === 0) });
const someNeeds = fc.array(needing, { minLength: 1, maxLength: 2 });
type Need = typeof needing extends fc.Arbitrary<infer N> ? N : never;

function needsOf({ recorded, batch }: ReservedWorld, needs: readonly Need[]): Prerequisite[] {
  const named = needs.map(({ which: number, isBatch, ignore }): readonly [string, Prerequisite] => {
    const task = pick(recorded.tasks, number)?.id;
    const also = ignore ? ({ ignore: true } as const) : {};
    return isBatch || !task ? [batch, { batch, ...also }] : [task, { task, ...also }];
  });
  return [...new Map<string, Prerequisite>(named).values()];
}

const enqueueing = fc
  .record({
    key,
    priority,
    later: seldom,
    held: seldom,
    after: fc.oneof(fc.constant([]), fc.constant([]), someNeeds),
    isMember: fc.nat(2).map((number) => number === 0),
    reach,
  })
  .map((given) => {
    const { reach: to, later, held, after, isMember, ...rest } = given;
    const marks = { ...(later && { later }), ...(held && { held }), ...(isMember && { isMember }) };
    const words = `enqueue ${JSON.stringify({ ...rest, ...marks, ...(after.length > 0 && { after }) })}`;
    return command(words, to, async (world) => () => {
      const one = {
        priority: rest.priority,
        ...(rest.key !== null && { key: rest.key }),
        ...(later && { dueAt: inAnHour() }),
        ...(held && { hold: {} }),
        ...(after.length > 0 && { after: needsOf(world, after) }),
        ...(isMember && { batch: world.batch }),
      };
      return world.process().enqueue(QUEUE, [one]);
    });
  });

const claiming = fc.record({ server, max: fc.integer({ min: 1, max: 3 }), reach }).map(({ reach: to, ...given }) =>
  command(`claim ${JSON.stringify(given)}`, to, async (world) => {
    const request = { ...claimOf(QUEUE), ...given, worker: `w-${given.server}` };
    world.claims.push(request);
    return () => world.claim(request);
  }),
);

const repeating = fc.record({ which, reach }).map(({ which: number, reach: to }) =>
  command(`repeat claim #${number}`, to, async (world) => {
    const request = pick(world.claims, number);
    return request ? () => world.claim(request) : null;
  }),
);

const VERDICTS: readonly Verdict[] = [
  { type: 'succeed' },
  { type: 'succeed' },
  { type: 'fail', error: { message: 'no', class: 'business' } },
  { type: 'fail', error: { message: 'not now', class: 'transient' } },
  { type: 'return' },
  { type: 'return', afterMs: HOUR_MS },
  { type: 'confirmCancel' },
];

const settling = fc
  .record({ which, verdict: fc.constantFrom(...VERDICTS), reach })
  .map(({ which: number, verdict, reach: to }) =>
    command(`${JSON.stringify(verdict)} #${number}`, to, async (world) => {
      const claimedTask = pick(world.claimedTasks.toReversed(), number);
      return claimedTask ? () => world.process().settle([claimedTask], verdict) : null;
    }),
  );

const expiring = fc.record({ which, reach }).map(({ which: number, reach: to }) =>
  command(`expire lease #${number}`, to, async (world) => {
    const lease = pick(await world.leases(), number);
    return lease ? () => world.expire(lease) : null;
  }),
);

const extending = which.map(
  (number) =>
    new Step(`extend #${number}`, async (world) => {
      const claimedTask = pick(world.claimedTasks.toReversed(), number);
      if (claimedTask) await world.extend([claimedTask]);
    }),
);

type Operation = Omit<TaskCommand, 'now' | 'by'>;
const OPERATIONS: readonly (() => Operation)[] = [
  () => ({ type: 'HoldTask', reason: null }) as Operation,
  () => ({ type: 'ReleaseTask' }),
  () => ({ type: 'CancelTask', reason: null, onRunning: 'cancel' }) as Operation,
  () => ({ type: 'AbortTask', reason: null }) as Operation,
  () => ({ type: 'DeleteTask', force: false }) as Operation,
  ...[1, 2].map(() => () => ({ type: 'RetryTask', step: null, override: false, heldBy: null }) as Operation),
  ...[0, 1, 2].map((to) => () => ({ type: 'ReprioritiseTask', priority: to }) as Operation),
  () => ({ type: 'RescheduleTask', dueAt: null }) as Operation,
  () => ({ type: 'RescheduleTask', dueAt: inAnHour() }) as Operation,
];

const operating = fc
  .record({ which, operation: fc.constantFrom(...OPERATIONS), reach })
  .map(({ which: number, operation, reach: to }) =>
    command(
      `${JSON.stringify(operation())} #${number}`,
      to,
      ofTask(number, (world, { id }) => world.process().command(id, operation() as never)),
    ),
  );

const arranging = fc
  .record({ which, add: fc.oneof(fc.constant([]), someNeeds), waive: fc.nat(1), reach })
  .map(({ which: number, add, waive, reach: to }) =>
    command(
      `arrange #${number} ${JSON.stringify({ add, waive })}`,
      to,
      ofTask(number, (world, { id, needs }) => {
        const change = { add: needsOf(world, add), waive: [...needs.keys()].slice(0, waive) };
        return world.process().command(id, { type: 'ChangePrerequisites', ...change } as never);
      }),
    ),
  );

/** Seldom one task too many. */
const opening = fc.record({ extra: seldom, reach }).map(({ extra, reach: to }) =>
  command(`open the batch${extra ? ' with one task too many' : ''}`, to, async (world) => {
    const tasks = world.recorded.batch.members.length + (extra ? 1 : 0);
    return () => world.ofBatch({ type: 'OpenBatch', tasks }, { batch: { id: world.batch, total: tasks } });
  }),
);

const endingBatch = fc.record({ isDeletion: fc.boolean(), reach }).map(({ isDeletion, reach: to }) =>
  command(isDeletion ? 'delete the batch' : 'abort the batch', to, async (world) => () => {
    if (!isDeletion) return world.ofBatch({ type: 'AbortBatch' });
    return world.ofBatch({ type: 'DeleteBatch' }, { unneeded: world.batch });
  }),
);

const sweeping = fc
  .record({ chore: fc.constantFrom<ChoreName>('ends', 'ends', 'consequences'), reach })
  .map(({ chore, reach: to }) => command(`sweep ${chore}`, to, async (world) => () => world.sweep(chore)));

/** Cancels one task and enqueues another in one transaction. */
const transacting = fc.record({ which, key, priority, reach }).map(({ which: number, reach: to, ...given }) => {
  const words = `cancel #${number} and enqueue ${JSON.stringify(given)} as one`;
  return command(
    words,
    to,
    ofTask(number, async (world, { id, status }) => {
      if (status !== 'pending' && status !== 'held') return;
      const [history] = await world.log.readStreams([taskStream(id)]);
      const cancelled = { queue: QUEUE, from: status, by: 'tester' };
      const cancel = item(taskStream(id), history!.length - 1, [
        { type: 'TaskCancelled', version: 1, data: cancelled },
      ]);
      const one = { priority: given.priority, ...(given.key !== null && { key: given.key }) };
      await world.process().store.append([cancel, enqueue(QUEUE, one)], { atomic: true });
    }),
  );
});

async function changeQueue(world: ReservedWorld, type: QueueEventType, data: object): Promise<void> {
  const [history] = await world.log.readStreams([`queue-${QUEUE}`]);
  const change: AppendItem = item(`queue-${QUEUE}`, history!.length - 1, [
    { type, version: EVENTS[type].version, data },
  ]);
  await world.process().store.append([change]);
}

const pausing = fc.record({ paused: fc.boolean(), reach }).map(({ paused, reach: to }) =>
  command(paused ? 'pause' : 'resume', to, async (world) => async () => {
    if (world.recorded.paused === paused) return;
    const by = { queue: QUEUE, by: 'tester', reason: null };
    await changeQueue(world, paused ? 'QueuePaused' : 'QueueResumed', paused ? { ...by, until: null } : by);
  }),
);

const limiting = fc.record({ maxRunning: fc.constantFrom(null, 1, 2), reach }).map(({ maxRunning, reach: to }) =>
  command(`let ${maxRunning ?? 'any number'} run`, to, async (world) => async () => {
    const { data } = queueDefined(QUEUE, { ...policyOf(world.recorded.rules), maxRunning });
    const policyVersion = 1 + world.log.events.filter(({ event }) => event.type === 'QueuePolicyChanged').length + 1;
    await changeQueue(world, 'QueuePolicyChanged', { ...data, policyVersion });
  }),
);

const FATES: readonly Fate[] = ['made', 'made', 'made', 'made', 'lost', 'unanswered'];

const goingOn = fc.record({ which, fate: fc.constantFrom(...FATES) }).map(
  ({ which: number, fate }) =>
    new Step(`let #${number} of those that stand go on, its append ${fate}`, async (world) => {
      const actor = pick(world.stage.standing, number);
      if (actor) await world.stage.goOn(actor, fate);
    }),
);

const applying = fc
  .integer({ min: 1, max: 4 })
  .map((appends) => new Step(`apply ${appends}`, (world) => world.apply(appends)));

/** One cleaner at a time, as in the service. */
const CLEANING = 'give up what is overdue';
const givingUp = fc.record({ which, reach }).map(
  ({ which: number, reach: to }) =>
    new Step(`${CLEANING}, which is reservation #${number}, until it is ${to}`, async (world) => {
      if (world.stage.standing.some(({ words }) => words === CLEANING)) return;
      if (!(await world.passDeadline(number))) return;
      await command(CLEANING, to, async () => () => world.clean()).play(world);
    }),
);

/** Once in a while, because it ends much. */
const seldomEnding = fc.nat(7).chain((number) => (number === 0 ? endingBatch : opening));

/** Weighted by repetition: most steps enqueue, claim, or lie between reserving and applying. */
export const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: enqueueing },
  { weight: 5, arbitrary: claiming },
  { weight: 1, arbitrary: repeating },
  { weight: 4, arbitrary: settling },
  { weight: 1, arbitrary: expiring },
  { weight: 1, arbitrary: extending },
  { weight: 4, arbitrary: operating },
  { weight: 2, arbitrary: arranging },
  { weight: 2, arbitrary: seldomEnding },
  { weight: 3, arbitrary: sweeping },
  { weight: 1, arbitrary: transacting },
  { weight: 1, arbitrary: pausing },
  { weight: 1, arbitrary: limiting },
  { weight: 5, arbitrary: goingOn },
  { weight: 2, arbitrary: applying },
  { weight: 2, arbitrary: givingUp },
);

const MEMBER = command(
  'enqueue a task of the batch',
  'applied',
  async (world) => () => world.process().enqueue(QUEUE, [{ batch: world.batch }]),
);
const OPENED = command(
  'open the batch',
  'applied',
  async (world) => () => world.ofBatch({ type: 'OpenBatch', tasks: 1 }, { batch: { id: world.batch, total: 1 } }),
);
const CLAIMED = command('claim', 'applied', async (world) => () => world.claim({ ...claimOf(QUEUE), server: 's1' }));
const FAILED = command(
  'fail',
  'applied',
  async (world) => () =>
    world.process().settle(world.claimedTasks, { type: 'fail', error: { message: 'no', class: 'business' } }),
);

/** A batch whose only task has failed, which is seldom by chance, and then about to end. */
export const FAILED_BATCH: readonly Step[] = [MEMBER, OPENED, CLAIMED, FAILED];
