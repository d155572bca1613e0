import { ALICE, Book, QUEUE, START } from '../book.js';

/** By the book's clock, on which every event takes a second. */
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

/** Of a claim that is the second event after the definition of the queue. */
const RUN = { runUntil: at(2.5) };
const LONG_RUN = { runUntil: at(3_602) };
/** Longer than any outage. */
const LONG = 70;

class Timed extends Book {
  enqueued(limits: object = {}): this {
    return this.enqueue(ALICE, 'k', undefined, limits);
  }

  claimed(limits: object = {}): this {
    return this.claim(ALICE, 'w1', undefined, limits);
  }

  timedOut(by: string): this {
    const message = `Expected worker 'w1' to end attempt 1 by ${by}, but it still ran then`;
    const error = { message, class: 'timeout' };
    this.record(`task-${ALICE}`, 'TaskAttemptFailed', { ...this.ended(ALICE), error }, 'sweeper');
    return this.failed('running', error, { ranMs: 1_000 }).asOneAppend();
  }

  expired(by: string): this {
    const message = `Expected a worker to claim the task before ${by}, but none did`;
    return this.failed('pending', { message, class: 'expired' });
  }

  missed(deadlineAt: string): this {
    this.record(`task-${ALICE}`, 'TaskDeadlineMissed', { queue: QUEUE, deadlineAt }, 'sweeper');
    return this;
  }

  private failed(from: string, error: object, more: object = {}): this {
    const data = { queue: QUEUE, from, key: 'k', error, final: false, decidedBy: 'policy', exhausted: true, ...more };
    this.record(`task-${ALICE}`, 'TaskFailed', data, 'sweeper');
    return this;
  }
}

const runs = (ms: number): Timed => new Timed({ maxRunMs: ms, onFailure: 'fail' }).enqueued();

/** I22. */
export const MISTIMED: readonly (readonly [says: string, history: () => Book])[] = [
  ['a success long after the longest run', () => runs(500).claimed(RUN).later(LONG).succeed(ALICE)],
  ['an attempt that is timed out too early', () => runs(3_600_000).claimed(LONG_RUN).timedOut(LONG_RUN.runUntil)],
  ['an attempt without a limit that is timed out', () => new Timed().enqueued().claimed().timedOut(at(2))],
  [
    'a claim of a task that is expired',
    () =>
      new Timed()
        .enqueued({ expiresAt: at(2) })
        .later(20)
        .claimed()
        .succeed(ALICE),
  ],
  ['a task that expires too early', () => new Timed().enqueued({ expiresAt: at(3_600) }).expired(at(3_600))],
  [
    'a task that waits long after it is expired',
    () =>
      new Timed()
        .enqueued({ expiresAt: at(2) })
        .later(LONG)
        .end(ALICE, 'TaskCancelled'),
  ],
  ['a deadline that is missed too early', () => new Timed().enqueued({ deadlineAt: at(3_600) }).missed(at(3_600))],
  [
    'a deadline that is missed twice',
    () =>
      new Timed()
        .enqueued({ deadlineAt: at(1) })
        .missed(at(1))
        .missed(at(1)),
  ],
  [
    'a deadline that is missed by a task that has ended',
    () =>
      new Timed()
        .enqueued({ deadlineAt: at(1) })
        .claimed()
        .succeed(ALICE)
        .missed(at(1)),
  ],
  ['a deadline that is missed by a task without one', () => new Timed().enqueued().missed(at(1))],
  [
    'a missed deadline that nobody records',
    () =>
      new Timed()
        .enqueued({ deadlineAt: at(1) })
        .later(LONG)
        .claimed()
        .succeed(ALICE),
  ],
];

export const TIMELY: readonly (readonly [says: string, history: () => Book])[] = [
  ['an attempt that takes too long', () => runs(500).claimed(RUN).timedOut(RUN.runUntil)],
  ['a report that comes before anybody looks', () => runs(500).claimed(RUN).later(10).succeed(ALICE)],
  ['an attempt that ends in time', () => runs(3_600_000).claimed(LONG_RUN).later(LONG).succeed(ALICE)],
  [
    'an attempt that is lost long after its longest run',
    () =>
      runs(500)
        .claimed(RUN)
        .later(LONG)
        .expire(ALICE)
        .claimed({ runUntil: at(LONG + 4.5) })
        .succeed(ALICE),
  ],
  ['a task that expires', () => new Timed().enqueued({ expiresAt: at(1.5) }).expired(at(1.5))],
  [
    'a deadline that is missed once',
    () =>
      new Timed()
        .enqueued({ deadlineAt: at(1.5) })
        .claimed()
        .missed(at(1.5))
        .later(LONG)
        .succeed(ALICE),
  ],
  [
    'a deadline that is missed before the task expires, long after both',
    () =>
      new Timed()
        .enqueued({ deadlineAt: at(1.1), expiresAt: at(1.5) })
        .later(LONG)
        .missed(at(1.1))
        .expired(at(1.5)),
  ],
];
