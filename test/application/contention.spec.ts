import { jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { DeciderRunner } from '../../src/application/kernel/decider-runner.js';
import { StreamContentionError, type StreamCommand } from '../../src/application/kernel/stream-command.js';
import type { AppendItem, AppendResult } from '../../src/application/kernel/event-store.port.js';
import type { TaskCommand } from '../../src/domain/task/task.commands.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import type { TaskState } from '../../src/domain/task/task.state.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { MemoryEventStore } from '../support/memory-event-store/memory-event-store.js';
import { NO_PAYLOAD_STORE } from '../support/no-payload-store.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { enqueued, item } from '../support/events.js';
import { by } from './application.js';

/** Another append always comes first on the busy streams, as long as time goes on. */
class BusyStore extends MemoryEventStore {
  readonly busy = new Set<string>();

  override async append(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    for (const { stream, expected } of items)
      if (this.busy.has(stream)) await super.append([item(stream, expected, [NOTED])]);
    return super.append(items);
  }
}

const NOTED = { type: 'TaskReprioritised', version: 1, data: { queue: 'mail', priority: 7, previous: 7, by: 'other' } };

const prioritise = (stream: string): StreamCommand<TaskState, TaskCommand> => ({
  stream,
  command: { type: 'ReprioritiseTask', now: '2026-11-21T08:00:00.000Z', by: 'producer', priority: 3 } as TaskCommand,
  load: 'cached',
});

describe('a stream that changes before every append', () => {
  const store = new BusyStore(new LocalWakeUps());
  const runner = new DeciderRunner(store, NO_PAYLOAD_STORE);
  const [busy, quiet] = [taskStream(uuidv7()), taskStream(uuidv7())];
  let now = 0;

  beforeAll(async () => {
    await store.append([item(busy, -1, [enqueued('mail')]), item(quiet, -1, [enqueued('mail')])]);
    store.busy.add(busy);
    // Each look at the clock takes a second.
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  });
  afterAll(() => void jest.restoreAllMocks());

  it('is contended alone: the other items of the batch are stored', async () => {
    const outcomes = await runner.runMany(taskDecider, [prioritise(busy), prioritise(quiet)], by('producer'));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['contended', 'accepted']);
  });

  it('throws an error for a single command', async () => {
    await expect(runner.run(taskDecider, prioritise(busy), by('producer'))).rejects.toThrow(StreamContentionError);
  });

  it('takes the command as soon as the others are done', async () => {
    let before = 20;
    const append = store.append.bind(store);
    store.append = async (items) => {
      if (before-- === 0) store.busy.delete(busy);
      return append(items);
    };
    jest.spyOn(performance, 'now').mockReturnValue(now);
    expect(await runner.run(taskDecider, prioritise(busy), by('producer'))).toMatchObject({ kind: 'accepted' });
  });
});
