/** Why a command on a trigger is refused. */
export type TriggerRejection = { readonly code: 'TRIGGER_NOT_FOUND'; readonly trigger: string };
