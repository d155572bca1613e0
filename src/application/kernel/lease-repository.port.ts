export interface LeaseRef {
  readonly taskId: string;
  /** The fencing token: a decimal number. */
  readonly token: string;
  readonly secret: string;
}

export interface Standing<Kind> {
  readonly taskId: string;
  readonly kind: Kind;
  readonly deadline: string;
  readonly cancelRequested: boolean;
}

interface Lost {
  readonly taskId: string;
  readonly kind: 'lost';
}

export type LeaseExtension = Standing<'extended'> | Lost;
export type LeaseCheck = Standing<'standing'> | Lost;

/**
 * The rows of leases. Extending a lease records no event, because the history keeps what happened to a task, and
 * nothing did.
 */
export abstract class LeaseRepository {
  /** A fencing token for a new claim, higher than all before. */
  abstract nextToken(): Promise<string>;

  /** How many tasks run for a holder of API keys whose running tasks are limited. */
  abstract runsOf(holder: string): Promise<number>;

  /**
   * Gives what was claimed for a job to the worker that has claimed the job: the secret and the length of its lease, and
   * as much time. Leaves out leases that are just being ended.
   */
  abstract passOn(job: string, lease: { readonly secret: string; readonly leaseMs: number }): Promise<void>;

  /** Extends each standing lease to now plus its own length, and with that of a job those of its items. Returns one answer per lease, in order. */
  abstract extend(leases: readonly LeaseRef[]): Promise<readonly LeaseExtension[]>;

  /** The same answers, but changes nothing. */
  abstract check(leases: readonly LeaseRef[]): Promise<readonly LeaseCheck[]>;
}
