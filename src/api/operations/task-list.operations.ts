import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HistoryReader } from '../../application/history/history-reader.js';
import { ListTasks, type TaskFilter, type TaskPage } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from '../answer.js';
import { type PageQuery, TaskQuery } from '../dto/query.dto.js';
import { QueryValidator, wholeNumber } from '../input/query-validator.js';
import { asInvalidInput, PAGE, pages } from './pages.js';
import { queueName } from './parameters.js';
import { Reads } from './reads.js';

const tasks = new QueryValidator(TaskQuery, { limit: wholeNumber });

/** Lists of tasks, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class TaskListOperations {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly history: HistoryReader,
  ) {}

  listTasks(query: unknown): Promise<Answer<TaskPage>> {
    const { cursor, limit, minPosition, label, ...filter } = tasks.of(query);
    return this.page(
      { ...filter, ...(label !== undefined && { label: labelIn(label) }) },
      { cursor, limit, minPosition },
    );
  }

  listFailedTasks(queue: string, query: unknown): Promise<Answer<TaskPage>> {
    return this.page({ queue: queueName(queue), state: 'failed' }, pages.of(query));
  }

  private page(filter: TaskFilter, { cursor = null, limit = PAGE, minPosition }: Pages): Promise<Answer<TaskPage>> {
    return this.reads.from('tasks', minPosition, async () => {
      const page = await this.queries.execute(new ListTasks(filter, cursor, limit)).catch(asInvalidInput);
      // Only an empty list can be that of a queue that never was.
      if (page.items.length === 0 && filter.queue !== undefined) await this.history.assertThere(filter);
      return page;
    });
  }
}

type Pages = Pick<PageQuery, 'minPosition' | 'limit'> & { readonly cursor?: string | null };

/** The name ends at the first colon. */
function labelIn(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
