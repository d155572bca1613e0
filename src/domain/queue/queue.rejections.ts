import type { CronRejection } from '../kernel/cron.js';
import type { IsoTime } from '../kernel/json.js';
import type { QueueCommandType } from './queue.commands.js';
import type { QueuePolicy } from './queue.policy.js';
import type { QueueStatus } from './queue.state.js';

/** What keeps a submission from being gathered: the policy of its queue, or this field of its own. */
export type NotGathered =
  | 'duplicatePending'
  | 'key'
  | 'dueAt'
  | 'hold'
  | 'after'
  | 'prepared'
  | 'rejected'
  | 'batch'
  | 'items'
  | 'plans'
  | 'rerunOf'
  | 'needs';

/** Why a command on a queue, or a submission to it, is refused. */
export type QueueRejection =
  | { readonly code: 'QUEUE_NOT_FOUND'; readonly queue: string }
  | {
      readonly code: 'QUEUE_ILLEGAL_TRANSITION';
      readonly command: QueueCommandType;
      readonly state: QueueStatus;
      readonly allowed: readonly QueueCommandType[];
    }
  | { readonly code: 'POLICY_VERSION_MISMATCH'; readonly expected: number; readonly actual: number }
  | { readonly code: 'INTAKE_CLOSED'; readonly queue: string; readonly by: string; readonly reason: string | null }
  /** The whole system takes no new tasks, such as before a deployment. */
  | { readonly code: 'DRAINING'; readonly by: string; readonly reason: string | null }
  /** Reopen the queue to use it again. */
  | { readonly code: 'QUEUE_FINISHED'; readonly queue: string }
  /** The queue has open tasks, so it cannot be finished or deleted. */
  | { readonly code: 'QUEUE_NOT_EMPTY'; readonly queue: string }
  | { readonly code: 'PRESET_NOT_FOUND'; readonly preset: string; readonly known: readonly string[] }
  /** The due times of a new policy, or those of the queue when a task needs them. */
  | CronRejection
  /** `onKeyFailure: block` needs `duplicatePending: allow`. */
  | {
      readonly code: 'POLICY_CONTRADICTORY';
      readonly queue: string;
      readonly duplicatePending: QueuePolicy['duplicatePending'];
    }
  /** `search` needs all payloads of the queue in the log, but the field `beside` keeps some elsewhere. */
  | {
      readonly code: 'SEARCH_NOT_POSSIBLE';
      readonly queue: string;
      readonly search: readonly string[];
      readonly beside: keyof QueuePolicy;
    }
  /** `duplicatePending: gather`, with these payloads, goes together with no field `beside`. */
  | {
      readonly code: 'GATHER_NOT_POSSIBLE';
      readonly queue: string;
      readonly beside: keyof QueuePolicy;
    }
  /** The submission says how it is gathered, but it is not: its queue does not gather, or it has no key, or more to say for itself. */
  | { readonly code: 'NOT_GATHERED'; readonly queue: string; readonly because: NotGathered }
  /** One worker has a serial queue to itself, whatever its tasks need. */
  | { readonly code: 'NEEDS_NOT_POSSIBLE'; readonly queue: string; readonly beside: 'concurrency: serial' }
  /** The queue's policy does not let tasks need anything of their workers. */
  | { readonly code: 'NEEDS_NOT_TAKEN'; readonly queue: string }
  /** `perLabel` says neither how many tasks of a value may run, nor how many may start. */
  | { readonly code: 'LABEL_NOT_LIMITED'; readonly queue: string; readonly label: string }
  /** `perLabel` has two entries for one value. */
  | { readonly code: 'LABEL_VALUE_TWICE'; readonly queue: string; readonly label: string; readonly labelValue: string }
  /** The queue limits the values of the label `label`, and those of one label only. */
  | { readonly code: 'LABEL_DIFFERS'; readonly queue: string; readonly label: string; readonly given: string }
  /** As many values as can have limits of their own have some. */
  | { readonly code: 'TOO_MANY_LIMITS'; readonly queue: string; readonly most: number }
  /** The values of `label` have turns, but those of the label `limited` have limits (`perLabel`). */
  | { readonly code: 'FAIR_LABEL_DIFFERS'; readonly queue: string; readonly label: string; readonly limited: string }
  /** The policy names a queue that does not exist. */
  | { readonly code: 'AWAITED_QUEUE_NOT_FOUND'; readonly queue: string; readonly awaited: string }
  /** Each of `cycle` would wait for the next one, and the last for the first. */
  | { readonly code: 'QUEUES_WAIT_IN_CYCLE'; readonly queue: string; readonly cycle: readonly string[] }
  /** The policy of `by` waits for the queue. */
  | { readonly code: 'QUEUE_AWAITED'; readonly queue: string; readonly by: string }
  /** The pause would end in the past, by the service's clock. */
  | { readonly code: 'PAUSE_IN_THE_PAST'; readonly queue: string; readonly until: IsoTime; readonly now: IsoTime }
  /** A task cannot start outside of the order of the queue, which is `because`: paused, waiting, or limited in what runs. */
  | {
      readonly code: 'START_NOT_ALLOWED';
      readonly queue: string;
      readonly because: Exclude<QueueStatus, 'active'> | 'limited';
    }
  /** The queue belongs to the service itself, which alone defines it, adds tasks to it and claims them. */
  | { readonly code: 'QUEUE_RESERVED'; readonly queue: string }
  /** Only the service gives its tasks labels with such names. */
  | { readonly code: 'LABEL_RESERVED'; readonly label: string }
  | { readonly code: 'KEY_REQUIRED'; readonly queue: string }
  /** The policy does not accept this kind. */
  | {
      readonly code: 'KIND_NOT_ACCEPTED';
      readonly queue: string;
      readonly kind: string;
      readonly kinds: readonly string[];
    }
  /** A schema of the policy cannot be used: `because` says why. */
  | {
      readonly code: 'PAYLOAD_SCHEMA_INVALID';
      readonly queue: string;
      readonly kind: string;
      readonly because: string;
    }
  /** The payload does not match its kind's schema. `at` is a JSON Pointer (RFC 6901) into the payload. */
  | {
      readonly code: 'PAYLOAD_INVALID';
      readonly queue: string;
      readonly kind: string;
      readonly policyVersion: number;
      readonly at: string;
      readonly because: string;
    }
  /** The payload is not the one whose digest came with it: SHA-256 of its canonical JSON (RFC 8785), in hexadecimal. */
  | { readonly code: 'PAYLOAD_DIGEST_MISMATCH'; readonly given: string; readonly actual: string }
  | { readonly code: 'PAYLOAD_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /** The payload store does not have the payload with this digest, or a caller wrote what the log has in place of one. */
  | { readonly code: 'PAYLOAD_MISSING'; readonly sha256: string }
  /** What the payload store has is not what was submitted. */
  | { readonly code: 'PAYLOAD_CHANGED'; readonly sha256: string };
