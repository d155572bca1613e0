import { Injectable } from '@nestjs/common';
import { rowDiffers, wrongRow } from '../../../application/kernel/disputes.js';
import { EventStore, NO_STREAM, type RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { readable, readEach, UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import { fold } from '../../../domain/kernel/decider.js';
import { taskDecider } from '../../../domain/task/task.decider.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { taskIdOf, taskStream } from '../../../domain/task/task.stream.js';
import { type IndexedTask, PostgresQuarantine } from '../../dispatch-index/postgres-quarantine.js';
import type { Chore } from '../chore.js';

/** Takes back the tasks that an earlier build could not read and this one can, and those whose rows were repaired. */
@Injectable()
export class ReadQuarantinedAgain implements Chore<string> {
  readonly name = 'read quarantined tasks again';
  readonly idOf = (taskId: string) => taskId;

  constructor(
    private readonly store: EventStore,
    private readonly quarantine: PostgresQuarantine,
  ) {}

  find(limit: number): Promise<readonly string[]> {
    return this.quarantine.due(limit);
  }

  async act(tasks: readonly string[]): Promise<number> {
    const found = await readEach(
      tasks.map(taskStream),
      (streams) => this.readFirst(streams),
      (taskId) => taskId,
    );
    const unreadable = found.filter((one) => one instanceof UnreadableStream);
    await this.quarantine.postpone(unreadable);
    await this.quarantine.takeBack(found.filter((one) => typeof one === 'string'));
    return tasks.length;
  }

  /**
   * Returns the first tasks. Throws `UnreadableStream` unless their histories can be read, also those at hand, make sense, and
   * end where and how the index says.
   */
  private async readFirst(streams: readonly string[]): Promise<readonly string[]> {
    const { length } = await this.store.readAtHand(streams);
    const histories = await this.store.readFirst(streams.slice(0, length));
    const indexed = await this.quarantine.rowsOf(streams.map(taskIdOf));
    return histories.map((history, at) => soundOr(streams[at]!, history, indexed.get(taskIdOf(streams[at]!))));
  }
}

/** The id of a task whose history and row agree. Throws otherwise. */
function soundOr(stream: string, history: readonly RecordedEvent[], row: IndexedTask | undefined): string {
  const { position = null, revision: expected = NO_STREAM } = history.at(-1) ?? {};
  const events = history.map(({ event }) => event as TaskEvent);
  const { status } = readable(stream, position, () => fold(taskDecider, events));
  const actual = row?.revision ?? NO_STREAM;
  if (expected !== actual) throw wrongRow({ stream, expected, actual });
  if (status !== row?.state) throw rowDiffers(stream, `it is ${status}, and ${row?.state ?? 'unknown'}`);
  return taskIdOf(stream);
}
