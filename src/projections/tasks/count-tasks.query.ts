import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { DecidedTasks } from './decided-tasks.js';
import { filtered, type TaskFilter } from './list-tasks.query.js';
import { searchPlan } from './search/search-plan.js';
import { TaskEntity } from './task.entity.js';

/** How many tasks match, or how many of the named ones exist. Without a queue, those of the service itself do not count. Throws what `ListTasks` does. */
export class CountTasks extends Query<number> {
  constructor(readonly selection: TaskFilter | { readonly tasks: readonly string[] }) {
    super();
  }
}

/** In the lists or in the archive. */
const NAMED = 'select count(*)::int as count from known_tasks where task_id = any ($1::uuid[])';

@QueryHandler(CountTasks)
export class CountTasksHandler implements IQueryHandler<CountTasks> {
  constructor(
    private readonly db: DataSource,
    private readonly decided: DecidedTasks,
  ) {}

  async execute({ selection }: CountTasks): Promise<number> {
    if ('tasks' in selection) return this.named(selection.tasks);
    const rows = this.db.getRepository(TaskEntity).createQueryBuilder('t');
    const filter = selection.queue === undefined ? { ...selection, internal: false } : selection;
    return filtered(rows, filter, await searchPlan(this.db, this.decided, filter)).getCount();
  }

  private async named(tasks: readonly string[]): Promise<number> {
    const [{ count }] = await this.db.query<[{ count: number }]>(NAMED, [tasks]);
    return count;
  }
}
