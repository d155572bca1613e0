import { uuidv7 } from 'uuidv7';
import { DeciderRunner } from '../../src/application/kernel/decider-runner.js';
import type { TaskCommand } from '../../src/domain/task/task.commands.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { MemoryEventStore } from '../support/memory-event-store/memory-event-store.js';
import { NO_PAYLOAD_STORE } from '../support/no-payload-store.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { by } from './application.js';

const command: TaskCommand = {
  type: 'EnqueueTask',
  now: '2026-11-21T08:00:00.000Z',
  by: 'producer',
  submission: { queue: 'mail', kind: 'task', payload: null, priority: 0 },
  heldBy: null,
};

describe('a batch, in a store that answers at once', () => {
  const runner = new DeciderRunner(new MemoryEventStore(new LocalWakeUps()), NO_PAYLOAD_STORE);

  async function turnsOf(size: number): Promise<number> {
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    const work = Array.from({ length: size }, () => ({ stream: taskStream(uuidv7()), command, load: 'new' as const }));
    const outcomes = await runner.runMany(taskDecider, work, by('producer'));
    clearImmediate(counting);
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(size);
    return turns;
  }

  it('yields the event loop before each step if it is large: to decide, to append, to answer', async () => {
    expect(await turnsOf(500)).toBeGreaterThanOrEqual(3);
  });

  it('does not yield if it is small', async () => {
    expect(await turnsOf(10)).toBe(0);
  });
});
