import type { History, Invariant, Operation } from '../../support/history-checker.js';
import { ALICE, BOB, Book, CAROL, DAVE, EVE, QUEUE } from '../book.js';

const finish = (book: Book, ...tasks: readonly string[]): Book =>
  tasks.reduce((so, task) => so.claim(task, 'w1').succeed(task), book);

/** Three tasks of no importance, of which the first one is claimed, so that the next claim has seen the others. */
const seen = (second: object = {}, third: object = {}, policy = {}): Book => {
  const book = new Book({ duplicatePending: 'allow', ...policy }).enqueue(ALICE, 'a');
  book.enqueue(BOB, 'b', undefined, second).enqueue(CAROL, 'c', undefined, third);
  return finish(book, ALICE);
};

/** Two tasks of one key, of which the first one may fail or be held. */
const ofOneKey = (policy = {}): Book =>
  finish(new Book({ duplicatePending: 'allow', ...policy }).enqueue(EVE, 'e').enqueue(ALICE).enqueue(BOB), EVE);

const history = (book: Book, ...tasks: readonly string[]): History => finish(book, ...tasks).history();

const also = (book: Book, ...operations: readonly Operation[]): History => {
  const before = history(book);
  return { ...before, operations: [...before.operations, ...operations] };
};

const COMMAND = { kind: 'command', operation: 'holdTask', on: ALICE, outcome: 'ok', requestId: 'test' } as const;
const command = (position: string, changes: object = {}): Operation => ({
  ...COMMAND,
  idempotencyKey: 'k',
  answer: { id: ALICE, position, recorded: true },
  ...changes,
});

const read = (minPosition: string, changes: object = {}): Operation => ({
  kind: 'read',
  operation: 'getTask',
  minPosition,
  outcome: 'ok',
  asOf: '9',
  task: { id: ALICE, state: 'succeeded', position: '4' },
  ...changes,
});

const past = (asked: string, changes: object = {}): Operation => ({
  kind: 'past',
  operation: 'getTask',
  asked,
  outcome: 'ok',
  moment: { position: '3', at: '2026-11-21T09:00:00.000Z' },
  task: { id: ALICE, state: 'running', position: '3' },
  tally: null,
  ...changes,
});

/** SHA-256 of a zero byte and `a`, as RFC 6962 has it of a leaf. */
const ROOT_OF_A = '022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c';

/** A log of the leaf `a`, with this seal. */
const sealed = (seal: { readonly size: number; readonly root: string }): History => ({
  ...history(alice()),
  sealed: { leaves: ['a'], seals: [seal] },
});

/** Positions: 2 enqueued, 3 claimed, 4 succeeded. */
const alice = (): Book => finish(new Book().enqueue(ALICE), ALICE);

const HOUR = (hour: number): string => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;

/** A trigger with an occurrence every hour, whose next one is at nine. */
class Hourly extends Book {
  constructor() {
    super();
    const task = { queue: QUEUE };
    const definition = { cron: '0 * * * *', timeZone: 'UTC', description: '', missed: 'each', task };
    this.trigger('TriggerDefined', { definition, next: HOUR(9) });
  }

  /** Makes a task for each of these hours: those given, then ALICE. */
  fires(hours: readonly number[], next: number, ...tasks: readonly string[]): this {
    const firings = hours.map((hour, at) => ({ occurrence: HOUR(hour), task: tasks[at] ?? ALICE }));
    for (const { task } of firings)
      if (!this.events.some(({ stream }) => stream === `task-${task}`)) finish(this.enqueue(task, task), task);
    return this.trigger('TriggerFired', { firings, at: HOUR(next - 1), next: HOUR(next) });
  }
}

/** A trigger that makes a task of each task that is cancelled. ALICE is, at position 4. */
class Follows extends Book {
  constructor() {
    super();
    const event = { types: ['TaskCancelled'], queue: QUEUE };
    this.trigger('TriggerDefined', { definition: { event, description: '', task: { queue: QUEUE } }, next: null });
    this.enqueue(ALICE, 'a').end(ALICE, 'TaskCancelled');
  }

  fires(task: string): this {
    finish(this.enqueue(task, task), task);
    return this.trigger('TriggerFired', { firings: [{ occurrence: HOUR(9), task, position: '4' }], at: HOUR(9) });
  }
}

/** Two items that are claimed for a job, which is made of those given. */
const job = (items: readonly string[], ofBob = DAVE): Book =>
  new Book().link(ALICE, {}).link(BOB, {}).claimFor(DAVE, ALICE).claimFor(ofBob, BOB).link(DAVE, { items });

const done = (book: Book): History => history(book.succeed(ALICE).succeed(BOB), DAVE);

const PAYLOAD = { payload: { name: 'Ann' } };
const erased = (book: Book): History => ({ ...book.history(), erased: [ALICE] });

const SKIPPED = { count: 2, from: HOUR(9), to: HOUR(10), total: 2 };

/** What is wrong, the rules that it breaks, and what is said of it where one rule has several parts. */
export const DISORDERLY: readonly (readonly [
  wrong: string,
  finds: readonly Invariant[],
  history: () => History,
  says?: RegExp,
])[] = [
  ['two answers under one idempotency key', ['I10'], () => also(alice(), command('2'), command('3'))],
  [
    'an occurrence that fires twice',
    ['I11'],
    () => history(new Hourly().fires([9], 10).fires([9], 11, BOB)),
    /once each, but it went/,
  ],
  [
    'an occurrence that fires twice at once',
    ['I11'],
    () => history(new Hourly().fires([9, 9], 10)),
    /for one occurrence, but it is for several/,
  ],
  ['an occurrence that fires before its turn', ['I11'], () => history(new Hourly().fires([10], 10)), /left some out/],
  [
    'an occurrence that is skipped although it has fired',
    ['I11'],
    () =>
      history(
        new Hourly()
          .fires([9], 10)
          .trigger('TriggerSkipped', { occurrence: HOUR(9), next: HOUR(11), skipped: SKIPPED }),
      ),
    /count them, but it lost some/,
  ],
  ['an event that its trigger forgot', ['I11'], () => history(new Follows()), /make a task of the event at 4/],
  [
    'an event that fires twice',
    ['I11'],
    () => history(new Follows().fires(BOB).fires(CAROL)),
    /deal with the event at 4 once/,
  ],
  [
    'an occurrence whose task is not in the log',
    ['I11'],
    () =>
      history(
        new Hourly().trigger('TriggerFired', {
          firings: [{ occurrence: HOUR(9), task: EVE }],
          at: HOUR(9),
          next: HOUR(10),
        }),
      ),
  ],
  [
    'the payload of an erased task',
    ['I12', 'I24'],
    () => erased(finish(new Book().enqueue(ALICE, 'k', undefined, PAYLOAD), ALICE)),
  ],
  ['a job that lacks an item', ['I17'], () => done(job([ALICE])), /it lacks/],
  ['a job without items', ['I17'], () => done(job([])), /it has no items/],
  ['a job with an item that was claimed for another one', ['I17'], () => done(job([ALICE, BOB], EVE)), /was not/],
  [
    'an item whose job was never made',
    ['I17'],
    () => history(new Book().link(ALICE, {}).claimFor(DAVE, ALICE)),
    /but it is left alone/,
  ],
  [
    'a trigger that recorded other items than its job has',
    ['I17'],
    () => {
      const definition = { queue: QUEUE, every: 60, batchSize: 2, description: '', task: { queue: QUEUE } };
      const book = job([ALICE, BOB]).trigger('TriggerDefined', { definition, next: HOUR(9) });
      book.trigger('TriggerFired', { firings: [{ occurrence: HOUR(9), task: DAVE, items: [ALICE] }], at: HOUR(9) });
      return done(book);
    },
    /recorded with its items/,
  ],
  [
    'a report on an item without its job',
    ['I17'],
    () => history(new Book().link(ALICE, {}).claimFor(DAVE, ALICE).succeed(ALICE)),
  ],
  [
    'an item in two jobs',
    ['I17', 'I3', 'I7'],
    () =>
      done(
        job([ALICE, BOB])
          .claimFor(EVE, ALICE)
          .claimFor(EVE, BOB)
          .link(EVE, { items: [ALICE, BOB] }),
      ),
  ],
  ['a claim of a younger task', ['I15'], () => history(seen(), CAROL, BOB)],
  ['a claim of a task with a lower priority', ['I15'], () => history(seen({}, { priority: 1 }), BOB, CAROL)],
  [
    'a claim that overtakes the task that was prioritised',
    ['I15'],
    () => {
      const book = seen();
      book.record(`task-${CAROL}`, 'TaskReprioritised', { queue: QUEUE, priority: 5, previous: 0 });
      // The next claim sees it, and the one after that takes another task.
      return history(book.enqueue(DAVE, 'd', undefined, { priority: 9 }), DAVE, BOB, CAROL);
    },
  ],
  ['a claim of a younger task of a key', ['I15'], () => history(ofOneKey(), BOB, ALICE)],
  [
    'a claim that passes a failed task of its key',
    ['I15'],
    () => {
      const book = ofOneKey({ onKeyFailure: 'block', retry: { ...POLICY_OF_ONE } }).claim(ALICE, 'w1');
      return history(failFinally(book), BOB);
    },
  ],
  ['a command without its event', ['I16'], () => also(alice(), command('1'))],
  ['a command whose event is another request’s', ['I16'], () => also(alice(), command('3', { requestId: 'other' }))],
  ['a read of an older state', ['I16'], () => also(alice(), read('4', { asOf: '3' }))],
  ['a read that does not say how new it is', ['I16'], () => also(alice(), read('4', { asOf: null }))],
  [
    'a read of a task as it was before',
    ['I16'],
    () => also(alice(), read('4', { task: { id: ALICE, state: 'running', position: '3' } })),
  ],
  [
    'a read of a task as it never was',
    ['I16'],
    () => also(alice(), read('3', { task: { id: ALICE, state: 'pending', position: '4' } })),
  ],
  ['a past state without its position', ['I23'], () => also(alice(), past('3', { moment: null, task: null }))],
  ['a past state of another position', ['I23'], () => also(alice(), past('2'))],
  [
    'a past state of a time that shows what was recorded later',
    ['I23'],
    () => also(alice(), past('10m', { moment: { position: '3', at: '1970-01-01T00:00:00.000Z' } })),
  ],
  [
    'the present as the past of a task',
    ['I23'],
    () => also(alice(), past('3', { task: { id: ALICE, state: 'succeeded', position: '4' } })),
  ],
  [
    'the present as the past of a queue',
    ['I23'],
    () => also(alice(), past('3', { task: null, tally: { queue: QUEUE, counts: { running: 0, succeeded: 1 } } })),
  ],
  ['a seal of what is not stored', ['I25'], () => sealed({ size: 1, root: ROOT_OF_A.replace('0', '1') })],
  ['a seal of more than is stored', ['I25'], () => sealed({ size: 2, root: ROOT_OF_A })],
];

const POLICY_OF_ONE = {
  maxAttempts: 1,
  backoff: { kind: 'fixed', baseMs: 100, factor: 1, capMs: 100, jitter: 'none' },
} as const;

/** The only attempt of the first task fails, and a person retries it once the other one is over. */
function failFinally(book: Book): Book {
  book.fail(ALICE);
  const retried = book.events.pop()!;
  const error = { message: 'broken', class: 'application' };
  const data = { queue: QUEUE, from: 'running', key: 'k', error, final: false, decidedBy: 'policy' };
  book.events.push({ ...retried, event: { type: 'TaskFailed', version: 1, data } });
  return book;
}

export const ORDERLY: readonly (readonly [right: string, history: () => History])[] = [
  ['a past state', () => also(alice(), past('3'), past('10m'))],
  [
    'a trigger that fires, skips and catches up',
    () => history(new Hourly().fires([9], 10).fires([10, 11], 12, BOB, CAROL)),
  ],
  ['a trigger that makes a task of an event', () => new Follows().fires(BOB).history()],
  [
    'a trigger that a person fires',
    () => {
      const book = new Hourly();
      finish(book.enqueue(ALICE), ALICE);
      return book.trigger('TriggerFired', BY_HAND).history();
    },
  ],
  ['claims in order of priority, then of age', () => history(seen({}, { priority: 1 }), CAROL, BOB)],
  ['a claim that was under way when a more important task arrived', () => history(seen(), BOB, CAROL)],
  ['a claim that passes a task whose key runs', passesBusyKey],
  ['a command that found its work done', () => also(alice(), command('4', { requestId: 'x', ...DONE }))],
  ['the same answer twice', () => also(alice(), command('3'), command('3'))],
  ['a read of the newest state', () => also(alice(), read('3'), read('4'))],
  ['a seal of what is stored', () => sealed({ size: 1, root: ROOT_OF_A })],
];

const BY_HAND = { firings: [{ occurrence: HOUR(8), task: ALICE }], at: HOUR(8) };
const DONE = { answer: { id: ALICE, position: '4', recorded: false } };

function passesBusyKey(): History {
  const book = ofOneKey().claim(ALICE, 'w2').enqueue(DAVE, 'd').enqueue(CAROL, 'c');
  return history(finish(book, DAVE).succeed(ALICE), BOB, CAROL);
}

/** A claim of a younger task. */
export const overtaken = (): History => history(seen(), CAROL, BOB);
