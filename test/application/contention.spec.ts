import { uuidv7 } from 'uuidv7';
import { DeciderRunner } from '../../src/application/kernel/decider-runner.js';
import { StreamContentionError, type StreamCommand } from '../../src/application/kernel/stream-command.js';
import type { AppendItem, AppendResult } from '../../src/application/kernel/event-store.port.js';
import type { TaskCommand } from '../../src/domain/task/task.commands.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import type { TaskState } from '../../src/domain/task/task.state.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { MemoryEventStore } from '../../src/infrastructure/memory-event-store/memory-event-store.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { by } from './application.js';

/** Another append always comes first on the busy streams. */
class BusyStore extends MemoryEventStore {
  readonly busy = new Set<string>();

  override async append(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    const results = await super.append(items.filter(({ stream }) => !this.busy.has(stream)));
    const stored = results.values();
    return items.map(({ stream, expected }) =>
      this.busy.has(stream) ? { kind: 'conflict', actual: expected + 1 } : stored.next().value!,
    );
  }
}

const submission = { queue: 'mail', kind: 'task', payload: null, priority: 0 };
const enqueue = (stream: string): StreamCommand<TaskState, TaskCommand> => ({
  stream,
  command: {
    type: 'EnqueueTask',
    now: '2026-11-21T08:00:00.000Z',
    by: 'producer',
    submission,
    heldBy: null,
  } as TaskCommand,
  load: 'new',
});

describe('a stream that changes before every append', () => {
  const store = new BusyStore(new LocalWakeUps());
  const runner = new DeciderRunner(store);
  const [busy, quiet] = [taskStream(uuidv7()), taskStream(uuidv7())];
  store.busy.add(busy);

  it('is contended alone: the other items of the batch are stored', async () => {
    const outcomes = await runner.runMany(taskDecider, [enqueue(busy), enqueue(quiet)], by('producer'));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['contended', 'accepted']);
    expect(await store.readStreams([busy, quiet])).toMatchObject([[], [{ revision: 0 }]]);
  });

  it('throws an error for a single command', async () => {
    await expect(runner.run(taskDecider, enqueue(busy), by('producer'))).rejects.toThrow(StreamContentionError);
  });
});
