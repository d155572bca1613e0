import { uuidv7 } from 'uuidv7';
import type { EventStore } from '../../../src/application/kernel/event-store.port.js';
import { AbortDependants, AbortDependantsHandler } from '../../../src/application/tasks/abort-dependants.handler.js';
import { fold } from '../../../src/domain/kernel/decider.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import type { KnownTask } from '../../../src/domain/task/task.state.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

describe.each([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
])('the abort of what depends on an aborted task, with the events in %s', (_, open) => {
  let dispatch: DispatchFixture;
  let leaders: Leaders;
  let term: LeaderTerm;
  const queue = `q-${uuidv7()}`;
  beforeAll(async () => {
    dispatch = await open();
    await dispatch.define(queue);
    leaders = new Leaders(dispatch.pool);
    ({ term } = (await leaders.tryToLead('sweeper'))!);
  });
  afterAll(async () => {
    await leaders.close();
    await dispatch.close();
  });

  const historyOf = async (id: string): Promise<readonly TaskEvent[]> =>
    (await dispatch.store.readFirst([taskStream(id)]))[0]!.map(({ event }) => event as TaskEvent);

  /** Two waiting tasks, the first of which was aborted. Returns how it was, too. */
  async function aborted() {
    const [prerequisite, dependant] = (await dispatch.enqueue(queue, [{}, {}])) as [string, string];
    const before = fold(taskDecider, await historyOf(prerequisite)) as KnownTask;
    expect(await dispatch.command(prerequisite, { type: 'AbortTask', reason: 'a mistake' } as never)).toBe('accepted');
    return { prerequisite, dependant, before };
  }

  const abort = (store: EventStore, prerequisite: string, taskId: string): Promise<number> => {
    const quarantine = new PostgresQuarantine(dispatch.pool, dispatch.wakeUps);
    const handler = new AbortDependantsHandler(dispatch.runner, dispatch.clock, store, quarantine);
    return handler.execute(new AbortDependants([{ taskId, prerequisite }], term));
  };

  it('aborts it', async () => {
    const { prerequisite, dependant } = await aborted();
    expect(await abort(dispatch.store, prerequisite, dependant)).toBe(1);
    expect((await historyOf(dependant)).at(-1)!.type).toBe('TaskAborted');
  });

  it('aborts nothing if the task comes back after its abort was read', async () => {
    const { prerequisite, dependant, before } = await aborted();
    const comesBack = Object.create(dispatch.store, {
      readFirst: {
        value: async (streams: readonly string[]) => {
          const found = await dispatch.store.readFirst(streams);
          const undo = {
            type: 'RestoreTask',
            undoes: uuidv7(),
            before: { state: before, entered: false, place: null },
          };
          expect(await dispatch.command(prerequisite, undo as never)).toBe('accepted');
          return found;
        },
      },
    }) as EventStore;
    expect(await abort(comesBack, prerequisite, dependant)).toBe(0);
    expect((await historyOf(dependant)).at(-1)!.type).not.toBe('TaskAborted');
  });
});
