import { describe, expect, it } from '@jest/globals';
import { ChangesFiring, type ChangesState } from '../../../src/application/triggers/changes-firing.js';
import type { EventStore } from '../../../src/application/kernel/event-store.port.js';
import type { ServiceTask, ServiceTasks } from '../../../src/application/service-tasks/service-tasks.js';

const CONTEXT = { actor: 'trigger:morning', correlationId: 'c' } as const;
const TO = { mail: { to: ['ann@example.com'] } };
const state = (upTo: string): ChangesState => ({
  status: 'enabled',
  definition: {
    cron: '0 7 * * *',
    timeZone: 'UTC',
    missed: 'latest',
    description: '',
    changes: { queue: 'mail', to: TO },
  },
  next: '2026-11-23T07:00:00.000Z',
  owed: null,
  skipped: null,
  last: null,
  upTo,
  failures: 0,
});

/** The tasks that were ordered, of a log that grows by ten events between two looks at its end. */
class Ordered {
  readonly tasks = new Map<string, ServiceTask>();
  head = 0n;

  readonly firing = new ChangesFiring(
    {
      enqueue: (_: unknown, [task]: readonly ServiceTask[]) => {
        const { taskId } = task!;
        if (this.tasks.has(taskId!)) return Promise.resolve([{ kind: 'refused', rejection: { code: 'TASK_EXISTS' } }]);
        this.tasks.set(taskId!, task!);
        return Promise.resolve([{ kind: 'done', status: 'enqueued', receipt: { id: taskId } }]);
      },
    } as unknown as ServiceTasks,
    {
      head: () => Promise.resolve((this.head += 10n)),
      readFirst: ([stream]: readonly string[]) => {
        const { payload } = this.tasks.get(stream!.slice('task-'.length))!;
        return Promise.resolve([[{ event: { data: { payload } }, position: 1n, revision: 0 }]]);
      },
    } as unknown as EventStore,
  );

  ranges() {
    return [...this.tasks.values()].map(({ payload }) => (payload as { changes: object }).changes);
  }
}

const [FIRST, SECOND] = ['2026-11-23T07:00:00.000Z', '2026-11-24T07:00:00.000Z'] as const;

describe('the delivery of what has changed', () => {
  it('goes on where the last one ended', async () => {
    const ordered = new Ordered();
    const one = await ordered.firing.fire('morning', state('5'), FIRST, CONTEXT);
    expect(one).toMatchObject({ occurrence: FIRST, upTo: '10' });
    expect(await ordered.firing.fire('morning', state('10'), SECOND, CONTEXT)).toMatchObject({ upTo: '20' });
    expect(ordered.ranges()).toEqual([
      { trigger: 'morning', at: FIRST, queue: 'mail', after: '5', upTo: '10' },
      { trigger: 'morning', at: SECOND, queue: 'mail', after: '10', upTo: '20' },
    ]);
  });

  it('is found with its range by whoever repeats a firing that was not recorded', async () => {
    const ordered = new Ordered();
    const one = await ordered.firing.fire('morning', state('5'), FIRST, CONTEXT);
    expect(await ordered.firing.fire('morning', state('5'), FIRST, CONTEXT)).toEqual(one);
    expect(ordered.ranges()).toHaveLength(1);
  });

  it('of a later occurrence tells what came after one that was not recorded', async () => {
    const ordered = new Ordered();
    await ordered.firing.fire('morning', state('5'), FIRST, CONTEXT);
    const later = await ordered.firing.fire('morning', state('5'), SECOND, CONTEXT);
    expect(later).toMatchObject({ occurrence: SECOND, upTo: '30' });
    expect(ordered.ranges()).toEqual([
      { trigger: 'morning', at: FIRST, queue: 'mail', after: '5', upTo: '10' },
      { trigger: 'morning', at: SECOND, queue: 'mail', after: '10', upTo: '30' },
    ]);
  });

  it('is refused if its id is taken by something else', async () => {
    const ordered = new Ordered();
    await ordered.firing.fire('morning', state('5'), FIRST, CONTEXT);
    for (const [id, task] of ordered.tasks) ordered.tasks.set(id, { ...task, payload: 'other' });
    const refused = await ordered.firing.fire('morning', state('5'), FIRST, CONTEXT);
    expect(refused).toEqual({ problem: { code: 'TASK_EXISTS' } });
  });
});
