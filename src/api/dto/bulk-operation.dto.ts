import { TASK_STATUSES } from '../../domain/task/task.events.js';
import { BULK_COMMANDS, type BulkCommand } from '../../application/bulk-operations/bulk-operation.js';
import { Choice, Closed, Flag, Integer, Part, Text, Uuid, Uuids } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { LABEL_FILTER, Limits, QUEUE_NAME } from './limits.js';
import { ReasonRequest } from './reason.dto.js';

/** As in the query of a list of tasks. */
@Closed()
export class BulkOperationFilter {
  @Text({ max: 100, pattern: QUEUE_NAME, optional: true })
  queue?: string;

  @Choice(TASK_STATUSES, { optional: true })
  state?: (typeof TASK_STATUSES)[number];

  @Text({ max: Limits.key, optional: true })
  key?: string;

  @Text({ max: Limits.reference, optional: true })
  reference?: string;

  @Text({ max: Limits.kind, optional: true })
  kind?: string;

  @Text({ max: Limits.worker, optional: true })
  worker?: string;

  @Uuid({ optional: true })
  batch?: string;

  @Text({ max: 321, pattern: LABEL_FILTER, optional: true, example: 'customer:acme', description: 'As `name:value`.' })
  label?: string;
}

/** The most tasks that one request can name. */
const MOST_NAMED = 500;

@Closed()
export class BulkOperationRequest extends ReasonRequest {
  @Choice(BULK_COMMANDS)
  command!: BulkCommand;

  @Part(() => BulkOperationFilter, {
    optional: true,
    description: 'Which tasks. Either this, `tasks` or `all` is given.',
  })
  filter?: BulkOperationFilter;

  @Uuids({ max: MOST_NAMED, optional: true, description: 'The ids of the tasks.' })
  tasks?: string[];

  @Flag({ optional: true, description: "Every task, except those of the service's own queues." })
  all?: boolean;

  @Integer({ ...Limits.priority, optional: true, description: 'With `prioritise`: the new priority.' })
  priority?: number;

  @Flag({ optional: true, description: 'Only count the tasks.' })
  preview?: boolean;
}

export class StartedBulkOperation {
  @Count({ description: 'How many tasks matched when the operation was ordered.' })
  count!: number;

  @Uuid({ nullable: true, description: 'The id of the operation, which is a task; null for a preview.' })
  id!: string | null;

  @Position({ nullable: true })
  position!: string | null;
}
