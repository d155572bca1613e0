import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import type { EnqueueItem } from '../../../src/application/tasks/enqueue-tasks.handler.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { inTransaction } from '../../../src/infrastructure/database/transaction.js';
import { reservationRequests } from '../../../src/infrastructure/eventstoredb/reservations/reservation-request.js';
import { Reservations } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { enqueue, item } from '../../support/events.js';
import { openFollowedDispatch } from '../../support/followed-dispatch.js';

type OfBatch = (batch: string) => DomainEvent;

const created: OfBatch = (batch) => ({
  type: 'BatchCreated',
  version: 1,
  data: { batch, name: 'b', at: new Date(0).toISOString() },
});
const opened: OfBatch = (batch) => ({ type: 'BatchOpened', version: 1, data: { batch, tasks: 0 } });
const aborted: OfBatch = (batch) => ({ type: 'BatchAborted', version: 1, data: { batch, by: 'tester', reason: null } });

/** Returns the new batch. */
async function begin(dispatch: DispatchFixture, events: readonly OfBatch[]): Promise<string> {
  const batch = uuidv7();
  const facts = events.map((one) => one(batch));
  await dispatch.store.append([item(batchStream(batch), -1, facts)]);
  return batch;
}

describe('reservations of new tasks of a batch', () => {
  let dispatch: DispatchFixture;
  let reservations: Reservations;
  beforeAll(async () => {
    dispatch = await openFollowedDispatch();
    reservations = new Reservations(dispatch.pool);
    await dispatch.define('q', { duplicatePending: 'refuse' });
  });
  afterAll(() => dispatch.close());

  /** They arrive together, so they share a statement. */
  const reserve = (...items: AppendItem[]) => Promise.all(items.map((one) => reservations.reserve(one)));
  const kindsOf = async (...items: AppendItem[]) => (await reserve(...items)).map(({ kind }) => kind);
  const opening = (batch: string): AppendItem => item(batchStream(batch), 0, [opened(batch)]);

  it('are made all at once', async () => {
    const batch = await begin(dispatch, [created]);
    const items = [enqueue('q', { batch }), enqueue('q', { batch, key: uuidv7() }), enqueue('q', {})];
    expect(reservationRequests(items).others).toEqual([]);
    expect(await kindsOf(...items)).toEqual(['reserved', 'reserved', 'reserved']);
  });

  it('wait while the batch is about to change, and no others do', async () => {
    const [batch, other] = [await begin(dispatch, [created]), await begin(dispatch, [created])];
    const change = opening(batch);
    expect(await kindsOf(change)).toEqual(['reserved']);
    const member = enqueue('q', { batch });
    expect(await kindsOf(member, enqueue('q', { batch: other }))).toEqual(['busy', 'reserved']);
    await reservations.release([change.events[0]!.id]);
    expect(await kindsOf(member)).toEqual(['reserved']);
  });

  it('keep the batch from changing', async () => {
    const batch = await begin(dispatch, [created]);
    const member = enqueue('q', { batch });
    expect(await kindsOf(member)).toEqual(['reserved']);
    expect(await kindsOf(opening(batch))).toEqual(['busy']);
    await reservations.release([member.events[0]!.id]);
    expect(await kindsOf(opening(batch))).toEqual(['reserved']);
  });

  it('are refused by themselves if there is no such batch, or if it takes no more', async () => {
    const [missing, over] = [uuidv7(), await begin(dispatch, [created, aborted])];
    const batch = await begin(dispatch, [created]);
    const members = [missing, batch, over].map((of) => enqueue('q', { batch: of }));
    expect(await reserve(...members)).toEqual([
      { kind: 'refused', constraint: 'batch-not-found', batch: missing },
      expect.objectContaining({ kind: 'reserved' }),
      { kind: 'refused', constraint: 'batch-ended', batch: over, state: 'aborted' },
    ]);
  });

  it('are on the disk before their events are stored', async () => {
    const { plain, others } = reservationRequests([enqueue('q', { batch: await begin(dispatch, [created]) })]);
    await inTransaction(dispatch.pool, async (connection) => {
      const values = [JSON.stringify(plain), JSON.stringify(others)];
      await connection.query('select waybill_reserve($1, $2, 1000, false)', values);
      const { rows } = await connection.query(`select current_setting('synchronous_commit') as found`);
      expect(rows).toEqual([{ found: 'on' }]);
    });
  });
});

/** Each kind of place that a new task gets. */
const MEMBERS: readonly Partial<EnqueueItem>[] = [
  {},
  { labels: { customer: 'a' }, priority: 2 },
  { dueAt: '2999-01-01T00:00:00.000Z' },
  { key: 'a' },
  { key: 'a' },
  { key: 'a', priority: 3 },
  { key: 'b' },
  { key: 'b', dueAt: '2999-01-01T00:00:00.000Z' },
  { key: 'of another' },
];

/** Rows of the index that name tasks by their numbers, so that they are the same in both stores. */
const PLACES = `
  with n as (select task_id, row_number() over (order by seq) as n from tasks where batch = $1)
  select 'ready' as place, n.n, t.state, t.priority, null as gate, null as key, 0 as blockers, false as staged
    from n join tasks t using (task_id) where waybill_is_ready(t.queue, t.priority, t.seq)
  union all select 'waiting', n.n, t.state, w.priority, w.gate, w.key, w.blockers, w.staged = $1
    from n join tasks t using (task_id) join waiting w using (task_id)
  order by n`;
const SLOTS = `
  with n as (select task_id, row_number() over (order by seq) as n from tasks where batch = $1)
  select s.key, (select n from n where task_id = s.running) as running, (select n from n where task_id = s.ready) as ready,
    (select n from n where task_id = s.waiting) as waiting
  from key_slots s where coalesce(s.running, s.ready, s.waiting) in (select task_id from n) order by s.key`;
const COUNTS = 'select total, open, succeeded, failed, aborted, deleted from batches where id = $1';

describe.each([
  ['that is planned', [created]],
  ['that is open', [created, opened]],
] as const)('new tasks of a batch %s', (_, events) => {
  it('get the places that they get with the events in Postgres', async () => {
    const [here, elsewhere] = [await places(openDispatch), await places(openFollowedDispatch)];
    expect(here.places).toHaveLength(MEMBERS.length);
    expect(elsewhere).toEqual(here);
  });

  async function places(open: () => Promise<DispatchFixture>) {
    const dispatch = await open();
    try {
      await dispatch.define('q', { duplicatePending: 'allow' });
      const batch = await begin(dispatch, events);
      await dispatch.enqueue('q', [{ key: 'of another' }]);
      await dispatch.enqueue(
        'q',
        MEMBERS.map((one) => ({ ...one, batch })),
      );
      const rows = async (text: string) => (await dispatch.pool.query(text, [batch])).rows;
      return { places: await rows(PLACES), slots: await rows(SLOTS), counts: await rows(COUNTS) };
    } finally {
      await dispatch.close();
    }
  }
});
