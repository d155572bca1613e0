import { ApiProperty } from '@nestjs/swagger';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { Choice, Closed, Flag, Instant, Part, Text, Uuid } from '../input/fields.js';
import { Count, Position, Seconds } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';
import { ReasonRequest } from './reason.dto.js';

@Closed()
export class DrainRequest extends ReasonRequest {
  @Choice(['open', 'closed'], { optional: true, description: '`closed`, the default, refuses new tasks (`DRAINING`).' })
  intake?: 'open' | 'closed';

  @Choice(['finish', 'cancel'], {
    optional: true,
    description: '`cancel` asks all running tasks to stop; they can be resumed. `finish`, the default, lets them end.',
  })
  running?: 'finish' | 'cancel';
}

@Closed()
export class ResumeRequest extends ReasonRequest {
  @Flag({ optional: true, description: 'false: leave the stopped tasks as they are. A later resume retries them.' })
  stopped?: boolean;
}

export class DrainView {
  @Choice(['open', 'closed'])
  intake!: 'open' | 'closed';

  @Choice(['finish', 'cancel'])
  running!: 'finish' | 'cancel';

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;

  @Text({ max: Limits.actor })
  by!: string;

  @Instant({})
  since!: string;

  @Instant({ nullable: true, description: 'Since when nothing runs any more; null while tasks still run.' })
  quiescedAt!: string | null;
}

export class DrainState {
  @Choice(['running', 'draining'])
  state!: 'running' | 'draining';

  @Part(() => DrainView, { nullable: true, description: 'Null unless the system drains.' })
  drain!: DrainView | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class QuarantinedTask {
  @Uuid({})
  taskId!: string;

  @Text({ max: 100, pattern: QUEUE_NAME, nullable: true, description: 'Null if its first event cannot be read.' })
  queue!: string | null;

  @Choice(TASK_STATUSES, { nullable: true })
  state!: TaskStatus | null;

  @Position({ nullable: true, description: 'The position of the event that cannot be read, as far as it is known.' })
  position!: string | null;

  @Text({ max: Limits.reason, description: 'Why it cannot be read.' })
  reason!: string;

  @Instant({})
  since!: string;

  @Instant({ nullable: true, description: 'When it is read again; null if that is when a service starts.' })
  until!: string | null;
}

export class LeaderView {
  @Text({ max: 200, description: 'What only one process does at a time.' })
  role!: string;

  @Text({ max: 300, description: 'The machine and the number of the process.' })
  process!: string;

  @Choice(['leading', 'vacant'], { description: '`vacant`: its term is over, and no other process has taken over.' })
  state!: 'leading' | 'vacant';

  @Instant({})
  since!: string;

  @Instant({ description: 'When another process may take over, unless the term is renewed.' })
  until!: string;

  @Instant({
    nullable: true,
    description:
      'When any process finished a round of this work, to a few seconds. Null for followers, which have positions.',
  })
  workedAt!: string | null;

  @Seconds({ nullable: true, description: 'How long ago that was.' })
  workedSeconds!: number | null;
}

/** Where deliveries go, and fail. */
export class FailingTarget {
  @Text({ max: 256, description: '`mail` for the mail server, or the host of webhooks.' })
  target!: string;

  @Count({ description: 'How many failures there were in a row.' })
  failures!: number;

  @Text({ max: Limits.errorMessage, description: 'The last one.' })
  error!: string;

  @Instant({})
  failedAt!: string;

  @Instant({ description: 'When it is tried again.' })
  until!: string;
}

/** An event that a reaction, a trigger or the dispatch index could not deal with. */
export class EventPutAside {
  @Text({
    max: 100,
    description:
      'The reaction, `event-triggers`, or `dispatch-index` for an event of the trigger itself that it cannot read.',
  })
  reaction!: string;

  @Text({ max: 100, nullable: true, description: 'The trigger that waits for the event; its later events wait, too.' })
  trigger!: string | null;

  @Position({})
  position!: string;

  @Text({ max: Limits.reason, description: 'What failed last.' })
  reason!: string;

  @Count({ description: 'How often it was tried.' })
  tries!: number;

  @Instant({})
  since!: string;

  @Instant({ nullable: true, description: 'When it is tried again; null if that is when a service starts.' })
  until!: string | null;
}

export class SystemView {
  @Choice(['running', 'draining'])
  state!: 'running' | 'draining';

  @Part(() => DrainView, { nullable: true, description: 'Null unless the system drains.' })
  drain!: DrainView | null;

  @Count({
    description:
      "How many tasks run, also of the service's own queues (`waybill.*`). While the system drains, 0 means that nothing does any more.",
  })
  running!: number;

  @Count({ required: false, description: "How many of them are in the service's own queues (`waybill.*`)." })
  runningInternal?: number;

  @Count({ description: 'How many tasks are stopped: cancelled by a shutdown, and not retried since.' })
  stopped!: number;

  @Count({ required: false, description: "How many of them are in the service's own queues (`waybill.*`)." })
  stoppedInternal?: number;

  @Count({
    description:
      'How many stopped tasks could not be resumed yet, because another task has the waiting place of their key.',
  })
  notResumed!: number;

  @Count({ description: 'How many tasks are put aside because this build cannot read their histories.' })
  quarantined!: number;

  @ApiProperty({ type: () => [QuarantinedTask], description: 'The first 100 of them.' })
  quarantinedTasks!: QuarantinedTask[];

  @Count({
    description: 'How many leases, triggers, queues and others the sweeper could not deal with. The log names them.',
  })
  failingItems!: number;

  @Count({
    description:
      'How many rows of the outbox were refused. They stay in `waybill_outbox` with their `refusal` until somebody deals with them.',
  })
  refusedOutboxRows!: number;

  @Count({
    description: 'How many rows of the index contradicted the log or each other, and were mended. The log names them.',
  })
  mendedRows!: number;

  @Count({
    description:
      'How often the log in EventStoreDB skipped events of a stream, which were then read from the stream and applied. The log names them.',
  })
  skippedEvents!: number;

  @Count({ description: 'How often the log in EventStoreDB sent an event again, which was left out.' })
  doubledEvents!: number;

  @Count({ description: 'How many triggers failed when they were to fire last. Each says why.' })
  failingTriggers!: number;

  @Count({ description: 'How many occurrences triggers left out since they were defined, as their `missed` says.' })
  skippedOccurrences!: number;

  @Count({
    description:
      'How many mail servers and hosts of webhooks failed at least three times in a row. They are tried seldom.',
  })
  failingTargets!: number;

  @ApiProperty({ type: () => [FailingTarget], description: 'Those 20 of them that failed last.' })
  firstFailingTargets!: FailingTarget[];

  @Count({
    description:
      'How many events reactions and triggers of events could not deal with and try again, or hold behind such a one.',
  })
  eventsPutAside!: number;

  @ApiProperty({ type: () => [EventPutAside], description: 'The first 20 that are tried again.' })
  firstEventsPutAside!: EventPutAside[];

  @Seconds({
    nullable: true,
    description:
      'How long ago any process swept last: ended overdue leases, fired triggers, and more. Null if none ever did. ' +
      'The service is not ready when it is more than 30.',
  })
  lastSweepSeconds!: number | null;

  @ApiProperty({ type: () => [LeaderView], description: 'Which process leads each role, by name of the role.' })
  leaders!: LeaderView[];

  @Text({
    max: 100,
    nullable: true,
    description:
      'The version of the EventStoreDB or KurrentDB that stores the events, as its server named it when this process ' +
      'started. `unknown` if it named none, and null if Postgres stores them.',
  })
  eventStoreVersion!: string | null;
}
