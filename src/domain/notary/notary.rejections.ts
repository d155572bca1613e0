/** Why a command on the sealed log is refused. */
export type NotaryRejection =
  /** The notary found no loss of a log of so many leaves. `lost`: of the one that it found, if there is one. */
  { readonly code: 'LOSS_NOT_FOUND'; readonly size: number; readonly lost: number | null };
