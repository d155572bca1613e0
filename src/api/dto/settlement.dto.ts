import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { REPORTED_CLASSES, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { AnyJson, AnyObject, Choice, Closed, Flag, Integer, OneOf, Part, Parts, Text } from '../input/fields.js';
import { Count, Indexed, Position } from './answer.fields.js';
import { LeaseRef, Token } from './claim.dto.js';
import { TraceContext } from './claimant.fields.js';
import { Limits } from './limits.js';
import { RefusedItem } from './submission.dto.js';

@Closed()
export class ErrorReport {
  @Text({
    max: Limits.errorMessage,
    example: 'The mailbox is full',
    description: 'NUL and halves of surrogate pairs are replaced by U+FFFD here, in the details and in the stack.',
  })
  message!: string;

  @Choice(REPORTED_CLASSES, {
    optional: true,
    description: "If absent, 'application', or what the policy field `errorClasses: 'guessed'` makes of the rest.",
  })
  class?: 'business' | 'application' | 'transient' | 'bug';

  @AnyJson({
    optional: true,
    description: 'A `stack` that is text is cut at 8 KiB. The policy field `errorStacks: false` drops it.',
  })
  details?: unknown;
}

export const DATA = {
  example: { spaceNeeded: 4711 },
  description:
    'Changes of the data of the task. A member takes the place of the one of the same name, and null removes it. All of them together have at most 64 KiB.',
};

// Three classes for each verdict: its fields, the verdict as an item of a batch, and the verdict as a request.

class SuccessFacts {
  @AnyJson({ optional: true, example: { messageId: '17' } })
  result?: unknown;

  @Flag({ optional: true, description: 'There was nothing to do.' })
  noChange?: boolean;
}

class FailureFacts {
  @Part(() => ErrorReport)
  error!: ErrorReport;

  @Flag({ optional: true, description: 'The task is never retried, whatever the policy says.' })
  final?: boolean;

  @Integer({
    min: 0,
    max: Limits.delayMs,
    optional: true,
    description: 'The delay that the worker asks for before an automatic retry.',
  })
  retryAfterMs?: number;
}

class StepFacts {
  @Text({ max: Limits.step, example: 'render' })
  step!: string;

  @Choice(['continue', 'offer'], { description: 'Continue with the next step, or let any worker claim it.' })
  then!: 'continue' | 'offer';

  @AnyJson({ optional: true })
  result?: unknown;

  @AnyObject({ ...DATA, optional: true })
  data?: Record<string, unknown>;

  @Integer({
    ...Limits.priority,
    optional: true,
    description: "The task's new priority, if the queue's policy lets workers change it (`workersPrioritise`).",
  })
  priority?: number;

  @Flag({ optional: true, description: 'false: the last successful step stays as it is.' })
  mark?: boolean;
}

class DataFacts {
  @AnyObject(DATA)
  data!: Record<string, unknown>;
}

class ErrorFacts {
  @Part(() => ErrorReport)
  error!: ErrorReport;
}

class ReturnFacts {
  @Integer({
    min: 0,
    max: Limits.delayMs,
    optional: true,
    description: 'How long the task waits at least before it can be claimed again.',
  })
  afterMs?: number;

  @Flag({
    optional: true,
    description:
      'true: the worker did not begin the task, which keeps its place in line. Otherwise it goes to the end.',
  })
  unstarted?: boolean;

  @Flag({
    optional: true,
    description:
      'true: the worker does not know tasks of this kind. Once all workers of a queue have said so, its tasks of this kind count as `unattended`.',
  })
  unknownKind?: boolean;
}

class WaitFacts {
  @Text({ max: Limits.signal, optional: true, description: 'Absent: it waits for a time alone.', example: 'approved' })
  signal?: string;

  @Integer({
    min: 1,
    max: Limits.waits,
    description:
      'Which of the waits of the step for this signal it is, from 1. A handler that runs again names each wait as before, and learns what it learnt then.',
  })
  number!: number;

  @Integer({
    min: 1,
    max: Limits.delayMs,
    description: 'When the wait is over at the latest. What the first request of a wait says counts.',
  })
  timeoutMs!: number;
}

class CancellationFacts {
  @Text({ max: Limits.reason, optional: true, example: 'the server restarts' })
  reason?: string;
}

@Closed()
export class SucceedVerdict extends SuccessFacts {
  @Choice(['succeed'])
  type!: 'succeed';
}

@Closed()
export class FailVerdict extends FailureFacts {
  @Choice(['fail'])
  type!: 'fail';
}

@Closed()
export class CompleteStepVerdict extends StepFacts {
  @Choice(['completeStep'])
  type!: 'completeStep';
}

@Closed()
export class RecordVerdict extends DataFacts {
  @Choice(['record'])
  type!: 'record';
}

@Closed()
export class ReportErrorVerdict extends ErrorFacts {
  @Choice(['reportError'])
  type!: 'reportError';
}

@Closed()
export class ReturnVerdict extends ReturnFacts {
  @Choice(['return'])
  type!: 'return';
}

@Closed()
export class WaitVerdict extends WaitFacts {
  @Choice(['wait'])
  type!: 'wait';
}

@Closed()
export class ConfirmCancelVerdict {
  @Choice(['confirmCancel'])
  type!: 'confirmCancel';
}

@Closed()
export class CancelVerdict extends CancellationFacts {
  @Choice(['cancel'])
  type!: 'cancel';
}

export const VERDICTS = {
  succeed: SucceedVerdict,
  fail: FailVerdict,
  completeStep: CompleteStepVerdict,
  record: RecordVerdict,
  reportError: ReportErrorVerdict,
  return: ReturnVerdict,
  wait: WaitVerdict,
  confirmCancel: ConfirmCancelVerdict,
  cancel: CancelVerdict,
} as const;

export type SettleVerdict =
  | SucceedVerdict
  | FailVerdict
  | CompleteStepVerdict
  | RecordVerdict
  | ReportErrorVerdict
  | ReturnVerdict
  | WaitVerdict
  | ConfirmCancelVerdict
  | CancelVerdict;

/** Validates an item whose verdict is unknown. */
class AnyVerdict {
  @Choice(Object.keys(VERDICTS))
  type!: string;
}

@Closed()
@ApiExtraModels(...Object.values(VERDICTS))
export class SettleItem extends LeaseRef {
  @OneOf('type', VERDICTS, AnyVerdict)
  verdict!: SettleVerdict;

  @TraceContext('ran the attempt')
  traceparent?: string;
}

@Closed()
export class SettleMany {
  @Parts(() => SettleItem, { min: 1, max: Limits.batch })
  items!: SettleItem[];
}

@Closed()
export class Success extends SuccessFacts {
  @Token()
  token!: string;
}

@Closed()
export class Failure extends FailureFacts {
  @Token()
  token!: string;
}

@Closed()
export class StepCompletion extends StepFacts {
  @Token()
  token!: string;
}

@Closed()
export class DataRecord extends DataFacts {
  @Token()
  token!: string;
}

@Closed()
export class ReportedError extends ErrorFacts {
  @Token()
  token!: string;
}

@Closed()
export class Return extends ReturnFacts {
  @Token()
  token!: string;
}

@Closed()
export class WaitRequest extends WaitFacts {
  @Token()
  token!: string;
}

@Closed()
export class OwnCancellation extends CancellationFacts {
  @Token()
  token!: string;
}

/** What a command did. */
export class Receipt {
  @ApiProperty({ type: 'string', description: "A task's id or a queue's name." })
  id!: string;

  @Position()
  position!: string;

  @Indexed()
  indexed?: false;

  @Count()
  revision!: number;

  @Flag({ description: 'false: the command was already done, and nothing was recorded.' })
  recorded!: boolean;
}

/** How a wait of a handler ended. */
export class EndOfWait {
  @Choice(['signal', 'time'])
  by!: 'signal' | 'time';

  @AnyJson({ optional: true, description: 'The data of the signal; null if it had none.' })
  data?: unknown;
}

export class Settlement extends Receipt {
  @Choice(TASK_STATUSES, { description: 'The resulting state of the task.' })
  state!: TaskStatus;

  @Text({
    max: Limits.step,
    optional: true,
    description: 'With a completed step, if the claim continues: the step that it continues with.',
  })
  step?: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'With a completed step, if the claim continues: the last step that succeeded.',
  })
  lastSuccessfulStep?: string | null;

  @Part(() => EndOfWait, {
    optional: true,
    description: 'With a wait that has ended: the attempt goes on. Otherwise it is over, and the task waits.',
  })
  waited?: EndOfWait;
}

@ApiExtraModels(Settlement, RefusedItem)
export class SettleManyResult {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(Settlement) }, { $ref: getSchemaPath(RefusedItem) }] },
    description: 'One result per item, in order.',
  })
  results!: (Settlement | RefusedItem)[];

  @Position({ nullable: true, description: 'The highest position of the results; null if every item was refused.' })
  position!: string | null;

  @Indexed()
  indexed?: false;
}
