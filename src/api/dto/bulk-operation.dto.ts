import { TASK_STATUSES } from '../../domain/task/task.events.js';
import { RUNNING_TASKS, type RunningTasks } from '../../application/queue-deletions/queue-deletion.js';
import { BULK_COMMANDS } from '../../application/bulk-operations/bulk-operation.js';
import { Choice, Closed, Decimal, Flag, FlagOr, Instant, Integer, Part, Text, Uuid, Uuids } from '../input/fields.js';
import { POSITION } from '../input/since.js';
import { Count, Indexed, Position } from './answer.fields.js';
import { DECIDED } from './decided-fields.js';
import { FAILURE_GROUP, LABEL_FILTER, Limits, QUEUE_NAME } from './limits.js';
import { OperationPreview } from './operation-preview.dto.js';
import { SEARCHED } from './search.fields.js';
import { ReasonRequest } from './reason.dto.js';
import { RunAgainFields } from './run-again.dto.js';

/** As in the query of a list of tasks. */
@Closed()
export class BulkOperationFilter {
  @Text(SEARCHED)
  q?: string;

  @Text({ max: 100, pattern: QUEUE_NAME, optional: true })
  queue?: string;

  @Choice(TASK_STATUSES, {
    optional: true,
    description: 'One of them. A search has several: `"q": "state:failed,held"`.',
  })
  state?: (typeof TASK_STATUSES)[number];

  @Text({ max: Limits.key, optional: true })
  key?: string;

  @Text({ max: Limits.reference, optional: true })
  reference?: string;

  @Text({ max: Limits.kind, optional: true })
  kind?: string;

  @Text({ max: Limits.worker, optional: true })
  worker?: string;

  @Text({ max: Limits.step, optional: true })
  step?: string;

  @Uuid({ optional: true })
  batch?: string;

  @Text({ ...FAILURE_GROUP, optional: true, description: 'Only tasks that failed last in this group of failures.' })
  group?: string;

  @Text({ max: 321, pattern: LABEL_FILTER, optional: true, example: 'customer:acme', description: 'As `name:value`.' })
  label?: string;

  @Flag({ optional: true, description: '`true`: only open tasks whose deadline has passed.' })
  overdue?: boolean;

  @Choice(['deadline'], { optional: true, description: '`deadline`: only tasks that have a deadline.' })
  sort?: 'deadline';

  @Integer(DECIDED.version)
  policyVersion?: number;

  @Instant(DECIDED.since)
  decidedSince?: string;

  @Instant(DECIDED.until)
  decidedUntil?: string;
}

/** How long operations wait for the ends of tried tasks, if nothing else is ordered. */
export const CANARY_MS = 600_000;

/** The most tasks that one request can name. */
const MOST_NAMED = 500;

/** Commands for each of many tasks, and one for a whole queue. */
export const OPERATION_COMMANDS = [...BULK_COMMANDS, 'deleteQueue'] as const;

@Closed()
export class CanaryRequest {
  @Integer({
    min: 1,
    max: 100,
    example: 5,
    description: 'How many tasks are tried. Those that refuse the command do not count.',
  })
  first!: number;

  @Decimal({ min: 0.01, max: 1, example: 0.8, description: 'The least share of them that must succeed.' })
  goOnIf!: number;

  @Integer({
    min: 1_000,
    max: 86_400_000,
    optional: true,
    description: `How long the operation waits for their ends; ${CANARY_MS} if absent. Those that are open then have not succeeded.`,
  })
  withinMs?: number;
}

@Closed()
export class BulkOperationRequest extends ReasonRequest {
  @Choice(OPERATION_COMMANDS, {
    description:
      '`runAgain` runs ended tasks again, each as a new task, and needs a reason. `deleteQueue` deletes the queue that `filter` names, with all of its tasks: it closes the intake, lets nothing more begin, waits for the tasks that run, and deletes everything.',
  })
  command!: (typeof OPERATION_COMMANDS)[number];

  @Part(() => BulkOperationFilter, {
    optional: true,
    description: 'Which tasks. Either this, `tasks` or `all` is given; with `deleteQueue`, this with a queue alone.',
  })
  filter?: BulkOperationFilter;

  @Uuids({ max: MOST_NAMED, optional: true, description: 'The ids of the tasks.' })
  tasks?: string[];

  @Flag({ optional: true, description: "Every task, except those of the service's own queues." })
  all?: boolean;

  @Integer({ ...Limits.priority, optional: true, description: 'With `prioritise`: the new priority.' })
  priority?: number;

  @Part(() => RunAgainFields, {
    optional: true,
    description: 'With `runAgain`: in what the second runs differ from the first.',
  })
  again?: RunAgainFields;

  @Part(() => CanaryRequest, {
    optional: true,
    description:
      'With `retry` and `release`: only the first tasks get the command, and the others once enough of those have succeeded. If too few do, the operation fails, and leaves the others alone.',
  })
  canary?: CanaryRequest;

  @Integer({
    min: 1,
    max: 10_000,
    optional: true,
    example: 20,
    description: 'The most tasks that get the command in a second. As fast as possible if absent.',
  })
  perSecond?: number;

  @Choice(RUNNING_TASKS, {
    optional: true,
    description:
      'With `deleteQueue`: whether to wait until the running tasks end (the default), or to ask their workers to stop.',
  })
  running?: RunningTasks;

  @FlagOr(['decided'], {
    optional: true,
    description:
      '`true`: only count the tasks. `decided`: also decide what the command would do with the first 10,000 of them. Neither changes anything.',
  })
  preview?: boolean | 'decided';

  @Text({
    max: 18,
    pattern: POSITION,
    optional: true,
    example: '4711',
    description:
      'The position of a preview: tasks that have changed since are left alone, and counted under `CHANGED_SINCE_PREVIEW`.',
  })
  asPreviewed?: string;
}

@Closed()
export class UndoRequest extends ReasonRequest {
  @Flag({
    optional: true,
    description: '`true`: only decide what would become of the first 10,000 tasks. Nothing is changed.',
  })
  preview?: boolean;
}

export class StartedBulkOperation {
  @Count({ description: 'How many tasks matched when the operation was ordered.' })
  count!: number;

  @Count({ required: false, description: 'With `deleteQueue`: how many of them run.' })
  running?: number;

  @Uuid({ nullable: true, description: 'The id of the operation, which is a task; null for a preview.' })
  id!: string | null;

  @Position({ nullable: true })
  position!: string | null;

  @Part(() => OperationPreview, { optional: true, description: 'With `preview: decided`.' })
  preview?: OperationPreview;

  @Indexed()
  indexed?: false;
}
