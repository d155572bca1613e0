import { groupBy } from '../../../src/projections/kernel/grouping.js';
import type { Player, Reading } from './player.js';

/** A claimed task, as far as reports need it. */
interface Claimed {
  readonly taskId: string;
  readonly token: string;
}

interface Enqueued {
  readonly id: string;
}

const BEFORE_ALL = '2000-01-01T00:00:00.000Z';
const FAR = '2199-01-01T00:00:00.000Z';
const HOUR_MS = 3_600_000;
/** No retry of an attempt comes while the scenario plays. */
const LATER = { backoff: { kind: 'fixed', baseMs: 6 * HOUR_MS, jitter: 'none' } } as const;
const BROKEN = { error: { message: 'no route', class: 'transient', details: { host: 'db1' } } } as const;
const NO_ROUTE = groupBy()(BROKEN.error);
const NO_USER = groupBy()({ message: 'no such user', class: 'business' });
/** Of a policy that nobody has changed. */
const FIRST_TAG = { 'if-match': '"1"' };
const UNKNOWN = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

/** The ids that the readings look at. */
export interface Cast {
  readonly tasks: Readonly<Record<string, string>>;
  readonly batches: Readonly<Record<string, string>>;
}

/**
 * Every kind of command, and some that are refused. Whatever the service does by itself is over before the next command
 * is given, so that two services record the same events in the same order. `age` makes what waits and runs older.
 */
export async function playCommands(player: Player, age: () => Promise<void>): Promise<Cast> {
  await playDrain(player);
  await playRepeats(player);
  await playPrerequisites(player);
  const tasks = {
    ...(await playTasks(player)),
    ...(await playSteps(player)),
    ...(await playOrders(player)),
    ...(await playTurns(player)),
  };
  await playNeeds(player);
  await playQueues(player);
  const batches = await playBatches(player);
  await playTriggers(player);
  await playHolds(player);
  await playFailures(player);
  await playSystem(player, tasks.decided);
  await playWaits(player, age);
  return { tasks, batches };
}

async function enqueue(player: Player, queue: string, body: object = {}): Promise<string> {
  return ((await player.give('enqueueTask', { queue }, body)) as Enqueued).id;
}

async function claim(player: Player, queue: string, more: object = {}): Promise<readonly Claimed[]> {
  const body = { worker: 'w1', server: 's1', leaseMs: HOUR_MS, ...more };
  return ((await player.give('claimTasks', { queue }, body)) as { tasks: readonly Claimed[] }).tasks;
}

async function settle(player: Player, { taskId, token }: Claimed, verdict: object): Promise<void> {
  await player.give('settleTasks', {}, { items: [{ taskId, token, verdict }] });
}

async function turn(player: Player, queue: string, { taskId, token }: Claimed, verdict: object) {
  const body = { worker: 'w1', server: 's1', leaseMs: HOUR_MS, items: [{ taskId, token, verdict }] };
  return ((await player.give('takeTurn', { queue }, body)) as { tasks: readonly Claimed[] }).tasks;
}

/** What lets a task go on: the success of what it waits for, a person who overrules it, and an abort that is ignored. */
async function playPrerequisites(player: Player): Promise<void> {
  const queue = 'chain';
  await player.give('defineQueue', { queue }, {});
  const [done, overruled] = [await enqueue(player, queue), await enqueue(player, queue)];
  const ignored = await enqueue(player, queue, { dueAt: FAR });
  const [running] = await claim(player, queue, { max: 2 });
  for (const need of [{ task: done }, { task: overruled }, { task: ignored, ignore: true }])
    await enqueue(player, queue, { after: [need] });
  await settle(player, running!, { type: 'succeed' });
  await claim(player, queue);
  await player.give('overruleTask', { id: overruled }, { verdict: 'succeed', reason: 'seen it' });
  await claim(player, queue);
  await player.give('abortTask', { id: ignored }, { reason: 'not needed' });
  await claim(player, queue);
}

/** The life of a task, and what people do to it. */
async function playTasks(player: Player) {
  await player.give(
    'defineQueue',
    { queue: 'mail' },
    { description: 'Letters', policy: { retry: LATER, retention: { deleted: 30 } } },
  );
  const done = await enqueue(player, 'mail', { payload: { to: 'ann' }, labels: { customer: 'a' }, reference: 'r-1' });
  const keyed = await enqueue(player, 'mail', { key: 'k', priority: 5, kind: 'letter' });
  await player.give('enqueueTask', { queue: 'mail' }, { key: 'k' });
  const [first] = await claim(player, 'mail');
  await player.give(
    'extendLease',
    { id: first!.taskId },
    { token: first!.token, progress: [{ title: 'links', start: 0, end: 9, position: 4 }] },
  );
  await player.give('recordData', { id: first!.taskId }, { token: first!.token, data: { page: 3 } });
  await player.give('reportError', { id: first!.taskId }, { token: first!.token, ...BROKEN });
  await player.give('failTask', { id: first!.taskId }, { token: first!.token, ...BROKEN });
  const [second] = await claim(player, 'mail');
  await player.give('succeedTask', { id: second!.taskId }, { token: second!.token, result: { pages: 3 } });
  await player.give('succeedTask', { id: second!.taskId }, { token: second!.token });
  await player.give('retryTask', { id: keyed }, {});
  const [third] = await claim(player, 'mail');
  const [fourth] = await turn(player, 'mail', third!, { type: 'return', unstarted: true });
  await player.give('cancelTask', { id: fourth!.taskId }, { reason: 'wrong address' });
  await player.give('confirmCancel', { id: fourth!.taskId }, { token: fourth!.token });
  const broken = await enqueue(player, 'mail', { payload: 'x', deadlineAt: FAR });
  const [fifth] = await claim(player, 'mail');
  await player.give('checkLeases', {}, { items: [{ taskId: fifth!.taskId, token: fifth!.token }] });
  await player.give('extendLeases', {}, { items: [{ taskId: fifth!.taskId, token: fifth!.token }] });
  await settle(player, fifth!, { type: 'fail', final: true, error: { message: 'no such user', class: 'business' } });
  const changed = await enqueue(player, 'mail', { hold: { reason: 'not yet' } });
  await player.give('releaseTask', { id: changed }, {});
  await player.give('holdTask', { id: changed }, { reason: 'wait' });
  await player.give('prioritiseTask', { id: changed }, { priority: 7 });
  await player.give('rescheduleTask', { id: changed }, { dueAt: FAR });
  await player.give('amendTask', { id: changed }, { payload: { to: 'bob' } });
  await player.give('annotateTask', { id: changed }, { data: { ticket: 4 } });
  await playHandlerWaits(player);
  const gone = await enqueue(player, 'mail', { prepared: true });
  await player.give('submitTask', { id: gone }, {});
  await player.give('deleteTask', { id: gone });
  const aborted = await enqueue(player, 'mail', { dueAt: FAR });
  await player.give('abortTask', { id: aborted }, { reason: 'not needed' });
  const overruled = await enqueue(player, 'mail', { expiresAt: FAR });
  await claim(player, 'mail', { worker: 'w2' });
  await player.give('overruleTask', { id: overruled }, { verdict: 'succeed', reason: 'seen it', result: 1 });
  await player.give('startTask', {}, { queue: 'mail', worker: 'w3', leaseMs: HOUR_MS });
  await player.give(
    'enqueueTasks',
    {},
    { tasks: [{ queue: 'mail' }, { queue: 'none' }, { queue: 'mail', reference: 'r-2' }] },
  );
  for (const command of ['retryTask', 'holdTask', 'abortTask'] as const)
    await player.give(command, { id: UNKNOWN }, {});
  await player.give('retryTask', { id: done }, {});
  await player.give('runTaskAgain', { id: done }, { payload: { to: 'bob' }, reason: 'wrong address' });
  await player.give('runTaskAgain', { id: changed }, { reason: 'too early' });
  await player.give('enqueueTask', { queue: 'mail' }, { priority: 'high' });
  return { done, keyed, broken, changed, gone, aborted, overruled };
}

/** A handler that waits: for a signal that comes later, for one that came first, and for a time. */
async function playHandlerWaits(player: Player): Promise<void> {
  const id = await enqueue(player, 'mail');
  const wait = { signal: 'approved', number: 1, timeoutMs: HOUR_MS };
  const [first] = await claim(player, 'mail');
  await player.give('waitTask', { id: first!.taskId }, { token: first!.token, ...wait });
  await player.give('signalTask', { id }, { signal: 'approved', data: { limit: 500 }, reason: 'known' });
  await player.give('signalTask', { id }, { signal: 'paid' });
  const [again] = await claim(player, 'mail');
  for (const signal of ['approved', 'paid'])
    await player.give('waitTask', { id }, { token: again!.token, ...wait, signal });
  await player.give('waitTask', { id }, { token: again!.token, number: 1, timeoutMs: HOUR_MS });
}

/** Steps, decisions and cancelled runs. */
async function playSteps(player: Player) {
  const policy = { steps: ['read', { name: 'write', needs: [{ resource: 'disk', below: 10 }] }], onFailure: 'decide' };
  await player.give(
    'defineResource',
    { resource: 'disk' },
    { description: 'Used space', unit: 'GB', staleAfterSeconds: 3_600 },
  );
  await player.give('measureResource', { resource: 'disk' }, { value: 40 });
  await player.give('defineQueue', { queue: 'files' }, { policy });
  const stepped = await enqueue(player, 'files');
  const [first] = await claim(player, 'files', { steps: ['read'] });
  await player.give(
    'completeStep',
    { id: stepped },
    { token: first!.token, step: 'read', then: 'offer', data: { size: 3 } },
  );
  await claim(player, 'files', { steps: ['write'] });
  const decided = await enqueue(player, 'files');
  const [second] = await claim(player, 'files', { steps: ['read'] });
  await settle(player, second!, { type: 'fail', ...BROKEN });
  await player.give('decideTask', { id: decided }, { decision: 'retry' });
  const [third] = await claim(player, 'files', { steps: ['read'] });
  await player.give('cancelRun', { id: decided }, { token: third!.token, reason: 'no paper' });
  const undecided = await enqueue(player, 'files');
  const [fourth] = await claim(player, 'files', { steps: ['read'] });
  await settle(player, fourth!, { type: 'fail', ...BROKEN });
  return { stepped, decided, undecided };
}

/** What is asked again: a claim, commands under one key, with an event and without, and what a constraint refuses in a transaction. */
async function playRepeats(player: Player): Promise<void> {
  await player.give('defineQueue', { queue: 'again' }, { policy: { uniqueReference: 'always' } });
  const task = await enqueue(player, 'again', { key: 'k' });
  const claimId = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e51';
  const [first] = await claim(player, 'again', { claimId });
  await claim(player, 'again', { claimId });
  await enqueue(player, 'again', { key: 'k', reference: 'taken' });
  await settle(player, first!, { type: 'fail', final: true, ...BROKEN });
  const amended = { operation: 'amendTask', id: task, body: { payload: 9 } };
  await player.give('runTransaction', {}, { commands: [amended, { operation: 'retryTask', id: task, body: {} }] });
  const enqueued = { operation: 'enqueueTask', queue: 'again', body: { id: UNKNOWN, reference: 'taken' } };
  await player.give('runTransaction', {}, { commands: [enqueued, { operation: 'holdTask', id: UNKNOWN, body: {} }] });
  for (const reason of ['a', 'a', 'b'])
    await player.give('pauseQueue', { queue: 'again' }, { reason }, { 'idempotency-key': 'pause' });
  for (const [command, key] of RESUMES) await player.give(command, { queue: 'again' }, {}, { 'idempotency-key': key });
}

/** The last one repeats one that had nothing to do, so the queue stays paused. */
const RESUMES = [
  ['resumeQueue', 'resume'],
  ['resumeQueue', 'nothing to resume'],
  ['pauseQueue', 'pause again'],
  ['resumeQueue', 'nothing to resume'],
] as const;

/** Keys, prerequisites and transactions. */
async function playOrders(player: Player) {
  await player.give(
    'defineQueue',
    { queue: 'orders' },
    { policy: { duplicatePending: 'allow', onKeyFailure: 'block' } },
  );
  await player.give(
    'defineQueue',
    { queue: 'sync' },
    { policy: { duplicatePending: 'gather', gather: { quietMs: HOUR_MS, maxMs: HOUR_MS, payloads: 'all' } } },
  );
  for (const payload of [1, 2]) await enqueue(player, 'sync', { key: 'ann', payload });
  const before = await enqueue(player, 'orders', { key: 'ann' });
  const behind = await enqueue(player, 'orders', { key: 'ann' });
  const after = await enqueue(player, 'orders', { after: [{ task: before }] });
  await player.give('arrangeTask', { id: after }, { add: [{ task: behind }] });
  await player.give('arrangeTask', { id: before }, { add: [{ task: after }] });
  const created = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e50';
  const commands = [
    { operation: 'enqueueTask', queue: 'orders', body: { id: created, payload: 1 } },
    { operation: 'prioritiseTask', id: before, body: { priority: 3 } },
    { operation: 'pauseQueue', queue: 'mail', body: { reason: 'lunch' } },
  ];
  await player.give('runTransaction', {}, { commands });
  await player.give('runTransaction', {}, { commands: [commands[1], { operation: 'retryTask', id: after }] });
  const [first] = await claim(player, 'orders');
  await settle(player, first!, { type: 'fail', final: true, ...BROKEN });
  return { before, behind, after, created };
}

/** Tasks that only workers get which offer something, and one that nobody gets. */
async function playNeeds(player: Player): Promise<void> {
  const queue = 'render';
  const gpu = { gpu: true };
  await player.give('defineQueue', { queue }, { policy: { needs: {}, perLabel: { label: 'film', maxRunning: 2 } } });
  for (const needs of [undefined, gpu, gpu]) await enqueue(player, queue, { ...(needs && { needs }) });
  await enqueue(player, queue, { needs: { fpga: 1 }, labels: { film: '7' } });
  await claim(player, queue, { max: 3 });
  const [task] = await claim(player, queue, { offers: gpu });
  await settle(player, task!, { type: 'succeed' });
  await claim(player, queue, { offers: { ...gpu, site: 'paris' }, max: 3 });
  await enqueue(player, queue);
  await player.give('enqueueTask', { queue: 'mail' }, { needs: gpu });
}

async function playQueues(player: Player): Promise<void> {
  await player.give('defineQueue', { queue: 'old' }, {});
  await player.give('changePolicy', { queue: 'old' }, { onFailure: 'retry' }, FIRST_TAG);
  await player.give('changePolicy', { queue: 'old' }, { onFailure: 'fail' }, FIRST_TAG);
  await player.give('setLimit', { queue: 'old' }, { label: 'customer', value: 'acme', maxRunning: 3 });
  await player.give('unsetLimit', { queue: 'old' }, { label: 'site' });
  await player.give('unsetLimit', { queue: 'old' }, { label: 'customer', value: 'acme' });
  await player.give('setLimit', { queue: 'old' }, { label: 'customer', maxRunning: 3 });
  await player.give('pauseQueue', { queue: 'old' }, { reason: 'no power', until: FAR });
  await player.give('resumeQueue', { queue: 'old' }, {});
  await player.give('closeIntake', { queue: 'old' }, {});
  await player.give('enqueueTask', { queue: 'old' }, {});
  await player.give('finishQueue', { queue: 'old' }, {});
  await player.give('reopenQueue', { queue: 'old' }, {});
  await player.give('openIntake', { queue: 'old' }, {});
  await player.give('resumeQueue', { queue: 'mail' }, {});
  await player.give('deleteQueue', { queue: 'old' });
  await player.give('pauseQueue', { queue: 'nowhere' }, {});
}

/** Who has had a turn waits for that of the other one. */
async function playTurns(player: Player) {
  const queue = 'shared';
  await player.give('defineQueue', { queue }, { policy: { fair: { label: 'tenant' } } });
  const of = (tenant: string) => enqueue(player, queue, { labels: { tenant } });
  const [, second] = [await of('acme'), await of('acme')];
  await of('bolt');
  for (let turns = 0; turns < 2; turns++) {
    const [task] = await claim(player, queue);
    await settle(player, task!, { type: 'succeed' });
  }
  return { second };
}

async function playBatches(player: Player) {
  let made = 0;
  const chosen = (): string => `019a7f3e-6c1b-7d44-9e21-${String(++made).padStart(12, '0')}`;
  // The ids of what the service makes for a batch are derived from its id, and lists are in the order of ids.
  const create = async (body: {
    readonly name: string;
    readonly labels?: object;
    readonly reRunReporting?: string;
  }): Promise<string> => {
    const id = chosen();
    await player.give('createBatch', {}, { id, ...body });
    return id;
  };
  const state = (id: string, wanted: string) =>
    player.seen('getBatch', { id }, (batch: { state: string }) => batch.state === wanted);
  await player.give('defineQueue', { queue: 'pages' }, {});
  const failed = async (name: string, reRunReporting: string): Promise<string> => {
    const id = await create({ name, labels: { of: 'site' }, reRunReporting });
    for (const payload of [1, 2]) await enqueue(player, 'pages', { id: chosen(), batch: id, payload });
    await player.give('openBatch', { id }, { tasks: 2 });
    const [one, two] = await claim(player, 'pages', { max: 2 });
    await settle(player, one!, { type: 'succeed', result: 'a' });
    await settle(player, two!, { type: 'fail', ...BROKEN });
    await state(id, 'failed');
    return id;
  };
  const nightly = await failed('nightly', 'rerun-batch');
  const rerun = ((await player.give('rerunBatch', { id: nightly }, {})) as Enqueued).id;
  await state(rerun, 'running');
  const [again] = await claim(player, 'pages', { waitMs: 30_000 });
  await settle(player, again!, { type: 'succeed' });
  await state(rerun, 'completed');
  await state(nightly, 'completed');
  const monthly = await failed('monthly', 'update');
  await player.give('requestReport', { id: monthly }, {});
  await state(monthly, 'failed');
  const dropped = await create({ name: 'dropped' });
  await player.give('abortBatch', { id: dropped }, { reason: 'wrong input' });
  await player.give('releaseBatch', { id: dropped }, {});
  const deleted = await create({ name: 'deleted' });
  await player.give('deleteBatch', { id: deleted });
  return { nightly, rerun, monthly, dropped };
}

async function playTriggers(player: Player): Promise<void> {
  const yearly = { cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'pages', key: 'year' } };
  await player.give('defineTrigger', { trigger: 'yearly' }, yearly);
  await player.give('fireTrigger', { trigger: 'yearly' }, {});
  await player.give('disableTrigger', { trigger: 'yearly' }, {});
  await player.give('enableTrigger', { trigger: 'yearly' }, {});
  await player.give('defineTrigger', { trigger: 'never' }, { cron: 'x', task: { queue: 'pages' } });
  await player.give('defineTrigger', { trigger: 'gone' }, yearly);
  await player.give('deleteTrigger', { trigger: 'gone' });
  const delivery = { scheme: 'github', secret: 'shop', headers: ['x-github-event'] };
  await player.give('defineTrigger', { trigger: 'hooks' }, { delivery, task: { queue: 'pages', key: 'hook' } });
  await player.give('defineTrigger', { trigger: 'hooks' }, { delivery: { ...delivery, secret: 'nobody' } });
  await player.give('disableTrigger', { trigger: 'hooks' }, {});
}

async function playHolds(player: Player): Promise<void> {
  await player.give('placeHold', { hold: 'legal' }, { labels: { customer: 'c' }, reason: 'court' });
  await enqueue(player, 'pages', { labels: { customer: 'c' } });
  await claim(player, 'pages', { max: 5 });
  await player.give('placeHold', { hold: 'brief' }, { labels: { customer: 'd' } });
  await player.give('liftHold', { hold: 'brief' });
  await player.give('saveView', { view: 'late' }, { q: 'state:failed since:2h', sort: 'deadline', reason: 'mornings' });
  await player.give('saveView', { view: 'late' }, { q: 'state:failed', overdue: true });
  await player.give('saveView', { view: 'wrong' }, { q: 'state:' });
  await player.give('saveView', { view: 'old' }, {});
  await player.give('deleteView', { view: 'old' });
  await player.give('deleteView', { view: 'never' });
  await player.give('defineResource', { resource: 'gone' }, {});
  await player.give('deleteResource', { resource: 'gone' });
}

async function playFailures(player: Player): Promise<void> {
  await player.give('resolveFailureGroup', { group: NO_ROUTE }, { build: 'b2', reason: 'route added' });
  await player.give('ignoreFailureGroup', { group: NO_USER }, { reason: 'tests' });
  await player.give('reopenFailureGroup', { group: NO_USER }, {});
  await player.give('resolveFailureGroup', { group: 'g000000000000000' }, {});
}

/** Before anything runs. */
async function playDrain(player: Player): Promise<void> {
  await player.give('drainSystem', {}, { reason: 'first start' });
  await player.seen(
    'getDrain',
    {},
    ({ drain }: { drain: { quiescedAt: string | null } | null }) => drain !== null && drain.quiescedAt !== null,
  );
  await player.give('resumeSystem', {}, { stopped: false });
}

async function playSystem(player: Player, stopped: string): Promise<void> {
  await player.give('previewCommand', {}, { operation: 'pauseQueue', on: 'mail', body: { reason: 'a look' } });
  await player.give('previewCommand', {}, { operation: 'retryTask', on: stopped });
  const preview = { command: 'prioritise', filter: { queue: 'mail' }, priority: 4, preview: true };
  await player.give('startBulkOperation', {}, preview);
  const { id } = (await player.give('startBulkOperation', {}, { ...preview, preview: false })) as { id: string };
  await player.seen('getTask', { id }, (task: { state: string }) => task.state === 'succeeded');
  const undo = (await player.give('undoBulkOperation', { id }, { reason: 'wrong priority' })) as { id: string };
  await player.seen('getTask', { id: undo.id }, (task: { state: string }) => task.state === 'succeeded');
  await player.give('drainSystem', {}, { reason: 'update', intake: 'closed' });
  await player.give('enqueueTask', { queue: 'pages' }, {});
  await player.give('resumeSystem', {}, {});
  // The sweeper brings back what was stopped.
  await player.seen('getTask', { id: stopped }, (task: { state: string }) => task.state === 'pending');
}

/** What waits and runs for long, at the end: nothing else happens. */
async function playWaits(player: Player, age: () => Promise<void>): Promise<void> {
  await player.give('defineQueue', { queue: 'slow' }, { policy: { finite: false } });
  await player.give('setLimit', { queue: 'slow' }, { label: 'customer', maxRunning: 3 });
  await enqueue(player, 'slow', { priority: 2 });
  await enqueue(player, 'slow', { priority: 2 });
  await enqueue(player, 'slow', { dueAt: FAR });
  await age();
  await claim(player, 'slow');
  await enqueue(player, 'slow', { key: 'x' });
  await age();
}

/** Every reading of the API, and what it is asked. `adding.spec` refuses an operation that is not here. */
export const READINGS: Readonly<Record<string, (cast: Cast) => readonly Reading[]>> = {
  getQueue: () => QUEUES.flatMap((queue) => [{ path: { queue } }, { path: { queue }, query: { asOf: 'now' } }]),
  listQueues: () => asked({}, { internal: 'true' }, { limit: '2' }, { asOf: 'now' }, { asOf: 'now', limit: '2' }),
  listLimits: () => [
    ...QUEUES.map((queue) => ({ path: { queue } })),
    { path: { queue: 'pages' }, query: { limit: '1' } },
  ],
  getPolicy: () => QUEUES.map((queue) => ({ path: { queue } })),
  listPolicyVersions: () => [
    ...QUEUES.map((queue) => ({ path: { queue } })),
    { path: { queue: 'mail' }, query: { limit: '1' } },
    ...QUEUES.map((queue) => ({ path: { queue }, query: { asOf: 'now' } })),
  ],
  diffPolicyVersions: () => [
    { path: { queue: 'mail' }, query: { fromVersion: '1', toVersion: '1' } },
    { path: { queue: 'mail' }, query: { fromVersion: '1', toVersion: '99' } },
  ],
  blamePolicy: () => andThen(QUEUES.map((queue) => ({ path: { queue } }))),
  listChanges: ({ batches }) =>
    asked(
      { since: BEFORE_ALL, limit: '500' },
      { since: BEFORE_ALL, queue: 'mail', until: 'now', limit: '500' },
      ...Object.values(batches).map((batch) => ({ since: BEFORE_ALL, batch })),
    ),
  sumChanges: () => asked({ since: BEFORE_ALL }, { since: BEFORE_ALL, queue: 'mail', until: 'now' }),
  getQueueHistory: () => QUEUES.flatMap((queue) => histories('QueueDefined', { queue })),
  getBatchHistory: (cast) => everyBatch(cast).flatMap(({ path }) => histories('BatchCreated', path)),
  getTriggerHistory: () => ['yearly', 'gone'].flatMap((trigger) => histories('TriggerDefined', { trigger })),
  getHoldHistory: () => ['legal', 'brief'].flatMap((hold) => histories('HoldPlaced', { hold })),
  getResourceHistory: () => ['disk', 'gone'].flatMap((resource) => histories('ResourceDefined', { resource })),
  getSystemHistory: () => ['SystemDrained', 'SystemQuiesced'].flatMap((type) => histories(type)),
  listActivity: () =>
    asked(
      { limit: '500' },
      { order: 'oldest', limit: '500', until: 'now' },
      { actor: 'boss:ann', limit: '500' },
      { queue: 'mail', limit: '500', policyVersion: '1' },
      { category: 'hold', limit: '500' },
      { type: 'QueuePaused', limit: '500' },
    ),
  getQueueStats: () => [
    ...QUEUES.flatMap((queue) => [{ path: { queue } }, { path: { queue }, query: { asOf: 'now' } }]),
    { path: { queue: 'mail' }, query: { from: '2020-01-01T00:00:00Z', to: '2020-01-01T03:00:00Z', bucket: 'hour' } },
  ],
  tallyQueue: () => QUEUES.flatMap((queue) => [{ path: { queue } }, { path: { queue }, query: { asOf: 'now' } }]),
  // Which tasks waited for a millisecond is chance: `waits.spec` looks at sums in both modes.
  getQueueWaits: () =>
    [{ to: '2020-01-02T00:00:00Z' }, { to: '2999-01-01T00:00:00Z' }].map((query) => ({
      path: { queue: 'mail' },
      query: { from: '2020-01-01T00:00:00Z', ...query },
    })),
  getRetention: () => [{ path: { queue: 'mail' }, query: ENDED }],
  listTasks: ({ batches }) =>
    asked(
      ...TASK_FILTERS,
      { q: 'queue:mail,orders state:failed,held since:1d' },
      { group: NO_USER },
      { batch: batches.nightly! },
      { asOf: 'now' },
      { asOf: 'now', state: 'succeeded' },
    ),
  listFailedTasks: () => [
    { path: { queue: 'orders' } },
    ...asked({}, { limit: '1' }, { asOf: 'now' }).map((one) => ({ ...one, path: { queue: 'mail' } })),
  ],
  getTask: (cast) => andThen(everyTask(cast)),
  getTaskPayload: (cast) => andThen(everyTask(cast)),
  getTaskExplanation: (cast) => andThen(everyTask(cast)),
  getTaskWait: (cast) => andThen(everyTask(cast)),
  getTaskHistory: (cast) => andThen(everyTask(cast)),
  getTaskLineage: (cast) => everyTask(cast).flatMap((one) => [one, { ...one, query: { up: '1', down: '0' } }]),
  getTaskLog: (cast) => everyTask(cast).map((one) => ({ ...one, query: { limit: '2', waitMs: '1' } })),
  getTaskResult: (cast) => everyTask(cast).map((one) => ({ ...one, query: { waitMs: '1' } })),
  followTask: (cast) => everyTask(cast),
  listResults: (cast) => everyTask(cast).flatMap((one) => [one, { ...one, query: { limit: '1' } }]),
  // Nobody seals: `notary/proofs.spec` looks at proofs in both modes.
  getTaskProof: () => [{ path: { id: UNKNOWN } }, { path: { id: UNKNOWN }, query: { private: 'true' } }],
  // Nor here: `history/certificate.spec`.
  getErasureCertificate: () => [{ path: { id: UNKNOWN } }, { path: { id: UNKNOWN }, query: { after: UNKNOWN } }],
  // Nobody seals here, either: `history/exports.spec`.
  exportLog: () =>
    asked(
      { private: 'true' },
      { private: 'true', size: '1' },
      { size: '0' },
      { queue: 'mail', from: '1h', to: 'now', private: 'true' },
    ),
  listBulkOperations: () =>
    asked(
      {},
      { command: 'retry', actor: 'shop', since: '2020-01-01T00:00:00Z', until: FAR },
      { state: 'succeeded', limit: '1' },
    ),
  getBulkOperation: (cast) => everyTask(cast),
  suggestTerms: () =>
    asked(
      {},
      ...['s', 'queue:', 'state:f', 'kind:', 'queue:mail label.', 'label.customer:', 'step:'].map((q) => ({ q })),
    ),
  listOverlaps: () =>
    asked(
      { from: '2020-01-01T00:00:00Z', to: '2020-01-01T01:00:00Z' },
      { queue: 'mail', from: '2020-01-01T00:00:00Z', to: '2020-01-01T01:00:00Z', limit: '1' },
    ),
  getTaskGraph: (cast) => [...andThen(everyTask(cast)), { path: { id: cast.tasks.done! }, query: { depth: '1' } }],
  listBatches: () =>
    asked(
      {},
      { state: 'completed' },
      { limit: '1' },
      { q: 'actor:anonymous since:1d' },
      { asOf: 'now' },
      { asOf: 'now', state: 'completed' },
    ),
  getBatch: (cast) => andThen(everyBatch(cast)),
  listBatchReports: (cast) =>
    everyBatch(cast).flatMap((one) =>
      asked({}, { limit: '1' }, { asOf: 'now' }).map(({ query = {} }) => ({ ...one, query })),
    ),
  tallyBatch: (cast) => andThen(everyBatch(cast)),
  getBatchGraph: (cast) => andThen(everyBatch(cast)),
  getTrigger: () =>
    ['yearly', 'gone', 'hooks'].flatMap((trigger) => [
      { path: { trigger } },
      { path: { trigger }, query: { asOf: 'now' } },
    ]),
  listTriggers: () => asked({}, { limit: '1' }, { asOf: 'now' }),
  getHold: () => ['legal', 'brief'].flatMap((hold) => [{ path: { hold } }, { path: { hold }, query: { asOf: 'now' } }]),
  getFailureGroup: () => [NO_ROUTE, NO_USER].map((group) => ({ path: { group }, query: { queue: 'mail' } })),
  listFailureGroups: () =>
    asked({}, { order: 'most', limit: '1' }, { queue: 'mail', class: 'business' }, { state: 'resolved' }),
  listHolds: () => asked({}, { limit: '1' }, { asOf: 'now' }),
  listViews: () => [{}],
  getResource: () =>
    ['disk', 'gone'].flatMap((resource) => [{ path: { resource } }, { path: { resource }, query: { asOf: 'now' } }]),
  listResources: () => asked({}, { limit: '1' }, { asOf: 'now' }),
  readEvents: ({ tasks }) => asked(...eventFilters(tasks), { limit: '5' }, { until: 'now' }),
  followEvents: ({ tasks }) => asked(...eventFilters(tasks)),
  getSystem: () => [{}],
  getLog: () => [{}],
  listLogKeys: () => [{}],
  listSeals: () => asked({}, { limit: '1' }),
  getDrain: () => asked({}, { asOf: 'now' }),
  listQueueStats: () => asked({}, { limit: '2' }, { internal: 'true' }, { asOf: 'now' }, { asOf: 'now', limit: '2' }),
  listWorkers: () => asked({}, { limit: '1' }, { internal: 'true' }, { asOf: 'now' }, { asOf: 'now', limit: '1' }),
  listProjections: () => [{}],
  listApiKeys: () => [{}],
  whoAmI: () => [{}],
  followChanges: () => [{}],
  isLive: () => [{}],
  isReady: () => [{}],
  readMetrics: () => [{}],
};

/** Each of them now and as of now. */
const andThen = (readings: readonly Reading[]): readonly Reading[] =>
  readings.flatMap((one) => [one, { ...one, query: { ...one.query, asOf: 'now' } }]);

/** The histories of one thing: whole, in part, and as of now. */
const histories = (type: string, path: Readonly<Record<string, string>> = {}): readonly Reading[] =>
  asked(
    {},
    { limit: '1' },
    { type },
    { actor: 'boss:ann', since: '2020-01-01T00:00:00Z', until: 'now' },
    { asOf: 'now' },
  ).map((one) => ({ ...one, path }));

/** Readings of one path by these queries. */
const asked = (...queries: readonly Readonly<Record<string, string>>[]): readonly Reading[] =>
  queries.map((query) => ({ query }));

const TASK_FILTERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { queue: 'mail' },
  { queue: 'files', state: 'undecided' },
  { state: 'pending' },
  { queue: 'mail', key: 'k' },
  { queue: 'mail', reference: 'r-1' },
  { label: 'customer=a' },
  { worker: 'w1' },
  { step: 'write' },
  { kind: 'letter' },
  { limit: '3' },
  { sort: 'deadline' },
  { sort: 'newest' },
  { overdue: 'true' },
  { queue: 'mail', policyVersion: '1' },
  { queue: 'mail', policyVersion: '1', decidedSince: '2020-01-01T00:00:00Z', decidedUntil: '2098-01-01T00:00:00Z' },
  { internal: 'true' },
];

const ENDED = { succeeded: '0', failed: '0', cancelled: '0', aborted: '0', superseded: '0', deleted: '0' };

const eventFilters = (tasks: Cast['tasks']): readonly Readonly<Record<string, string>>[] => [
  { queue: 'mail', type: 'TaskClaimed' },
  { task: tasks.keyed! },
  { category: 'queue', actor: 'boss:ann' },
  { queue: 'mail', policyVersion: '1' },
  { category: 'hold', name: 'brief' },
  { half: 'public' },
  {},
];

const QUEUES = ['mail', 'files', 'orders', 'render', 'pages', 'slow', 'old', 'nowhere'];

function everyTask({ tasks }: Cast): readonly Reading[] {
  return [...Object.values(tasks), UNKNOWN].map((id) => ({ path: { id } }));
}

function everyBatch({ batches }: Cast): readonly Reading[] {
  return [...Object.values(batches), UNKNOWN].map((id) => ({ path: { id } }));
}

export async function playReadings(player: Player, cast: Cast): Promise<void> {
  for (const [operation, readings] of Object.entries(READINGS))
    for (const reading of readings(cast)) await player.read(operation, reading);
}

/**
 * Every metric about queues and followers. `told`: in the scenario they tell of something. `idle`: they stay 0 in it, so only
 * that is compared. `adding.spec` refuses a metric that is in neither.
 */
export const METRICS = {
  told: [
    'waybill_attempt_failures_total',
    'waybill_attempts_total',
    'waybill_claims_total',
    'waybill_deduplicated_total',
    'waybill_failure_group_attempts_total',
    'waybill_failure_group_tasks_total',
    'waybill_failure_groups',
    'waybill_gathered_total',
    'waybill_limited_tasks',
    'waybill_longest_run_seconds',
    'waybill_oldest_ready_age_seconds',
    'waybill_operation_tasks_total',
    'waybill_queue_intake_open',
    'waybill_queue_state',
    'waybill_tasks',
    'waybill_unmet_needs',
    'waybill_values_waiting',
    'waybill_waiting_handlers',
  ],
  idle: [
    'waybill_api_keys_file_faulty',
    'waybill_archived_tasks',
    'waybill_deadlines_missed_total',
    'waybill_deliveries_total',
    'waybill_event_streams',
    'waybill_events_put_aside',
    'waybill_failing_delivery_targets',
    'waybill_failing_triggers',
    'waybill_failure_group_returns_total',
    'waybill_failure_groups_returned',
    'waybill_last_archiving_age_seconds',
    'waybill_last_sweep_age_seconds',
    'waybill_log_gaps_total',
    'waybill_mended_index_rows_total',
    'waybill_operations_stopped_by_canary',
    'waybill_operations_under_way',
    'waybill_outbox_refused_rows',
    'waybill_overdue_tasks',
    'waybill_payload_failures_total',
    'waybill_payloads_read_bytes_total',
    'waybill_payloads_read_total',
    'waybill_payloads_stored_bytes_total',
    'waybill_payloads_stored_total',
    'waybill_payloads_swept_total',
    'waybill_projection_lag_seconds',
    'waybill_projection_stopped',
    'waybill_quarantined_tasks',
    'waybill_room_refusals_total',
    'waybill_run_seconds_total',
    'waybill_sealing_stopped',
    'waybill_skipped_occurrences',
    'waybill_sweep_failing_items',
    'waybill_task_followers',
    'waybill_unheard_losses_total',
    'waybill_wait_seconds_total',
    'waybill_waiting_requests',
    'waybill_witness_refusals_total',
  ],
  /** Of one process, counted in buckets of milliseconds or in one mode only, told after a minute without a worker, or of a log that is sealed. */
  others: [
    'waybill_attempt_seconds',
    'waybill_log_audited_position',
    'waybill_projection_lag_events',
    'waybill_queue_unattended',
    'waybill_request_seconds',
    'waybill_room_used_ratio',
    'waybill_seal_lag_seconds',
    'waybill_sealed_leaves',
    'waybill_task_wait_seconds',
  ],
} as const;
