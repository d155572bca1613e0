import type { Json } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { ErrorClass, TaskError } from '../../domain/task/task.events.js';

/** How a worker ends or advances its attempt. */
export type Verdict =
  | { readonly type: 'succeed'; readonly result?: Json; readonly noChange?: boolean }
  | { readonly type: 'fail'; readonly error: ReportedError; readonly final?: boolean; readonly retryAfterMs?: number }
  | {
      readonly type: 'completeStep';
      readonly step: string;
      readonly then: 'continue' | 'offer';
      readonly result?: Json;
    }
  | { readonly type: 'reportError'; readonly error: ReportedError }
  | { readonly type: 'handBack' }
  | { readonly type: 'confirmCancel' };

export interface ReportedError {
  readonly message: string;
  /** `application` where the worker does not say. */
  readonly class?: ErrorClass;
  readonly details?: Json;
}

export interface SettleItem {
  readonly taskId: string;
  /** As granted: `<fencing number>.<secret>`. */
  readonly token: string;
  readonly verdict: Verdict;
}

/** What every command under a claim begins with. */
export type UnderClaim = Pick<Extract<TaskCommand, { readonly token: string }>, 'now' | 'by' | 'token'>;

export function settlingCommand(
  verdict: Verdict,
  under: UnderClaim,
  policy: QueuePolicy,
  displacedBy: string | null,
): TaskCommand {
  switch (verdict.type) {
    case 'succeed':
      return { type: 'SucceedTask', result: verdict.result ?? null, noChange: verdict.noChange ?? false, ...under };
    case 'fail':
      return { ...under, type: 'FailTask', ...failure(verdict), policy, random: Math.random(), displacedBy };
    case 'completeStep':
      return {
        ...under,
        type: 'CompleteStep',
        step: verdict.step,
        then: verdict.then,
        result: verdict.result ?? null,
        displacedBy,
      };
    case 'reportError':
      return { ...under, type: 'ReportError', error: taskError(verdict.error) };
    case 'handBack':
      return { ...under, type: 'HandBackTask', displacedBy };
    case 'confirmCancel':
      return { ...under, type: 'ConfirmCancel', displacedBy };
  }
}

const failure = ({ error, final, retryAfterMs }: Extract<Verdict, { readonly type: 'fail' }>) => ({
  error: taskError(error),
  final: final ?? false,
  retryAfterMs: retryAfterMs ?? null,
});

const taskError = ({ message, class: errorClass = 'application', details }: ReportedError): TaskError => ({
  message,
  class: errorClass,
  ...(details !== undefined && { details }),
});
