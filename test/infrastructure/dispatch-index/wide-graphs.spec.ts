import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewTask } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('wide').define();
});
afterAll(() => service.stop());

/** So many that everything between two such groups is more than one look for a cycle takes. */
const WIDE = 90;

type Needs = Pick<NewTask, 'after' | 'batch'>;

async function enqueued(tasks: readonly Needs[]): Promise<string[]> {
  const results = await service.waybill.enqueueMany(tasks.map((task) => ({ queue: 'wide', ...task })));
  return results.map((one) => ('id' in one ? one.id : String(one.problem.code)));
}

const each = (count: number, needs: Needs = {}): Needs[] => Array.from({ length: count }, () => needs);
const after = (ids: readonly string[]): { after: { task: string }[] } => ({ after: ids.map((task) => ({ task })) });

/** Groups of tasks, of which each waits for all of the group before. The first one waits for `root`. */
async function layers(root: string, count: number): Promise<string[]> {
  let last = [root];
  for (let layer = 0; layer < count; layer++) last = await enqueued(each(WIDE, after(last)));
  return last;
}

const codeOf = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: { code: string }) => error.code,
  );

const arrange = (id: string, needs: readonly string[]) =>
  codeOf(service.waybill.task(id).arrange({ add: after(needs).after }));

const eventsOf = async (id: string): Promise<number> => (await service.waybill.task(id).history()).length;

describe('a wide graph', () => {
  let deep: string[];
  beforeAll(async () => {
    const [root] = await enqueued(each(1));
    deep = await layers(root!, 3);
  });

  it('refuses a change if the look for a cycle would take too long in both directions, and changes nothing', async () => {
    const [gate] = await enqueued(each(1));
    await layers(gate!, 3);
    expect(await arrange(gate!, deep.slice(0, 1))).toBe('GRAPH_TOO_LARGE');
    expect(await eventsOf(gate!)).toBe(1);
    expect(await service.waybill.task(gate!).get()).toMatchObject({ state: 'pending' });
  });

  it('takes a change at either end of it', async () => {
    const [gate, first, fresh] = await enqueued(each(3));
    await layers(gate!, 3);
    await enqueued([after([fresh!])]);
    expect(await arrange(gate!, [first!])).toBeNull();
    expect(await arrange(fresh!, deep)).toBeNull();
    expect(await arrange(deep[0]!, [fresh!])).toBe('PREREQUISITE_CYCLE');
  });

  it('refuses a transaction whose looks for cycles take too long together', async () => {
    const tasks = await enqueued(each(20));
    const [next] = await enqueued([after(tasks)]);
    await layers(next!, 1);
    const all = service.waybill.transaction((tx) => {
      for (const id of tasks) tx.task(id).arrange({ add: after(deep.slice(0, 1)).after });
    });
    expect(await codeOf(all)).toBe('GRAPH_TOO_LARGE');
    expect(await Promise.all(tasks.map(eventsOf))).toEqual(tasks.map(() => 1));
    expect(await arrange(tasks[0]!, deep.slice(0, 1))).toBeNull();
  });

  it('refuses the rest of a request whose tasks would each be looked for anew, and no other request', async () => {
    const batch = await service.waybill.planBatch({ name: 'b' }).create();
    const [next] = await enqueued([{ after: [{ batch: batch.id }] }]);
    await layers(next!, 1);
    const late = { batch: batch.id, ...after(deep.slice(0, 1)) };
    const [many, one] = await Promise.all([enqueued(each(100, late)), enqueued([late])]);
    const refused = many.filter((id) => id === 'GRAPH_TOO_LARGE');
    expect(refused.length).toBeGreaterThan(0);
    expect(one).not.toContain('GRAPH_TOO_LARGE');
    expect((await batch.get()).total).toBe(many.length - refused.length + 1);
  });
});
