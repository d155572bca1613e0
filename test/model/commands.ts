import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { agree } from '../support/agree.js';
import { mistaken, takenBack } from './model-mistakes.js';
import type { ModelTask, Needs } from './model-task.js';
import type { NewTask, Operation, QueueModel, Undoable, Verdict } from './queue-model.js';
import type { Claimed, RealQueue } from './real-queue.js';

type Play = (model: QueueModel, real: RealQueue) => Promise<void>;

/** A command with a description, so that a counterexample reads as a story. */
class Step implements fc.AsyncCommand<QueueModel, RealQueue> {
  constructor(
    private readonly words: string,
    private readonly isPossible: (model: QueueModel) => boolean,
    private readonly play: Play,
  ) {}

  check(model: Readonly<QueueModel>): boolean {
    return this.isPossible(model as QueueModel);
  }

  run(model: QueueModel, real: RealQueue): Promise<void> {
    return this.play(model, real);
  }

  toString(): string {
    return this.words;
  }
}

const always = (): boolean => true;
const someRun = ({ running }: QueueModel): boolean => running.length > 0;
const someAreThere = ({ tasks }: QueueModel): boolean => tasks.length > 0;
const pick = (tasks: readonly ModelTask[], which: number): ModelTask => tasks[which % tasks.length]!;

const which = fc.nat(30);
const priority = fc.integer({ min: 0, max: 2 });
const server = fc.constantFrom('s1', 's2');
/** Tasks to wait for, by their numbers. */
const needs = fc.array(fc.record({ which, ignore: fc.nat(3).map((number) => number === 0) }), { maxLength: 2 });
let payloads = 0;

type Needed = readonly { readonly which: number; readonly ignore: boolean }[];

const needsOf = ({ tasks }: QueueModel, chosen: Needed): Needs =>
  new Map(tasks.length === 0 ? [] : chosen.map(({ which: index, ignore }) => [pick(tasks, index), ignore]));

const enqueue = fc
  .record({
    key: fc.constantFrom(null, 'a', 'b', 'c'),
    priority,
    later: fc.nat(4).map((number) => number === 0),
    expires: fc.nat(3).map((number) => number === 0),
    held: fc.nat(9).map((number) => number === 0),
    after: fc.oneof(fc.constant([]), fc.constant([]), needs),
    batched: fc.nat(3).map((number) => number === 0),
    labelled: fc.nat(3).map((number) => number === 0),
    needy: fc.nat(2).map((number) => number === 0),
  })
  .map(({ after, ...item }) => {
    const words = `enqueue ${JSON.stringify({ ...item, after })}`;
    return new Step(words, always, async (model, real) => {
      // If the batch has ended and the key's waiting place is taken, either refusal is right.
      const key = item.batched && model.hasEnded ? null : item.key;
      const needy = item.needy && model.rules.offers;
      const task: NewTask = { ...item, key, needy, id: uuidv7(), payload: payloads++, needs: needsOf(model, after) };
      agree(await real.enqueue(task), model.enqueue(task));
    });
  });

const claim = fc
  .record({ server, max: fc.integer({ min: 1, max: 4 }), at: fc.constantFrom(null, null, 0, 1), offers: fc.boolean() })
  .map(
    (request) => new Step(`claim ${JSON.stringify(request)}`, always, (model, real) => claimBoth(model, real, request)),
  );

const idsOf = (tasks: readonly Claimed[]): readonly string[] => tasks.map(({ id }) => id);

interface Request {
  readonly server: string;
  readonly max: number;
  /** The number of the only step to claim tasks at. */
  readonly at: number | null;
  readonly offers: boolean;
}

async function claimBoth(model: QueueModel, real: RealQueue, { server: on, max, at, offers }: Request): Promise<void> {
  const { steps: known } = model.rules;
  const steps = at === null || known.length === 0 ? null : [known[at % known.length]!];
  const { tasks, refusal } = await real.claim(on, max, { steps, offers });
  const expected = model.claim(on, max, { steps, offers, given: idsOf(tasks) });
  const chosen = expected.ids.map((id) => model.tasks.find((task) => task.id === id)!);
  agree(
    tasks.map(({ id, payload, attempt }) => [id, payload, attempt]),
    chosen.map(({ id, payload, attempt }) => [id, payload, attempt]),
  );
  if (!model.paused) agree(refusal, expected.refusal);
  chosen.forEach((task, index) => (task.token = tasks[index]!.token));
}

/** Whoever claims the job gets the items with it. */
const fire = fc.constant(
  new Step('fire the trigger', always, async (model, real) => {
    const items = await real.fire();
    const chosen = model.fire(idsOf(items)).map((id) => model.tasks.find((task) => task.id === id)!);
    agree(
      items.map(({ id, payload, attempt }) => [id, payload, attempt]),
      chosen.map(({ id, payload, attempt }) => [id, payload, attempt]),
    );
    chosen.forEach((task, index) => (task.token = items[index]!.token));
  }),
);

const VERDICTS: readonly Verdict[] = [
  ...(['succeed', 'succeed', 'fail', 'fail-transient', 'return', 'return-unstarted', 'confirmCancel'] as const),
  ...(['continue', 'offer', 'wait', 'wait'] as const),
];

const settle = fc.record({ which, verdict: fc.constantFrom(...VERDICTS) }).map(
  ({ which: index, verdict }) =>
    new Step(`${verdict} #${index}`, someRun, async (model, real) => {
      const task = pick(model.running, index);
      agree(await real.settle(task, task.token, verdict), model.settle(task, verdict));
    }),
);

const loseLease = which.map(
  (index) =>
    new Step(`lose the lease of #${index}`, someRun, async (model, real) => {
      const task = pick(model.running, index);
      agree(await real.loseLease(task), model.loseLease(task));
    }),
);

const takeFromSilent = fc.constant(
  new Step(`take the queue from a silent consumer`, someRun, async (model, real) =>
    agree(await real.takeFromSilent(), model.takeFromSilent()),
  ),
);

const timeOut = which.map(
  (index) =>
    new Step(`let #${index} run too long`, someRun, async (model, real) => {
      const task = pick(model.running, index);
      agree(await real.timeOut(task), model.timeOut(task));
    }),
);

const expire = which.map(
  (index) =>
    new Step(`let #${index} wait too long`, someAreThere, async (model, real) => {
      const task = pick(model.tasks, index);
      agree(await real.expire(task), model.expire(task));
    }),
);

const withStaleToken = ({ tasks }: QueueModel): ModelTask[] =>
  tasks.filter(({ staleTokens }) => staleTokens.length > 0);

const settleTooLate = fc.record({ which, verdict: fc.constantFrom(...VERDICTS) }).map(
  ({ which: index, verdict }) =>
    new Step(
      `${verdict} too late #${index}`,
      (model) => withStaleToken(model).length > 0,
      async (model, real) => {
        const task = pick(withStaleToken(model), index);
        agree(await real.settle(task, task.staleTokens.at(-1)!, verdict), 'LEASE_LOST');
      },
    ),
);

const UNDONE: readonly Undoable[] = ['hold', 'release', 'cancel', 'retry', 'retry', 'abort'];
const OPERATIONS: readonly Operation[] = [...UNDONE, 'signal', 'signal'];

const operate = fc.record({ which, operation: fc.constantFrom(...OPERATIONS) }).map(
  ({ which: index, operation }) =>
    new Step(`${operation} #${index}`, someAreThere, async (model, real) => {
      const task = pick(model.tasks, index);
      agree(await real.operate(task, operation), model.operate(task, operation));
    }),
);

/** An operation on some tasks, with all that follows, and its undo. */
const takeBack = fc
  .record({ some: fc.array(which, { minLength: 1, maxLength: 3 }), operation: fc.constantFrom(...UNDONE) })
  .map(
    ({ some, operation }) =>
      new Step(`${operation} #${some.join(', #')}, and take it back`, someAreThere, async (model, real) => {
        await real.sweep();
        model.sweep();
        const tasks = [...new Set(some.map((index) => pick(model.tasks, index)))];
        const before = mistaken(model, tasks, operation);
        const id = await real.mistake(tasks, operation);
        takenBack(model, before);
        await real.takeBack(id, operation);
        agree(
          (await real.states()).map(({ id: task, status }) => [task, status]),
          model.tasks.map(({ id: task, status }) => [task, status]),
        );
      }),
  );

const reprioritise = fc.record({ which, priority }).map(
  ({ which: index, priority: to }) =>
    new Step(`reprioritise #${index} to ${to}`, someAreThere, async (model, real) => {
      const task = pick(model.tasks, index);
      agree(await real.reprioritise(task, to), model.change(task, { priority: to }));
    }),
);

const reschedule = fc.record({ which, later: fc.boolean() }).map(
  ({ which: index, later }) =>
    new Step(`reschedule #${index} to ${later ? 'later' : 'now'}`, someAreThere, async (model, real) => {
      const task = pick(model.tasks, index);
      agree(await real.reschedule(task, later), model.change(task, { later }));
    }),
);

const arrange = fc.record({ which, add: needs, waive: fc.nat(1) }).map(
  ({ which: index, add, waive }) =>
    new Step(`arrange #${index} ${JSON.stringify({ add, waive })}`, someAreThere, async (model, real) => {
      const task = pick(model.tasks, index);
      const waived = [...task.needs.keys()].slice(0, waive);
      const added = needsOf(model, add);
      agree(await real.arrange(task, added, waived), model.arrange(task, added, waived));
    }),
);

const openBatch = fc.nat(9).map(
  (number) =>
    new Step(`open the batch${number === 0 ? ' with one task too many' : ''}`, always, async (model, real) => {
      const tasks = model.counts.total + (number === 0 ? 1 : 0);
      agree(await real.open(tasks), model.open(tasks));
    }),
);

const abortBatch = fc.constant(
  new Step('abort the batch', someAreThere, async (model, real) => {
    agree(await real.abortBatch(), model.abortBatch());
    await real.sweep();
    model.sweep();
  }),
);

/** Seldom, because it ends much. */
const batch = fc.nat(3).chain((number) => (number === 0 ? abortBatch : openBatch));

const sweep = fc.constant(
  new Step('sweep', someAreThere, async (model, real) => {
    await real.sweep();
    model.sweep();
  }),
);

/** Nothing that the model knows changes. */
const archive = fc.constant(new Step('archive', someAreThere, (_, real) => real.archive()));

const remember = fc.constant(
  new Step('remember', someAreThere, async (model, real) => {
    const states = model.tasks.map(({ id, status }) => ({ id, status }));
    model.remembered = { position: await real.position(), states };
  }),
);

const pause = fc.boolean().map(
  (paused) =>
    new Step(paused ? 'pause' : 'resume', always, async (model, real) => {
      await real.pause(paused);
      model.paused = paused;
    }),
);

/**
 * A queue without steps has nothing that is short, and a serial one no hold. With fair shares, what a hold catches depends on which of two turns at the same
 * time comes first.
 */
const hold = fc.boolean().map(
  (placed) =>
    new Step(
      placed ? 'place the hold' : 'lift the hold',
      ({ rules }) => !rules.serial && !rules.fair,
      async (model, real) => {
        await real.hold(placed);
        model.holding = placed;
      },
    ),
);

const measure = fc.boolean().map(
  (short) =>
    new Step(
      `measure ${short ? 'too much' : 'enough'}`,
      ({ rules }) => rules.needs,
      async (model, real) => {
        await real.measure(short);
        model.short = short;
      },
    ),
);

/** Weighted by repetition: most commands enqueue, claim and settle. */
export const COMMANDS = [
  enqueue,
  enqueue,
  enqueue,
  claim,
  claim,
  fire,
  settle,
  settle,
  loseLease,
  takeFromSilent,
  timeOut,
  expire,
  settleTooLate,
  operate,
  operate,
  takeBack,
  reprioritise,
  reschedule,
  arrange,
  batch,
  sweep,
  archive,
  remember,
  pause,
  hold,
  measure,
  measure,
];
