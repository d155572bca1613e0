import type { Json } from '../../domain/kernel/json.js';
import type { ErrorClass, TaskStatus } from '../../domain/task/task.events.js';
import { percentOf, type Progress } from '../kernel/progress.js';
import type { TaskEntity } from './task.entity.js';

/** Why a pending task is not running: its own reason first, then its queue's, then that no worker has taken it yet. */
export type WaitingFor =
  | 'worker'
  | 'prerequisites'
  | 'due'
  | 'key'
  | 'draining'
  | 'queue-paused'
  | 'queue-waiting'
  | 'queue-finished';

export interface TaskSummary {
  readonly id: string;
  readonly queue: string;
  readonly state: TaskStatus;
  /** The state in the words of the queue's preset, or the state itself if the preset has none. */
  readonly stateName: string;
  /** Null unless the task is pending. */
  readonly waitingFor: WaitingFor | null;
  readonly kind: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly priority: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly dueAt: string | null;
  /** From when on no worker gets the task. */
  readonly expiresAt: string | null;
  readonly deadlineAt: string | null;
  /** Whether the task was not done at its deadline. */
  readonly deadlineMissed: boolean;
  /** When the running attempt ends at the latest; null if it may run for ever, or none runs. */
  readonly runUntil: string | null;
  /** Never null so far, which the API does not promise. */
  readonly enqueuedAt: string | null;
  /** The time from which the task may run: its due time, or the time of its submission. */
  readonly scheduledFor: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly attempt: number;
  /** How often a person or the policy retried it. */
  readonly retries: number;
  readonly worker: string | null;
  readonly lastStep: string | null;
  /** The step that the task is in. Null if it has not entered its first one, or has completed the last. */
  readonly step: string | null;
  /** How far the current or last attempt is; null if it has not reported. */
  readonly percent: number | null;
  /** When the worker of a running task claimed it or last extended its lease. */
  readonly lastHeartbeatAt: string | null;
  /** With its details only where a task is shown alone. */
  readonly error: { readonly message: string; readonly class: ErrorClass; readonly details?: Json } | null;
  /** The batch that the task is part of. */
  readonly batch: string | null;
  readonly revision: number;
  readonly position: string;
}

/** What other tables say about a task. Joined at query time, never copied. */
export interface JoinedColumns {
  /** What the task waits for in the index; null if it is ready. */
  readonly gate: 'prerequisites' | 'due' | 'key' | null;
  readonly queueStatus: string;
  readonly stateName: string;
  readonly lastHeartbeatAt: Date | null;
  /** The last report, of whichever attempt. */
  readonly progress: Progress | null;
}

export function summaryOf(task: TaskEntity, beside: JoinedColumns): TaskSummary {
  return {
    id: task.taskId,
    queue: task.queue,
    state: task.state as TaskStatus,
    stateName: beside.stateName,
    waitingFor: task.state === 'pending' ? waitingFor(beside) : null,
    kind: task.kind,
    key: task.key,
    reference: task.reference,
    priority: task.priority,
    labels: task.labels ?? {},
    description: task.description,
    dueAt: iso(task.dueAt),
    expiresAt: iso(task.expiresAt),
    deadlineAt: iso(task.deadlineAt),
    deadlineMissed: task.missed,
    runUntil: iso(task.runUntil),
    enqueuedAt: task.enqueuedAt.toISOString(),
    scheduledFor: (task.dueAt ?? task.enqueuedAt).toISOString(),
    startedAt: iso(task.startedAt),
    finishedAt: iso(task.finishedAt),
    attempt: task.attempt,
    retries: task.retries,
    worker: task.worker,
    lastStep: task.lastStep,
    step: task.entered ? task.step : null,
    percent: beside.progress?.attempt === task.attempt ? percentOf(beside.progress.bars) : null,
    lastHeartbeatAt: iso(beside.lastHeartbeatAt),
    error: task.error === null ? null : { message: task.error, class: task.errorClass as ErrorClass },
    batch: task.batch,
    revision: task.revision,
    position: task.position,
  };
}

function waitingFor({ gate, queueStatus }: JoinedColumns): WaitingFor {
  if (gate) return gate;
  if (queueStatus === 'draining') return 'draining';
  if (queueStatus === 'paused') return 'queue-paused';
  if (queueStatus === 'waiting') return 'queue-waiting';
  return queueStatus === 'finished' ? 'queue-finished' : 'worker';
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
