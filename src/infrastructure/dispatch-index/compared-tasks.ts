import { rowDiffers, wrongRow } from '../../application/kernel/disputes.js';
import { EventStore, NO_STREAM, type RecordedEvent } from '../../application/kernel/event-store.port.js';
import { readable, readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskIdOf, taskStream } from '../../domain/task/task.stream.js';
import type { IndexedTask, PostgresQuarantine } from './postgres-quarantine.js';

/** `sound`: the task's history and its row agree. `unknown`: it has neither. */
export type Comparison = 'sound' | 'unknown' | UnreadableStream;

/** Compares the histories of tasks with their rows in the index. */
export class ComparedTasks {
  constructor(
    private readonly store: EventStore,
    private readonly quarantine: PostgresQuarantine,
  ) {}

  /** One comparison for each task, in order. */
  compare(tasks: readonly string[]): Promise<readonly Comparison[]> {
    return readEach<Comparison, Comparison>(
      tasks.map(taskStream),
      (streams) => this.compareFirst(streams),
      (comparison) => comparison,
    );
  }

  /** The tasks that cannot be read, or whose rows are wrong: also at a second look, because the first may fall between two reads. */
  async wrong(tasks: readonly string[]): Promise<readonly UnreadableStream[]> {
    const suspects = (await this.compare(tasks)).filter((one) => one instanceof UnreadableStream);
    const again = await this.compare(suspects.map(({ stream }) => taskIdOf(stream)));
    return again.filter((one) => one instanceof UnreadableStream);
  }

  /**
   * Compares the first tasks. Throws `UnreadableStream` unless their histories can be read, also those at hand, make sense, and
   * end where and how the index says.
   */
  private async compareFirst(streams: readonly string[]): Promise<readonly Comparison[]> {
    const { length } = await this.store.readAtHand(streams);
    const histories = await this.store.readFirst(streams.slice(0, length));
    const indexed = await this.quarantine.rowsOf(streams.map(taskIdOf));
    return histories.map((history, at) => comparisonOf(streams[at]!, history, indexed.get(taskIdOf(streams[at]!))));
  }
}

function comparisonOf(stream: string, history: readonly RecordedEvent[], row: IndexedTask | undefined): Comparison {
  if (history.length === 0 && !row) return 'unknown';
  const { position = null, revision: expected = NO_STREAM } = history.at(-1) ?? {};
  const events = history.map(({ event }) => event as TaskEvent);
  const { status } = readable(stream, position, () => fold(taskDecider, events));
  const actual = row?.revision ?? NO_STREAM;
  if (expected !== actual) throw wrongRow({ stream, expected, actual });
  if (status !== row?.state) throw rowDiffers(stream, `it is ${status}, and ${row?.state ?? 'unknown'}`);
  return 'sound';
}
