import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FailureGroupSummary } from '@waybill/client';
import { randomInt } from 'node:crypto';
import { ELSEWHERE, HERE } from '../../../src/infrastructure/past/snapshots/snapshot.js';
import { SnapshotWriter } from '../../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { NOT_TOLD_OF_GROUPS } from '../../../src/projections/failure-groups/failure-groups-as-of.queries.js';
import { randomFrom } from '../../support/history/random-history.js';
import { Memory, type Remembered } from '../../support/history/remembered.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

const STEPS = Number(process.env.MODEL_RUNS ?? 16);
const SNAPSHOT_EVERY = 6;
/** Until then, there may be no group to say anything about. */
const EARLY = 3;

const ERRORS = [
  { message: 'connect ECONNREFUSED 10.0.0.1:5432', class: 'transient' },
  { message: "No such recipient 'a@example.com'", class: 'business' },
  { message: 'Cannot render', class: 'bug', details: { stack: 'Error\n    at render (/app/letter.js:10:5)' } },
] as const;
const QUEUES = ['mail', 'scan'] as const;
const LISTS = [
  '',
  '?order=most',
  '?state=open',
  '?state=resolved',
  '?class=bug',
  '?queue=mail',
  '?queue=scan&order=most',
];

let service: RunningService;
let memory: Memory;
/** The first position at which there is a group. */
let begun: string;
const seed = Number(process.env.MODEL_SEED ?? randomInt(1_000_000_000));
const random = randomFrom(seed);
const oneOf = <T>(of: readonly T[]): T => of[random(of.length)]!;

beforeAll(async () => {
  service = await startService();
  memory = new Memory(service.url);
  for (const queue of QUEUES)
    await service.waybill.queue(queue).define({
      retry: { maxAttempts: 2, classes: ['transient'], backoff: { kind: 'fixed', baseMs: 1, jitter: 'none' } },
      onFailure: 'fail',
    });
});
afterAll(() => service.stop());

async function fail(): Promise<void> {
  const queue = service.waybill.queue(oneOf(QUEUES));
  await queue.enqueue(1, { kind: oneOf(['letter', 'parcel']) });
  const asked = { worker: oneOf(['w1', 'w2']), build: oneOf(['b1', 'b2']), waitMs: 10_000 };
  const [task] = await queue.claim(asked);
  await service.waybill.settle([
    { taskId: task!.taskId, token: task!.token, verdict: { type: 'fail', error: oneOf(ERRORS) } },
  ]);
}

async function groupsNow(): Promise<readonly FailureGroupSummary[]> {
  await service.caughtUp('failure-groups', await memory.head());
  return every(service.waybill.failures.list());
}

async function every<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of items) all.push(one);
  return all;
}

/** A failed task is tried again, so that it may fail in another group. */
async function retry(): Promise<void> {
  const failed = await every(service.waybill.tasks.list({ state: 'failed' }));
  if (failed.length > 0) await service.waybill.task(oneOf(failed).id).retry();
}

async function say(): Promise<void> {
  const { id } = oneOf(await groupsNow());
  const { failures } = service.as('ann');
  const verb = oneOf(['resolve', 'ignore', 'reopen'] as const);
  await failures[verb](id, { reason: 'look' }).catch(() => undefined);
}

interface Seen extends Remembered {
  /** The tasks that failed last in each group. */
  readonly tasks: readonly (readonly [group: string, tasks: readonly string[]])[];
}

async function look(): Promise<Seen> {
  const ids = (await groupsNow()).map(({ id }) => id);
  const lists = LISTS.map((query) => `/v1/failures${query}`);
  const seen = await memory.remember([...lists, ...ids.map((id) => `/v1/failures/${id}`)]);
  const tasks: [string, readonly string[]][] = [];
  for (const id of ids) tasks.push([id, idsOf(await every(service.waybill.tasks.list({ q: `group:${id}` })))]);
  return { ...seen, tasks };
}

const idsOf = (tasks: readonly { readonly id: string }[]): readonly string[] => tasks.map(({ id }) => id).sort();

/** A random history, and what was seen of it after every second step. */
async function walk(): Promise<readonly Seen[]> {
  const writer = new SnapshotWriter(service.pool, isElsewhere ? ELSEWHERE : HERE);
  const seen: Seen[] = [];
  begun = await memory.head();
  for (let step = 1; step <= STEPS; step++) {
    await oneOf(step > EARLY ? [say, retry, fail, fail] : [fail])();
    if (step % SNAPSHOT_EVERY === 0) await writer.take();
    if (step % 2 === 0) seen.push(await look());
  }
  return seen;
}

async function expectTasksAgain(seen: readonly Seen[]): Promise<void> {
  for (const { position, tasks } of seen)
    for (const [group, ids] of tasks) {
      const past = service.waybill.asOf(position);
      expect([position, group, idsOf(await every(past.tasks({ q: `group:${group}` })))]).toEqual([
        position,
        group,
        ids,
      ]);
      expect(idsOf(await every(past.tasks({ group, queue: 'mail' })))).toEqual(
        idsOf((await every(past.tasks({ queue: 'mail' }))).filter(({ id }) => ids.includes(id))),
      );
    }
}

describe('groups of failures as of a moment', () => {
  it('are what they were, with rows that were kept and without any', async () => {
    try {
      const seen = await walk();
      const kept = `select count(*)::int as n from model_snapshots where model = 'failure-groups' and rows <> '[]'`;
      expect((await service.pool.query<{ n: number }>(kept)).rows[0]!.n).toBeGreaterThan(0);
      await memory.expectAgain(seen, NOT_TOLD_OF_GROUPS);
      await expectTasksAgain(seen);
      await service.pool.query('delete from model_snapshots');
      await memory.expectAgain(seen.toReversed().slice(1), NOT_TOLD_OF_GROUPS);
      const last = seen.at(-1)!.answers;
      expect((last[0] as { items: object[] }).items.length).toBeGreaterThan(1);
    } catch (error) {
      throw new Error(`Repeat it with MODEL_SEED=${seed} MODEL_RUNS=${STEPS}`, { cause: error });
    }
  });

  it('follow page by page, all of one position', async () => {
    const position = await memory.head();
    const all = (await service.waybill.asOf(position).failures.page()).items;
    await fail();
    const found: string[] = [];
    for await (const { id } of service.waybill.asOf(position).failures.list({ limit: 1 })) found.push(id);
    expect(found).toEqual(all.map(({ id }) => id));
  });

  it('were not there before their first failure', async () => {
    const { id, firstSeenAt } = (await groupsNow())[0]!;
    const past = service.waybill.asOf(begun).failures;
    expect((await past.page()).items).toEqual([]);
    expect(await refusalOf(past.get(id))).toMatchObject({
      code: 'FAILURE_GROUP_NOT_FOUND',
      problem: { existsFrom: { at: firstSeenAt } },
    });
  });
});
