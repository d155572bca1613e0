import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { GATE_LOCK } from '../../../src/infrastructure/database/locks.js';
import { besides, type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';

const CLAIMERS = 4;
const BATCH = 5;
const PATIENCE_MS = 120_000;

describe('claims of a queue', () => {
  let dispatch: DispatchFixture;
  beforeAll(async () => void (dispatch = await openDispatch()));
  afterAll(() => dispatch.close());

  /** Another claim's turn. Answers how to end it. */
  async function turnOf(queue: string): Promise<() => Promise<void>> {
    const connection = await dispatch.pool.connect();
    await connection.query('begin; set local idle_in_transaction_session_timeout = 0');
    await connection.query(`select pg_advisory_xact_lock(${GATE_LOCK}) from (select $1::text as p_queue) as gate`, [
      queue,
    ]);
    return async () => {
      await connection.query('commit');
      connection.release();
    };
  }

  async function untilWaiting(count: number): Promise<void> {
    const WAITING = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    const areWaiting = async (): Promise<true | null> => {
      const { rowCount } = await dispatch.pool.query(WAITING);
      return rowCount === count ? true : null;
    };
    await until(`${count} claims to wait for their turn`, areWaiting, PATIENCE_MS);
  }

  it('are served in the order in which they came, each with the first tasks that are left', async () => {
    await dispatch.define('turns');
    const ids = await dispatch.enqueue(
      'turns',
      Array.from({ length: CLAIMERS * BATCH }, () => ({})),
    );
    const endTurn = await turnOf('turns');
    const answers: Promise<readonly ClaimedTask[]>[] = [];
    try {
      for (let waiting = 1; waiting <= CLAIMERS; waiting++) {
        answers.push(besides(dispatch).claim('turns', { max: BATCH }));
        await untilWaiting(waiting);
      }
    } finally {
      await endTurn();
    }
    const claimed = (await Promise.all(answers)).map((tasks) => tasks.map(({ taskId }) => taskId));
    expect(claimed).toEqual(answers.map((_, at) => ids.slice(at * BATCH, (at + 1) * BATCH)));
  });
});
