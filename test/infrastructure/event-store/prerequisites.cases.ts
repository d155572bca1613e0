import { uuidv7 } from 'uuidv7';
import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import type { Prerequisite } from '../../../src/domain/task/task.events.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { enqueue, item } from '../../support/events.js';

interface Given {
  readonly queue: () => string;
  readonly append: (...items: AppendItem[]) => Promise<readonly AppendResult[]>;
}

/** What every store refuses about prerequisites, at the moment of the commit. */
export function prerequisiteCases({ queue, append }: Given): void {
  const idOf = ({ stream }: AppendItem): string => taskIdOf(stream);
  const only = async (one: AppendItem) => (await append(one))[0]!;
  const stored = async (one: AppendItem) => {
    expect(await only(one)).toMatchObject({ kind: 'appended' });
    return one;
  };
  const after = (...needs: Prerequisite[]) => enqueue(queue(), { after: needs });
  const on = (one: AppendItem, revision: number, type: string, data: object) =>
    item(one.stream, revision, [{ type, version: 1, data: { queue: queue(), by: 'ann', ...data } }]);
  const aborted = (one: AppendItem, revision = 0) => on(one, revision, 'TaskAborted', { from: 'pending' });
  const deleted = (one: AppendItem, revision = 0) => on(one, revision, 'TaskDeleted', { from: 'pending' });
  const changed = (one: AppendItem, added: Prerequisite[], waived: string[] = [], revision = 0) =>
    on(one, revision, 'TaskPrerequisitesChanged', { added, waived });

  it('accepts prerequisites that exist', async () => {
    const first = await stored(enqueue(queue()));
    await stored(after({ task: idOf(first) }));
  });

  it('accepts a chain of new tasks in one append, in its order', async () => {
    const first = enqueue(queue());
    const second = after({ task: idOf(first) });
    const third = after({ task: idOf(second) }, { task: idOf(first) });
    const results = await append(first, second, third);
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended']);
    const positions = results.map((one) => ('position' in one ? one.position : 0n));
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('refuses what waits for a refused task of the same append, and nothing else', async () => {
    const [unknown, free] = [uuidv7(), enqueue(queue())];
    const first = after({ task: unknown });
    const second = after({ task: idOf(first) }, { task: idOf(free) });
    const third = after({ task: idOf(free) });
    expect(await append(free, first, second, third)).toMatchObject([
      { kind: 'appended' },
      { constraint: 'prerequisite-not-found', prerequisite: unknown },
      { constraint: 'prerequisite-not-found', prerequisite: idOf(first) },
      { kind: 'appended' },
    ]);
  });

  it('repeats a chain of one append as duplicates', async () => {
    const first = enqueue(queue());
    const second = after({ task: idOf(first) });
    await append(first, second);
    expect(await append(first, second)).toMatchObject([{ kind: 'duplicate' }, { kind: 'duplicate' }]);
  });

  it('refuses a prerequisite that does not exist', async () => {
    const unknown = uuidv7();
    const refusal = { kind: 'refused', constraint: 'prerequisite-not-found', prerequisite: unknown };
    expect(await only(after({ task: unknown }))).toMatchObject(refusal);
    const one = await stored(enqueue(queue()));
    expect(await only(changed(one, [{ task: unknown }]))).toMatchObject(refusal);
  });

  it('refuses a task that is named as a batch', async () => {
    const one = idOf(await stored(enqueue(queue())));
    const refusal = { kind: 'refused', constraint: 'prerequisite-not-found', prerequisite: one, is: 'task' };
    expect(await only(after({ batch: one }))).toMatchObject(refusal);
  });

  it('refuses an aborted prerequisite, unless its abort is ignored', async () => {
    const first = await stored(enqueue(queue()));
    await stored(aborted(first));
    expect(await only(after({ task: idOf(first) }))).toMatchObject({
      kind: 'refused',
      constraint: 'prerequisite-dead',
      prerequisite: idOf(first),
      state: 'aborted',
    });
    await stored(after({ task: idOf(first), ignore: true }));
  });

  it('refuses a deleted prerequisite', async () => {
    const first = await stored(enqueue(queue()));
    await stored(deleted(first));
    expect(await only(after({ task: idOf(first), ignore: true }))).toMatchObject({
      kind: 'refused',
      constraint: 'prerequisite-dead',
      state: 'deleted',
    });
  });

  it.each([{}, { key: 'k' }, { reference: 'r' }])(
    'refuses a task %j under the id of a batch, and a batch under that of a task',
    async (submission) => {
      const [taken, free] = [uuidv7(), uuidv7()];
      const batch = (id: string) => {
        const data = { batch: id, name: 'b', at: '2026-11-24T00:00:00.000Z' };
        return item(`batch-${id}`, -1, [{ type: 'BatchCreated', version: 1, data }]);
      };
      const task = (id: string) => enqueue(queue(), submission, undefined, id);
      await stored(batch(taken));
      const results = await append(task(taken), task(free));
      expect(results).toMatchObject([{ kind: 'refused', constraint: 'id-taken' }, { kind: 'appended' }]);
      expect(await only(batch(free))).toMatchObject({ kind: 'refused', constraint: 'id-taken' });
    },
  );

  it('refuses a task that would wait for itself', async () => {
    const id = uuidv7();
    const cycle = { kind: 'refused', constraint: 'prerequisite-cycle', cycle: [id] };
    expect(await only(enqueue(queue(), { after: [{ task: id }] }, undefined, id))).toMatchObject(cycle);
    const one = await stored(enqueue(queue(), {}, undefined, id));
    expect(await only(changed(one, [{ task: id }]))).toMatchObject(cycle);
  });

  it('refuses a cycle, and names it', async () => {
    const a = await stored(enqueue(queue()));
    const b = await stored(after({ task: idOf(a) }));
    const c = await stored(after({ task: idOf(b) }));
    expect(await only(changed(a, [{ task: idOf(c) }]))).toMatchObject({
      kind: 'refused',
      constraint: 'prerequisite-cycle',
      cycle: [idOf(a), idOf(c), idOf(b)],
    });
  });

  it('refuses a cycle through the task that plans a batch', async () => {
    const batch = uuidv7();
    const planner = await stored(enqueue(queue()));
    const created = { batch, name: 'b', at: '2026-11-24T00:00:00.000Z', planner: idOf(planner) };
    await stored(item(`batch-${batch}`, -1, [{ type: 'BatchCreated', version: 1, data: created }]));
    const next = await stored(after({ batch }));
    const member = await stored(enqueue(queue(), { batch }));
    const refused = (...cycle: string[]) => ({
      kind: 'refused',
      constraint: 'prerequisite-cycle',
      cycle: [idOf(planner), ...cycle],
    });
    expect(await only(changed(planner, [{ task: idOf(next) }]))).toMatchObject(refused(idOf(next), batch));
    expect(await only(changed(planner, [{ task: idOf(member) }]))).toMatchObject(refused(idOf(member)));
  });

  it('refuses one of two halves of a cycle that arrive at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await stored(enqueue(queue())), await stored(enqueue(queue()))];
      const halves = await Promise.all([only(changed(a, [{ task: idOf(b) }])), only(changed(b, [{ task: idOf(a) }]))]);
      expect(halves.map(({ kind }) => kind).sort()).toEqual(['appended', 'refused']);
    }
  });

  it('accepts the other direction once the first was waived', async () => {
    const a = await stored(enqueue(queue()));
    const b = await stored(after({ task: idOf(a) }));
    await stored(changed(b, [], [idOf(a)]));
    await stored(changed(a, [{ task: idOf(b) }]));
  });

  it('refuses to delete a task that an unfinished one waits for, and names that', async () => {
    const a = await stored(enqueue(queue()));
    const b = await stored(after({ task: idOf(a) }));
    expect(await only(deleted(a))).toMatchObject({ kind: 'refused', constraint: 'task-awaited', taskId: idOf(b) });
    await stored(aborted(b));
    await stored(deleted(a));
  });
}
