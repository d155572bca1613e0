import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { violationsIn } from '../../src/check/log-check.js';
import { type History, type Invariant, violationsOf } from '../support/history-checker.js';
import { deliveryViolations } from '../support/history/deliveries.js';
import { Log } from '../support/history/history.js';
import { ALICE, BOB, Book, CAROL, DAVE, EVE, QUEUE } from './book.js';
import {
  AFTER_ALICE,
  alice,
  BAD,
  both,
  completes,
  finishes,
  givenBack,
  IN_BATCH,
  NO,
  opened,
  remove,
  tampered,
} from './wrong-logs/broken.js';

const invariantsOf = (history: History): Invariant[] =>
  [...new Set(violationsOf(history).map(({ invariant }) => invariant))].sort();

const limitsBroken = (events: readonly RecordedEvent[]) =>
  violationsIn(events, { isWhole: true, claimsTakeTurns: true }).filter(({ invariant }) =>
    ['I5', 'I6'].includes(invariant),
  );

describe('the history checker', () => {
  it('finds nothing in a good run', () => {
    expect(violationsOf(both().history())).toEqual([]);
  });

  it('finds nothing in a good run of a batch, of what waits for it, and of what is aborted with it', () => {
    const ignoring = { after: [{ task: EVE, ignore: true }] };
    const book = completes(finishes(opened().link(BOB, { after: [IN_BATCH] }), ALICE));
    finishes(book, BOB)
      .link(EVE, AFTER_ALICE)
      .link(CAROL, ignoring)
      .link(DAVE, { after: [{ task: EVE }] });
    book.end(EVE, 'TaskAborted').end(DAVE, 'TaskAborted', { prerequisite: EVE });
    expect(violationsOf(finishes(book, CAROL).history())).toEqual([]);
  });

  it('finds nothing in a run whose lost worker reports late', () => {
    const book = new Book().enqueue(ALICE).claim(ALICE, 'w1').expire(ALICE).reportLate(ALICE);
    expect(violationsOf(finishes(book, ALICE).history())).toEqual([]);
  });

  it.each(BAD)('finds %s', (_, finds, history, says = /./) => {
    const found = history();
    expect(invariantsOf(found)).toEqual(finds);
    expect(violationsOf(found).map((one) => one.says)).toContainEqual(expect.stringMatching(says));
  });

  it('counts an unanswered operation as perhaps carried out', () => {
    const unknown = { kind: 'enqueue', queue: QUEUE, key: 'k', outcome: 'unknown', answer: null } as const;
    const history = both().settle(BOB, 'succeed', { token: '3', outcome: 'unknown' }).history();
    const operations = history.operations.map((one) =>
      one.kind === 'enqueue' ? { ...unknown, taskId: one.taskId } : { ...one, outcome: 'unknown' as const },
    );
    expect(violationsOf({ ...history, operations: [...operations, { ...unknown, taskId: EVE }] })).toEqual([]);
  });

  it('counts a success that is reported and acknowledged again as one', () => {
    expect(
      violationsOf(both().settle(BOB, 'succeed').settle(BOB, 'succeed', { outcome: 'refused' }).history()),
    ).toEqual([]);
  });

  it('lets the service return what a claim got that was never answered', () => {
    expect(violationsOf(givenBack('unknown'))).toEqual([]);
  });

  it('judges what a task frees by positions, not by commits', () => {
    const unique = { uniqueReference: 'open' } as const;
    const running = () => new Book(unique).enqueue(ALICE, 'a', 'r').claim(ALICE, 'w1');
    const inOneCommit = (book: Book): History => {
      const [before, after] = book.events.slice(-2);
      book.events[book.events.length - 1] = { ...after!, recordedAt: before!.recordedAt };
      return book.history();
    };
    const rules = (book: Book) => limitsBroken(inOneCommit(book).events).map(({ says }) => says);
    expect(rules(running().enqueue(BOB, 'b', 'r').succeed(ALICE))).toEqual([
      "Expected at most 1 to have reference 'r' and be open, but 2 do",
    ]);
    expect(rules(running().succeed(ALICE).enqueue(BOB, 'b', 'r'))).toEqual([]);
  });

  it('judges the events of one append on a task together', () => {
    const book = new Book().enqueue(ALICE).claim(ALICE, 'w1').enqueue(BOB).fail(ALICE);
    const [failed, retried] = book.events.slice(-2);
    const displaced = {
      ...retried!.event,
      type: 'TaskFailed',
      data: { queue: QUEUE, from: 'running', key: 'k', ...NO },
    };
    book.events[book.events.length - 1] = { ...retried!, recordedAt: failed!.recordedAt, event: displaced };
    expect(limitsBroken(book.events)).toEqual([]);
  });

  it('ignores fences, and tasks that consist of a fence', () => {
    const fenced = new Book().fence(EVE).fence(ALICE).enqueue(ALICE).fence(ALICE).claim(ALICE, 'w1').fence(ALICE);
    expect(violationsOf(fenced.succeed(ALICE).fence(ALICE).history())).toEqual([]);
  });

  it('knows the key of a task whose history begins with a fence', () => {
    const both = new Book().fence(ALICE).enqueue(ALICE).claim(ALICE, 'w1').enqueue(BOB).claim(BOB, 'w2');
    const found = violationsOf(both.succeed(ALICE).succeed(BOB).history());
    expect(found.map(({ invariant }) => invariant)).toEqual(['I5']);
  });

  it('shows the events that violate the promise', () => {
    const history = tampered((events) => remove(events, 'TaskLeaseExpired'));
    const [overlap] = violationsOf(history);
    expect(overlap!.says).toBe(`Expected one open claim of task '${BOB}', but there are two`);
    expect(overlap!.events.map(({ event }) => event.data)).toMatchObject([{ token: '3' }, { token: '4' }]);
  });

  it('compares what receivers got with the attempts of deliveries', () => {
    const queue = 'waybill.deliveries';
    const book = new Book();
    for (const [type, data] of [
      ['TaskEnqueued', { kind: 'webhook' }],
      ['TaskClaimed', { token: '1' }],
      ['TaskLeaseExpired', { token: '1' }],
      ['TaskClaimed', { token: '2' }],
      ['TaskSucceeded', { token: '2' }],
    ] as const)
      book.record(`task-${ALICE}`, type, { queue, ...data });
    const found = (...bodies: readonly string[]) => {
      const received = bodies.map((body) => ({ id: ALICE, body }));
      return [...deliveryViolations({ received }, new Log(book.events))].map(({ says }) => says);
    };
    expect(found('a')).toEqual([]);
    expect(found('a', 'a')).toEqual([]);
    expect(found('a', 'a', 'a')).toEqual([`Expected 2 calls for delivery '${ALICE}', but got 3`]);
    expect(found('a', 'b')).toEqual([`Expected every call for delivery '${ALICE}' to say the same, but they differ`]);
    expect(found()).toEqual([`Expected delivery '${ALICE}' to be received, but it was not`]);
  });

  it('reports what it cannot fold', () => {
    const book = alice();
    book.record(`task-${ALICE}`, 'TaskReopened', { queue: QUEUE });
    const found = violationsIn(book.events, { isWhole: true, claimsTakeTurns: true });
    expect(found.map((one) => one.says)).toEqual([
      expect.stringMatching("to be folded, but it cannot: Expected to know how 'TaskReopened' changes a task"),
    ]);
  });
});
