import { uuidv7 } from 'uuidv7';
import { CLAIMS_LOCK, LOG_LOCK } from '../../src/infrastructure/database/locks.js';
import { inTransaction } from '../../src/infrastructure/database/transaction.js';
import { type DispatchFixture, openDispatch } from '../support/dispatch-fixture.js';
import { moveTimes } from '../support/pass-time.js';
import { until } from '../support/until.js';

const LOG = `select pg_advisory_xact_lock(${LOG_LOCK})`;
const CLAIMS = `select pg_advisory_xact_lock_shared(${CLAIMS_LOCK})`;

/** Writes the row of one of two tasks, the first or the last in the order of the locks. */
const write = (table: string, task: 'first' | 'last', key = 'task_id'): string =>
  `update ${table} set ${key} = ${key} where ${key} = (select ${key} from ${table} order by ${key} ${task === 'last' ? 'desc' : ''} limit 1)`;

describe('a test that lets time pass beside the running service', () => {
  let dispatch: DispatchFixture;
  const queue = `q-${uuidv7()}`;

  beforeEach(async () => {
    dispatch = await openDispatch();
    await dispatch.define(queue);
    await dispatch.enqueue(queue, [{}, {}, {}, {}]);
    for (const max of [1, 1]) await dispatch.claim(queue, { max });
  });
  afterEach(() => dispatch.close());

  const somebodyWaits = () =>
    until('somebody to wait for a lock', async () => {
      const { rows } = await dispatch.pool.query('select from pg_locks where not granted');
      return rows.length > 0 ? true : null;
    });

  it.each([
    [
      'settles several tasks',
      [LOG, write('leases', 'last', 'id'), write('tasks', 'last')],
      [write('leases', 'first', 'id'), write('tasks', 'first')],
    ],
    ['extends several leases', [write('leases', 'last', 'id')], [write('leases', 'first', 'id')]],
    ['claims several tasks', [CLAIMS, write('ready', 'last')], [LOG, write('ready', 'first'), write('tasks', 'first')]],
  ])('waits for a transaction that %s, and locks nothing that it needs', async (_, begins, goesOn) => {
    const passing = await inTransaction(dispatch.pool, async (service) => {
      for (const statement of begins) await service.query(statement);
      const moving = moveTimes(dispatch.pool, '1 minute').then(() => 'passed', String);
      await somebodyWaits();
      for (const statement of goesOn) await service.query(statement);
      return { moving };
    });
    expect(await passing.moving).toBe('passed');
  });
});
