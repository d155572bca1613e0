import type { LeftOut } from './trigger.events.js';

/** Why a command on a trigger is refused. */
export type TriggerRejection =
  | { readonly code: 'TRIGGER_NOT_FOUND'; readonly trigger: string }
  /** The tasks that it makes would lead, by triggers of queues and of events, to the queue that sets it off. */
  | { readonly code: 'TRIGGER_CYCLE'; readonly cycle: readonly string[] }
  /** It failed for so long that it gave up the oldest of the events that it owed tasks of. No command is refused with it. */
  | ({ readonly code: 'TOO_MANY_OWED' } & LeftOut)
  /** The trigger has no task to claim, so it makes no job. */
  | { readonly code: 'NOTHING_READY'; readonly queue: string }
  /** Which tasks a job would get is only known once they are claimed. */
  | { readonly code: 'NOT_PREVIEWED'; readonly trigger: string };
