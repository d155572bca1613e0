import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChangesOptions, ClaimedTask, TaskChange } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const RETRY = { maxAttempts: 2, classes: ['transient'], backoff: { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' } };

async function listed(options: ChangesOptions): Promise<readonly TaskChange[]> {
  const all: TaskChange[] = [];
  for await (const one of service.waybill.changes(options)) all.push(one);
  return all;
}

const byTask = (changes: readonly TaskChange[]) => new Map(changes.map((change) => [change.task, change]));

/** What is compared of a task as of a position, as the look at the past tells it; null if it was not there. */
async function comparedAt(task: string, position: string) {
  try {
    const { state, step, priority, error } = await service.waybill.asOf(position).task(task).get();
    return { state, step, priority, errorClass: error?.class ?? null };
  } catch {
    return null;
  }
}

async function head(): Promise<string> {
  const { until: end } = await service.waybill.changesPage({ since: '2000-01-01T00:00:00Z', limit: 1 });
  return end.position;
}

describe('what changed between two moments', () => {
  const tasks: string[] = [];
  const moments: string[] = [];

  beforeAll(async () => {
    const queue = service.waybill.queue('mail');
    await queue.define({ retry: RETRY, onFailure: 'retry' } as never);
    await service.waybill.queue('other').define({});
    const claim = async (max: number): Promise<readonly ClaimedTask[]> => queue.claim({ worker: 'w1', max });
    const settle = (claimed: readonly ClaimedTask[], verdict: object) =>
      service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict }) as never));
    const enqueue = async (name: string, count: number) => {
      for (let n = 0; n < count; n++)
        tasks.push((await service.waybill.queue(name).enqueue(n, { reference: `${name}-${tasks.length}` })).id);
      moments.push(await head());
    };
    await enqueue('mail', 6);
    await enqueue('other', 2);
    const first = await claim(4);
    moments.push(await head());
    await settle(first.slice(0, 1), { type: 'succeed' });
    await settle(first.slice(1, 2), { type: 'fail', error: { message: 'no route', class: 'transient' } });
    await settle(first.slice(2, 3), { type: 'fail', error: { message: 'no such user', class: 'business' } });
    moments.push(await head());
    await settle(first.slice(3), { type: 'return', unstarted: true });
    await service.waybill.task(first[2]!.taskId).retry();
    await service.waybill.task(first[1]!.taskId).prioritise(7);
    moments.push(await head());
    await service.waybill.task(tasks[5]!).abort();
    await service.waybill.task(tasks[7]!).hold({ reason: 'wait' });
    await service.waybill.task(tasks[7]!).release();
    await enqueue('mail', 1);
  });

  it('H-15 is exactly the tasks whose folds differ, between any two of the moments', async () => {
    for (const [at, since] of moments.entries())
      for (const end of moments.slice(at)) {
        const changes = byTask(await listed({ since, until: end, limit: 3 }));
        for (const task of tasks) {
          const [from, to] = [await comparedAt(task, since), await comparedAt(task, end)];
          const change = changes.get(task);
          const expected = JSON.stringify(from) === JSON.stringify(to) ? undefined : { from, to };
          expect([since, end, change && { from: change.from, to: change.to }]).toEqual([since, end, expected]);
        }
        expect([...changes.keys()].filter((task) => !tasks.includes(task))).toEqual([]);
      }
  });

  it('H-15 from A to B and from B to C is from A to C', async () => {
    const [a, b, c] = [moments[0]!, moments[3]!, moments.at(-1)!];
    const [first, second] = [
      byTask(await listed({ since: a, until: b })),
      byTask(await listed({ since: b, until: c })),
    ];
    const whole = byTask(await listed({ since: a, until: c }));
    for (const task of tasks) {
      const [one, other] = [first.get(task), second.get(task)];
      const from = one ? one.from : other?.from;
      const to = other ? other.to : one?.to;
      const isSame = JSON.stringify(from) === JSON.stringify(to);
      const change = whole.get(task);
      expect(change && { from: change.from, to: change.to }).toEqual(isSame ? undefined : { from, to });
    }
  });

  it('is summed up by states, in the same numbers', async () => {
    for (const [at, since] of moments.entries())
      for (const end of moments.slice(at)) {
        const counts = new Map<string, number>();
        for (const { queue, from, to } of await listed({ since, until: end })) {
          const way = `${queue} ${from?.state} ${to.state}`;
          if (from?.state !== to.state) counts.set(way, (counts.get(way) ?? 0) + 1);
        }
        const { moves } = await service.waybill.changesSum({ since, until: end });
        const told = moves!.map(({ queue, from, to, tasks: n }) => [`${queue} ${from ?? undefined} ${to}`, n] as const);
        expect([since, end, Object.fromEntries(told)]).toEqual([since, end, Object.fromEntries(counts)]);
      }
    const { states } = await service.waybill.changesSum({ since: moments[1]!, until: moments[3]!, queue: 'mail' });
    const of = (state: string) => states!.find((one) => one.state === state);
    expect(of('pending')).toMatchObject({ before: 6, after: 3 });
    expect(of('failed')).toMatchObject({ before: 0, after: 1 });
    expect(of('succeeded')).toMatchObject({ before: 0, after: 1 });
  });

  it('pages go on at the two moments of the first, whatever happens meanwhile', async () => {
    const first = await service.waybill.changesPage({ since: moments[0]!, limit: 1 });
    await service.waybill.task(tasks[6]!).abort();
    const seen = [...first.items];
    for (let cursor = first.nextCursor; cursor !== null;) {
      const page = await service.waybill.changesPage({ since: moments[0]!, limit: 1, cursor });
      expect([page.since, page.until]).toEqual([first.since, { ...first.until, settled: true }]);
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(await listed({ since: moments[0]!, until: first.until.position }));
    expect(new Set(seen.map(({ task }) => task)).size).toBe(seen.length);
    const all = { since: moments[0]!, limit: 1 } as const;
    const { nextCursor } = await service.waybill.changesPage(all);
    const refusal = await refusalOf(service.waybill.changesPage({ ...all, queue: 'mail', cursor: nextCursor! }));
    expect(refusal).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  it('refuses moments that are none, or in the wrong order', async () => {
    const refused = [
      { since: moments[3]!, until: moments[0]! },
      { since: '999999999999999' },
      { since: new Date(Date.now() + 3_600_000) },
      { since: '1h', until: new Date(Date.now() + 3_600_000) },
      { since: 'never' },
    ];
    for (const options of refused)
      expect([options, (await refusalOf(service.waybill.changesPage(options))).code]).toEqual([
        options,
        'INVALID_INPUT',
      ]);
    expect((await refusalOf(service.waybill.changesSum(refused[0]!))).code).toBe('INVALID_INPUT');
  });
});

describe('a batch that reports twice', () => {
  it('H-16 names in its second report what changed since the first', async () => {
    const queue = service.waybill.queue('parts');
    await queue.define({ retry: { maxAttempts: 1, classes: [] } });
    const batch = await service.waybill.createBatch({ name: 'nightly' });
    for (const payload of [1, 2, 3, 4]) await queue.enqueue(payload, { batch: batch.id });
    await batch.open(4);
    const settleAll = async (verdictOf: (n: number) => object) => {
      const claimed = await queue.claim({ worker: 'w1', max: 10 });
      await service.waybill.settle(
        claimed.map(({ taskId, token }, n) => ({ taskId, token, verdict: verdictOf(n) }) as never),
      );
    };
    const fail = { type: 'fail', error: { message: 'no', class: 'business' } };
    await settleAll((n) => (n === 0 ? { type: 'succeed' } : fail));
    const reported = async (number: number) =>
      until(`report ${number}`, async () => {
        const events = service.waybill.events({ category: 'batch', name: batch.id, type: 'BatchReported' });
        for await (const event of events) if ((event.data as { number: number }).number === number) return event;
        return null;
      });
    const first = await reported(1);
    const failed = (await listed({ since: '2000-01-01T00:00:00Z', batch: batch.id })).filter(
      ({ to }) => to.state === 'failed',
    );
    for (const { task } of failed.slice(0, 2)) await service.waybill.task(task).retry();
    await settleAll((n) => (n === 0 ? { type: 'succeed' } : fail));
    await service.waybill.task(failed[2]!.task).abort();
    const second = await reported(2);
    const changes = await listed({ since: first.position, until: second.position, batch: batch.id });
    const named = changes.map(({ task, from, to }) => ({ task, from: from!.state, state: to.state }));
    const told = (second.data as { changes: readonly object[] }).changes;
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(named.filter(({ from, state }) => from !== state)));
  });
});
