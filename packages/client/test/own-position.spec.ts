import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createWaybill, type Waybill, type WaybillOptions } from '../src/index.js';
import { FakeClock } from './support/fake-clock.js';
import { StubService } from './support/stub-service.js';

const TASK = 'GET /v1/tasks/t';
const PAUSE = 'POST /v1/queues/mail/pause';
const RESUME = 'POST /v1/queues/mail/resume';

let service: StubService;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock();
  service = await StubService.start();
  service.on(TASK, { body: {} });
  service.on(PAUSE, { body: { id: 'mail', position: '9', revision: 1, recorded: true } });
  service.on(RESUME, { body: { id: 'mail', position: '10', revision: 2, recorded: true } });
});
afterEach(() => service.close());

const client = (more: WaybillOptions = {}): Waybill => createWaybill({ url: service.url, clock, ...more });

/** The position that each query of the task asked for. */
const asked = (): (string | null)[] => service.of(TASK).map(({ query }) => query.get('minPosition'));

it('a query asks for the newest position of the commands of its client', async () => {
  const waybill = client();
  await waybill.task('t').get();
  await waybill.queue('mail').resume();
  await waybill.queue('mail').pause();
  await waybill.task('t').get();
  expect(asked()).toEqual([null, '10']);
});

it('the commands of another client do not count', async () => {
  await client().queue('mail').pause();
  await client().task('t').get();
  expect(asked()).toEqual([null]);
});

it('the position of the caller counts, if there is one', async () => {
  const waybill = client();
  await waybill.queue('mail').pause();
  await waybill.task('t').get({ minPosition: '3' });
  expect(asked()).toEqual(['3']);
});

it('a refused command, one without an effect and a query have no position', async () => {
  const waybill = client();
  service.on(PAUSE, { status: 409, body: { code: 'QUEUE_FINISHED', status: 409, position: '11' } });
  service.on('POST /v1/queues/mail/claims', { body: { tasks: [], position: null } });
  service.on(TASK, { body: { position: '12' } });
  await expect(waybill.queue('mail').pause()).rejects.toMatchObject({ status: 409 });
  await waybill.queue('mail').claim({ worker: 'w' });
  await waybill.task('t').get();
  await waybill.task('t').get();
  expect(asked()).toEqual([null, null]);
});

it('a query that cannot wait is not asked to', async () => {
  service.on('GET /v1/projections', { body: { items: [] } });
  const waybill = client();
  await waybill.queue('mail').pause();
  await waybill.projections();
  expect(service.of('GET /v1/projections')[0]!.query.has('minPosition')).toBe(false);
});

it('a position is forgotten after 30 seconds, also if the log was put back to before it', async () => {
  const waybill = client();
  await waybill.queue('mail').resume();
  clock.pass(29_999);
  await waybill.task('t').get();
  clock.pass(1);
  await waybill.task('t').get();
  await waybill.queue('mail').pause();
  await waybill.task('t').get();
  expect(asked()).toEqual(['10', null, '9']);
});

it('a client may do without', async () => {
  const waybill = client({ readYourWrites: false });
  await waybill.queue('mail').pause();
  await waybill.task('t').get();
  expect(asked()).toEqual([null]);
});
