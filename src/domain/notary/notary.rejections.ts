/** Why a command on the sealed log is refused. */
export type NotaryRejection =
  /** The notary found no loss of a log of so many leaves. `lost`: of the one that it found, if there is one. */
  | { readonly code: 'LOSS_NOT_FOUND'; readonly size: number; readonly lost: number | null }
  /** Nobody seals a log of this name. `sealed`: the name of the one that is sealed, if there is one. */
  | { readonly code: 'LOG_NOT_SEALED'; readonly log: string; readonly sealed: string | null };
