import { uuidv7 } from 'uuidv7';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import type { History, Invariant, Operation, Row } from '../../support/history-checker.js';
import type { ClaimAttempt } from '../../support/history/history.js';
import { ALICE, BATCH, BOB, Book, EVE, QUEUE } from '../book.js';

export const alice = (): Book => new Book().enqueue(ALICE).claim(ALICE, 'w1').succeed(ALICE);
/** Two tasks of one key, one after the other. The second one fails, is lost, and succeeds. */
export const both = (): Book =>
  alice().enqueue(BOB).claim(BOB, 'w2').fail(BOB).claim(BOB, 'w1').expire(BOB).claim(BOB, 'w2').succeed(BOB);

const withOperations = (change: (operations: Operation[]) => Operation[]): History => {
  const history = both().history();
  return { ...history, operations: change([...history.operations]) };
};

const without = (kind: Operation['kind']): History =>
  withOperations((operations) => {
    operations.splice(
      operations.findIndex((one) => one.kind === kind),
      1,
    );
    return operations;
  });

const also = (operation: Operation): History => withOperations((operations) => [...operations, operation]);

/** The run with changed events, from which its rows are folded. */
export function tampered(change: (events: RecordedEvent[]) => void): History {
  const book = both();
  change(book.events);
  return book.history();
}

const place = (events: readonly RecordedEvent[], type: string): number =>
  events.findIndex(({ event }) => event.type === type);

/** Removes the first event of the type without a trace. */
export function remove(events: RecordedEvent[], type: string): void {
  const [removed] = events.splice(place(events, type), 1);
  events.forEach((one, at) => {
    const follows = one.stream === removed!.stream && one.revision > removed!.revision;
    if (follows) events[at] = { ...one, revision: one.revision - 1 };
  });
}

function alter(events: RecordedEvent[], type: string, change: (recorded: RecordedEvent) => object): void {
  const at = place(events, type);
  events[at] = { ...events[at]!, ...change(events[at]!) };
}

const withData =
  (data: object) =>
  ({ event }: RecordedEvent): object => ({ event: { ...event, data: { ...event.data, ...data } } });

const withRows = (change: (history: History) => Partial<History>): History => {
  const history = both().history();
  return { ...history, ...change(history) };
};

export const finishes = (book: Book, ...tasks: readonly string[]): Book =>
  tasks.reduce((so, task) => so.claim(task, 'w1').succeed(task), book);
const finished = (book: Book, ...tasks: readonly string[]): History =>
  finishes(book, ...(tasks.length > 0 ? tasks : [ALICE, BOB])).history();

/** Two tasks of the queue that run at the same time. */
const AN_HOUR = { starts: 1, perMs: 3_600_000, burst: 1 };
const ROME = { labels: { site: 'rome' } };

const atOnce = (policy: Partial<QueuePolicy>, links: object = {}): History => {
  const book = new Book(policy).enqueue(ALICE, 'a', undefined, links).enqueue(BOB, 'b', undefined, links);
  return book.claim(ALICE, 'w1').claim(BOB, 'w2').succeed(ALICE).succeed(BOB).history();
};

export const AFTER_ALICE = { after: [{ task: ALICE }] };
export const waits = (): Book => new Book().link(ALICE, {}).link(BOB, AFTER_ALICE);

export const IN_BATCH = { batch: BATCH };
const AT = { at: '2026-11-21T08:00:00.000Z' };
export const counts = (counted: object = {}): object => ({
  ...AT,
  counts: { total: 1, succeeded: 1, failed: 0, aborted: 0, deleted: 0, ...counted },
});
const planned = (): Book => new Book().batch('BatchCreated', { name: 'b', ...AT }).link(ALICE, IN_BATCH);
export const opened = (): Book => planned().batch('BatchOpened', { tasks: 1 });

const report = (number = 1, counted: object = {}): object => ({
  number,
  changes: [],
  more: 0,
  incomplete: [],
  ...counts(counted),
});
/** The batch reports and ends. */
export const completes = (book: Book): Book => book.batch('BatchReported', report()).batch('BatchCompleted', counts());

/** The service returns what the first claim got, and another worker does it. */
export function givenBack(outcome: 'ok' | 'unknown'): History {
  const history = new Book()
    .enqueue(ALICE)
    .claim(ALICE, 'w1')
    .giveBack(ALICE)
    .claim(ALICE, 'w2')
    .succeed(ALICE)
    .history();
  const [enqueued, { claimedTasks, ...claim }, ...others] = history.operations as [
    Operation,
    ClaimAttempt,
    ...Operation[],
  ];
  const first = { ...claim, outcome, claimedTasks: outcome === 'ok' ? claimedTasks : [] };
  return { ...history, operations: [enqueued, first, ...others] };
}

export const NO = {
  error: { message: 'no', class: 'business' },
  final: false,
  decidedBy: 'policy',
  conflictingTaskId: BOB,
};

const PAUSED = ['QueuePaused', { by: 'ann', reason: null, until: null }] as const;

const ALICES_CLAIM = { kind: 'claim', queue: QUEUE, outcome: 'ok', worker: 'w1' } as const;

/** What is wrong, the rules that it breaks, and what is said of it where one rule has several parts. */
export const BAD: readonly (readonly [
  wrong: string,
  finds: readonly Invariant[],
  history: () => History,
  says?: RegExp,
])[] = [
  [
    'an acknowledged task that is not in the log',
    ['I1'],
    () =>
      also({
        kind: 'enqueue',
        taskId: EVE,
        queue: QUEUE,
        key: null,
        outcome: 'ok',
        answer: { id: EVE, position: '2' },
      }),
  ],
  [
    'a task that was acknowledged with the position of another one',
    ['I1'],
    () =>
      also({ kind: 'enqueue', taskId: BOB, queue: QUEUE, key: 'k', outcome: 'ok', answer: { id: BOB, position: '2' } }),
  ],
  [
    'a task that answers for one of another key',
    ['I1'],
    () =>
      also({ kind: 'enqueue', taskId: EVE, queue: QUEUE, key: 'x', outcome: 'ok', answer: { id: BOB, position: '5' } }),
  ],
  ['a task that is never finished', ['I1'], () => both().enqueue(EVE).history()],
  [
    'a task whose lost claim is not followed by another one',
    ['I1'],
    () => both().enqueue(EVE).claim(EVE, 'w1').expire(EVE).history(),
  ],
  ['a task that is completed twice', ['I1', 'I4', 'I7'], () => alice().succeed(ALICE).history(), /to be recorded once/],
  [
    'two workers who are told that they completed it',
    ['I1', 'I4'],
    () => both().settle(BOB, 'succeed', { token: '3' }).history(),
  ],
  ['a task that nobody enqueued', ['I2'], () => without('enqueue')],
  ['a claim that nobody made', ['I2'], () => without('claim')],
  ['a success that nobody reported', ['I2'], () => without('settle')],
  ['a return that nobody asked for, of a claim that was answered', ['I2'], () => givenBack('ok')],
  ['two open claims of one task', ['I3', 'I7'], () => tampered((events) => remove(events, 'TaskLeaseExpired'))],
  [
    'a token that is lower than the one before',
    ['I3'],
    () => alice().enqueue(BOB).claim(BOB, 'w2', '9').fail(BOB).claim(BOB, 'w1', '8').succeed(BOB).history(),
  ],
  [
    'one token for two claims',
    ['I3'],
    () => also({ ...ALICES_CLAIM, claimId: uuidv7(), claimedTasks: [{ taskId: ALICE, token: '1' }] }),
  ],
  [
    'a claim that was answered that the log does not know',
    ['I3'],
    () => also({ ...ALICES_CLAIM, claimId: uuidv7(), claimedTasks: [{ taskId: ALICE, token: '7' }] }),
  ],
  [
    'a claim that was answered that is another worker’s',
    ['I3'],
    () => also({ ...ALICES_CLAIM, worker: 'w9', claimId: uuidv7(), claimedTasks: [{ taskId: BOB, token: '2' }] }),
  ],
  ['an acknowledged failure under a lost claim', ['I4'], () => both().settle(BOB, 'fail', { token: '3' }).history()],
  [
    'a refused success that was recorded',
    ['I4'],
    () =>
      withOperations((operations) =>
        operations.map((one) => (one.kind === 'settle' && one.taskId === ALICE ? { ...one, outcome: 'refused' } : one)),
      ),
  ],
  [
    'a success that was recorded under a claim that is over',
    ['I2', 'I4', 'I7'],
    () => tampered((events) => alterLast(events, withData({ token: '3' }))),
  ],
  [
    'two tasks of one key that run at once',
    ['I5'],
    () =>
      new Book().enqueue(ALICE).enqueue(BOB).claim(ALICE, 'w1').claim(BOB, 'w2').succeed(ALICE).succeed(BOB).history(),
  ],
  ['two tasks of one key that wait at once', ['I5'], () => finished(new Book().enqueue(ALICE).enqueue(BOB))],
  [
    'two open tasks of one reference',
    ['I5'],
    () => finished(new Book({ uniqueReference: 'open' }).enqueue(ALICE, 'a', 'r').enqueue(BOB, 'b', 'r')),
  ],
  [
    'a task that has the reference of one that is finished, where it is to be unique for ever',
    ['I5'],
    () =>
      finished(
        finishes(new Book({ uniqueReference: 'always' }).enqueue(ALICE, 'a', 'r'), ALICE).enqueue(BOB, 'b', 'r'),
        BOB,
      ),
  ],
  ['more running tasks than the queue may have', ['I6'], () => atOnce({ maxRunning: 1 })],
  [
    'more running tasks of a value than the queue may have',
    ['I6'],
    () => atOnce({ perLabel: { label: 'site', maxRunning: 1 } }),
  ],
  ['more starts than the rate of a queue allows', ['I6'], () => atOnce({ rate: AN_HOUR })],
  [
    'more starts of a value than its rate allows',
    ['I6'],
    () =>
      atOnce(
        { perLabel: { label: 'site', rate: { ...AN_HOUR, burst: 5 }, values: [{ value: 'rome', rate: AN_HOUR }] } },
        ROME,
      ),
  ],
  [
    'a claim by a worker that does not offer what the task needs',
    ['I7'],
    () => finishes(new Book({ needs: { gpu: true } }).enqueue(ALICE), ALICE).history(),
  ],
  ['more running tasks than a server may have', ['I6'], () => atOnce({ concurrency: { perServer: 1 } })],
  [
    'two running tasks of a serial queue',
    ['I6'],
    () => {
      const book = new Book({ concurrency: 'serial' }).enqueue(ALICE, 'a').enqueue(BOB, 'b').taken('w1');
      return book.claim(ALICE, 'w1').claim(BOB, 'w1').succeed(ALICE).succeed(BOB).history();
    },
  ],
  [
    'a task of a serial queue that another one than its consumer got',
    ['I6'],
    () => finishes(new Book({ concurrency: 'serial' }).enqueue(ALICE, 'a').taken('w9'), ALICE).history(),
  ],
  ['a claim of a paused queue', ['I6'], () => finishes(new Book().enqueue(ALICE).queue(...PAUSED), ALICE).history()],
  [
    'an enqueue while the intake is closed',
    ['I6'],
    () => finished(new Book().queue('QueueIntakeClosed', { by: 'ann', reason: null }).enqueue(ALICE), ALICE),
  ],
  [
    'a queue that ends with an open task',
    ['I6'],
    () => {
      const book = new Book().enqueue(ALICE).claim(ALICE, 'w1').queue('QueueFinished', { by: 'ann' });
      return book.succeed(ALICE).history();
    },
  ],
  [
    'a hole in the revisions',
    ['I7'],
    () => tampered((events) => alterLast(events, ({ revision }) => ({ revision: revision + 1 }))),
  ],
  [
    'a position twice',
    ['I7'],
    () => tampered((events) => alter(events, 'TaskRetryScheduled', ({ position }) => ({ position: position - 1n }))),
  ],
  [
    'an id twice',
    ['I7'],
    () => tampered((events) => alter(events, 'TaskRetryScheduled', () => ({ id: events[0]!.id }))),
  ],
  [
    'an attempt that is counted wrong',
    ['I7'],
    () => tampered((events) => alter(events, 'TaskClaimed', withData({ attempt: 2 }))),
  ],
  [
    'a retry that the policy would put at another time',
    ['I7'],
    () => tampered((events) => alter(events, 'TaskRetryScheduled', withData({ dueAt: '2026-11-22T08:00:00.000Z' }))),
  ],
  ['a late report under a claim that was settled', ['I7'], () => alice().reportLate(ALICE).history()],
  [
    'a second late report under one claim',
    ['I7'],
    () =>
      finishes(
        new Book().enqueue(ALICE).claim(ALICE, 'w1').expire(ALICE).reportLate(ALICE).reportLate(ALICE),
        ALICE,
      ).history(),
  ],
  ['a failure that leads to nothing', ['I7'], () => tampered((events) => remove(events, 'TaskRetryScheduled'))],
  [
    'a task whose row says otherwise',
    ['I8'],
    () => withRows(({ tasks }) => ({ tasks: tasks.map((row) => ({ ...row, attempt: 9 })) })),
  ],
  ['a task in the lists and in the archive', ['I8'], () => withRows(({ tasks }) => ({ archived: tasks.slice(0, 1) }))],
  [
    'an archived task that has not ended',
    ['I8'],
    () => withRows(({ tasks: [first, ...tasks] }) => ({ tasks, archived: [{ ...first, state: 'running' }] })),
    /archived task .* to have ended/,
  ],
  ['a task without a row', ['I8'], () => withRows(({ tasks }) => ({ tasks: tasks.slice(1) }))],
  [
    'a row without a task',
    ['I8'],
    () => withRows(({ tasks }) => ({ tasks: [...tasks, { ...tasks[0], task_id: EVE }] })),
  ],
  [
    'a count that is wrong',
    ['I8'],
    () =>
      withRows(({ models }) => ({
        models: { ...models, 'queue-stats': [{ ...(models['queue-stats']![0] as Row), succeeded: 1 }] },
      })),
  ],
  [
    'a read model that is behind its checkpoint',
    ['I8'],
    () => withRows(({ models }) => ({ models: { ...models, 'worker-roster': [] } })),
  ],
  [
    'a checkpoint past the head',
    ['I9'],
    () => withRows(({ checkpoints }) => ({ checkpoints: [...checkpoints, { name: 'x', position: 99n }] })),
  ],
  ['a claim of a task before its prerequisite is done', ['I13'], () => finished(waits(), BOB, ALICE)],
  [
    'a claim of a task before the prerequisite that was added later is done',
    ['I13'],
    () => finished(new Book().link(ALICE, {}).link(BOB, {}).arrange(BOB, { task: ALICE }), BOB, ALICE),
  ],
  [
    'a claim of a task before the batch that it waits for is completed',
    ['I13'],
    () => completes(finishes(finishes(opened().link(BOB, { after: [IN_BATCH] }), ALICE), BOB)).history(),
  ],
  ['two tasks that wait for each other', ['I1', 'I13'], () => waits().arrange(ALICE, { task: BOB }).history()],
  [
    'a task that waits for what waits for its batch',
    ['I1', 'I13'],
    () =>
      planned()
        .link(BOB, { after: [IN_BATCH] })
        .arrange(ALICE, { task: BOB })
        .history(),
  ],
  [
    'a task that was deleted although another one needs it',
    ['I1', 'I13'],
    () => waits().end(ALICE, 'TaskDeleted').history(),
  ],
  [
    'a task that was aborted twice',
    ['I13', 'I7'],
    () => new Book().enqueue(ALICE).end(ALICE, 'TaskAborted').end(ALICE, 'TaskAborted').history(),
  ],
  [
    'a cancelled task that an abort left behind',
    ['I13'],
    () => waits().end(BOB, 'TaskCancelled').end(ALICE, 'TaskAborted').history(),
  ],
  [
    'a task that ran before its batch was opened',
    ['I14'],
    () => completes(finishes(planned(), ALICE).batch('BatchOpened', { tasks: 1 })).history(),
  ],
  [
    'a batch that was opened with fewer tasks than it has',
    ['I14'],
    () => completes(finishes(planned().batch('BatchOpened', { tasks: 0 }), ALICE)).history(),
  ],
  [
    'a batch that counted its tasks wrong',
    ['I14'],
    () =>
      finishes(opened(), ALICE)
        .batch('BatchReported', report(1, { succeeded: 0, failed: 1 }))
        .batch('BatchFailed', counts({ succeeded: 0, failed: 1 }))
        .history(),
    /to end with/,
  ],
  [
    'a batch that ended without a report',
    ['I14'],
    () => finishes(opened(), ALICE).batch('BatchCompleted', counts()).history(),
  ],
  [
    'a batch that reported twice for one end',
    ['I14'],
    () => completes(finishes(opened(), ALICE).batch('BatchReported', report())).history(),
    /but it reports again/,
  ],
  [
    'a report that has other counts than the end of its batch',
    ['I14'],
    () =>
      finishes(opened(), ALICE)
        .batch('BatchReported', report(1, { succeeded: 0, failed: 1 }))
        .batch('BatchCompleted', counts())
        .history(),
  ],
  [
    'a report whose number was left out',
    ['I14'],
    () => finishes(opened(), ALICE).batch('BatchReported', report(2)).batch('BatchCompleted', counts()).history(),
  ],
  [
    'a batch that ended before its task',
    ['I14'],
    () => finishes(opened().batch('BatchCompleted', counts()), ALICE).history(),
  ],
  ['a batch that is not over although its tasks are', ['I14'], () => finishes(opened(), ALICE).history()],
  [
    'a cancelled task of an aborted batch',
    ['I14'],
    () => opened().end(ALICE, 'TaskCancelled').batch('BatchAborted', AT).history(),
  ],
];

function alterLast(events: RecordedEvent[], change: (recorded: RecordedEvent) => object): void {
  events.push({ ...events.at(-1)!, ...change(events.pop()!) });
}
