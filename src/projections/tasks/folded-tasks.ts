import { Injectable } from '@nestjs/common';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { prerequisitesAfter } from '../kernel/prerequisites-then.js';
import { PastTasks, type TaskThen } from '../kernel/past-tasks.js';
import { pastTask } from './past-task.js';

@Injectable()
export class FoldedTasks extends PastTasks {
  constructor(private readonly past: Past) {
    super();
  }

  async at(ids: readonly string[], { position }: Moment): Promise<readonly (TaskThen | null)[]> {
    const histories = await this.past.historiesAt(ids.map(taskStream), position);
    return ids.map((id, at) => taskThen(id, histories[at] as readonly Recorded<TaskEvent>[]));
  }
}

function taskThen(id: string, events: readonly Recorded<TaskEvent>[]): TaskThen | null {
  const row = pastTask(id, events)?.row;
  if (!row) return null;
  const begun = row.entered || row.started_at !== null;
  const { queue, batch, kind, reference, description, last_step: step } = row;
  const after = prerequisitesAfter(events);
  return { queue, batch, kind, reference, description, step, state: row.state as TaskStatus, begun, after };
}
