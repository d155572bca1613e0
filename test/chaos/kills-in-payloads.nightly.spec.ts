import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { Clock } from '../../src/application/kernel/clock.port.js';
import type { EventReads } from '../../src/application/kernel/event-store.port.js';
import { PayloadFigures } from '../../src/application/kernel/payload-figures.js';
import { FolderPayloads } from '../../src/infrastructure/payloads/folder-payloads.js';
import { checkPayloads, type PayloadFinding } from '../../src/infrastructure/payloads/payload-check.js';
import { PayloadSweep } from '../../src/infrastructure/payloads/payload-sweep.js';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { killAll } from './child.js';
import { type Crash, lastWords } from './crash-points.js';
import { freePort } from './ports.js';
import { Run } from './run.js';

const ERASURES = 'waybill.erasures';
const MARK = 'quetzal';
const LARGE = { text: `${MARK} `.repeat(500) };
const TASKS = 6;
const DAY_MS = 86_400_000;

/** When what is stored now may be swept. */
class InTwoDays extends Clock {
  now(): Date {
    return new Date(Date.now() + 2 * DAY_MS);
  }
}

let run: Run;
let waybill: Waybill;
let path: string;
let folder: FolderPayloads;
beforeAll(async () => {
  run = await Run.open(undefined, true);
  path = await mkdtemp(join(tmpdir(), 'waybill-kills-'));
  folder = new FolderPayloads(path);
});
afterAll(async () => {
  await run.close();
  await rm(path, { recursive: true });
});

const service = (roles: string, { crash, port = run.port }: { readonly crash?: Crash; readonly port?: number } = {}) =>
  run.service({ port, env: { WAYBILL_ROLES: roles, WAYBILL_PAYLOAD_STORE: path }, ...(crash && { crash }) });

const stored = async (): Promise<readonly string[]> =>
  (await folder.list(null, '9999-12-31', 1_000)).map(({ task }) => task);

async function findings(): Promise<readonly PayloadFinding[]> {
  const found: PayloadFinding[] = [];
  await checkPayloads(run.store, folder, (finding) => found.push(finding));
  return found;
}

describe('kill -9 of a service that stores a payload outside the log', () => {
  afterEach(killAll);

  /** Whether the payload of the submission is in the store, and whether the log names it. */
  it.each([
    { point: 'before-payload', passage: 3, isStored: false, isNamed: false },
    { point: 'after-payload', passage: 3, isStored: true, isNamed: false },
    { point: 'after-append', passage: 3, isStored: true, isNamed: true },
  ] as const)('loses nothing that is named, and the sweep deletes the rest, killed $point', async (killed) => {
    const { isStored, isNamed, ...crash } = killed;
    const queue = `scans-${killed.point}`;
    const before = await service('api,projector').ready();
    waybill = run.client();
    await waybill.queue(queue).define({ payloadsOutsideAboveBytes: 1_024 });
    await before.kill();

    const dying = await service('api,projector', { crash }).ready();
    const answered: string[] = [];
    const asked: string[] = [];
    while (dying.end === null && asked.length < 100) {
      const id = uuidv7();
      asked.push(id);
      const enqueued = waybill.queue(queue).enqueue(LARGE, { id, retry: { attempts: 1 } });
      await enqueued.then(
        () => answered.push(id),
        () => dying.ended,
      );
    }
    expect([await dying.ended, dying.lines]).toEqual([
      { code: null, signal: 'SIGKILL' },
      expect.arrayContaining([lastWords(crash)]),
    ]);
    const lost = asked.at(-1)!;
    const left = await stored();
    expect([answered.length > 0, answered.includes(lost), left.includes(lost)]).toEqual([true, false, isStored]);

    await new PayloadSweep(folder, run.store as EventReads, new InTwoDays(), new PayloadFigures()).next();

    const kept = await stored();
    expect([answered.filter((id) => !kept.includes(id)), kept.includes(lost)]).toEqual([[], isNamed]);
    expect(await findings()).toEqual([]);
    await service('api,projector').ready();
    const again = await waybill.queue(queue).enqueue(LARGE, { id: lost });
    expect(again.status).toBe(isNamed ? 'existing' : 'enqueued');
    const given = await waybill.queue(queue).claim({ worker: 'w', max: 100 });
    expect(given.map(({ taskId, payload }) => [taskId, payload])).toEqual(asked.map((id) => [id, LARGE]));
    await waybill.settle(given.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } })));
  });
});

describe('kill -9 of a steward that erases payloads outside the log', () => {
  beforeAll(async () => {
    await service('api,projector,sweeper').ready();
    waybill = run.client();
    // The order of an erasure defines its queue, and the steward looks for it when it starts.
    await waybill.queue('first').define({});
    const { id } = await waybill.queue('first').enqueue(1, { labels: { customer: 'nobody' } });
    await waybill.erase({ label: { name: 'customer', value: 'nobody' } }, 'Art. 17', { abortOpen: true });
    await endedBy();
    expect((await waybill.task(id).get()).payload).toBeNull();
  });

  let queue: string;
  let queues = 0;
  let tasks: readonly string[];
  beforeEach(async () => {
    queue = `letters-${++queues}`;
    await waybill.queue(queue).define({ payloadsOutsideAboveBytes: 1_024 });
    tasks = Array.from({ length: TASKS }, () => uuidv7());
    await waybill.queue(queue).enqueueMany(tasks.map((id) => ({ id, payload: LARGE, labels: { customer: queue } })));
    for (const id of tasks) await waybill.task(id).abort({ reason: 'Not now' });
    await aged(31);
  });

  /** Moves the ends of the tasks so many days into the past. */
  const aged = (days: number) =>
    run.pool.query(`update tasks set finished_at = finished_at - $2 * interval '1 day' where queue = $1`, [
      queue,
      days,
    ]);

  const steward = async (crash?: Crash) => service('steward', { port: await freePort(), ...(crash && { crash }) });

  /** Another steward carries out what is left. */
  async function endedBy(): Promise<void> {
    const other = await steward();
    await run.settled();
    await other.kill();
  }

  const orders = {
    'an erasure': () => waybill.erase({ label: { name: 'customer', value: queue } }, 'Art. 17'),
    'a purge': () => waybill.erase({ queue, endedBefore: '30d' }, 'kept for 30 days'),
    'an expiry': () =>
      waybill.queue(queue).define({ payloadsOutsideAboveBytes: 1_024, expireDays: 30 }, { replace: true }),
  };

  it.each([
    { order: 'an erasure', point: 'before-deletion', passage: 1, gone: 0 },
    { order: 'an erasure', point: 'after-deletion', passage: 3, gone: 3 },
    { order: 'an erasure', point: 'after-deletion', passage: TASKS, gone: TASKS },
    { order: 'an erasure', point: 'after-halves', passage: 1, gone: TASKS },
    { order: 'a purge', point: 'after-deletion', passage: 3, gone: 3 },
    { order: 'an expiry', point: 'after-deletion', passage: 3, gone: 3 },
  ] as const)('leaves nothing of $order in the end, killed $point ($passage)', async ({ order, gone, ...crash }) => {
    const mine = async (): Promise<number> => (await stored()).filter((task) => tasks.includes(task)).length;
    expect(await mine()).toBe(TASKS);
    await orders[order]();
    const killed = await steward(crash);
    expect([await killed.ended, killed.lines]).toEqual([
      { code: null, signal: 'SIGKILL' },
      expect.arrayContaining([lastWords(crash)]),
    ]);
    expect(await mine()).toBe(TASKS - gone);

    await loseWorkers(run.pool, ERASURES);
    await endedBy();

    expect(await mine()).toBe(0);
    expect(await findings()).toEqual([]);
    // The rows are compared with the events.
    await aged(-31);
    const history = await run.history();
    const named = history.events.filter(({ stream }) => tasks.some((id) => stream.includes(id)));
    expect(named.filter(({ event }) => event.type === 'TaskErased')).toHaveLength(TASKS);
    expect(JSON.stringify(named.map(({ event }) => event))).not.toContain('waybill:outside');
    expect(violationsOf(history)).toEqual([]);
    await until('the rows to be erased', async () =>
      (await Promise.all(tasks.map(async (id) => (await waybill.task(id).get()).payload))).every((one) => one === null)
        ? true
        : null,
    );
  });
});
