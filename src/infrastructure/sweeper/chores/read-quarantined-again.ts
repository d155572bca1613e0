import { Injectable } from '@nestjs/common';
import { rowDiffers } from '../../../application/kernel/disputes.js';
import { EventStore } from '../../../application/kernel/event-store.port.js';
import { UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import { ComparedTasks, type Comparison } from '../../dispatch-index/compared-tasks.js';
import { PostgresQuarantine } from '../../dispatch-index/postgres-quarantine.js';
import type { Chore } from '../chore.js';

/** Takes back the tasks that an earlier build could not read and this one can, and those whose rows were repaired. */
@Injectable()
export class ReadQuarantinedAgain implements Chore<string> {
  readonly name = 'read quarantined tasks again';
  readonly idOf = (taskId: string) => taskId;
  private readonly compared: ComparedTasks;

  constructor(
    store: EventStore,
    private readonly quarantine: PostgresQuarantine,
  ) {
    this.compared = new ComparedTasks(store, quarantine);
  }

  find(limit: number): Promise<readonly string[]> {
    return this.quarantine.due(limit);
  }

  async act(tasks: readonly string[]): Promise<number> {
    const compared = await this.compared.compare(tasks);
    await this.quarantine.postpone(compared.flatMap((one, at) => reasonAgainst(tasks[at]!, one)));
    await this.quarantine.takeBack(tasks.filter((_, at) => compared[at] === 'sound'));
    return tasks.length;
  }
}

function reasonAgainst(task: string, compared: Comparison): readonly UnreadableStream[] {
  if (compared === 'sound') return [];
  return [compared === 'unknown' ? rowDiffers(taskStream(task), 'it has neither') : compared];
}
