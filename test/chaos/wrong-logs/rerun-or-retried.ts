import { ALICE, BOB, Book, CAROL, DAVE, QUEUE, START } from '../book.js';

const STEPS = ['cut', 'glue'];
const ERROR = { message: 'broken', class: 'application' };
const FINALLY = { from: 'running', key: 'k', error: ERROR, final: false, decidedBy: 'policy' };
const WHOLE = { ranMs: 1_000, exhausted: true };

const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

class Run extends Book {
  /** The only attempt fails, recorded with these members. */
  failsFinally(more: object): this {
    this.enqueue(ALICE).claim(ALICE, 'w1');
    this.record(`task-${ALICE}`, 'TaskAttemptFailed', { ...this.ended(ALICE), error: ERROR }, 'w1');
    this.record(`task-${ALICE}`, 'TaskFailed', { queue: QUEUE, ...FINALLY, ...more }, 'w1');
    return this.asOneAppend();
  }

  retriesAt(dueAt: string): this {
    this.enqueue(ALICE).claim(ALICE, 'w1').fail(ALICE);
    const { event, ...retried } = this.events.pop()!;
    this.events.push({ ...retried, event: { ...event, data: { ...event.data, dueAt } } });
    return this;
  }

  does(task: string): this {
    return this.claim(task, 'w1').succeed(task);
  }

  /** A person orders a second run of ALICE's task. */
  again(task: string, rerunOf: object = {}, more: object = {}): this {
    return this.enqueue(task, 'a', 'ref', { rerunOf: { task: ALICE, ...rerunOf }, ...more });
  }
}

const ONCE = {
  retry: { maxAttempts: 1, backoff: { kind: 'fixed', baseMs: 100, factor: 1, capMs: 100, jitter: 'none' } },
};
const once = (): Run => new Run(ONCE as never);

/** DAVE's task is claimed first, so that the next claim has seen the others. */
const inLine = (links: object): Run =>
  new Run()
    .enqueue(DAVE, 'd')
    .enqueue(ALICE, 'a', undefined, links)
    .enqueue(BOB, 'b', undefined, { steps: STEPS })
    .does(DAVE);

const DATA = { data: { file: 'a' } };
const done = (policy: object = {}): Run =>
  new Run(policy).enqueue(ALICE, 'a', 'ref', { payload: 1, ...DATA }).does(ALICE);

/** What a log does not tell from what is right, if nothing else is known of its service. */
export const TOLERATED: readonly (readonly [wrong: string, finds: RegExp, book: () => Book])[] = [
  ['a failure without the time that its attempt ran', /^I7 /, () => once().failsFinally({ exhausted: true })],
  ['a failure that does not say that the retries are used up', /^I7 /, () => once().failsFinally({ ranMs: 1_000 })],
  ['a delay that is not that of the policy', /^I7 /, () => new Run().retriesAt(at(1_000))],
  [
    'a claim that passes a task at another step',
    /^I15 /,
    () => inLine({}).claim(BOB, 'w1', undefined, { step: 'cut' }),
  ],
  [
    'a second run with other data',
    /^I19 .* another data/,
    () => done().again(BOB, {}, { payload: 1, data: { file: 'b' } }),
  ],
  [
    'a second run of another reference',
    /^I19 .* another reference/,
    () => done().enqueue(BOB, 'a', 'other', { rerunOf: { task: ALICE }, ...DATA }),
  ],
];

export const NEVER: readonly (readonly [wrong: string, finds: RegExp, book: () => Book])[] = [
  [
    'a second run of a task that has not ended',
    /^I14 .* to have ended/,
    () => new Run().enqueue(ALICE, 'a').claim(ALICE, 'w1').again(BOB),
  ],
  ['a second run of a task that is not there', /^I14 .* to have ended/, () => new Run().again(BOB)],
  [
    'a claim that passes a task until its time to live is over',
    /^I15 /,
    () => inLine({ steps: STEPS, expiresAt: at(60) }).claim(BOB, 'w1', undefined, { step: 'cut' }),
  ],
];

export const GOOD: readonly (readonly [right: string, book: () => Book])[] = [
  ['a failure with all of its members', () => once().failsFinally(WHOLE)],
  ['a second run of a success', () => done().again(BOB, {}, { payload: 2, ...DATA })],
  [
    'two second runs of one task',
    () => done({ duplicatePending: 'allow' }).again(BOB, {}, DATA).again(CAROL, {}, DATA),
  ],
  [
    'a claim that passes a task whose time to live is over',
    () => inLine({ steps: STEPS, expiresAt: at(5) }).claim(BOB, 'w1', undefined, { step: 'cut' }),
  ],
];

/** A second run succeeds, and its first run stays failed. */
export const unsuperseded = (): Book =>
  once()
    .failsFinally(WHOLE)
    .enqueue(BOB, 'k', undefined, { rerunOf: { task: ALICE } })
    .claim(BOB, 'w1')
    .succeed(BOB);
