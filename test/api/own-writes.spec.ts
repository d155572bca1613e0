import { createWaybill, type Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { isElsewhere, type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let held: { release(): Promise<void> } | null = null;

beforeAll(async () => void (service = await startService()));
afterEach(async () => held?.release());
afterAll(() => service.stop());

/** A client that gives up at the first refusal. */
const client = (more: { readonly readYourWrites?: boolean } = {}): Waybill =>
  createWaybill({ url: service.url, retry: { attempts: 1 }, ...more });

/** Holds a follower where it is, until it is released. */
async function hold(follower: string): Promise<void> {
  const connection = await service.pool.connect();
  await connection.query('begin');
  await connection.query('set local idle_in_transaction_session_timeout = 0');
  await connection.query(`select from projection_checkpoints where name = $1 and slot = 'live' for update`, [follower]);
  const release = async (): Promise<void> => {
    held = null;
    await connection.query('commit');
    connection.release();
  };
  held = { release };
}

const behind = { cause: expect.objectContaining({ code: 'PROJECTION_BEHIND', status: 503 }) };

async function newQueue(waybill: Waybill) {
  const queue = waybill.queue(`q-${uuidv7()}`);
  const { position } = await queue.define();
  return { queue, position };
}

async function waitingIn(waybill: Waybill, queue: string): Promise<number> {
  return (await waybill.queue(queue).stats()).counts.pending!;
}

describe('a model that a follower writes', () => {
  it('shows a client its own commands, unless it reads what is there', async () => {
    const [mine, any] = [client(), client({ readYourWrites: false })];
    const { queue, position } = await newQueue(mine);
    await service.caughtUp('queue-stats', position);
    await hold('queue-stats');
    await any.queue(queue.name).enqueue();
    await queue.enqueue();
    expect(await waitingIn(any, queue.name)).toBe(0);
    await expect(waitingIn(mine, queue.name)).rejects.toMatchObject(behind);
    await held!.release();
    expect(await waitingIn(mine, queue.name)).toBe(2);
  });
});

it('what does not exist is said not to, by one look of many at once', async () => {
  await newQueue(service.waybill);
  const looks = Array.from({ length: 50 }, () => client().task(uuidv7()).get());
  for (const look of await Promise.allSettled(looks))
    expect(look).toMatchObject({ status: 'rejected', reason: { code: 'TASK_NOT_FOUND' } });
  await expect(client().queue(`q-${uuidv7()}`).stats()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
});

it('what one process has made is found by another at once, also by its id', async () => {
  const { queue } = await newQueue(await service.addInstance());
  const { id: queueId } = await queue.get();
  const others = client({ readYourWrites: false });
  for (let round = 0; round < 20; round++) {
    const { id, ...made } = await queue.enqueue();
    expect(made).not.toHaveProperty('indexed');
    expect((await others.task(id).get()).state).toBe('pending');
  }
  expect((await others.queue(queueId).get()).name).toBe(queue.name);
});

it('an answer that could not wait for the index says so, and then queries wait for it; an index in Postgres never lacks anything', async () => {
  const { queue } = await newQueue(service.waybill);
  const [mine, any] = [client(), client({ readYourWrites: false })];
  await hold(isElsewhere ? 'dispatch-index' : 'queue-stats');
  const { id, indexed } = await mine.queue(queue.name).enqueue();
  expect(indexed).toBe(isElsewhere ? false : undefined);
  const queries = [
    () => mine.task(id).get(),
    () => any.task(id).get(),
    () => any.operate('cancel', { tasks: [id] }, { preview: true }),
  ];
  for (const query of isElsewhere ? queries : []) await expect(query()).rejects.toMatchObject(behind);
  if (isElsewhere) await held!.release();
  for (const query of queries) expect(await query()).toBeDefined();
});
