import type { IsoTime } from '../kernel/json.js';
import type { QueueCommandType } from './queue.commands.js';
import type { QueuePolicy } from './queue.policy.js';
import type { QueueStatus } from './queue.state.js';

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
  /** The way back is to reopen the queue. */
  | { readonly code: 'QUEUE_FINISHED'; readonly queue: string }
  /** Tasks of the queue are not final yet: finishing and deleting wait for them. */
  | { readonly code: 'QUEUE_NOT_EMPTY'; readonly queue: string }
  | { readonly code: 'PRESET_NOT_FOUND'; readonly preset: string; readonly known: readonly string[] }
  /** Of a policy that is to be, or of the queue's own for a task that has no time of its own. */
  | { readonly code: 'SCHEDULE_INVALID'; readonly queue: string; readonly reason: string }
  /** `onKeyFailure: block` lets tasks of a key wait in line, which the policy does not allow. */
  | {
      readonly code: 'KEY_FAILURE_NEEDS_LINE';
      readonly queue: string;
      readonly duplicatePending: QueuePolicy['duplicatePending'];
    }
  /** A queue to wait for that is not there. */
  | { readonly code: 'AWAITED_QUEUE_NOT_FOUND'; readonly queue: string; readonly awaited: string }
  /** Each of `cycle` would wait for the next one, and the last for the first. */
  | { readonly code: 'QUEUES_WAIT_IN_CYCLE'; readonly queue: string; readonly cycle: readonly string[] }
  /** The policy of `by` names the queue among those it waits for. */
  | { readonly code: 'QUEUE_AWAITED'; readonly queue: string; readonly by: string }
  /** A pause with an end that is over, by the service's clock. */
  | { readonly code: 'PAUSE_IN_THE_PAST'; readonly queue: string; readonly until: IsoTime; readonly now: IsoTime }
  | { readonly code: 'KEY_REQUIRED'; readonly queue: string }
  /** The policy names other kinds. */
  | {
      readonly code: 'KIND_NOT_TAKEN';
      readonly queue: string;
      readonly kind: string;
      readonly kinds: readonly string[];
    }
  | { readonly code: 'PAYLOAD_TOO_LARGE'; readonly bytes: number; readonly limit: number };
