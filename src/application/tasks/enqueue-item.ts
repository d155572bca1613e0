import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { ApplicationRejection } from '../kernel/application-error.js';
import type { Receipt } from '../kernel/command-context.js';

export interface EnqueueItem {
  /** UUID; null lets us choose one. The same id with the same content again is the same task. */
  readonly taskId: string | null;
  readonly queue: string;
  /** The first that the queue's policy names where absent, or `task`. */
  readonly kind?: string;
  readonly key?: string;
  readonly reference?: string;
  /** The queue's default where absent. */
  readonly priority?: number;
  readonly dueAt?: IsoTime;
  readonly labels?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly payload?: Json;
  /** Held from the beginning, until released. */
  readonly hold?: { readonly reason?: string };
  /** Waits for nothing yet, and for its submission: it occupies no place of its key. */
  readonly prepared?: boolean;
}

export type EnqueueRejection = TaskRejection | QueueRejection | ApplicationRejection;

export type EnqueueOutcome =
  | {
      readonly kind: 'done';
      readonly receipt: Receipt;
      /** `existing`, `replaced`: the receipt's id is that of the task that already waited, for the same key or under the same id. */
      readonly status: 'enqueued' | 'existing' | 'replaced';
    }
  | { readonly kind: 'refused'; readonly rejection: EnqueueRejection };
