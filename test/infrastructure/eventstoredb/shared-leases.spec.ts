import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { PostgresLeaseRepository } from '../../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import { recordedEarlierClaim } from '../../../src/infrastructure/eventstoredb/reservations/reserved-earlier-claims.js';
import { type FollowedDispatch, openFollowedDispatch } from '../../support/followed-dispatch.js';
import { item } from '../../support/events.js';
import { claimedTask, recordingOf, type ReservedClaim, reserveClaim } from '../../support/reserved-claims.js';

describe('a lease of several tasks, with the events in EventStoreDB,', () => {
  let dispatch: FollowedDispatch;
  let leases: PostgresLeaseRepository;
  let queue: string;
  let claimId: string;
  beforeAll(async () => {
    dispatch = await openFollowedDispatch();
    leases = new PostgresLeaseRepository(dispatch.pool);
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    [queue, claimId] = [`q-${uuidv7()}`, uuidv7()];
    await dispatch.define(queue);
    await dispatch.enqueue(queue, [{}, {}, {}]);
  });

  const reserved = async () =>
    (await reserveClaim(dispatch.pool, queue, 3, claimId)) as [ReservedClaim, ReservedClaim, ReservedClaim];

  /** Stores the claims, and applies them. */
  async function record(...claims: readonly ReservedClaim[]): Promise<void> {
    await dispatch.log.append(claims.map(recordingOf));
    await dispatch.follow();
  }

  const settle = async (...tasks: readonly ReservedClaim[]): Promise<readonly string[]> =>
    (await dispatch.settle(tasks.map(claimedTask))).map(({ kind }) => kind);

  const rowsOf = async () => {
    const text = 'select open, cardinality(tasks) as all from leases where queue = $1 order by id';
    return (await dispatch.pool.query(text, [queue])).rows;
  };
  const passAll = () =>
    dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where queue = $1`, [queue]);
  const overdue = async (): Promise<readonly string[]> => {
    const text = 'select task_id from task_leases where queue = $1 and deadline < now() order by token';
    return (await dispatch.pool.query<{ task_id: string }>(text, [queue])).rows.map(({ task_id: id }) => id);
  };
  const isClaimKnown = async () =>
    (await dispatch.pool.query('select from claims where claim_id = $1', [claimId])).rows.length > 0;

  describe('before its claim is recorded,', () => {
    it('is one row, which each of its tasks has', async () => {
      const tasks = await reserved();
      expect(await rowsOf()).toEqual([{ open: 3, all: 3 }]);
      const text = 'select token, task_id, reservation from task_leases where queue = $1 order by token';
      const { rows } = await dispatch.pool.query(text, [queue]);
      expect(rows).toEqual(tasks.map(({ token, taskId, id }) => ({ token, task_id: taskId, reservation: id })));
      const refs = tasks.map(({ taskId, token, secret }) => ({ taskId, token, secret }));
      expect((await leases.check(refs)).map(({ kind }) => kind)).toEqual(['standing', 'standing', 'standing']);
      expect(await leases.check([{ ...refs[0]!, token: refs[1]!.token }])).toMatchObject([{ kind: 'lost' }]);
    });

    it('keeps its tasks from every other claim', async () => {
      await reserved();
      expect(await reserveClaim(dispatch.pool, queue, 3)).toEqual([]);
    });

    it('is given to who asks again only once the log and the index have the claims', async () => {
      const tasks = await reserved();
      let looks = 0;
      const moved = (): Promise<void> => (++looks === 2 ? record(...tasks) : Promise.resolve());
      const again = await recordedEarlierClaim(dispatch.pool, dispatch.store, { moved }, claimId);
      expect(again!.leases.map(({ history }) => history.map(({ event: { type } }) => type))).toEqual(
        tasks.map(() => ['TaskEnqueued', 'TaskClaimed']),
      );
    });

    it('is applied task by task, and ends with the last of them', async () => {
      const [first, second, third] = await reserved();
      await record(first);
      expect(await settle(first)).toEqual(['done']);
      expect(await rowsOf()).toEqual([{ open: 2, all: 3 }]);
      await record(second, third);
      expect(await settle(third)).toEqual(['done']);
      expect(await rowsOf()).toEqual([{ open: 1, all: 3 }]);
      expect(await settle(second)).toEqual(['done']);
      expect(await rowsOf()).toEqual([]);
    });

    it('loses the tasks whose claims are given up, and ends with the last of them', async () => {
      const [first, second, third] = await reserved();
      await dispatch.reservations.release([second.id]);
      expect(await rowsOf()).toEqual([{ open: 2, all: 3 }]);
      expect(await leases.check([second])).toMatchObject([{ kind: 'lost' }]);
      expect((await leases.extend([second, first])).map(({ kind }) => kind)).toEqual(['lost', 'extended']);
      await record(first);
      await dispatch.reservations.release([third.id]);
      expect([await rowsOf(), await isClaimKnown()]).toEqual([[{ open: 1, all: 1 }], true]);
      expect((await dispatch.claim(queue, { max: 3 })).map(({ taskId }) => taskId).sort()).toEqual(
        [second.taskId, third.taskId].sort(),
      );
      expect(await settle(first)).toEqual(['done']);
      expect(await rowsOf()).toEqual([{ open: 2, all: 2 }]);
    });

    it('and its claim are forgotten once all its claims are given up', async () => {
      const tasks = await reserved();
      await dispatch.reservations.release(tasks.slice(0, 2).map(({ id }) => id));
      expect(await isClaimKnown()).toBe(true);
      await dispatch.reservations.release([tasks[2].id]);
      expect([await rowsOf(), await isClaimKnown()]).toEqual([[], false]);
      expect(await dispatch.claim(queue, { max: 3, claimId })).toHaveLength(3);
    });

    it('is extended for some of its tasks, which keep that when they are applied', async () => {
      const [first, second, third] = await reserved();
      await passAll();
      await record(third);
      expect((await leases.extend([first, third])).map(({ kind }) => kind)).toEqual(['extended', 'extended']);
      expect(await overdue()).toEqual([second.taskId]);
      expect(await rowsOf()).toEqual([
        { open: 1, all: 3 },
        { open: 2, all: 2 },
      ]);
      await record(first, second);
      expect(await overdue()).toEqual([second.taskId]);
      expect(await settle(first, second, third)).toEqual(['done', 'done', 'done']);
      expect(await rowsOf()).toEqual([]);
    });

    it('is not made again for its tasks beside one whose reservation was lost, which gets a lease of its own', async () => {
      const [first, second, third] = await reserved();
      await dispatch.pool.query('delete from reservations where stream = $1', [third.taskId]);
      await record(first, second, third);
      expect(await rowsOf()).toEqual([
        { open: 1, all: 1 },
        { open: 3, all: 3 },
      ]);
      const text = 'select count(*)::int as leases from leases where id = any ($1)';
      const { rows } = await dispatch.pool.query(text, [[first.token, second.token]]);
      expect(rows).toEqual([{ leases: 0 }]);
    });

    it('is extended as a whole', async () => {
      const tasks = await reserved();
      await passAll();
      await leases.extend(tasks);
      expect([await overdue(), await rowsOf()]).toEqual([[], [{ open: 3, all: 3 }]]);
    });
  });

  it('goes on without a task whose claim conflicts, which stays in the queue', async () => {
    const disturbed = await firstTask();
    // Somebody's fence, which the index does not know yet, is in the claim's place.
    const fence = { type: 'TaskReservationAbandoned', version: 1, data: { queue, append: uuidv7() } };
    const append = dispatch.log.append.bind(dispatch.log);
    const spy = jest.spyOn(dispatch.log, 'append').mockImplementationOnce(async (items, options) => {
      await append([item(taskStream(disturbed), 0, [fence])]);
      return append(items, options);
    });
    const claimed = await dispatch.claim(queue, { max: 3 });
    spy.mockRestore();
    expect(claimed).toHaveLength(2);
    expect(claimed.map(({ taskId }) => taskId)).not.toContain(disturbed);
    expect(await rowsOf()).toEqual([{ open: 2, all: 3 }]);
    expect((await dispatch.claim(queue, { max: 3 })).map(({ taskId }) => taskId)).toEqual([disturbed]);
    expect((await dispatch.settle(claimed)).map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(await rowsOf()).toEqual([{ open: 1, all: 1 }]);
  });

  const firstTask = async (): Promise<string> => {
    const text = 'select task_id from tasks where queue = $1 order by seq limit 1';
    return (await dispatch.pool.query<{ task_id: string }>(text, [queue])).rows[0]!.task_id;
  };

  describe('while some of its tasks expire,', () => {
    const refOf = ({ taskId, token }: ClaimedTask) => {
      const [number, secret] = token.split('.') as [string, string];
      return { taskId, token: number, secret };
    };
    const expiry = ({ taskId, token }: ClaimedTask): AppendItem => {
      const data = { queue, worker: 'w1', token: token.split('.')[0]!, from: 'running', attempt: 1 };
      const lost = item(taskStream(taskId), 1, [{ type: 'TaskLeaseExpired', version: 1, data }]);
      return { ...lost, conditions: { lease: { token: token.split('.')[0]!, expired: true } } };
    };

    it('keeps those from being extended, and no others', async () => {
      const [first, second, third] = (await dispatch.claim(queue, { max: 3 })) as ClaimedTask[];
      await passAll();
      const expiries = [expiry(first!), expiry(second!)];
      for (const one of expiries) expect(await dispatch.reservations.reserve(one)).toMatchObject({ kind: 'reserved' });
      await leases.extend([first!, second!, third!].map(refOf));
      expect(await overdue()).toEqual([first!.taskId, second!.taskId]);
      await dispatch.reservations.release([expiries[0]!.events[0]!.id]);
      await leases.extend([first!, second!, third!].map(refOf));
      expect(await overdue()).toEqual([second!.taskId]);
      expect((await dispatch.settle([first!, third!])).map(({ kind }) => kind)).toEqual(['done', 'done']);
      expect(await rowsOf()).toEqual([{ open: 1, all: 1 }]);
    });

    it('does not start for those if their claim is answered late, and starts for the others', async () => {
      const append = dispatch.log.append.bind(dispatch.log);
      const expiries: AppendItem[] = [];
      const spy = jest.spyOn(dispatch.log, 'append').mockImplementation(async (items, options) => {
        const results = await append(items, options);
        for (const { stream, events } of items.slice(0, 1)) {
          await dispatch.follow();
          await passAll();
          const { token } = events[0]!.event.data as { readonly token: string };
          expiries.push(expiry({ taskId: stream.slice('task-'.length), token } as ClaimedTask));
          expect(await dispatch.reservations.reserve(expiries[0]!)).toMatchObject({ kind: 'reserved' });
        }
        return results;
      });
      const claimed = await dispatch.claim(queue, { max: 3 });
      spy.mockRestore();
      const [lost] = expiries.map(({ stream }) => stream.slice('task-'.length));
      expect(claimed).toHaveLength(2);
      expect(claimed.map(({ taskId }) => taskId)).not.toContain(lost);
      expect(await overdue()).toEqual([lost]);
    });

    it('refuses the expiry of a task that was extended', async () => {
      const [first, second] = (await dispatch.claim(queue, { max: 3 })) as ClaimedTask[];
      await passAll();
      await leases.extend([refOf(first!)]);
      expect(await dispatch.reservations.reserve(expiry(first!))).toMatchObject({ constraint: 'lease' });
      expect(await dispatch.reservations.reserve(expiry(second!))).toMatchObject({ kind: 'reserved' });
    });
  });
});
