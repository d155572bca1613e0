import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Handler, Worker } from '@waybill/client';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred, type Deferred } from '../../packages/client/test/support/deferred.js';
import { type RunningService, startService } from '../../test/support/running-service.js';
import type { Entry } from './catalogue.js';
import { ingestInto } from './handler.js';
import { defineQueue, QUEUE, taskOf } from './queue.js';

let service: RunningService;
let folder: string;
let worker: Worker;
let entries: HeldEntries;

/** A catalogue in memory that holds back the entry of a file, so that the handler waits in the middle. */
class HeldEntries extends Map<string, Entry> {
  readonly recorded: string[] = [];
  private readonly held = new Map<string, { readonly reached: Deferred; readonly goOn: Deferred }>();

  hold(path: string) {
    const hold = { reached: deferred(), goOn: deferred() };
    this.held.set(path, hold);
    return hold;
  }

  readonly find = async (path: string) => this.get(path) ?? null;
  readonly record = async (entry: Entry) => {
    this.recorded.push(entry.path);
    const hold = this.held.get(entry.path);
    this.held.delete(entry.path);
    hold?.reached.resolve();
    await hold?.goOn.promise;
    this.set(entry.path, entry);
  };
}

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'waybill-touch-'));
  entries = new HeldEntries();
  await defineQueue(service.waybill.queue(QUEUE));
  worker = service.waybill.worker({ name: 'w1', logger: null }).handle(QUEUE, ingestInto(entries) as Handler<any>);
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

const enqueue = (path: string) => service.waybill.queue(QUEUE).enqueueMany([taskOf(path)]);

async function enqueued(path: string): Promise<{ id: string; status: string; position: string }> {
  const [outcome] = await enqueue(path);
  if ('problem' in outcome!) throw new Error(outcome.problem.detail);
  return outcome!;
}

/** The events of every task of the path, in the order of the log. */
async function eventsOf(...ids: readonly string[]) {
  const histories = await Promise.all([...new Set(ids)].map((id) => service.waybill.task(id).history()));
  return histories.flat().sort((a, b) => Number(BigInt(a.position) - BigInt(b.position)));
}

const ended = (position: string) => service.eventAfter(position, { queue: QUEUE, type: 'TaskSucceeded' });

it('S0-12 S0-13 S0-14 a file that is touched and re-added while it is read runs once more afterwards', async () => {
  const path = join(folder, 'image.txt');
  await writeFile(path, 'one');
  const { reached, goOn } = entries.hold(path);
  const first = await enqueued(path);
  await reached.promise;

  await writeFile(path, 'another');
  await utimes(path, 5_000, 5_000);
  const again = await enqueued(path);
  const twice = await enqueued(path);
  expect([first, again, twice].map(({ status }) => status)).toEqual(['enqueued', 'enqueued', 'existing']);
  expect(twice.id).toBe(again.id);
  expect(await service.waybill.task(again.id).get({ minPosition: again.position })).toMatchObject({
    state: 'pending',
    waitingFor: 'key',
  });
  expect(entries.recorded).toEqual([path]);

  goOn.resolve();
  const firstEnd = await ended(again.position);
  await ended(firstEnd.position);
  const events = await eventsOf(first.id, again.id);
  expect(events.map(({ type, stream }) => [type, stream === `task-${first.id}` ? 'first' : 'again'])).toEqual([
    ['TaskEnqueued', 'first'],
    ['TaskClaimed', 'first'],
    ['TaskEnqueued', 'again'],
    ['TaskSucceeded', 'first'],
    ['TaskClaimed', 'again'],
    ['TaskSucceeded', 'again'],
  ]);
  expect(entries.recorded).toEqual([path, path]);
  expect(entries.get(path)).toMatchObject({ sha256: createHash('sha256').update('another').digest('hex') });
});

it('S0-14 S0-15 the further run of a file whose new version was already read finds nothing to do', async () => {
  const path = join(folder, 'quick.txt');
  await writeFile(path, 'one');
  const { reached, goOn } = entries.hold(path);
  await enqueued(path);
  await reached.promise;
  const again = await enqueued(path);
  goOn.resolve();
  const firstEnd = await ended(again.position);
  expect(await ended(firstEnd.position)).toMatchObject({ stream: `task-${again.id}`, data: { noChange: true } });
});

it('S0-29 S0-38 a malformed file stays failed until its corrected version succeeds', async () => {
  const path = join(folder, 'settings.json');
  await writeFile(path, '{');
  const bad = await enqueued(path);
  const failure = await service.eventAfter(bad.position, { queue: QUEUE, type: 'TaskFailed' });
  expect(failure.data).toMatchObject({ error: { class: 'business', message: expect.stringContaining('line 1') } });
  await writeFile(path, '{}');
  const mended = await enqueued(path);
  const { stream } = await service.eventAfter(mended.position, { queue: QUEUE, type: 'TaskSuperseded' });
  expect(stream).toBe(`task-${bad.id}`);
});
