import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Refused } from '../../../src/application/kernel/application-error.js';
import { DeciderRunner } from '../../../src/application/kernel/decider-runner.js';
import { Quarantine } from '../../../src/application/kernel/quarantine.port.js';
import type { StreamCommand } from '../../../src/application/kernel/stream-command.js';
import { UnreadableStream } from '../../../src/application/kernel/unreadable-stream.js';
import type { TaskCommand } from '../../../src/domain/task/task.commands.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { MemoryEventStore } from '../../support/memory-event-store/memory-event-store.js';
import { NO_PAYLOAD_STORE } from '../../support/no-payload-store.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { by } from '../application.js';

const BUG = new TypeError('Expected no bug, but here is one');

class Aside extends Quarantine {
  readonly streams: string[] = [];

  override async add(streams: readonly UnreadableStream[]): Promise<void> {
    this.streams.push(...streams.map(({ stream }) => stream));
  }
}

const broke = (): never => {
  throw BUG;
};

type Work = StreamCommand<TaskState, TaskCommand>;
const given = { now: '2026-11-21T08:00:00.000Z', by: 'producer' };
const submission = { queue: 'mail', kind: 'task', payload: null, priority: 0 };
const enqueue = (id: string): Work => ({
  stream: taskStream(id),
  command: { ...given, type: 'EnqueueTask', submission, heldBy: null } as TaskCommand,
  load: 'new',
});
const cancel = (id: string, more: Partial<Work> = {}): Work => ({
  stream: taskStream(id),
  command: { ...given, type: 'CancelTask' } as TaskCommand,
  load: 'cached',
  ...more,
});

describe('rules that break on one command of several', () => {
  let store: MemoryEventStore;
  let aside: Aside;
  let runner: DeciderRunner;
  let broken: string;
  let others: [string, string];
  /** Breaks on the commands of one task. */
  const decider = {
    ...taskDecider,
    decide: (command: TaskCommand & { readonly breaks?: true }, state: TaskState) => {
      if (command.breaks) throw BUG;
      return taskDecider.decide(command, state);
    },
  };
  const breaking = ({ command, ...work }: Work): Work => {
    const made = typeof command === 'function' ? command : () => command;
    return {
      ...work,
      command: async (...from) => ({ ...(await made(...from)), breaks: true }) as never,
    };
  };

  beforeEach(() => {
    Logger.overrideLogger(false);
    store = new MemoryEventStore(new LocalWakeUps());
    aside = new Aside();
    runner = new DeciderRunner(store, NO_PAYLOAD_STORE, aside);
    broken = uuidv7();
    others = [uuidv7(), uuidv7()];
  });

  it('leave the others as they are, and record nothing for it', async () => {
    const work = [enqueue(others[0]), breaking(enqueue(broken)), enqueue(others[1])];
    const outcomes = await runner.runMany(decider, work, by('producer'));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'failed', 'accepted']);
    expect(await store.readStreams([taskStream(broken)])).toEqual([[]]);
    expect(aside.streams).toEqual([]);
  });

  it.each([
    ['its rules', (id: string) => cancel(id, { command: { ...given, type: 'CancelTask', breaks: true } as never })],
    ['its rules, on a command that was made with the state,', (id: string) => breaking(cancel(id))],
    ['what makes the command', (id: string) => cancel(id, { command: broke })],
  ])('put a task aside that exists, if %s break', async (_, work) => {
    await runner.runMany(taskDecider, [broken, ...others].map(enqueue), by('producer'));
    const outcomes = await runner.runMany(
      decider,
      [cancel(others[0]), work(broken), cancel(others[1])],
      by('producer'),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'failed', 'accepted']);
    expect(aside.streams).toEqual([taskStream(broken)]);
  });

  it('leave the others as they are if it is the queue of one task that cannot be read', async () => {
    await runner.runMany(taskDecider, [broken, ...others].map(enqueue), by('producer'));
    const error = new UnreadableStream('queue-mail', 1n, BUG);
    const work = cancel(broken, { command: () => Promise.reject(error) });
    const outcomes = await runner.runMany(taskDecider, [cancel(others[0]), work, cancel(others[1])], by('producer'));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'unreadable', 'accepted']);
    expect(aside.streams).toEqual([]);
  });

  it('are not broken if they refuse what they were given', async () => {
    await runner.runMany(taskDecider, [broken].map(enqueue), by('producer'));
    const rejection = { code: 'CRON_INVALID', cron: 'x', reason: 'it is not' } as const;
    const refuse = (): never => {
      throw new Refused(rejection);
    };
    const [outcome] = await runner.runMany(taskDecider, [cancel(broken, { command: refuse })], by('producer'));
    expect(outcome).toMatchObject({ kind: 'rejected', rejection });
    expect(aside.streams).toEqual([]);
  });

  it('are the error of a single command', async () => {
    await expect(runner.run(decider, breaking(enqueue(broken)), by('producer'))).rejects.toBe(BUG);
  });
});
