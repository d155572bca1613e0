/** Why a command on a hold is refused. */
export type HoldRejection =
  | { readonly code: 'HOLD_NOT_FOUND'; readonly hold: string }
  /** Only who may erase may take away what forbids it. */
  | { readonly code: 'LEGAL_HOLD_IN_FORCE'; readonly hold: string };
