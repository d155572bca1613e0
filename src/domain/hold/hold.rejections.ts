/** Why a command on a hold is refused. */
export type HoldRejection = { readonly code: 'HOLD_NOT_FOUND'; readonly hold: string };
