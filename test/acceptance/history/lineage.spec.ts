import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClaimedTask, createWaybill, type Lineage } from '@waybill/client';
import { createHash } from 'node:crypto';
import { PERMISSIONS } from '../../../src/api/access/api-keys.js';
import { type RebuildMode, rebuilt, replaced } from '../../support/rebuilt.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  for (const name of ['letters', 'stamps']) await service.waybill.queue(name).define({ retry: { maxAttempts: 1 } });
});
afterAll(() => service.stop());

const letters = () => service.waybill.queue('letters');

async function claim(queue: string): Promise<ClaimedTask> {
  const [task] = await service.waybill.queue(queue).claim({ worker: 'w1', waitMs: 10_000 });
  return task!;
}

async function settle({ taskId, token }: ClaimedTask, type: 'succeed' | 'fail'): Promise<string> {
  const error = { message: 'no paper', class: 'business' } as const;
  const verdict = type === 'succeed' ? { type } : { type, error };
  const { position } = await service.waybill
    .settle([{ taskId, token, verdict }])
    .then(([one]) => one as { position: string });
  return position;
}

async function ended(type: 'succeed' | 'fail', more: object = {}): Promise<string> {
  const { id } = await letters().enqueue({}, more);
  await settle(await claim('letters'), type);
  return id;
}

/** Each link as `cause kind effect`, with the names of the ids. */
const linksOf = ({ links }: Lineage, names: Readonly<Record<string, string>>): readonly string[] =>
  links.map(({ cause, kind, effect }) => `${names[cause] ?? cause} ${kind} ${names[effect] ?? effect}`).sort();

/** The lineage of the task once it has so many links. */
const lineageOf = (id: string, links: number, options: object = {}): Promise<Lineage> =>
  until('the links of the task', async () => {
    const lineage = await service.waybill.task(id).lineage(options);
    return lineage.links.length >= links ? lineage : null;
  });

describe('the lineage of a task', () => {
  it('H-59 leads over its context to the task within whose work it was submitted, and from there to it', async () => {
    const { id: parent } = await letters().enqueue({});
    const claimed = await claim('letters');
    const { id: child } = await service.waybill.queue('stamps').enqueue({}, { context: claimed.claimEvent });
    await settle(claimed, 'succeed');
    const inner = await claim('stamps');
    const { id: grandchild } = await letters().enqueue({}, { context: inner.claimEvent });
    await settle(inner, 'succeed');
    await settle(await claim('letters'), 'succeed');
    const names = { [parent]: 'parent', [child]: 'child', [grandchild]: 'grandchild' };
    expect(linksOf(await lineageOf(child, 2), names)).toEqual(['child context grandchild', 'parent context child']);
    const { nodes } = await lineageOf(grandchild, 2);
    expect(nodes.map(({ id, level, queue }) => [names[id], level, queue])).toEqual([
      ['parent', -2, 'letters'],
      ['child', -1, 'stamps'],
      ['grandchild', 0, 'letters'],
    ]);
    expect(linksOf(await lineageOf(grandchild, 1, { up: 1 }), names)).toEqual(['child context grandchild']);
    expect((await lineageOf(grandchild, 0, { up: 0, down: 3 })).links).toEqual([]);
  });

  it('H-59 finds a context in the log that the follower no longer remembers', async () => {
    const { id: parent } = await letters().enqueue({});
    const claimed = await claim('letters');
    await service.restart();
    const { id: child } = await service.waybill.queue('stamps').enqueue({}, { context: claimed.claimEvent });
    const names = { [parent]: 'parent', [child]: 'child' };
    expect(linksOf(await lineageOf(child, 1), names)).toEqual(['parent context child']);
    await settle(claimed, 'succeed');
    await settle(await claim('stamps'), 'succeed');
  });

  it('H-59 names the task that was run again, and the success that superseded its failure', async () => {
    const first = await ended('fail');
    const { id: second } = await service.waybill.task(first).runAgain('there is paper');
    await settle(await claim('letters'), 'succeed');
    const names = { [first]: 'first', [second]: 'second' };
    expect(linksOf(await lineageOf(first, 2), names)).toEqual(['first rerun second', 'second supersession first']);
  });

  it('H-59 names the operation, the task whose abort led to others, and the planner of a batch', async () => {
    const { id: needed } = await letters().enqueue({}, { dueAt: '2199-01-01T00:00:00Z' });
    const { id: waiting } = await letters().enqueue({}, { after: [{ task: needed }] });
    const { id: operation } = await service.waybill.operate('abort', { tasks: [needed] }, { reason: 'not needed' });
    const names = { [needed]: 'needed', [waiting]: 'waiting', [operation!]: 'operation' };
    expect(linksOf(await lineageOf(waiting, 2), names)).toEqual([
      'needed cascade waiting',
      'operation operation needed',
    ]);
    const batch = await service.waybill.createBatch({ name: 'maps', plan: { queue: 'stamps' } });
    const planner = await claim('stamps');
    const { id: member } = await letters().enqueue({}, { batch: batch.id });
    await batch.open(1);
    await settle(planner, 'succeed');
    const of = { [planner.taskId]: 'planner', [member]: 'member' };
    expect(linksOf(await lineageOf(member, 1), of)).toEqual(['planner plan member']);
    await settle(await claim('letters'), 'succeed');
  });

  it('H-59 names the task whose event fired a trigger, and whose event a delivery tells of', async () => {
    const on = { types: ['TaskSucceeded' as const], queue: 'letters' };
    await service.waybill.trigger('stamp').define({ event: on, task: { queue: 'stamps' } });
    await service.waybill.trigger('tell').define({ event: on, mail: { to: ['ann@example.com'] } });
    const first = await ended('succeed');
    const { links, nodes } = await lineageOf(first, 2);
    const queueOf = (id: string) => nodes.find((node) => node.id === id)?.queue;
    expect(links.map(({ kind, cause, effect }) => [kind, cause, queueOf(effect)]).sort()).toEqual([
      ['delivery', first, 'waybill.mail'],
      ['trigger', first, 'stamps'],
    ]);
    for (const name of ['stamp', 'tell']) await service.waybill.trigger(name).delete();
    await settle(await claim('stamps'), 'succeed');
  });

  it('H-59 names the items of a job', async () => {
    await service.waybill.queue('items').define();
    await service.waybill.queue('jobs').define();
    const { id: item } = await service.waybill.queue('items').enqueue({});
    await service.waybill.trigger('job').define({ queue: 'items', task: { queue: 'jobs' } });
    const job = await claim('jobs');
    const names = { [item]: 'item', [job.taskId]: 'job' };
    expect(linksOf(await lineageOf(job.taskId, 1), names)).toEqual(['item item job']);
    await service.waybill.trigger('job').delete();
  });

  it('H-59 is refused of a task that does not exist, and over too many steps', async () => {
    const nobody = service.waybill.task('019a0000-0000-7000-8000-000000000000');
    expect((await refusalOf(nobody.lineage())).code).toBe('TASK_NOT_FOUND');
    expect((await refusalOf(nobody.lineage({ up: 11 }))).code).toBe('INVALID_INPUT');
  });
});

describe('what names no cause', () => {
  it('leaves no row, and the follower keeps up nevertheless', async () => {
    const rows = async () => (await service.pool.query('select count(*)::int as n from lineage')).rows[0]!['n'];
    await service.caughtUp('lineage', (await letters().enqueue({})).position!);
    const before = await rows();
    const position = await settle(await claim('letters'), 'succeed');
    await service.caughtUp('lineage', position);
    expect(await rows()).toBe(before);
  });
});

describe('the lineage that is built anew', () => {
  const rebuild = (mode: RebuildMode) => rebuilt(service.waybill, 'lineage', mode);
  const rows = async (): Promise<readonly object[]> =>
    (await service.pool.query('select * from lineage order by position, cause, effect, kind')).rows;

  /** A task that was submitted within another one's work: both, and the position of the last event. */
  async function linked() {
    const { id: cause } = await letters().enqueue({});
    const claimed = await claim('letters');
    const { id: effect, position } = await service.waybill.queue('stamps').enqueue({}, { context: claimed.claimEvent });
    await settle(claimed, 'succeed');
    await service.caughtUp('lineage', position!);
    return { cause, effect };
  }

  it('differs in nothing from the one in use', async () => {
    await linked();
    expect(await rebuild('diff')).toEqual(['0 rows']);
  });

  it('names what was changed by hand, is switched to and back, and is followed on', async () => {
    const { cause, effect } = await linked();
    const before = await rows();
    await service.pool.query('delete from lineage where cause = $1', [cause]);
    await service.pool.query('update lineage set position = position + 1000000 where position = $1', [
      (before[0] as { position: string }).position,
    ]);
    const wrong = await rows();
    const [first, ...others] = await rebuild('diff');
    expect(first).toMatch(/^[1-9]\d* rows$/);
    expect(others).toContain(`lineage {"kind":0,"cause":"${cause}","effect":"${effect}"}: is missing`);
    expect(await rows()).toEqual(wrong);
    await rebuild('switch');
    expect(await rows()).toEqual(before);
    const next = await linked();
    expect(await rows()).toContainEqual(expect.objectContaining({ ...next, kind: 0 }));
    await rebuild('back');
    expect(await rows()).not.toContainEqual(expect.objectContaining({ cause, effect }));
    expect(await rows()).toContainEqual(expect.objectContaining(next));
    await replaced(service.databaseUrl, 'lineage');
    expect(await rows()).toEqual(expect.arrayContaining([...before]));
  });
});

describe('a key for some queues', () => {
  it('H-59 sees of a lineage what is in them, and how many others there are', async () => {
    const keyOf = (name: string, may: readonly string[]) => ({
      name,
      sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
      may,
    });
    const apiKeys = [keyOf('boss', PERMISSIONS), keyOf('reader', ['read:letters'])];
    const guarded = await startService({ apiKeys: apiKeys as never });
    const as = (name: string) => createWaybill({ url: guarded.url, apiKey: `wb_${name}` });
    try {
      for (const queue of ['letters', 'stamps']) await as('boss').queue(queue).define();
      const { id } = await as('boss').queue('letters').enqueue({});
      const [claimed] = await as('boss').queue('letters').claim({ worker: 'w1', waitMs: 10_000 });
      await as('boss').queue('stamps').enqueue({}, { context: claimed!.claimEvent });
      await until('the link', async () => ((await as('boss').task(id).lineage()).links.length === 1 ? true : null));
      const { nodes, links, hidden } = await as('reader').task(id).lineage();
      expect([nodes.map((node) => node.id), links, hidden]).toEqual([[id], [], 1]);
    } finally {
      await guarded.stop();
    }
  });
});
