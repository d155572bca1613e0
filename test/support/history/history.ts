import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { isFence, isOfTask, type TaskRecord } from '../../../src/check/appends.js';
import type { SettleType } from '../../../src/check/rules/attempts.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';

export type { SettleType } from '../../../src/check/rules/attempts.js';
export type { TaskRecord } from '../../../src/check/appends.js';
export { INVARIANTS, type Invariant, type Violation, violation } from '../../../src/check/violation.js';

/**
 * `unknown`: no answer arrived, or one that does not say whether the operation was carried out. It never counts as a
 * failure.
 */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface EnqueueAttempt {
  readonly kind: 'enqueue';
  readonly taskId: string;
  readonly queue: string;
  readonly key: string | null;
  readonly outcome: Outcome;
  /** With `ok`: the task that stands for the item, and a position in that task's stream. */
  readonly answer: { readonly id: string; readonly position: string } | null;
}

export interface ClaimAttempt {
  readonly kind: 'claim';
  readonly queue: string;
  readonly worker: string;
  readonly claimId: string;
  readonly outcome: Outcome;
  /** Tokens without their secrets. */
  readonly claimedTasks: readonly { readonly taskId: string; readonly token: string }[];
}

export interface SettleAttempt {
  readonly kind: 'settle';
  readonly taskId: string;
  readonly token: string;
  readonly verdict: SettleType;
  readonly outcome: Outcome;
}

/** Any command that answers with a position. */
export interface CommandAttempt {
  readonly kind: 'command';
  readonly operation: string;
  /** The id or name in the path; empty without one. */
  readonly on: string;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly outcome: Outcome;
  readonly answer: { readonly id: string; readonly position: string; readonly recorded: boolean } | null;
}

/** A query with `minPosition`. */
export interface ReadAttempt {
  readonly kind: 'read';
  readonly operation: string;
  readonly minPosition: string;
  readonly outcome: Outcome;
  /** The position that the answer reflects, as it says itself. */
  readonly asOf: string | null;
  /** With the details of a task. */
  readonly task: { readonly id: string; readonly state: string; readonly position: string } | null;
}

/** A query with `asOf`. */
export interface PastAttempt {
  readonly kind: 'past';
  readonly operation: string;
  /** A position, a time, or how long ago. */
  readonly asked: string;
  readonly outcome: Outcome;
  /** What the answer says that it means. */
  readonly moment: { readonly position: string; readonly at: string } | null;
  /** With the details of a task. */
  readonly task: { readonly id: string; readonly state: string; readonly position: string } | null;
  /** With the tally of a queue. */
  readonly tally: { readonly queue: string; readonly counts: Readonly<Record<string, number>> } | null;
}

/** What a client requested, and its answer. */
export type Operation = EnqueueAttempt | ClaimAttempt | SettleAttempt | CommandAttempt | ReadAttempt | PastAttempt;

export type Row = Readonly<Record<string, unknown>>;

/** Everything that is known about a run after it has ended. */
export interface History {
  readonly operations: readonly Operation[];
  /** The whole log, in the order of positions. */
  readonly events: readonly RecordedEvent[];
  /** The rows of `tasks`, with positions as bigint. */
  readonly tasks: readonly Row[];
  /** The rows of `tasks_archive`, in the same form. */
  readonly archived?: readonly Row[];
  /** The rows of the read models that follow the log, by the model's name, with counts as numbers. */
  readonly models: Readonly<Record<string, readonly Row[]>>;
  readonly checkpoints: readonly { readonly name: string; readonly position: bigint }[];
  /** Whether each claim of a queue is recorded before the next one looks, as with the events in Postgres. */
  readonly claimsTakeTurns: boolean;
  /** The tasks whose payloads were erased. */
  readonly erased?: readonly string[];
  /** What the receiver of all webhooks of the run got, in order. */
  readonly received?: readonly ReceivedCall[];
  /** The log as it is sealed now, if it is. */
  readonly sealed?: SealedHistory;
}

export interface SealedHistory {
  /** The lines that stand for what is stored, in the order of the log, made by the process that asks. */
  readonly leaves: readonly string[];
  /** `root` in hexadecimal digits. */
  readonly seals: readonly { readonly size: number; readonly root: string }[];
}

/** A call of a webhook. */
export interface ReceivedCall {
  /** The `webhook-id`, by which receivers recognise repetitions. */
  readonly id: string;
  readonly body: string;
}

/** The log by task and by position. */
export class Log {
  /** Begins with the first event of a task's life: a fence before it stands for an enqueue that never arrived. */
  readonly tasks = new Map<string, TaskRecord[]>();
  private readonly byPosition = new Map<bigint, RecordedEvent>();

  constructor(readonly events: readonly RecordedEvent[]) {
    for (const recorded of events) {
      this.byPosition.set(recorded.position, recorded);
      if (!isOfTask(recorded)) continue;
      const id = taskIdOf(recorded.stream);
      if (this.tasks.has(id) || !isFence(recorded)) push(this.tasks, id, recorded);
    }
  }

  at(position: bigint): RecordedEvent | undefined {
    return this.byPosition.get(position);
  }
}

export function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
