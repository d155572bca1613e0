import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, EventView, QueueHandle, SettleItem, TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const AGO = { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' } as const;
const ERROR = { message: 'no route', class: 'transient', details: { host: 'db1' } } as const;

/** What the log does not know, and what the present does not have. */
function ofTheLog({ lastHeartbeatAt: _, percent: _p, progress: _g, archivedAt: _a, asOf: _m, ...rest }: TaskDetails) {
  return rest;
}

async function defined(name: string): Promise<QueueHandle> {
  const queue = service.waybill.queue(name);
  await queue.define();
  return queue;
}

const claim = async (queue: QueueHandle): Promise<ClaimedTask> =>
  (await queue.claim({ worker: 'w1', waitMs: 10_000 }))[0]!;

const settle = ({ taskId, token }: ClaimedTask, verdict: SettleItem['verdict']) =>
  service.waybill.settle([{ taskId, token, verdict }]);

/** A task now, and the position of now. Nobody else records anything. */
async function presentOf(id: string): Promise<{ present: TaskDetails; position: string }> {
  const { position: minPosition } = await service.waybill.task(id).get();
  const answer = await fetch(`${service.url}/v1/tasks/${id}?minPosition=${minPosition}`);
  return { present: (await answer.json()) as TaskDetails, position: answer.headers.get('x-as-of-position')! };
}

const all = async (): Promise<readonly EventView[]> => {
  const events: EventView[] = [];
  for await (const event of service.waybill.events()) events.push(event);
  return events;
};

describe('a task as of a moment', () => {
  it('H-01 is what it was at each position of its history', async () => {
    const queue = service.waybill.queue('lives');
    await queue.define({ retry: { maxAttempts: 5, classes: ['transient'], backoff: AGO }, steps: [] });
    const needed = await queue.enqueue('first');
    const id = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e40';
    const task = service.waybill.task(id);
    const seen: { present: TaskDetails; position: string }[] = [];
    const see = async () => seen.push(await presentOf(id));
    await queue.enqueue({ to: 'ann' }, { id, key: 'k', labels: { customer: 'a' }, after: [{ task: needed.id }] });
    await see();
    await settle(await claim(queue), { type: 'succeed' });
    await see();
    const first = await claim(queue);
    await see();
    await task.annotate({ page: 3 });
    await see();
    await settle(first, { type: 'fail', error: ERROR });
    await see();
    await task.retry();
    await see();
    await task.prioritise(7);
    await see();
    await task.amend({ to: 'bob' });
    await see();
    const second = await claim(queue);
    await see();
    await settle(second, { type: 'succeed', result: { pages: 3 } });
    await see();
    for (const { present, position } of seen) {
      const { asOf, ...past } = await service.waybill.asOf(position).task(id).get();
      expect(ofTheLog(past as TaskDetails)).toEqual(ofTheLog(present));
      expect(asOf).toMatchObject({ position, alternative: null, settled: true });
    }
    for (const { revision, position } of await task.history())
      expect(await service.waybill.asOf(position).task(id).get()).toMatchObject({ revision, position });
  });

  it('H-01 waits behind another task of its key, as it did then', async () => {
    const queue = service.waybill.queue('keys');
    await queue.define({ duplicatePending: 'allow' });
    const one = await queue.enqueue(1, { key: 'k' });
    const other = await queue.enqueue(2, { key: 'k' });
    const position = (await service.waybill.task(other.id).get()).position;
    const waits = async () => (await service.waybill.asOf(position).task(other.id).get()).waitingFor;
    expect(await waits()).toBe('key');
    const claimed = await claim(queue);
    expect(claimed.taskId).toBe(one.id);
    await settle(claimed, { type: 'succeed' });
    expect((await service.waybill.task(other.id).get()).waitingFor).toBe('worker');
    expect(await waits()).toBe('key');
  });

  it('H-02 as of a time is as of the position before the first event recorded after it', async () => {
    const queue = await defined('times');
    const { id } = await queue.enqueue('a');
    await service.waybill.task(id).prioritise(3);
    await service.waybill.task(id).hold();
    const events = await all();
    for (const { recordedAt } of await service.waybill.task(id).history()) {
      const later = events.findIndex((event) => event.recordedAt > recordedAt);
      const { position } = later < 0 ? events.at(-1)! : events[later - 1]!;
      const { asOf } = await service.waybill.asOf(new Date(recordedAt)).task(id).get();
      expect(asOf).toMatchObject({ at: recordedAt });
      if (later >= 0) expect(asOf!.position).toBe(position);
    }
  });

  it('H-04 refuses a time in the future, a position past the head, and a moment beside minPosition', async () => {
    const { id, position } = await (await defined('wrong')).enqueue('a');
    const get = (query: string) => fetch(`${service.url}/v1/tasks/${id}?${query}`);
    const refused = async (query: string) => {
      const answer = await get(query);
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const invalid = [400, 'INVALID_INPUT'];
    expect(await refused(`asOf=${new Date(Date.now() + 3_600_000).toISOString()}`)).toEqual(invalid);
    expect(await refused('asOf=999999999999999')).toEqual(invalid);
    expect(await refused('asOf=0')).toEqual(invalid);
    expect(await refused('asOf=1999-01-01T00:00:00Z')).toEqual(invalid);
    expect(await refused('asOf=30d')).toEqual(invalid);
    expect(await refused('asOf=yesterday')).toEqual(invalid);
    expect(await refused(`asOf=${position}&minPosition=${position}`)).toEqual(invalid);
    const command = await fetch(`${service.url}/v1/tasks/${id}/hold?asOf=${position}`, { method: 'POST' });
    expect([command.status, ((await command.json()) as { code: string }).code]).toEqual(invalid);
  });

  it('H-04 says from when on there is what did not exist then', async () => {
    const queue = await defined('unborn');
    const earlier = await queue.enqueue('a');
    const later = await queue.enqueue('b');
    const [first] = await service.waybill.task(later.id).history();
    const absent = await refusalOf(service.waybill.asOf(earlier.position!).task(later.id).get());
    expect(absent).toMatchObject({ code: 'TASK_NOT_FOUND', status: 404 });
    expect(absent.problem.existsFrom).toEqual({ position: first!.position, at: first!.recordedAt });
    const never = await refusalOf(
      service.waybill.asOf(earlier.position!).task('019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f').get(),
    );
    expect(never.code).toBe('TASK_NOT_FOUND');
    expect(never.problem.existsFrom).toBeUndefined();
  });

  it('H-14 names what the log does not know', async () => {
    const queue = await defined('unknown');
    const { id, position } = await queue.enqueue('a');
    const past = async (at: string) => (await service.waybill.asOf(at).task(id).get()).asOf!.notRecorded;
    expect(await past(position!)).toEqual([]);
    const claimed = await claim(queue);
    const { position: running } = await service.waybill.task(id).get();
    expect(await past(running)).toEqual(['lastHeartbeatAt', 'percent', 'progress']);
    await settle(claimed, { type: 'succeed' });
    const { position: done } = await service.waybill.task(id).get();
    expect(await past(done)).toEqual(['percent', 'progress', 'archivedAt']);
  });
});
