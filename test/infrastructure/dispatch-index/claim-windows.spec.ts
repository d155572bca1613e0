import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { uuidv7 } from 'uuidv7';
import type { ClaimAnswer } from '../../../src/application/claims/claim-source.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { claimOf, openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { openStore } from '../../support/eventstoredb/open-store.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 60_000;

interface StalledClaim {
  /** Lets its append continue. */
  readonly goOn: () => void;
  /** The tasks that it gets in the end. */
  readonly handedOut: Promise<string[]>;
}

describe('a claim that is reserved but not applied yet', () => {
  let dispatch: ReservedDispatch;
  let queue: string;

  beforeAll(async () => {
    dispatch = await openReservedDispatch();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { duplicatePending: 'allow' });
  });

  const enqueue = async (priority = 0): Promise<string> =>
    (await dispatch.enqueue(queue, [{ key: 'x', priority }]))[0]!;

  const idsOf = (answer: ClaimAnswer): string[] => answer.tasks.map(({ taskId }) => taskId);

  /** Claims as another process, which does not wait for the claims of this one. */
  async function claim(): Promise<string[]> {
    const [answer] = await dispatch.claims.serve(queue, [claimOf(queue)]);
    return idsOf(answer as ClaimAnswer);
  }

  async function stalledClaimOf(taskId: string): Promise<StalledClaim> {
    let goOn!: () => void;
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    dispatch.server!.faults.planAppend({ kind: 'hold', until: hold }, (name) => name.endsWith(taskStream(taskId)));
    const handedOut = dispatch.claims.serve(queue, [claimOf(queue)]).then(([answer]) => idsOf(answer as ClaimAnswer));
    await until('the reservation', async () => ((await reservations()) > 0 ? true : null));
    return { goOn, handedOut };
  }

  const reservations = async (): Promise<number> => {
    const text = 'select count(*)::int as n from reservations where scope = $1';
    return (await dispatch.pool.query<{ n: number }>(text, [queue])).rows[0]!.n;
  };

  /** Gives the claim up, as if the process that reserved never came back. */
  async function giveUp(): Promise<void> {
    const text = `update reservations set deadline = now() - interval '1 second' where scope = $1`;
    await dispatch.pool.query(text, [queue]);
    expect(await dispatch.cleaner.clean()).toBe(1);
  }

  async function succeed(taskId: string): Promise<void> {
    const { rows } = await dispatch.pool.query<{ token: string }>(
      `select token || '.' || secret as token from task_leases where task_id = $1`,
      [taskId],
    );
    expect(await dispatch.settle([{ taskId, token: rows[0]!.token }])).toMatchObject([{ kind: 'done' }]);
  }

  it('has the key of its task, even if a more urgent task with that key arrives meanwhile', async () => {
    const first = await enqueue();
    const { goOn, handedOut } = await stalledClaimOf(first);
    const urgent = await enqueue(9);
    expect(await claim()).toEqual([]);
    goOn();
    expect(await handedOut).toEqual([first]);
    expect(await claim()).toEqual([]);
    await succeed(first);
    expect(await claim()).toEqual([urgent]);
  });

  it('frees the key if it is never recorded, and the most urgent task with that key runs next', async () => {
    const first = await enqueue();
    const { goOn, handedOut } = await stalledClaimOf(first);
    const urgent = await enqueue(9);
    await giveUp();
    expect(await claim()).toEqual([urgent]);
    goOn();
    expect(await handedOut).toEqual([]);
    await succeed(urgent);
    expect(await claim()).toEqual([first]);
  });

  it('wakes waiting workers if it is given up, and again when the index has applied the fence', async () => {
    const taskId = await enqueue();
    const { goOn, handedOut } = await stalledClaimOf(taskId);
    await dispatch.follower.stop();
    const woken = new Set<string>();
    const stop = dispatch.wakeUps.onQueueReady((name) => woken.add(name));
    await giveUp();
    expect([...woken]).toEqual([queue]);
    woken.clear();
    dispatch.follower.start();
    await until('the fence to wake them', async () => (woken.has(queue) ? true : null));
    stop();
    goOn();
    // Its second attempt finds the task again.
    expect(await handedOut).toEqual([taskId]);
  });

  it('has the key after a rebuild of the index, and frees it when it is given up', async () => {
    const first = await enqueue();
    const { goOn, handedOut } = await stalledClaimOf(first);
    const urgent = await enqueue(9);
    await new IndexRebuild(dispatch.pool, externalLog({ id: 'the store', log: dispatch.log, reactions: [] })).run();
    expect(await claim()).toEqual([]);
    await giveUp();
    expect(await claim()).toEqual([urgent]);
    goOn();
    expect(await handedOut).toEqual([]);
  });

  it('has the key in an index that is built from the log alone', async () => {
    const first = await enqueue();
    const { goOn, handedOut } = await stalledClaimOf(first);
    await enqueue(9);
    goOn();
    expect(await handedOut).toEqual([first]);
    const twin = await openStore({ url: dispatch.server!.url, prefix: dispatch.prefix });
    await twin.index.reached(await dispatch.log.head(), PATIENCE_MS);
    for (const table of ['ready', 'waiting', 'key_slots']) {
      const rows = async ({ pool }: Pick<ReservedDispatch, 'pool'>): Promise<unknown[]> =>
        (await pool.query(`select * from ${table} where queue = $1`, [queue])).rows;
      expect({ [table]: await rows(twin) }).toEqual({ [table]: await rows(dispatch) });
    }
    await twin.close();
  });
});
