import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { TaskEnds } from '../../../src/application/history/task-ends.js';
import type { AppendItem, EventReads } from '../../../src/application/kernel/event-store.port.js';
import type { Cursor, LiveLog } from '../../../src/application/kernel/live-log.port.js';
import type { LogSegment } from '../../../src/application/kernel/log-segment.js';
import { Signal } from '../../../src/application/kernel/signal.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { claim, defineQueue, enqueue, item, succeeded } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const LONG_MS = 600_000;
const NEVER = new AbortController().signal;

let db: PostgresFixture;
let ends: TaskEnds;
beforeAll(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('mail')]);
});
afterAll(() => db.close());
beforeEach(() => void (ends = new TaskEnds(db.store, new LogFeed(db.store))));

interface Running {
  readonly id: string;
  readonly end: AppendItem;
}

async function running(): Promise<Running> {
  const id = uuidv7();
  const one = enqueue('mail', {}, undefined, id);
  await db.store.append([one]);
  const claimed = claim(one);
  await db.store.append([claimed.item]);
  return { id, end: item(taskStream(id), 1, [succeeded('mail', claimed.token)]) };
}

/** A look at the task's events, and how often there was one. */
function lookAt(id: string) {
  const looked = new Signal();
  const look = jest.fn(async () => {
    const [events] = await db.store.readStreams([taskStream(id)]);
    looked.emit();
    return events!.length === 3;
  });
  return { look, times: (count: number) => looked.past(count - 1, NEVER) };
}

const TASK = uuidv7();

/** Events that a test tells, one at a time. Each is taken when the follower asks for the next. */
class ToldByHand implements LiveLog {
  private readonly asked = new Signal();
  private lacking: bigint | null = null;
  private answer: ((segments: readonly LogSegment[]) => void) | null = null;

  open(): Cursor {
    return {
      lackingUpTo: () => {
        const upTo = this.lacking;
        this.lacking = null;
        return Promise.resolve(upTo);
      },
      next: (_, signal) =>
        new Promise((resolve) => {
          this.answer = resolve;
          this.asked.emit();
          signal.addEventListener('abort', () => resolve([]));
        }),
      close: () => Promise.resolve(),
    };
  }

  /** Before what is told next, events lack. */
  lacks(upTo: bigint): void {
    this.lacking = upTo;
  }

  /** Resolves when the follower has taken the event. */
  async of(task: string, type: string): Promise<void> {
    if (this.answer === null) await this.asked.past(0, NEVER);
    const { count } = this.asked;
    this.answer!([{ type, streams: [taskStream(task)], position: 1n } as unknown as LogSegment]);
    await this.asked.past(count, NEVER);
  }
}

const isEnough = (found: boolean): boolean => found;
const patience = { waitMs: LONG_MS, signal: NEVER };

describe('a wait for the end of a task', () => {
  it('is over at once if the task has ended, and follows nothing', async () => {
    const task = await running();
    await db.store.append([task.end]);
    const open = jest.fn<LiveLog['open']>();
    const { look } = lookAt(task.id);
    expect(await new TaskEnds(db.store, { open }).look(task.id, look, isEnough, patience)).toBe(true);
    expect([look.mock.calls.length, open.mock.calls.length]).toEqual([1, 0]);
  });

  it('looks again when the task ends, and not for the ends of others', async () => {
    const [task, ...others] = [await running(), await running(), await running()];
    const { look, times } = lookAt(task.id);
    const ended = ends.look(task.id, look, isEnough, patience);
    await times(1);
    await times(2);
    for (const { end } of others) await db.store.append([end]);
    await db.store.append([task.end]);
    expect(await ended).toBe(true);
    expect(look).toHaveBeenCalledTimes(3);
  });

  it('misses no end that is told during a look', async () => {
    const [told, looked] = [new ToldByHand(), jest.fn<() => Promise<number>>()];
    const look = async (): Promise<number> => {
      const times = (await looked(), looked.mock.calls.length);
      if (times === 2) await told.of(TASK, 'TaskSucceeded');
      return times;
    };
    expect(await new TaskEnds(db.store, told).look(TASK, look, (times) => times === 3, patience)).toBe(3);
  });

  it('is woken by ends alone, and not by what else happens to the task', async () => {
    const [told, looked] = [new ToldByHand(), new Signal()];
    const look = (): Promise<number> => (looked.emit(), Promise.resolve(looked.count));
    const ended = new TaskEnds(db.store, told).look(TASK, look, (times) => times === 3, patience);
    await looked.past(0, NEVER);
    await looked.past(1, NEVER);
    for (const type of ['TaskClaimed', 'TaskReturned', 'TaskPrioritised']) await told.of(TASK, type);
    expect(looked.count).toBe(2);
    await told.of(TASK, 'TaskAborted');
    expect(await ended).toBe(3);
  });

  it('is woken by whatever happens to the task, if it asks for that, and not by what happens to others', async () => {
    const [told, looked] = [new ToldByHand(), new Signal()];
    const look = (): Promise<number> => (looked.emit(), Promise.resolve(looked.count));
    const wakes = { ...patience, wakes: 'change' } as const;
    const changed = new TaskEnds(db.store, told).look(TASK, look, (times) => times === 3, wakes);
    await looked.past(0, NEVER);
    await looked.past(1, NEVER);
    await told.of(uuidv7(), 'TaskSucceeded');
    expect(looked.count).toBe(2);
    await told.of(TASK, 'TaskClaimed');
    expect(await changed).toBe(3);
  });

  it('misses no end between the first look and the time from which it follows', async () => {
    const task = await running();
    const { look } = lookAt(task.id);
    const early = jest.fn(async () => {
      const found = await look();
      if (look.mock.calls.length === 1) await db.store.append([task.end]);
      return found;
    });
    expect(await ends.look(task.id, early, isEnough, patience)).toBe(true);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('answers with what it saw last when the time is over', async () => {
    const task = await running();
    expect(await ends.look(task.id, lookAt(task.id).look, isEnough, { waitMs: 20, signal: NEVER })).toBe(false);
  });

  it('ends when nobody waits for the answer', async () => {
    const [task, caller] = [await running(), new AbortController()];
    const { look, times } = lookAt(task.id);
    const ended = ends.look(task.id, look, isEnough, { waitMs: LONG_MS, signal: caller.signal });
    await times(1);
    await times(2);
    caller.abort();
    expect(await ended).toBe(false);
  });
});

describe('a thousand waits', () => {
  it('share one place in the log, which is left with the last of them', async () => {
    const tasks = [await running(), await running()];
    const feed = new LogFeed(db.store);
    const left = new Signal();
    const open = jest.spyOn(feed, 'open').mockImplementation((...given) => {
      const cursor = LogFeed.prototype.open.apply(feed, given);
      return { ...cursor, close: () => cursor.close().then(() => left.emit()) };
    });
    const shared = new TaskEnds(db.store, feed);
    const looks = tasks.map(({ id }) => ({ id, ...lookAt(id) }));
    const waits = Array.from({ length: 1_000 }, (_, at) => {
      const { id, look } = looks[at % 2]!;
      return shared.look(id, look, isEnough, patience);
    });
    await db.store.append(tasks.map(({ end }) => end));
    expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
    expect(open).toHaveBeenCalledTimes(1);
    await left.past(0, NEVER);
    expect(left.count).toBe(1);
  });
});

describe('a log that cannot be read', () => {
  const broken = (cursor: Partial<Cursor>): LiveLog => ({
    open: () => ({
      lackingUpTo: () => Promise.resolve(null),
      next: () => Promise.reject(new Error('the log is away')),
      close: () => Promise.resolve(),
      ...cursor,
    }),
  });

  it('ends the wait, and the next one begins anew', async () => {
    const task = await running();
    const { look } = lookAt(task.id);
    const once = new TaskEnds(db.store, broken({}));
    await expect(once.look(task.id, look, isEnough, patience)).rejects.toThrow('the log is away');
    await expect(once.look(task.id, look, isEnough, patience)).rejects.toThrow('the log is away');
  });

  it('is told before the wait begins', async () => {
    const task = await running();
    const away = { head: () => Promise.reject(new Error('no head')) } as unknown as EventReads;
    const one = new TaskEnds(away, broken({}));
    await expect(one.look(task.id, lookAt(task.id).look, isEnough, patience)).rejects.toThrow('no head');
  });

  it('makes all look again if events before the newest are not at hand', async () => {
    const [told, looked] = [new ToldByHand(), new Signal()];
    const look = (): Promise<number> => (looked.emit(), Promise.resolve(looked.count));
    const ended = new TaskEnds(db.store, told).look(TASK, look, (times) => times === 3, patience);
    await looked.past(0, NEVER);
    await looked.past(1, NEVER);
    told.lacks(1_000n);
    await told.of(uuidv7(), 'TaskSucceeded');
    expect(await ended).toBe(3);
  });
});
