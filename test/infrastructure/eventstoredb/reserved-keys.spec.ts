import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { inTransaction } from '../../../src/infrastructure/database/transaction.js';
import { reservationRequests } from '../../../src/infrastructure/eventstoredb/reservations/reservation-request.js';
import { Reservations } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import type { DispatchFixture } from '../../support/dispatch-fixture.js';
import { enqueue } from '../../support/events.js';
import { openFollowedDispatch } from '../../support/followed-dispatch.js';

describe('reservations of keys', () => {
  let dispatch: DispatchFixture;
  let reservations: Reservations;
  beforeAll(async () => {
    dispatch = await openFollowedDispatch();
    reservations = new Reservations(dispatch.pool);
    await dispatch.define('one', { duplicatePending: 'refuse' } satisfies Partial<QueuePolicy>);
    await dispatch.define('line', { duplicatePending: 'allow' } satisfies Partial<QueuePolicy>);
  });
  afterAll(() => dispatch.close());

  /** They arrive together, so they share a statement. */
  const reserve = (...items: AppendItem[]) =>
    Promise.all(items.map(async (one) => (await reservations.reserve(one)).kind));

  it('gives the waiting place to the first of those that come together', async () => {
    const items = ['a', 'a', 'b', 'a'].map((key) => enqueue('one', { key }));
    expect(await reserve(...items)).toEqual(['reserved', 'busy', 'reserved', 'busy']);
  });

  it('gives it to none while an append under way has it, and to the next one after that was given up', async () => {
    const [first, second] = [enqueue('one', { key: 'c' }), enqueue('one', { key: 'c' })];
    expect(await reserve(first)).toEqual(['reserved']);
    expect(await reserve(second)).toEqual(['busy']);
    await reservations.release([first.events[0]!.id]);
    expect(await reserve(second)).toEqual(['reserved']);
  });

  it('gives it to the next one if the first one is refused', async () => {
    const stale = enqueue('one', { key: 'd' }, { queue: { name: 'one', revision: 7 } });
    expect(await reserve(stale, enqueue('one', { key: 'd' }))).toEqual(['refused', 'reserved']);
  });

  it('refuses it while a task has it', async () => {
    const [task] = await dispatch.enqueue('one', [{ key: 'e' }]);
    expect(await reservations.reserve(enqueue('one', { key: 'e' }))).toEqual({
      kind: 'refused',
      constraint: 'key-waiting',
      taskId: task,
    });
  });

  it('gives it to all if tasks line up', async () => {
    const items = ['a', 'a', 'b'].map((key) => enqueue('line', { key }));
    expect(await reserve(...items)).toEqual(['reserved', 'reserved', 'reserved']);
  });

  it.each([
    ['a key', { key: 'f' }, 'on'],
    ['no key', {}, 'off'],
  ])('is flushed, or not, for a task with %s', async (_, task, synchronousCommit) => {
    expect(await commitOf(enqueue('one', task))).toBe(synchronousCommit);
  });

  /** Whether the reservation is on the disk before its event is stored: how its transaction would commit. */
  const commitOf = (one: AppendItem): Promise<string> =>
    inTransaction(dispatch.pool, async (connection) => {
      const { plain, others } = reservationRequests([one]);
      await connection.query('select waybill_reserve($1, $2, 1000, false)', [
        JSON.stringify(plain),
        JSON.stringify(others),
      ]);
      const { rows } = await connection.query(`select current_setting('synchronous_commit') as found`);
      return (rows[0] as { readonly found: string }).found;
    });
});
