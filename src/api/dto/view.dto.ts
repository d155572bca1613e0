import { ApiProperty } from '@nestjs/swagger';
import { TASK_ORDERS, type TaskOrder } from '../../projections/tasks/task-filter.js';
import { Choice, Closed, Flag, Instant, Text } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { SEARCHED } from './search.fields.js';

@Closed()
export class ViewDefinition {
  @Text({ ...SEARCHED, description: 'A search of tasks, as in the query of their list; every task matches if absent.' })
  q?: string;

  @Flag({ optional: true, description: '`true`: only open tasks whose deadline has passed.' })
  overdue?: boolean;

  @Choice(TASK_ORDERS, { optional: true, description: 'As in the query of a list of tasks.' })
  sort?: TaskOrder;

  @Text({ max: Limits.reason, optional: true, example: 'For the morning round' })
  reason?: string;
}

export const definitionOf = ({ q, overdue, sort }: ViewDefinition) => ({
  q: q ?? '',
  overdue: overdue ?? false,
  sort: sort ?? null,
});

export class SavedView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'failed-mail' })
  name!: string;

  @Text({ min: 0, max: Limits.search, description: 'A search of tasks; empty if every task matches.' })
  q!: string;

  @Flag({ description: 'Whether it has only open tasks whose deadline has passed.' })
  overdue!: boolean;

  @Choice(TASK_ORDERS, { nullable: true })
  sort!: TaskOrder | null;

  @Text({ max: Limits.actor, description: 'Who saved it last.' })
  savedBy!: string;

  @Instant({})
  savedAt!: string;

  @Count()
  revision!: number;

  @Position()
  position!: string;
}

export class SavedViewList {
  @ApiProperty({ type: () => [SavedView] })
  items!: SavedView[];
}
