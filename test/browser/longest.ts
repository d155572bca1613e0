import type { Waybill } from '@waybill/client';
import type { RunningService } from '../support/running-service.js';

/** A value of the widest letters, without a place to break the line. */
const wide = (name: string, characters: number): string => name.padEnd(characters, 'W');

export const LONGEST = {
  queue: wide('queue', 100),
  preparing: wide('preparing', 100),
  working: wide('working', 100),
  worker: wide('worker', 200),
  reason: wide('reason', 1_024),
  description: wide('description', 4_096),
  reference: wide('reference', 512),
  batch: wide('batch', 200),
  hold: wide('hold', 100),
  resource: wide('resource', 100),
  trigger: wide('trigger', 100),
  inbound: wide('inbound', 100),
  actor: wide('actor', 200),
  label: [wide('label', 64), wide('value', 256)] as const,
} as const;

const { queue, preparing, working, worker, reason, description, reference, label } = LONGEST;
const DETAILS = { payload: { [wide('field', 200)]: wide('value', 2_000) }, labels: { [label[0]]: label[1] } };

export interface LongStory {
  readonly failed: string;
  readonly running: string;
  readonly blocked: string;
  readonly batch: string;
}

/** Everything that pages show, with names and values as long as they may be. */
export async function tellLongStory({ as, pool }: RunningService): Promise<LongStory> {
  const waybill = as(LONGEST.actor);
  await defineAll(waybill);
  const { id: batch } = await waybill.planBatch({ name: LONGEST.batch, description, labels: DETAILS.labels }).create();
  const failed = await enqueue(waybill, 'failed', { batch });
  const running = await enqueue(waybill, 'running', { batch });
  const blocked = await enqueue(waybill, 'blocked', { batch, after: [{ task: failed }] });
  await waybill.batch(batch).open(3);
  await work(waybill);
  await putAside(pool, blocked);
  await waybill.queue(queue).pause({ reason });
  await waybill.queue(queue).closeIntake({ reason });
  await waybill.system.drain({ reason });
  return { failed, running, blocked, batch };
}

async function defineAll(waybill: Waybill): Promise<void> {
  await waybill.resources.define(LONGEST.resource, { description, unit: 'W'.repeat(20) });
  const needs = [{ resource: LONGEST.resource, below: 1 }];
  const steps = [
    { name: preparing, needs: [] },
    { name: working, needs },
  ];
  await waybill.queue(queue).define({ steps, stepsAsStates: true, onFailure: 'fail' }, { description });
  const task = { queue, kind: wide('kind', 200), description };
  const mail = { to: [`${'w'.repeat(300)}@example.com`] };
  await waybill.trigger(LONGEST.trigger).define({ cron: '30 2 * * 1-5', timeZone: 'UTC', task, description });
  const webhook = { url: `https://example.com/${wide('path', 2_000)}`, secret: 'x'.repeat(32) };
  await waybill.trigger(wide('webhook', 100)).define({ event: { types: ['TaskFailed'], queue }, webhook });
  await waybill.trigger(wide('mail', 100)).define({ event: { types: ['TaskFailed'], queue }, mail });
  const headers = Array.from({ length: 20 }, (_, at) => `x-${at}-`.padEnd(100, 'w'));
  const delivery = { scheme: 'github' as const, secret: LONGEST.inbound, headers };
  await waybill.trigger(LONGEST.inbound).define({ delivery, task, description });
  await waybill.holds.place(LONGEST.hold, DETAILS.labels, { reason });
  await waybill.holds.lift(LONGEST.hold);
}

async function enqueue(waybill: Waybill, name: string, more: object): Promise<string> {
  const named = { kind: wide('kind', 200), reference: `${name}${reference.slice(name.length)}`, key: wide(name, 512) };
  const told = { description, auditContext: wide('audit', 512), data: { [wide('name', 200)]: wide('value', 200) } };
  const { id } = await waybill
    .queue(queue)
    .enqueue(DETAILS.payload, { ...named, ...told, labels: DETAILS.labels, ...more });
  return id;
}

/** The first task fails, and the second one is half done. */
async function work(waybill: Waybill): Promise<void> {
  const tasks = await waybill.queue(queue).claim({ worker, server: worker, max: 2, leaseMs: 3_600_000 });
  const [first, second] = tasks.map(({ taskId, token }) => ({ taskId, token }));
  const error = { message: wide('message', 4_000), details: { stack: wide('stack', 4_000) } };
  await waybill.settle([{ ...first!, verdict: { type: 'fail', error } }]);
  await waybill.extend([
    { ...second!, progress: [{ title: wide('title', 200), start: 0, end: 1e15, position: 7e14 }] },
  ]);
}

/** What a service can only show once something broke. */
async function putAside(pool: RunningService['pool'], task: string): Promise<void> {
  await pool.query(
    `insert into quarantined (task_id, position, error, retry_at) values ($1, 7, $2, now() + interval '1 hour')`,
    [task, wide('error', 2_000)],
  );
  await pool.query(
    `insert into delivery_targets (target, failures, failing, error, failed_at, closed_until)
     values ($1, 7, true, $2, now(), now() + interval '1 hour')`,
    [wide('host', 253), wide('error', 2_000)],
  );
  await pool.query(
    `insert into events_put_aside (follower, line, position, error, retry_at)
     values ('triggers', $1, 7, $2, now() + interval '1 hour')`,
    [LONGEST.trigger, wide('error', 2_000)],
  );
}
