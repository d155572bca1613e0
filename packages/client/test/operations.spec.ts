import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWaybill, HttpTransport, OPERATIONS, type OperationId, type Waybill } from '../src/index.js';
import { StubService } from './support/stub-service.js';

const TASK = '0190b7a2-0000-7000-8000-000000000001';
const RECEIPT = { id: 'x', position: '7', revision: 1, recorded: true };
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: StubService;
let waybill: Waybill;

beforeEach(async () => {
  service = await StubService.start();
  waybill = createWaybill({ url: `${service.url}/`, actor: 'ada' });
});
afterEach(() => service.close());

/** Written from the API's description, not from the tested table. */
const ROUTES: Record<OperationId, string> = {
  defineQueue: 'PUT /v1/queues/mail',
  listQueues: 'GET /v1/queues',
  getQueue: 'GET /v1/queues/mail',
  deleteQueue: 'DELETE /v1/queues/mail',
  getPolicy: 'GET /v1/queues/mail/policy',
  changePolicy: 'PUT /v1/queues/mail/policy',
  listPolicyVersions: 'GET /v1/queues/mail/versions',
  diffPolicyVersions: 'GET /v1/queues/mail/versions/diff',
  blamePolicy: 'GET /v1/queues/mail/blame',
  pauseQueue: 'POST /v1/queues/mail/pause',
  resumeQueue: 'POST /v1/queues/mail/resume',
  closeIntake: 'POST /v1/queues/mail/close-intake',
  openIntake: 'POST /v1/queues/mail/open-intake',
  finishQueue: 'POST /v1/queues/mail/finish',
  reopenQueue: 'POST /v1/queues/mail/reopen',
  getQueueStats: 'GET /v1/queues/mail/stats',
  getQueueWaits: 'GET /v1/queues/mail/waits',
  tallyQueue: 'GET /v1/queues/mail/tally',
  getRetention: 'GET /v1/queues/mail/retention',
  setLimit: 'POST /v1/queues/mail/set-limit',
  unsetLimit: 'POST /v1/queues/mail/unset-limit',
  listLimits: 'GET /v1/queues/mail/limits',
  listQueueStats: 'GET /v1/queue-stats',
  listFailedTasks: 'GET /v1/queues/mail/failed',
  enqueueTask: 'POST /v1/queues/mail/tasks',
  enqueueTasks: 'POST /v1/tasks/batch',
  listTasks: 'GET /v1/tasks',
  suggestTerms: 'GET /v1/tasks/suggestions',
  getTask: 'GET /v1/tasks/t1',
  getTaskExplanation: 'GET /v1/tasks/t1/why',
  getTaskPayload: 'GET /v1/tasks/t1/payload',
  getTaskWait: 'GET /v1/tasks/t1/wait',
  getTaskHistory: 'GET /v1/tasks/t1/history',
  submitTask: 'POST /v1/tasks/t1/submit',
  holdTask: 'POST /v1/tasks/t1/hold',
  releaseTask: 'POST /v1/tasks/t1/release',
  getTaskLineage: 'GET /v1/tasks/t1/lineage',
  getTaskResult: 'GET /v1/tasks/t1/result',
  getTaskLog: 'GET /v1/tasks/t1/log',
  createFollowToken: 'POST /v1/tasks/t1/follow-token',
  followTask: 'GET /v1/tasks/t1/follow',
  listResults: 'GET /v1/tasks/t1/prerequisites',
  getTaskProof: 'GET /v1/tasks/t1/proof',
  listBulkOperations: 'GET /v1/operations',
  getBulkOperation: 'GET /v1/operations/t1',
  listOverlaps: 'GET /v1/overlaps',
  retryTask: 'POST /v1/tasks/t1/retry',
  runTaskAgain: 'POST /v1/tasks/t1/run-again',
  decideTask: 'POST /v1/tasks/t1/decide',
  cancelTask: 'POST /v1/tasks/t1/cancel',
  abortTask: 'POST /v1/tasks/t1/abort',
  prioritiseTask: 'POST /v1/tasks/t1/prioritise',
  rescheduleTask: 'POST /v1/tasks/t1/reschedule',
  amendTask: 'POST /v1/tasks/t1/amend',
  signalTask: 'POST /v1/tasks/t1/signal',
  annotateTask: 'PUT /v1/tasks/t1/data',
  recordData: 'POST /v1/tasks/t1/record',
  arrangeTask: 'POST /v1/tasks/t1/prerequisites',
  overruleTask: 'POST /v1/tasks/t1/overrule',
  deleteTask: 'DELETE /v1/tasks/t1',
  getTaskGraph: 'GET /v1/tasks/t1/graph',
  startBulkOperation: 'POST /v1/operations',
  undoBulkOperation: 'POST /v1/operations/t1/undo',
  startDelivery: 'POST /v1/deliveries',
  createBatch: 'POST /v1/batches',
  openBatch: 'POST /v1/batches/t1/open',
  abortBatch: 'POST /v1/batches/t1/abort',
  deleteBatch: 'DELETE /v1/batches/t1',
  listBatches: 'GET /v1/batches',
  getBatch: 'GET /v1/batches/t1',
  listBatchReports: 'GET /v1/batches/t1/reports',
  releaseBatch: 'POST /v1/batches/t1/release',
  requestReport: 'POST /v1/batches/t1/report',
  rerunBatch: 'POST /v1/batches/t1/rerun',
  tallyBatch: 'GET /v1/batches/t1/tally',
  getBatchGraph: 'GET /v1/batches/t1/graph',
  getSystem: 'GET /v1/system',
  getDrain: 'GET /v1/system/drain',
  getLog: 'GET /v1/log',
  exportLog: 'GET /v1/log/export',
  listSeals: 'GET /v1/log/seals',
  acceptLoss: 'POST /v1/log/losses',
  listLogKeys: 'GET /v1/log/keys',
  retireLogKey: 'POST /v1/log/keys',
  drainSystem: 'POST /v1/system/drain',
  resumeSystem: 'POST /v1/system/resume',
  defineTrigger: 'PUT /v1/triggers/mail',
  listTriggers: 'GET /v1/triggers',
  getTrigger: 'GET /v1/triggers/mail',
  deleteTrigger: 'DELETE /v1/triggers/mail',
  enableTrigger: 'POST /v1/triggers/mail/enable',
  disableTrigger: 'POST /v1/triggers/mail/disable',
  fireTrigger: 'POST /v1/triggers/mail/fire',
  replayTrigger: 'POST /v1/triggers/mail/replay',
  placeHold: 'PUT /v1/holds/mail',
  defineResource: 'PUT /v1/resources/disk',
  listResources: 'GET /v1/resources',
  getResource: 'GET /v1/resources/disk',
  deleteResource: 'DELETE /v1/resources/disk',
  measureResource: 'POST /v1/resources/disk/measure',
  listFailureGroups: 'GET /v1/failures',
  getFailureGroup: 'GET /v1/failures/g1',
  resolveFailureGroup: 'POST /v1/failures/g1/resolve',
  ignoreFailureGroup: 'POST /v1/failures/g1/ignore',
  reopenFailureGroup: 'POST /v1/failures/g1/reopen',
  listHolds: 'GET /v1/holds',
  saveView: 'PUT /v1/views/late',
  listViews: 'GET /v1/views',
  deleteView: 'DELETE /v1/views/late',
  getHold: 'GET /v1/holds/mail',
  liftHold: 'DELETE /v1/holds/mail',
  claimTasks: 'POST /v1/queues/mail/claims',
  succeedTask: 'POST /v1/tasks/t1/succeed',
  failTask: 'POST /v1/tasks/t1/fail',
  completeStep: 'POST /v1/tasks/t1/complete-step',
  reportError: 'POST /v1/tasks/t1/report-error',
  returnTask: 'POST /v1/tasks/t1/return',
  waitTask: 'POST /v1/tasks/t1/wait',
  confirmCancel: 'POST /v1/tasks/t1/confirm-cancel',
  cancelRun: 'POST /v1/tasks/t1/cancel-run',
  startTask: 'POST /v1/tasks/start',
  extendLease: 'POST /v1/tasks/t1/extend',
  settleTasks: 'POST /v1/settlements',
  takeTurn: 'POST /v1/queues/mail/turns',
  extendLeases: 'POST /v1/leases/extend',
  checkLeases: 'POST /v1/leases/check',
  runTransaction: 'POST /v1/transactions',
  previewCommand: 'POST /v1/previews',
  readEvents: 'GET /v1/events',
  followEvents: 'GET /v1/events/stream',
  getQueueHistory: 'GET /v1/queues/mail/history',
  getBatchHistory: 'GET /v1/batches/t1/history',
  getTriggerHistory: 'GET /v1/triggers/mail/history',
  getHoldHistory: 'GET /v1/holds/mail/history',
  getResourceHistory: 'GET /v1/resources/disk/history',
  getSystemHistory: 'GET /v1/system/history',
  listActivity: 'GET /v1/activity',
  listChanges: 'GET /v1/changes',
  sumChanges: 'GET /v1/changes/summary',
  listWorkers: 'GET /v1/workers',
  listProjections: 'GET /v1/projections',
  startErasure: 'POST /v1/erasures',
  getErasureCertificate: 'GET /v1/erasures/t1/certificate',
  rebuildProjection: 'POST /v1/projections/queue-stats/rebuild',
  listApiKeys: 'GET /v1/api-keys',
  whoAmI: 'GET /v1/me',
  followChanges: 'GET /v1/changes/stream',
};

describe('the HTTP transport', () => {
  it.each(Object.entries(ROUTES))('sends %s as %s', async (operation, route) => {
    service.on(route, { body: { fine: true } });
    const names = {
      queue: 'mail',
      trigger: 'mail',
      hold: 'mail',
      resource: 'disk',
      view: 'late',
      projection: 'queue-stats',
    };
    const path = { ...names, group: 'g1', id: 't1' };
    const answer = await new HttpTransport({ url: service.url }).call(operation as OperationId, { path });
    expect(answer).toMatchObject({ status: 200, body: { fine: true } });
  });

  it('has every operation of the table', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it('escapes path parameters and refuses empty ones', async () => {
    service.on('GET /v1/queues/a%2Fb%3F', { body: {} });
    await waybill.queue('a/b?').get();
    await expect(waybill.queue('').get()).rejects.toThrow(
      "Expected 'queue' of operation 'getQueue' to be non-empty text",
    );
  });

  it('sends its API key with every request', async () => {
    service.on('GET /v1/queues', { body: { items: [], nextCursor: null } });
    await createWaybill({ url: service.url, apiKey: 'wb_k' }).queues().next();
    expect(service.requests[0]!.headers).toMatchObject({ authorization: 'Bearer wb_k' });
  });

  it('sends the given headers with every request', async () => {
    service.on('GET /v1/queues', { body: { items: [], nextCursor: null } });
    await createWaybill({ url: service.url, headers: { authorization: 'Bearer k' } })
      .queues()
      .next();
    expect(service.requests[0]!.headers).toMatchObject({ authorization: 'Bearer k', 'waybill-actor': 'anonymous' });
  });
});

type Case = [name: string, call: (w: Waybill) => Promise<unknown>, route: string, body: object];

const COMMANDS: Case[] = [
  [
    'define',
    (w) => w.queue('mail').define({ onFailure: 'retry' }, { description: 'd', replace: true }),
    'PUT /v1/queues/mail',
    { description: 'd', policy: { onFailure: 'retry' }, replace: true },
  ],
  [
    'pause',
    (w) => w.queue('mail').pause({ reason: 'r', until: new Date(0) }),
    'POST /v1/queues/mail/pause',
    { reason: 'r', until: '1970-01-01T00:00:00.000Z' },
  ],
  ['resume', (w) => w.queue('mail').resume(), 'POST /v1/queues/mail/resume', {}],
  [
    'closeIntake',
    (w) => w.queue('mail').closeIntake({ reason: 'r' }),
    'POST /v1/queues/mail/close-intake',
    { reason: 'r' },
  ],
  [
    'setLimit',
    (w) => w.queue('mail').setLimit({ label: 'customer', value: 'acme', maxRunning: 2 }, { reason: 'r' }),
    'POST /v1/queues/mail/set-limit',
    { label: 'customer', value: 'acme', maxRunning: 2, reason: 'r' },
  ],
  [
    'unsetLimit',
    (w) => w.queue('mail').unsetLimit({ label: 'customer' }),
    'POST /v1/queues/mail/unset-limit',
    { label: 'customer' },
  ],
  ['openIntake', (w) => w.queue('mail').openIntake(), 'POST /v1/queues/mail/open-intake', {}],
  ['finish', (w) => w.queue('mail').finish(), 'POST /v1/queues/mail/finish', {}],
  ['reopen', (w) => w.queue('mail').reopen(), 'POST /v1/queues/mail/reopen', {}],
  ['submit', (w) => w.task(TASK).submit(), `POST /v1/tasks/${TASK}/submit`, {}],
  ['hold', (w) => w.task(TASK).hold({ reason: 'r' }), `POST /v1/tasks/${TASK}/hold`, { reason: 'r' }],
  ['release', (w) => w.task(TASK).release(), `POST /v1/tasks/${TASK}/release`, {}],
  [
    'retry',
    (w) => w.task(TASK).retry({ step: 's', override: true }),
    `POST /v1/tasks/${TASK}/retry`,
    { step: 's', override: true },
  ],
  [
    'decide',
    (w) => w.task(TASK).decide('fail', { reason: 'r' }),
    `POST /v1/tasks/${TASK}/decide`,
    { decision: 'fail', reason: 'r' },
  ],
  ['cancel', (w) => w.task(TASK).cancel({ reason: 'r' }), `POST /v1/tasks/${TASK}/cancel`, { reason: 'r' }],
  ['abort', (w) => w.task(TASK).abort(), `POST /v1/tasks/${TASK}/abort`, {}],
  ['prioritise', (w) => w.task(TASK).prioritise(5), `POST /v1/tasks/${TASK}/prioritise`, { priority: 5 }],
  [
    'reschedule',
    (w) => w.task(TASK).reschedule(new Date(0)),
    `POST /v1/tasks/${TASK}/reschedule`,
    { dueAt: '1970-01-01T00:00:00.000Z' },
  ],
  ['reschedule to now', (w) => w.task(TASK).reschedule(null), `POST /v1/tasks/${TASK}/reschedule`, { dueAt: null }],
  [
    'signal',
    (w) => w.task(TASK).signal('approved', { limit: 5 }),
    `POST /v1/tasks/${TASK}/signal`,
    { signal: 'approved', data: { limit: 5 } },
  ],
  ['annotate', (w) => w.task(TASK).annotate({ a: 1 }), `PUT /v1/tasks/${TASK}/data`, { data: { a: 1 } }],
  ['amend', (w) => w.task(TASK).amend({ a: 1 }), `POST /v1/tasks/${TASK}/amend`, { payload: { a: 1 } }],
  [
    'arrange',
    (w) => w.task(TASK).arrange({ add: [{ task: TASK }], waive: ['x'] }),
    `POST /v1/tasks/${TASK}/prerequisites`,
    { add: [{ task: TASK }], waive: ['x'] },
  ],
  [
    'overrule',
    (w) => w.task(TASK).overrule('requeue', 'r'),
    `POST /v1/tasks/${TASK}/overrule`,
    { verdict: 'requeue', reason: 'r' },
  ],
];

describe('a command', () => {
  it.each(COMMANDS)(
    '%s sends its actor and an idempotency key, so that the service recognises a repetition',
    async (_, call, route, body) => {
      service.on(route, { body: RECEIPT });
      await expect(call(waybill)).resolves.toEqual(RECEIPT);
      expect(service.requests[0]!.body).toEqual(body);
      expect(service.requests[0]!.headers).toMatchObject({
        'content-type': 'application/json',
        'waybill-actor': 'ada',
        'idempotency-key': expect.stringMatching(UUID_V7),
        'x-request-id': expect.stringMatching(UUID_V7),
      });
    },
  );

  it('deletes a queue, and a task with force', async () => {
    service.on('DELETE /v1/queues/mail', { body: RECEIPT }).on(`DELETE /v1/tasks/${TASK}`, { body: RECEIPT });
    await waybill.queue('mail').delete();
    await waybill.task(TASK).delete({ force: true });
    expect(service.requests.map(({ query, body }) => [String(query), body])).toEqual([
      ['', undefined],
      ['force=true', undefined],
    ]);
    expect(service.requests[0]!.headers['idempotency-key']).toMatch(UUID_V7);
  });

  it('changes a policy only at the version that the caller has seen', async () => {
    service.on('PUT /v1/queues/mail/policy', { body: RECEIPT });
    await waybill.queue('mail').changePolicy({ leaseMs: 5_000 }, { ifVersion: 3 });
    expect(service.requests[0]).toMatchObject({ body: { leaseMs: 5_000 }, headers: { 'if-match': '"3"' } });
  });

  it('sends the idempotency key and the request id of the caller', async () => {
    service.on('POST /v1/queues/mail/resume', { body: RECEIPT });
    await waybill.queue('mail').resume({ idempotencyKey: 'k1', requestId: 'r1' });
    expect(service.requests[0]!.headers).toMatchObject({ 'idempotency-key': 'k1', 'x-request-id': 'r1' });
  });
});

describe('enqueue', () => {
  const route = 'POST /v1/queues/mail/tasks';

  it('always sends a task id, and no idempotency key', async () => {
    service.on(route, { status: 201, body: { id: TASK, status: 'enqueued', position: '1', revision: 0 } });
    const result = await waybill
      .queue('mail')
      .enqueue({ to: 'ada' }, { key: 'k', dueAt: new Date(0), labels: { a: 'b' } });
    expect(result).toEqual({ id: TASK, status: 'enqueued', position: '1', revision: 0 });
    const { body, headers } = service.requests[0]!;
    const id = expect.stringMatching(UUID_V7);
    expect(body).toEqual({
      id,
      payload: { to: 'ada' },
      key: 'k',
      dueAt: '1970-01-01T00:00:00.000Z',
      labels: { a: 'b' },
    });
    expect(headers['idempotency-key']).toBeUndefined();
  });

  it("sends the caller's id and key", async () => {
    service.on(route, { body: {} });
    await waybill.queue('mail').enqueue(1, { id: TASK, idempotencyKey: 'k1' });
    expect(service.requests[0]).toMatchObject({ body: { id: TASK, payload: 1 }, headers: { 'idempotency-key': 'k1' } });
    expect(service.requests[0]!.body).not.toHaveProperty('idempotencyKey');
  });

  it('leaves the id to the service beside a key of the caller, so that a repeated call is the same request', async () => {
    service.on(route, { body: { id: TASK, status: 'enqueued' } }).on('POST /v1/tasks/start', { body: { task: {} } });
    service.on('POST /v1/batches', { body: RECEIPT });
    const once = { idempotencyKey: 'k1' };
    for (let times = 0; times < 2; times++) {
      await waybill.queue('mail').enqueue(1, once);
      await waybill.queue('mail').start({ worker: 'w', server: 's' }, once);
      await waybill.createBatch({ name: 'b' }, once);
    }
    const [first, second] = [service.requests.slice(0, 3), service.requests.slice(3)];
    expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    expect(service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(6).fill('k1'));
  });

  it.each([
    ['a BigInt', { order: 12n }, "'order' is 12n"],
    ['an integer that has lost digits', { order: 2 ** 53 }, "'order' is 9007199254740992"],
    ['a number that JSON does not have', { rate: NaN }, "'rate' is NaN"],
  ])('refuses %s before it is sent', async (_, payload, words) => {
    const refused = waybill.queue('mail').enqueue(payload);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(words);
    expect(service.requests).toEqual([]);
  });
});

describe('what a caller misspells is refused before anything is sent', () => {
  const url = 'http://localhost:3000';
  it.each<[string, () => unknown, string]>([
    ['an address without http', () => createWaybill({ url: 'localhost:3000' }), "but it is 'localhost:3000'"],
    [
      'no address',
      () => createWaybill({} as never),
      "Expected url to be an address such as 'http://localhost:3000', but",
    ],
    [
      'a password in the address',
      () => createWaybill({ url: 'http://ann:pw@host' }),
      'without a user name and password',
    ],
    ['an option of the client', () => createWaybill({ url, key: 'wb_1' } as never), 'apiKey, headers'],
    ['an option of a worker', () => waybill.worker({ concurency: 2 } as never), "but got 'concurency'"],
  ])('%s', (_, call, words) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(words);
  });

  const never = new Date('tomorrow');
  it.each<[string, (w: Waybill) => unknown]>([
    ['dueAt', (w) => w.queue('mail').enqueue(1, { dueAt: never })],
    ['deadlineAt', (w) => w.queue('mail').enqueue(1, { deadlineAt: never, signal: new AbortController().signal })],
    ['expiresAt', (w) => w.queue('mail').enqueueMany([{ expiresAt: never }])],
    ['dueAt', (w) => w.task(TASK).reschedule(never)],
    ['until', (w) => w.queue('mail').pause({ until: never })],
    ['from', (w) => w.queue('mail').figures({ from: never })],
  ])('a time that is none: %s', async (field, call) => {
    const refused = (async () => call(waybill))();
    await expect(refused).rejects.toThrow(new TypeError(`Expected ${field} to be a time, but it is an invalid date`));
    expect(service.requests).toEqual([]);
  });

  it('leaves out what is undefined', () => {
    expect(() => createWaybill({ url, key: undefined } as never)).not.toThrow();
  });
});

describe('reading', () => {
  it('requests a state as new as a position', async () => {
    service
      .on(`GET /v1/tasks/${TASK}`, { body: { id: TASK } })
      .on(`GET /v1/tasks/${TASK}/history`, { body: { items: [{ type: 'TaskEnqueued' }] } });
    service
      .on('GET /v1/queues/mail/stats', { body: { queue: 'mail' } })
      .on('GET /v1/queues/mail', { body: { name: 'mail' } });
    await waybill.task(TASK).get({ minPosition: '9' });
    expect(await waybill.task(TASK).history({ minPosition: '9' })).toEqual([{ type: 'TaskEnqueued' }]);
    await waybill.queue('mail').stats({ minPosition: '9' });
    await waybill.queue('mail').get({ minPosition: '9' });
    expect(service.requests.map(({ query }) => String(query))).toEqual(Array(4).fill('minPosition=9'));
  });

  it('lists projections', async () => {
    service.on('GET /v1/projections', { body: { items: [{ name: 'queue-stats' }] } });
    expect(await waybill.projections()).toEqual([{ name: 'queue-stats' }]);
  });

  it.each(['queues', 'workers'] as const)('lists %s through all pages', async (list) => {
    service.on(
      `GET /v1/${list}`,
      { body: { items: [{ name: 'a' }, { name: 'b' }], nextCursor: 'c1' } },
      { body: { items: [{ name: 'c' }], nextCursor: null } },
    );
    const names: string[] = [];
    for await (const { name } of waybill[list]({ minPosition: '9', limit: 2 })) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(service.requests.map(({ query }) => String(query))).toEqual([
      'minPosition=9&limit=2',
      'minPosition=9&cursor=c1&limit=2',
    ]);
  });

  it('lists tasks through all pages', async () => {
    service.on(
      'GET /v1/tasks',
      { body: { items: [{ id: '1' }, { id: '2' }], nextCursor: 'c1' } },
      { body: { items: [{ id: '3' }], nextCursor: null } },
    );
    const ids: string[] = [];
    const filter = { queue: 'mail', state: 'failed', label: { name: 'c', value: 'd:e' } } as const;
    for await (const task of waybill.tasks.list(filter, { limit: 2 })) ids.push(task.id);
    expect(ids).toEqual(['1', '2', '3']);
    const asked = 'queue=mail&state=failed&label=c%3Ad%3Ae';
    expect(service.requests.map(({ query }) => String(query))).toEqual([
      `${asked}&limit=2`,
      `${asked}&cursor=c1&limit=2`,
    ]);
  });

  it('reads a page only when it is needed', async () => {
    service.on('GET /v1/queues/mail/failed', { body: { items: [{ id: '1' }], nextCursor: 'c1' } });
    const first = await waybill.queue('mail').failed().next();
    expect(first.value).toEqual({ id: '1' });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a transaction', () => {
  const route = 'POST /v1/transactions';
  const ANSWER = { results: [], position: '9' };

  it('collects the commands of its callback, and sends them once with an idempotency key', async () => {
    service.on(route, { body: ANSWER });
    let id = '';
    const receipt = await waybill.transaction(async (tx) => {
      id = tx.queue('mail').enqueue({ to: 'ada' }, { key: 'k', dueAt: new Date(0) });
      tx.task(id).hold({ reason: 'r' });
      await Promise.resolve();
      tx.task(TASK).reschedule(null);
      tx.queue('mail').pause({ until: new Date(0) });
      tx.settle({ taskId: TASK, token: '1.s', verdict: { type: 'succeed', result: 5 } });
    });
    expect(receipt).toEqual(ANSWER);
    expect(service.requests).toHaveLength(1);
    const [{ body, headers }] = service.requests as [(typeof service.requests)[0]];
    expect(headers['idempotency-key']).toMatch(UUID_V7);
    const submission = { id, payload: { to: 'ada' }, key: 'k', dueAt: '1970-01-01T00:00:00.000Z' };
    expect(body).toEqual({
      commands: [
        { operation: 'enqueueTask', queue: 'mail', body: submission },
        { operation: 'holdTask', id, body: { reason: 'r' } },
        { operation: 'rescheduleTask', id: TASK, body: { dueAt: null } },
        { operation: 'pauseQueue', queue: 'mail', body: { until: '1970-01-01T00:00:00.000Z' } },
        { operation: 'succeedTask', id: TASK, body: { result: 5, token: '1.s' } },
      ],
    });
  });

  it('contains commands on queues', async () => {
    service.on(route, { body: ANSWER });
    await waybill.transaction((tx) => {
      const mail = tx.queue('mail');
      mail.define({ leaseMs: 5_000 }, { description: 'd', preset: 'p' });
      mail.changePolicy({ leaseMs: 6_000 }, { ifVersion: 1 });
      mail.finish();
      mail.delete();
    });
    expect(service.requests[0]!.body).toEqual({
      commands: [
        {
          operation: 'defineQueue',
          queue: 'mail',
          body: { description: 'd', preset: 'p', policy: { leaseMs: 5_000 } },
        },
        { operation: 'changePolicy', queue: 'mail', ifVersion: 1, body: { leaseMs: 6_000 } },
        { operation: 'finishQueue', queue: 'mail', body: {} },
        { operation: 'deleteQueue', queue: 'mail', body: {} },
      ],
    });
  });

  it('sends nothing if its callback throws or collects nothing', async () => {
    const failing = waybill.transaction((tx) => {
      tx.queue('mail').enqueue(1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await waybill.transaction(() => undefined)).toEqual({ results: [], position: '0' });
    expect(service.requests).toEqual([]);
  });

  it('accepts no command after its end', async () => {
    let late: () => void = () => undefined;
    await waybill.transaction((tx) => {
      late = () => tx.task(TASK).cancel();
    });
    expect(late).toThrow("Expected the transaction to be open for 'cancelTask', but it has ended");
  });
});

describe("a worker's calls without a Worker", () => {
  it('claim in the name of the worker, with a claim id', async () => {
    service.on('POST /v1/queues/mail/claims', { body: { tasks: [{ taskId: TASK }] } });
    const request = { worker: 'w1', server: 's1', max: 5, waitMs: 100, leaseMs: 9_000 };
    expect(await waybill.queue('mail').claim(request)).toEqual([{ taskId: TASK }]);
    expect(service.requests[0]).toMatchObject({
      body: { ...request, claimId: expect.stringMatching(UUID_V7) },
      headers: { 'waybill-actor': 'w1' },
    });
  });

  it('settle and extend in batches', async () => {
    service.on('POST /v1/settlements', { body: { results: [{ ...RECEIPT, state: 'succeeded' }] } });
    service.on('POST /v1/leases/extend', { body: { results: [{ taskId: TASK, kind: 'lost' }] } });
    const item = { taskId: TASK, token: '1.s', verdict: { type: 'succeed' } } as const;
    expect(await waybill.settle([item])).toEqual([{ ...RECEIPT, state: 'succeeded' }]);
    expect(await waybill.extend([{ taskId: TASK, token: '1.s' }])).toEqual([{ taskId: TASK, kind: 'lost' }]);
    expect(service.requests.map(({ body }) => body)).toEqual([
      { items: [item] },
      { items: [{ taskId: TASK, token: '1.s' }] },
    ]);
  });
});
