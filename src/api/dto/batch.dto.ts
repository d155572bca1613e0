import { ApiProperty } from '@nestjs/swagger';
import { BATCH_STATUSES } from '../../domain/batch/batch.events.js';
import { Choice, Closed, Flag, Instant, Integer, Labels, Text, Uuid } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits } from './limits.js';
import { PageQuery, ReadQuery } from './query.dto.js';
import { ReasonRequest } from './reason.dto.js';

@Closed()
export class BatchDefinition extends ReasonRequest {
  @Uuid({
    optional: true,
    description: 'Generated if absent. Repeating a creation with the same id has no further effect.',
  })
  id?: string;

  @Text({ max: Limits.reference, example: 'CAN ingest 4711' })
  name!: string;

  @Text({ max: Limits.description, optional: true })
  description?: string;

  @Labels({ optional: true, example: { customer: 'acme' } })
  labels?: Record<string, string>;
}

@Closed()
export class OpenBatchRequest extends ReasonRequest {
  @Integer({
    min: 0,
    max: 2 ** 31 - 1,
    example: 8,
    description: 'How many tasks the batch must have. If it has another number, nothing is opened.',
  })
  tasks!: number;
}

@Closed()
export class BatchQuery extends PageQuery {
  @Choice(BATCH_STATUSES, { optional: true })
  state?: (typeof BATCH_STATUSES)[number];
}

@Closed()
export class TaskGraphQuery extends ReadQuery {
  @Integer({
    min: 1,
    max: 5_000,
    optional: true,
    description:
      'Over how many steps; with 1, only what the task itself waits for and what waits for it. All if absent.',
  })
  depth?: number;
}

export class BatchView {
  @Uuid({})
  id!: string;

  @Text({ max: Limits.reference })
  name!: string;

  @Text({ max: Limits.description, nullable: true })
  description!: string | null;

  @Labels({})
  labels!: Record<string, string>;

  @Choice(BATCH_STATUSES)
  state!: string;

  @Instant({})
  createdAt!: string;

  @Instant({ nullable: true, description: 'When the batch last ended.' })
  endedAt!: string | null;

  @Count({ description: 'How many tasks the batch has.' })
  total!: number;

  @Count({ description: 'How many of them have not ended.' })
  open!: number;

  @Count()
  succeeded!: number;

  @Count()
  failed!: number;

  @Count()
  aborted!: number;

  @Count()
  deleted!: number;

  @Count()
  revision!: number;

  @Position()
  position!: string;
}

export class BatchPage {
  @ApiProperty({ type: () => [BatchView] })
  items!: BatchView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Pass it as `cursor` to get the next page.' })
  nextCursor!: string | null;
}

export class GraphNode {
  @Text({ max: 300, description: 'The id of the task or batch, or a name for a fold.' })
  id!: string;

  @Count({ description: '0: needs nothing of the graph. Otherwise one more than the highest level that it needs.' })
  level!: number;

  @Choice(['task', 'batch', 'fold'], {
    description: '`fold`: several tasks of one level, queue and state, in a graph of more than 150 nodes.',
  })
  kind!: 'task' | 'batch' | 'fold';

  @Text({ max: Limits.reference })
  title!: string;

  @Text({ max: 100, nullable: true, description: 'null for a batch.' })
  queue!: string | null;

  @Text({ max: 100 })
  state!: string;

  @Flag({ description: 'Whether it waits for others.' })
  blocked!: boolean;

  @Count({ required: false, description: 'How far a running task is, in percent, if it has reported.' })
  percent?: number;

  @Count({ required: false, description: 'How many tasks a fold stands for.' })
  count?: number;
}

export class GraphEdge {
  @Text({ max: 300, description: 'The prerequisite.' })
  from!: string;

  @Text({ max: 300, description: 'What waits for it.' })
  to!: string;

  @Flag({ description: 'Whether an abort of the prerequisite counts as done.' })
  ignore!: boolean;

  @Flag({ description: 'Whether the prerequisite is done.' })
  closed!: boolean;
}

export class TaskGraph {
  @ApiProperty({ type: () => [GraphNode] })
  nodes!: GraphNode[];

  @ApiProperty({ type: () => [GraphEdge] })
  edges!: GraphEdge[];

  @ApiProperty({
    type: [String],
    description: 'The ids from a blocked task to what keeps it from running; empty if nothing is blocked.',
  })
  cause!: string[];

  @Count({ description: 'The number of tasks and batches.' })
  total!: number;

  @Flag({ description: 'Whether tasks of the same level, queue and state are shown as one.' })
  folded!: boolean;

  @Flag({ description: 'Whether there are more than the 5,000 that were read, or than can be shown.' })
  truncated!: boolean;
}
