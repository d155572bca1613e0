import type { Handler, NewTask, PolicyChanges, Waybill } from '@waybill/client';

/** One of the archive's other queues, with the work that a clerk does for it. */
export interface ArchiveQueue {
  readonly name: string;
  /** What it demonstrates, in a few words. */
  readonly shows: string;
  readonly description: string;
  readonly policy: PolicyChanges;
  /** The tasks to enqueue before the first file. */
  readonly atStart: readonly NewTask[];
  /** The tasks to enqueue for some files. `sofar`: how many files there were before. */
  readonly forFiles: (paths: readonly string[], sofar: number) => readonly NewTask[];
  readonly handler: (waybill: Waybill) => Handler;
}
