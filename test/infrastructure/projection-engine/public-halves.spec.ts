import { uuidv7 } from 'uuidv7';
import type { LogSegment } from '../../../src/application/kernel/log-segment.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { PostgresEventStore } from '../../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const COUNTS = { restAfter: () => 0, needsPrivate: false };
const LISTS = { restAfter: () => 0 };

let db: PostgresFixture;
let queue: string;
beforeEach(async () => {
  db = await openPostgresStore();
  queue = `q-${uuidv7()}`;
  await db.store.append([defineQueue(queue)]);
});
afterEach(() => db.close());

/** Follows with another store, because one has what it stored itself in memory. */
const feedOfAnother = () => new LogFeed(new PostgresEventStore(db.pool, db.wakeUps));

const add = async (): Promise<void> =>
  void (await db.store.append([enqueue(queue, { payload: { to: 'ann' }, description: 'a mail' })]));

const dataOf = (segments: readonly LogSegment[]): readonly object[] => segments.flatMap(({ data }) => data);

const PUBLIC = () => ({ queue, kind: 'task' });
const WHOLE = () => ({ ...PUBLIC(), payload: { to: 'ann' }, description: 'a mail' });

it('a follower that needs no private halves is not sent them', async () => {
  const [feed, { signal }] = [feedOfAnother(), new AbortController()];
  const head = await db.store.head();
  const counts = feed.open(head, COUNTS);
  await counts.lackingUpTo(head, signal);
  await add();
  expect(dataOf(await counts.next(head, signal))).toEqual([PUBLIC()]);
  await counts.close();
});

it('nor is it of what it has to catch up with', async () => {
  const head = await db.store.head();
  await add();
  const [feed, { signal }] = [feedOfAnother(), new AbortController()];
  const counts = feed.open(head, COUNTS);
  await counts.lackingUpTo(head, signal);
  expect(dataOf(await counts.next(head, signal))).toEqual([PUBLIC()]);
  await counts.close();
});

it('one that needs them gets them, also of what was read before it came', async () => {
  const [feed, { signal }] = [feedOfAnother(), new AbortController()];
  const head = await db.store.head();
  const [waiting, counts] = [feed.open(head, COUNTS), feed.open(head, COUNTS)];
  await counts.lackingUpTo(head, signal);
  await add();
  const { position } = (await counts.next(head, signal))[0]!;
  // The other has not taken the event yet, so the reader keeps it.
  const lists = feed.open(head, LISTS);
  expect(dataOf(await lists.next(head, signal))).toEqual([WHOLE()]);
  expect(dataOf(await waiting.next(head, signal))).toEqual([PUBLIC()]);
  await add();
  expect(dataOf(await lists.next(position, signal))).toEqual([WHOLE()]);
  for (const cursor of [waiting, counts, lists]) await cursor.close();
});
