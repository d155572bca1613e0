import type { EventType, EventView, LeftOut } from '@waybill/contracts';
import { duration, plural } from './numbers.js';
import { occurrences } from './occurrences.js';

interface Data {
  readonly queue?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly attempt?: number;
  readonly token?: string;
  readonly worker?: string;
  readonly build?: string;
  readonly report?: string;
  readonly operation?: string;
  readonly task?: string;
  readonly since?: string | null;
  readonly unheard?: boolean;
  readonly priority?: number;
  readonly previous?: unknown;
  readonly waitedMs?: number;
  readonly ranMs?: number;
  readonly error?: { readonly class: string; readonly message: string };
  readonly failure?: { readonly taskId: string; readonly class: string };
  readonly decidedBy?: string;
  readonly final?: boolean;
  readonly conflictingTaskId?: string;
  readonly noChange?: boolean;
  readonly result?: unknown;
  readonly payload?: unknown;
  readonly bySuccessOf?: string;
  readonly from?: string;
  readonly to?: string;
  readonly undoes?: string;
  readonly erasure?: string;
  readonly log?: string;
  readonly size?: number;
  readonly reason?: string | null;
  readonly until?: string | null;
  readonly dueAt?: string | null;
  readonly deadlineAt?: string;
  readonly expiresAt?: string;
  readonly runUntil?: string;
  readonly failures?: number;
  readonly step?: string;
  readonly next?: string;
  readonly data?: unknown;
  readonly patch?: unknown;
  readonly signal?: string;
  readonly by?: string;
  readonly verdict?: string;
  readonly heldBy?: { readonly by: string; readonly reason?: string; readonly hold?: string };
  readonly selector?: { readonly labels: Readonly<Record<string, string>> };
  readonly policyVersion?: number;
  readonly waitsFor?: readonly string[];
  readonly prerequisite?: string;
  readonly added?: readonly { readonly task?: string; readonly batch?: string }[];
  readonly waived?: readonly string[];
  readonly name?: string;
  readonly tasks?: number;
  readonly counts?: Counts;
  readonly definition?: {
    readonly cron?: string;
    readonly timeZone?: string;
    readonly q?: string;
    readonly overdue?: boolean;
    readonly sort?: string | null;
  };
  readonly firings?: readonly { readonly occurrence: string; readonly task: string }[];
  readonly owed?: readonly string[];
  readonly dropped?: LeftOut;
  readonly skipped?: LeftOut;
  readonly occurrence?: string;
  readonly problem?: { readonly code: string };
  readonly retryAt?: string;
  readonly running?: string;
  readonly intake?: string;
}

interface Counts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
}

const countsIn = (counts: Counts | undefined): string =>
  counts === undefined
    ? ''
    : joined(
        `of ${plural(counts.total, 'task')}, ${counts.succeeded} succeeded`,
        counts.failed > 0 && `${counts.failed} failed`,
        counts.aborted > 0 && `${counts.aborted} aborted`,
      );

const ms = (value = 0): string => duration(value);
const joined = (...parts: readonly (string | false | null | undefined)[]): string => parts.filter(Boolean).join('; ');
const fault = (error: Data['error']): string => `${error?.class}: ${error?.message}`;
const droppedIn = ({ dropped }: Pick<Data, 'dropped'>): string => (dropped ? `drops ${occurrences(dropped)}` : '');
const value = (json: unknown): string => JSON.stringify(json ?? null);

/** From the data of the stored events. A type that is not listed needs no more words than its name. */
const DETAILS: { readonly [T in EventType]?: (data: Data) => string } = {
  TaskPrepared: ({ kind, priority }) => `kind '${kind}', priority ${priority ?? 0}`,
  TaskEnqueued: ({ kind, priority }) => `kind '${kind}', priority ${priority ?? 0}`,
  TaskEnqueueRejected: ({ error }) => fault(error),
  TaskHeld: ({ from, heldBy }) => joined(`was ${from}`, heldBy?.hold && `caught by hold '${heldBy.hold}'`),
  TaskClaimed: ({ attempt, waitedMs, token, build, runUntil }) =>
    `attempt ${attempt}, waited ${ms(waitedMs)}, fencing token ${token}${build ? `, build ${build}` : ''}${runUntil ? `; runs until ${runUntil} at most` : ''}`,
  TaskStepCompleted: ({ step, next, ranMs, data }) =>
    `${step} in ${ms(ranMs)}${next ? `, then ${next}` : ''}${data ? `; recorded ${value(data)}` : ''}`,
  TaskDataRecorded: ({ patch }) => value(patch),
  TaskErrorReported: ({ error }) => `continues; ${fault(error)}`,
  TaskAttemptFailed: ({ ranMs, error }) => `ran ${ms(ranMs)}; ${fault(error)}`,
  TaskRetryScheduled: ({ dueAt, failures }) => `due ${dueAt}, after ${plural(failures ?? 0, 'failure')}`,
  TaskDecisionRequested: ({ error }) => `waits for a decision; ${fault(error)}`,
  TaskFailed: ({ decidedBy, final, conflictingTaskId, error }) =>
    `decided by ${decidedBy}${final ? ', for good' : ''}${error?.class === 'expired' ? `; ${fault(error)}` : ''}${conflictingTaskId ? `; task ${conflictingTaskId} with the same key is waiting` : ''}`,
  TaskRetried: ({ from, step }) => `was ${from}${step ? `; from step ${step}` : ''}`,
  TaskSucceeded: ({ ranMs, noChange, result }) =>
    joined(`ran ${ms(ranMs)}`, noChange ? 'no change' : (result ?? null) !== null && value(result)),
  TaskLeaseExpired: ({ worker, unheard }) =>
    unheard ? `${worker} sent no heartbeat since its claim` : `${worker} did not extend its lease`,
  TaskLateReportRefused: ({ attempt, worker, report }) => `${worker} sent '${report}' for attempt ${attempt}`,
  TaskReturned: ({ ranMs }) => `after ${ms(ranMs)}`,
  TaskWaited: ({ signal, dueAt, ranMs }) =>
    `after ${ms(ranMs)}; ${signal === undefined ? `until ${dueAt}` : `for '${signal}', until ${dueAt} at the latest`}`,
  TaskSignalled: ({ signal, data }) => `'${signal}'${data === null ? '' : `; ${value(data)}`}`,
  TaskWaitEnded: ({ signal, by }) =>
    by === 'signal'
      ? `'${signal}' came`
      : signal === undefined
        ? 'the time is over'
        : `'${signal}' did not come in time`,
  TaskCancelRequested: ({ worker }) => `${worker} was told to stop`,
  TaskCancelConfirmed: ({ ranMs }) => `stopped after ${ms(ranMs)}`,
  TaskAborted: ({ from, prerequisite }) =>
    `was ${from}${prerequisite ? `; it waited for ${prerequisite}, which was aborted` : ''}`,
  TaskSuperseded: ({ bySuccessOf }) => `by the success of ${bySuccessOf}`,
  TaskReprioritised: ({ priority, previous }) => `from ${value(previous)} to ${priority}`,
  TaskSubmissionGathered: ({ dueAt }) => `another submission; due ${dueAt ?? 'now'}`,
  TaskRescheduled: ({ dueAt }) => `due ${dueAt ?? 'now'}`,
  TaskDeadlineMissed: ({ deadlineAt }) => `should have been done by ${deadlineAt}`,
  TaskPayloadAmended: ({ payload, previous, expiresAt, deadlineAt }) =>
    joined(
      `from ${value(previous)} to ${value(payload)}`,
      expiresAt !== undefined && `expires at ${expiresAt}`,
      deadlineAt !== undefined && `should be done by ${deadlineAt}`,
    ),
  TaskPrerequisitesChanged: ({ added = [], waived = [] }) =>
    joined(
      added.length > 0 && `waits for ${added.map((one) => one.task ?? one.batch).join(', ')}`,
      waived.length > 0 && `no longer for ${waived.join(', ')}`,
    ),
  TaskDeleted: ({ from }) => `was ${from}`,
  TaskErased: ({ erasure }) => `by erasure ${erasure}`,
  BatchErased: ({ erasure }) => `by erasure ${erasure}`,
  TaskRestored: ({ from, to, undoes }) => `was ${from}, is ${to} as before operation ${undoes}`,
  TaskOverruled: ({ verdict, worker, result }) =>
    `${verdict}, overruling ${worker}${result === undefined ? '' : `; ${value(result)}`}`,
  BatchCreated: ({ name }) => (name === undefined ? '' : `'${name}'`),
  QueueUnattended: ({ since }) => `no worker has asked ${since ? `since ${since}` : 'for a day'}`,
  QueueAttended: ({ worker }) => `${worker} asks for tasks`,
  BuildBegan: ({ build, worker }) => `${worker} works with build ${build}`,
  BatchOpened: ({ tasks }) => `with ${plural(tasks ?? 0, 'task')}`,
  BatchCompleted: ({ counts }) => countsIn(counts),
  BatchFailed: ({ counts }) => countsIn(counts),
  QueueDefined: ({ policyVersion }) => `policy version ${policyVersion}`,
  QueuePolicyChanged: ({ policyVersion }) => `policy version ${policyVersion}`,
  QueuePaused: ({ until, failure }) =>
    joined(until && `until ${until}`, failure && `after the failure of ${failure.taskId} (${failure.class})`),
  SystemDrained: ({ running, intake }) =>
    `${running === 'cancel' ? 'running tasks stop' : 'running tasks finish'}, new ones are ${intake === 'closed' ? 'refused' : 'taken'}`,
  LogLossAccepted: ({ log, size, next }) =>
    `of '${log}', sealed with ${plural(size ?? 0, 'leaf', 'leaves')}; goes on as '${next}'`,
  NotaryKeyRetired: ({ log, next }) => `of '${log}'; goes on as '${next}', with another key`,
  FailureGroupResolved: ({ build, operation }) =>
    joined(build && `by build ${build}`, operation && `by operation ${operation}`),
  FailureGroupReturned: ({ task }) => `with task ${task}`,
  HoldPlaced: ({ selector }) =>
    Object.entries(selector?.labels ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  ViewSaved: ({ definition }) =>
    joined(
      definition?.q && `'${definition.q}'`,
      definition?.overdue && 'past their deadlines',
      definition?.sort && `by ${definition.sort}`,
    ),
  TriggerDefined: ({ definition }) => `'${definition?.cron}' in ${definition?.timeZone}`,
  TriggerChanged: ({ definition, owed = [], dropped }) =>
    joined(
      definition?.cron && `'${definition.cron}' in ${definition.timeZone}`,
      owed.length > 0 && `still makes the tasks of ${owed.join(', ')}`,
      droppedIn({ dropped }),
    ),
  TriggerDisabled: (data) => droppedIn(data),
  TriggerDeleted: (data) => droppedIn(data),
  TriggerFired: ({ firings = [], skipped }) =>
    joined(
      firings.map(({ occurrence, task }) => `task ${task} of ${occurrence}`).join(', '),
      skipped && `left out ${occurrences(skipped)}`,
    ),
  TriggerSkipped: ({ occurrence, skipped }) => (skipped ? `left out ${occurrences(skipped)}` : `missed ${occurrence}`),
  TriggerGaveUp: ({ occurrence, problem, skipped }) =>
    skipped ? `left out ${occurrences(skipped)}` : `${problem?.code}; of the event of ${occurrence}`,
  TriggerFailed: ({ problem, retryAt }) => `${problem?.code}; tries again at ${retryAt}`,
  QueueWaiting: ({ waitsFor = [] }) => `for ${waitsFor.join(', ')}`,
};

/** What was recorded with an event, in words: what happened, the reason if somebody gave one, and who acted for the actor. */
export const detailsOf = (event: EventView): string =>
  event.unreadable !== undefined
    ? `cannot be read: ${event.unreadable}`
    : joined(DETAILS[event.type as EventType]?.(event.data as Data), reasonOf(event), agentOf(event));

const agentOf = ({ envelope: { agent } }: EventView): string | undefined => agent && `through ${agent}`;

/** The reason of the command, or of an earlier one, such as the cancellation that a worker confirmed. */
function reasonOf({ data, envelope }: EventView): string | null {
  const { reason, heldBy } = data as Data;
  return envelope.reason ?? reason ?? heldBy?.reason ?? null;
}
