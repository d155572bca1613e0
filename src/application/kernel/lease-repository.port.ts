export interface LeaseRef {
  readonly taskId: string;
  /** The fencing token: a decimal number. */
  readonly token: string;
  readonly secret: string;
}

export type LeaseExtension =
  | { readonly taskId: string; readonly kind: 'extended'; readonly deadline: string; readonly cancelRequested: boolean }
  | { readonly taskId: string; readonly kind: 'lost' };

/** The leases' rows. Extending one is not an event: the history keeps what happened, not that nothing did. */
export abstract class LeaseRepository {
  /** Moves each standing lease's deadline to now plus its own length; one answer per lease, in order. */
  abstract extend(leases: readonly LeaseRef[]): Promise<readonly LeaseExtension[]>;
}
