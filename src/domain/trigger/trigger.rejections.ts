/** Why a command on a trigger is refused. */
export type TriggerRejection =
  | { readonly code: 'TRIGGER_NOT_FOUND'; readonly trigger: string }
  /** The task that it makes of an event of a queue would lead to an event of this queue. */
  | { readonly code: 'TRIGGER_CYCLE'; readonly cycle: readonly string[] }
  /** The trigger has no task to claim, so it makes no job. */
  | { readonly code: 'NOTHING_READY'; readonly queue: string };
