import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { filtered, type TaskFilter } from './list-tasks.query.js';
import { TaskEntity } from './task.entity.js';

/** How many tasks match, or how many of the named ones exist. Without a queue, those of the service itself do not count. */
export class CountTasks extends Query<number> {
  constructor(readonly selection: TaskFilter | { readonly tasks: readonly string[] }) {
    super();
  }
}

@QueryHandler(CountTasks)
export class CountTasksHandler implements IQueryHandler<CountTasks> {
  constructor(private readonly db: DataSource) {}

  execute({ selection }: CountTasks): Promise<number> {
    const rows = this.db.getRepository(TaskEntity).createQueryBuilder('t');
    if ('tasks' in selection) return rows.where('t.taskId = any(:tasks)', { tasks: selection.tasks }).getCount();
    if (selection.queue === undefined) rows.where("t.queue not like 'waybill.%'");
    return filtered(rows, selection).getCount();
  }
}
