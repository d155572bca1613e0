import type { ConstraintRejection } from '../kernel/rejection-of.js';
import type { IsoTime, Json, JsonObject } from '../../domain/kernel/json.js';
import type { Prerequisite, ReportedClass, Rerun } from '../../domain/task/task.events.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { Receipt } from '../kernel/command-context.js';
import type { Replay } from '../kernel/receipt.js';

export interface EnqueueItem {
  /** A UUID; null to have one generated. The same id with the same content is the same task. */
  readonly taskId: string | null;
  readonly queue: string;
  /** Defaults to the first kind that the queue's policy names, or `task`. */
  readonly kind?: string;
  readonly key?: string;
  readonly reference?: string;
  /** Defaults to the queue's default priority. */
  readonly priority?: number;
  readonly dueAt?: IsoTime;
  /** Instead of what the policy of a queue that gathers says. */
  readonly gather?: { readonly quietMs?: number; readonly maxMs?: number };
  /** From this time on, no worker gets the task. */
  readonly expiresAt?: IsoTime;
  /** How long it may wait for a worker, instead of `expiresAt`: from its due time, or from now. Defaults to the queue's. */
  readonly ttlMs?: number;
  /** When it should be done. */
  readonly deadlineAt?: IsoTime;
  readonly labels?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** What its worker must offer. Defaults to the queue's. */
  readonly needs?: WorkerLabels;
  /** The id of the event within whose work the task is submitted. */
  readonly context?: string;
  /** The id of an entry in the application's audit log. */
  readonly auditContext?: string;
  /** Where the trace stands of whoever submits the task. Defaults to that of the request. */
  readonly traceparent?: string;
  /** Data of the task from the beginning. A field that is null is left out. */
  readonly data?: JsonObject;
  readonly payload?: Json;
  /** The SHA-256 of the payload's canonical JSON (RFC 8785), in hex, which the payload must have. It is not stored. */
  readonly payloadSha256?: string;
  /** What a trigger has claimed for the task. */
  readonly items?: readonly string[];
  /** The batch that the task is part of. */
  readonly batch?: string;
  /** The batch that the task plans. */
  readonly plans?: string;
  /** The failed task that this one runs again. Only the service itself makes such copies. */
  readonly rerunOf?: Rerun;
  /** Those of the queue that the task has, or those of the failed task. Defaults to all of the queue that are not optional. */
  readonly steps?: readonly string[];
  /** How many tasks the batch will have, for rules about priorities. */
  readonly batchSize?: number;
  /** What must be done before the task may run. It may name other items of the same call. */
  readonly after?: readonly Prerequisite[];
  /** Places a hold on the task from the beginning, until somebody releases it. `by` defaults to the actor. */
  readonly hold?: { readonly reason?: string; readonly by?: string };
  /** The submitter's checks failed: the task is stored as failed for good, with this error. */
  readonly rejected?: { readonly message: string; readonly class?: ReportedClass };
  /** Creates the task without submitting it. Until it is submitted, it takes no place of its key. */
  readonly prepared?: boolean;
}

export type EnqueueRejection = ConstraintRejection;

const PASSING: ReadonlySet<string> = new Set([
  'CONTENTION',
  'STORE_UNAVAILABLE',
  'PAYLOAD_STORE_UNAVAILABLE',
  'DRAINING',
]);

/** Whether the refusal says nothing about the task, so that the same submission may succeed later. */
export const isPassing = ({ code }: { readonly code: string }): boolean => PASSING.has(code);

export type EnqueueStatus = 'enqueued' | 'existing' | 'replaced' | 'gathered';

export type EnqueueOutcome =
  | {
      readonly kind: 'done';
      readonly receipt: Receipt;
      /**
       * `existing`, `replaced`, `gathered`: the receipt's id is that of a task that already waited, under the same key or the same
       * id.
       */
      readonly status: EnqueueStatus;
      /** When a task that gathers is due by then; absent for any other, and in a repeated answer. */
      readonly dueAt?: IsoTime;
    }
  | { readonly kind: 'refused'; readonly rejection: EnqueueRejection };

/** The status of a repeated item, by the answer that is stored under its key. */
const STATUS_OF = {
  recorded: 'enqueued',
  replaced: 'replaced',
  gathered: 'gathered',
  existing: 'existing',
  unchanged: 'existing',
} as const;

/** The answer to an item that is repeated under its key. */
export const repeated = ({ receipt, answer }: Replay): Extract<EnqueueOutcome, { readonly kind: 'done' }> => ({
  kind: 'done',
  receipt,
  status: STATUS_OF[answer],
});
