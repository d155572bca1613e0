import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandPreview, createWaybill, HttpTransport, type Transport, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Grant } from '../../src/api/access/grants.js';
import { refusalOf } from '../acceptance/refusal.js';
import { type ConsoleQueue, makeConsole } from '../acceptance/s3/console.js';
import { type RunningService, startService } from '../support/running-service.js';

const secretOf = (name: string): string => `secret-of-${name}`;
const keyOf = (name: string, may: readonly Grant[]) => ({
  name,
  sha256: createHash('sha256').update(secretOf(name)).digest('hex'),
  may: [...may],
});
const KEYS = [
  keyOf('all', ['read', 'enqueue', 'operate']),
  keyOf('operator', ['operate']),
  keyOf('submitter', ['read', 'enqueue']),
];

let service: RunningService;
let waybill: Waybill;
let transport: Transport;
beforeAll(async () => {
  service = await startService();
  waybill = service.waybill;
  transport = new HttpTransport({ url: service.url });
});
afterAll(() => service.stop());

const preview = (body: object) => transport.call('previewCommand', { body });

/** What lists show of the tasks, and how far the log is. */
const stateOf = async (queue: ConsoleQueue, ...names: string[]) => [
  await queue.states(...names),
  (await waybill.activityPage({ limit: 1 })).items,
];

describe('a preview of a command', () => {
  it('tells what becomes of the task, what goes along and what fires, and records nothing', async () => {
    const queue = await makeConsole(waybill);
    await queue.addAll({ first: [], second: ['first'] });
    const trigger = `on-abort-${queue.handle.name}`;
    const event = { types: ['TaskAborted' as const], queue: queue.handle.name };
    const told = await makeConsole(waybill);
    await waybill.trigger(trigger).define({ event, task: { queue: told.handle.name } });
    const before = await stateOf(queue, 'first', 'second');
    const id = queue.idOf('first');
    const shown = await waybill.preview((as) => as.task(id).abort({ reason: 'a mistake' }));
    expect(shown).toMatchObject({
      changes: [{ stream: `task-${id}`, id, from: 'pending', to: 'aborted', events: [{ type: 'TaskAborted' }] }],
      takenAlong: 1,
      unblocked: 0,
      triggers: { [trigger]: 1 },
    });
    expect(await stateOf(queue, 'first', 'second')).toEqual(before);
  });

  it('has no changes if everything is as the command wants it', async () => {
    const queue = await makeConsole(waybill);
    await queue.handle.pause();
    expect((await waybill.preview((as) => as.queue(queue.handle.name).pause())).changes).toEqual([]);
  });

  it('shows what is new as having no state before', async () => {
    const queue = await makeConsole(waybill);
    const id = uuidv7();
    const shown = await waybill.preview((as) => as.queue(queue.handle.name).enqueue('a', { id }));
    expect(shown.changes).toMatchObject([{ id, from: null, to: 'pending', events: [{ type: 'TaskEnqueued' }] }]);
    expect(await refusalOf(waybill.task(id).get())).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('is refused as the command, by its rules and by what the index knows', async () => {
    const queue = await makeConsole(waybill, { uniqueReference: 'always' });
    await queue.add('pending');
    await queue.add('waiting', ['pending']);
    const name = queue.handle.name;
    await queue.handle.enqueue('a', { reference: 'r-1' });
    const commands: readonly ((as: Waybill) => Promise<unknown>)[] = [
      (as) => as.task(queue.idOf('pending')).retry(),
      (as) => as.task(queue.idOf('pending')).delete(),
      (as) => as.queue(name).delete(),
      (as) => as.queue(name).enqueue('b', { reference: 'r-1' }),
      (as) => as.queue(name).enqueue('b', { after: [{ task: uuidv7() }] }),
      (as) => as.queue(name).changePolicy({ onFailure: 'retry' }, { ifVersion: 99 }),
      (as) => as.task(uuidv7()).cancel(),
    ];
    const codes = [];
    for (const command of commands) {
      const given = await refusalOf(command(waybill));
      const previewed = await waybill.preview(command).catch((error: unknown) => error);
      expect(previewed).toMatchObject({ code: given.code });
      codes.push(given.code);
    }
    expect(new Set(codes).size).toBe(commands.length);
  });

  it('claims nothing for a trigger of a queue', async () => {
    const [queue, jobs] = [await makeConsole(waybill), await makeConsole(waybill)];
    const trigger = waybill.trigger(`jobs-of-${queue.handle.name}`);
    await trigger.define({ queue: queue.handle.name, every: 86_400, task: { queue: jobs.handle.name } });
    await trigger.disable();
    await queue.add('item');
    const before = await stateOf(queue, 'item');
    const refused = await refusalOf(waybill.preview((as) => as.trigger(trigger.name).fire()));
    expect(refused).toMatchObject({ code: 'NOT_PREVIEWED', status: 409 });
    expect(await stateOf(queue, 'item')).toEqual(before);
  });

  it('may read before it gives the command, and is nothing without one', async () => {
    const queue = await makeConsole(waybill);
    await queue.add('a');
    const shown = await waybill.preview(async (as) => {
      const { id } = await as.task(queue.idOf('a')).get();
      await as.task(id).hold();
    });
    expect(shown.changes).toMatchObject([{ from: 'pending', to: 'held' }]);
    const none = waybill.preview((as) => as.task(queue.idOf('a')).get());
    await expect(none).rejects.toThrow('Expected a function that gives a command, but it gave none');
  });

  it.each([
    [{ operation: 'claimTasks', on: 'mail' }, '/operation'],
    [{ operation: 'startBulkOperation' }, '/operation'],
    [{ operation: 'pauseQueue' }, '/on'],
    [{ operation: 'pauseQueue', on: 'no name' }, '/on'],
    [{ operation: 'drainSystem', on: 'mail' }, '/on'],
    [{ operation: 'pauseQueue', on: 'mail', ifVersion: 1 }, '/ifVersion'],
    [{ operation: 'changePolicy', on: 'mail', body: {} }, '/ifVersion'],
    [{ operation: 'prioritiseTask', on: uuidv7(), body: { priority: 'high' } }, '/body/priority'],
    [{ operation: 'deleteTask', on: uuidv7(), body: { force: 'perhaps' } }, '/body/force'],
  ])('names what is wrong with the request: %j', async (body, pointer) => {
    expect(await preview(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});

describe('a preview for an API key', () => {
  let keyed: RunningService;
  let id: string;
  const as = (name: string): Waybill => createWaybill({ url: keyed.url, apiKey: secretOf(name), logger: null });
  beforeAll(async () => {
    keyed = await startService({ apiKeys: KEYS });
    await as('all').queue('mail').define({});
    id = (await as('all').queue('mail').enqueue('secret')).id;
  });
  afterAll(() => keyed.stop());

  it('needs the permission of the command', async () => {
    const refused = await refusalOf(as('submitter').preview((w) => w.task(id).cancel()));
    expect(refused).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  it('shows data only if it may read all queues', async () => {
    const amend = (w: Waybill) => w.task(id).amend('other');
    const eventsOf = ({ changes }: CommandPreview) => changes.flatMap(({ events }) => events);
    const [whole] = eventsOf(await as('all').preview(amend));
    expect(whole).toMatchObject({ type: 'TaskPayloadAmended', data: { payload: 'other' } });
    const shown = await as('operator').preview(amend);
    expect([Object.keys(eventsOf(shown)[0]!).sort(), 'triggers' in shown]).toEqual([['type', 'version'], false]);
  });
});
