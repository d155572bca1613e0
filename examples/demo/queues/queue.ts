import type { Handler, NewTask, PolicyChanges, Waybill } from '@waybill/client';

/** A queue of the archive beside that of the catalogue, with what a clerk does for it. */
export interface ArchiveQueue {
  readonly name: string;
  /** What it shows, in a few words. */
  readonly shows: string;
  readonly description: string;
  readonly policy: PolicyChanges;
  /** What is handed in before the first file. */
  readonly atStart: readonly NewTask[];
  /** What is handed in for some files; `sofar` have been before. */
  readonly forFiles: (paths: readonly string[], sofar: number) => readonly NewTask[];
  readonly handler: (waybill: Waybill) => Handler;
}
