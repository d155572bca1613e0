import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskGraph } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Seen {
  readonly position: string;
  readonly graph: TaskGraph;
}

/** A graph now, and the position of now. Nobody else records anything. */
async function seen(path: string, minPosition: string | null): Promise<Seen> {
  const answer = await fetch(`${service.url}/v1/${path}/graph?minPosition=${minPosition}`);
  return { graph: (await answer.json()) as TaskGraph, position: answer.headers.get('x-as-of-position')! };
}

const ofNow = ({ asOf: _asOf, ...graph }: TaskGraph) => ({
  ...graph,
  nodes: graph.nodes.map(({ percent: _percent, ...node }) => node),
});

describe('a graph as of a moment', () => {
  it('H-01 is what it was: prerequisites added, waived, done, aborted and ignored', async () => {
    const queue = service.waybill.queue('graphs');
    await queue.define();
    const add = async (payload: string, after: readonly string[] = []) =>
      (await queue.enqueue(payload, { reference: payload, after: after.map((task) => ({ task })) })).id;
    const [first, second] = [await add('first'), await add('second')];
    const middle = await add('middle', [first, second]);
    const last = await add('last', [middle]);
    const moments: Seen[] = [];
    const see = async () => {
      const { position } = await service.waybill.task(middle).get();
      moments.push(await seen(`tasks/${middle}`, position));
    };
    await see();
    const beside = await add('beside', [first]);
    await see();
    await service.waybill.task(last).arrange({ waive: [middle] });
    await see();
    const [claimed] = await queue.claim({ worker: 'w1', waitMs: 10_000 });
    expect(claimed!.taskId).toBe(first);
    await service.waybill.settle([{ taskId: first, token: claimed!.token, verdict: { type: 'succeed' } }]);
    await see();
    await service.waybill.task(middle).arrange({
      add: [{ task: second, ignore: true }],
      waive: [first],
    });
    await see();
    await service.waybill.task(second).abort();
    await see();
    await service.waybill.task(beside).delete();
    await add('latest', [middle]);
    await see();
    for (const { position, graph } of moments) {
      const then = await service.waybill.asOf(position).task(middle).graph();
      expect(ofNow(then)).toEqual(ofNow(graph));
      expect(then.asOf).toMatchObject({ position, notRecorded: [] });
    }
    expect(new Set(moments.map(({ graph }) => JSON.stringify(graph))).size).toBe(moments.length);
    const near = await service.waybill.asOf(moments[0]!.position).task(first).graph({ depth: 1 });
    expect(near.nodes.map(({ id }) => id)).toEqual([first, middle]);
  });

  it('H-01 has the tasks that a batch had, and what they waited for', async () => {
    const queue = service.waybill.queue('members');
    await queue.define();
    const batch = await service.waybill.planBatch({ name: 'nightly' }).create();
    const outside = await queue.enqueue('outside', { reference: 'outside' });
    const moments: Seen[] = [];
    const see = async () => moments.push(await seen(`batches/${batch.id}`, (await batch.get()).position));
    await see();
    const after = [{ task: outside.id }];
    const member = await queue.enqueue('member', { reference: 'member', batch: batch.id, after });
    await see();
    const waiting = await queue.enqueue('waiting', { after: [{ batch: batch.id }] });
    await service.waybill.task(member.id).hold();
    await see();
    await service.waybill.task(member.id).arrange({ waive: [outside.id] });
    await see();
    for (const { position, graph } of moments) {
      const then = await service.waybill.asOf(position).batch(batch.id).graph();
      expect(ofNow(then)).toEqual(ofNow(graph));
    }
    expect(moments.map(({ graph }) => graph.total)).toEqual([0, 2, 2, 1]);
    const { nodes } = await service.waybill.asOf(moments[3]!.position).task(waiting.id).graph();
    expect(nodes).toMatchObject([
      { id: waiting.id, blocked: true, level: 1 },
      { id: batch.id, kind: 'batch', title: 'nightly', level: 0 },
    ]);
  });

  it('H-14 names what the log does not know of running tasks', async () => {
    const queue = service.waybill.queue('progressing');
    await queue.define();
    const { id } = await queue.enqueue('a');
    await queue.claim({ worker: 'w1', waitMs: 10_000 });
    const { position } = await service.waybill.task(id).get();
    expect((await service.waybill.asOf(position).task(id).graph()).asOf!.notRecorded).toEqual(['percent']);
  });

  it('H-04 is refused of what did not exist then', async () => {
    const queue = service.waybill.queue('later');
    await queue.define();
    const { position } = await queue.enqueue('earlier');
    const { id } = await queue.enqueue('later');
    const batch = await service.waybill.planBatch({ name: 'later' }).create();
    const past = service.waybill.asOf(position!);
    const existsFrom = { at: expect.any(String) };
    const task = await refusalOf(past.task(id).graph());
    expect(task).toMatchObject({ code: 'TASK_NOT_FOUND', status: 404, problem: { existsFrom } });
    const absent = await refusalOf(past.batch(batch.id).graph());
    expect(absent).toMatchObject({ code: 'BATCH_NOT_FOUND', status: 404, problem: { existsFrom } });
  });
});
