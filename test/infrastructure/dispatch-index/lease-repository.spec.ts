import { uuidv7 } from 'uuidv7';
import { PostgresLeaseRepository } from '../../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import { passLease } from '../../support/leases.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';

describe('PostgresLeaseRepository', () => {
  let dispatch: DispatchFixture;
  let leases: PostgresLeaseRepository;
  const queue = `q-${uuidv7()}`;

  beforeAll(async () => {
    dispatch = await openDispatch();
    leases = new PostgresLeaseRepository(dispatch.pool);
    await dispatch.define(queue);
  });
  afterAll(() => dispatch.close());

  async function claimed() {
    await dispatch.enqueue(queue, [{}]);
    const [claimedTask] = await dispatch.claim(queue, { leaseMs: 60_000 });
    const [token, secret] = claimedTask!.token.split('.') as [string, string];
    return { claimedTask: claimedTask!, ref: { taskId: claimedTask!.taskId, token, secret } };
  }

  it('extends a standing lease to now plus its length', async () => {
    const { claimedTask, ref } = await claimed();
    await passLease(dispatch.pool, ref.token);
    const [answer] = await leases.extend([ref]);
    expect(answer).toMatchObject({ taskId: claimedTask.taskId, kind: 'extended', cancelRequested: false });
    expect(Date.parse((answer as { deadline: string }).deadline)).toBeGreaterThanOrEqual(
      Date.parse(claimedTask.deadline),
    );
  });

  it('reports a request to cancel', async () => {
    const { claimedTask, ref } = await claimed();
    await dispatch.command(claimedTask.taskId, { type: 'CancelTask', reason: null } as never);
    expect(await leases.extend([ref])).toMatchObject([{ kind: 'extended', cancelRequested: true }]);
  });

  it('finds no lease under another secret, for another task or after the settlement, and answers in order', async () => {
    const [one, other] = [await claimed(), await claimed()];
    const forged = { ...one.ref, secret: uuidv7() };
    const swapped = { ...one.ref, taskId: other.ref.taskId };
    await dispatch.settle([other.claimedTask]);
    const answers = await leases.extend([forged, one.ref, swapped, other.ref]);
    expect(answers.map(({ kind }) => kind)).toEqual(['lost', 'extended', 'lost', 'lost']);
  });

  it('tells of each lease whether it stands, and leaves it as it is', async () => {
    const [one, cancelled, settled] = [await claimed(), await claimed(), await claimed()];
    await dispatch.command(cancelled.claimedTask.taskId, { type: 'CancelTask', reason: null } as never);
    await dispatch.settle([settled.claimedTask]);
    await passLease(dispatch.pool, one.ref.token);
    const check = () => leases.check([one.ref, { ...one.ref, secret: uuidv7() }, cancelled.ref, settled.ref]);
    const answers = await check();
    expect(answers).toMatchObject([
      { taskId: one.ref.taskId, kind: 'standing', cancelRequested: false },
      { kind: 'lost' },
      { kind: 'standing', cancelRequested: true },
      { kind: 'lost' },
    ]);
    expect(await check()).toEqual(answers);
  });

  it('does not wait for a lease that is being settled', async () => {
    const { ref } = await claimed();
    const settling = await dispatch.pool.connect();
    await settling.query('begin');
    await settling.query('select * from leases where id = (select lease from tasks where token = $1) for update', [
      ref.token,
    ]);
    expect(await leases.extend([ref])).toMatchObject([{ kind: 'extended' }]);
    await settling.query('rollback');
    settling.release();
  });
});
